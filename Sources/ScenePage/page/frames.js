// SPDX-License-Identifier: MIT
import { Delay, during } from './activity.js';
import { address, ask, onPush } from './connection.js';
import { toast } from './dom.js';
import { Sizes } from './ring.js';
import { S, on, set, shown } from './store.js';

/** Gets pictures: the newest wish first, one at a time, and the exact one when nothing moves. */

export const sizes = new Sizes();

/** Put in by the picture: shows a bitmap, and says how wide the picture is in device pixels. */
export const screen = {
  /** */
  show() {},
  width: () => 960,
};

/** What is on the screen. @type {{view: string, rev: number, n: number, digest: string, width: number, exact: boolean} | null} */
let current = null;
let busy = false;
/** @type {string | null} */
let wish = null;
const rest = new Delay('exact frame');
/** @type {AbortController | null} */
let still = null;
const pushWait = new Delay('pushed frame');

export const decode = (bytes, type) => during('image', createImageBitmap(
  new Blob([bytes], { type }), { colorSpaceConversion: 'none' }));

/** The width to ask for. */
export function wanted(moving) {
  const most = S.scene?.size?.[0] ?? 1920;
  return Math.max(16, Math.min(most, Math.round(screen.width() * (moving ? sizes.share : 1))));
}

/** A frame that took too long: the last picture stays, below a card. */
function giveUp(it) {
  rest.clear();
  still?.abort();
  set({ slow: { n: it.n, reason: it.reason } });
}

/** Puts a picture on the screen and remembers which. */
export function show(bitmap, about) {
  set({ slow: null });
  current = { ...about, width: bitmap.width };
  screen.show(bitmap, current);
  bitmap.close();
}

/** What is on the screen is right for another frame too. */
function stay(view, rev, n) {
  current = { ...current, view, rev, n };
  screen.show(null, current);
}

/** What is on the screen is asked for with its digest, so that nothing is sent twice. */
const have = (width) => (current && (current.exact || current.width >= width) ? current.digest : undefined);

const isOf = (view, rev, n) => current?.view === view && current.rev === rev && current.n === n;

/** Whether the screen shows the film's own pixels of the frame at the playhead. */
function isRight() {
  const { view, rev } = shown();
  return !!current?.exact && isOf(view, rev, S.n);
}

async function next() {
  if (busy || !wish || !S.scene || S.playing) return;
  const purpose = wish;
  wish = null;
  const { view, rev } = shown();
  const n = S.n;
  const width = wanted(purpose === 'scrub');
  if (isRight() || (isOf(view, rev, n) && current.width >= width)) return;
  busy = true;
  const it = await ask('frame', { view, rev, n, width, for: purpose, ground: ground(), have: have(width) });
  if (it.bytes) {
    const bitmap = await decode(it.bytes, 'image/jpeg');
    // The exact one may have been faster, also that of a later wish.
    if (S.playing || isRight()) {
      if (current && isOf(view, rev, n)) current.digest = it.digest;
      bitmap.close();
    } else show(bitmap, { view, rev, n, digest: it.digest, exact: false });
    if (purpose === 'scrub') sizes.took(it.took, 40, performance.now());
  } else if (it.same && !isRight()) {
    // The picture that the server was told of may have been replaced in the meantime.
    if (current?.digest === it.same) stay(view, rev, n);
    else wish ??= purpose;
  } else if (it.error === 'busy') {
    sizes.down(performance.now());
    wish ??= purpose;
  } else if (it.error === 'slow' && n === S.n) giveUp(it);
  busy = false;
  if (wish) next();
  // The exact one may have been shown, and replaced by this answer.
  else if (it.bytes && !isRight() && !rest.isSet) rest.set(settle, 120);
}

/** The playhead, the scene or the size of the picture changed. */
export function refresh(purpose = 'scrub') {
  still?.abort();
  rest.clear();
  set({ slow: null });
  if (S.playing || !S.scene || S.link !== 'open') return;
  wish = purpose;
  next();
  rest.set(settle, 120);
}

/** Nothing moved for a while: the film's own pixels. */
async function settle() {
  if (S.playing || !S.scene || S.link !== 'open') return;
  const { view, rev } = shown();
  const n = S.n;
  if (isOf(view, rev, n) && current?.exact) return;
  still = new AbortController();
  try {
    const got = await fetch(address('still', { view, rev, n }), { signal: still.signal });
    // What is there stays; it is not asked for again.
    if (got.status === 504) return toast('Rendering the exact frame took too long and was aborted.', true);
    if (!got.ok) throw new Error('no picture');
    const bitmap = await createImageBitmap(await got.blob(), { colorSpaceConversion: 'none' });
    const now = shown();
    if (S.playing || now.view !== view || now.rev !== rev || S.n !== n) return;
    // The picture that moved may not have come yet: then its digest is not known.
    show(bitmap, { view, rev, n, digest: isOf(view, rev, n) ? current?.digest : undefined, exact: true });
  } catch (e) {
    // Something moved; else it is asked for again.
    if (e.name !== 'AbortError') rest.set(settle, 1000);
  }
}

/** A picture that comes right behind a new text, or one that is tried. */
onPush(async (it) => {
  const isWanted = () => {
    const { view, rev } = shown();
    return (it.view ?? view) === view && it.rev >= rev && it.n === S.n && !S.playing && !isOf(view, it.rev, S.n);
  };
  if (!isWanted()) return;
  if (it.error) return it.error === 'slow' && giveUp(it);
  const bitmap = it.bytes && await decode(it.bytes, 'image/jpeg');
  if (!isWanted()) return;
  pushWait.clear();
  const { view } = shown();
  if (bitmap) show(bitmap, { view, rev: it.rev, n: it.n, digest: it.digest, exact: false });
  else if (current?.digest === it.same) stay(view, it.rev, it.n);
  rest.set(settle, 120);
});

/** A new text: its picture is on the way if the server pushes, else it is asked for. */
export function renew() {
  pushWait.clear();
  if (S.push && current?.view === shown().view) pushWait.set(() => refresh('rest'), 80);
  else refresh('rest');
}

/** What a film that is transparent stands on. */
export const ground = () => S.ground || (S.scene?.transparent ? 'checker' : 'scene');

/** The picture before the last change, while `on`. */
export async function before(isOn) {
  if (!isOn) {
    current = null;
    refresh('rest');
    return true;
  }
  const it = await ask('frame', {
    view: S.view, rev: S.rev - 1, n: S.n, width: wanted(false), for: 'rest', ground: ground(),
  });
  if (!it.bytes) return false;
  rest.clear();
  still?.abort();
  show(await decode(it.bytes, 'image/jpeg'),
    { view: S.view, rev: S.rev - 1, n: S.n, digest: it.digest, exact: false, before: true });
  return true;
}

on('n', () => refresh('scrub'));
on('attempt', renew);
on('playing', () => S.playing || refresh('rest'));
// Another run of scenec counts anew.
on('link', () => { current = null; });
on('ground', () => { current = null; refresh('rest'); });
