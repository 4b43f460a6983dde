// SPDX-License-Identifier: MIT
import { Delay, during } from './activity.js';
import { address, ask, onPush } from './connection.js';
import { toast } from './dom.js';
import { Sizes } from './ring.js';
import { state, on, set, shown } from './store.js';

/** Loads frames: the newest request first, one at a time, and the exact frame once nothing moves. */

export const sizes = new Sizes();

/** The functions of the screen, set by picture.js: `show` shows a bitmap, and `width` returns the width of the
 * frame on screen in device pixels. */
export const screen = {
  /** */
  show() {},
  width: () => 960,
};

/** The displayed frame.
 * @type {{view: string, rev: number, n: number, digest: string, width: number, exact: boolean} | null} */
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

/** Returns the width to request. */
export function wanted(moving) {
  const most = state.scene?.size?.[0] ?? 1920;
  return Math.max(16, Math.min(most, Math.round(screen.width() * (moving ? sizes.share : 1))));
}

/** Reports a frame that exceeded the time limit. The previous frame stays below a card. */
function giveUp(it) {
  rest.clear();
  still?.abort();
  set({ slow: { n: it.n, reason: it.reason } });
}

/** Displays a frame and records its properties. */
export function show(bitmap, about) {
  set({ slow: null });
  current = { ...about, width: bitmap.width };
  screen.show(bitmap, current);
  bitmap.close();
}

/** Records that the displayed image is also that of a different frame. */
function stay(view, rev, frame) {
  current = { ...current, view, rev, n: frame };
  screen.show(null, current);
}

/** Returns the digest of the displayed image, which lets the server skip an identical frame. */
const have = (width) => (current && (current.exact || current.width >= width) ? current.digest : undefined);

const isOf = (view, rev, frame) => current?.view === view && current.rev === rev && current.n === frame;

/** Returns whether the exact image of the frame at the playhead is displayed. */
function isRight() {
  const { view, rev } = shown();
  return !!current?.exact && isOf(view, rev, state.n);
}

async function next() {
  if (busy || !wish || !state.scene || state.playing) return;
  const purpose = wish;
  wish = null;
  const { view, rev } = shown();
  const frame = state.n;
  const width = wanted(purpose === 'scrub');
  if (isRight() || (isOf(view, rev, frame) && current.width >= width)) return;
  busy = true;
  const it = await ask('frame', { view, rev, n: frame, width, for: purpose, ground: ground(), have: have(width) });
  if (it.bytes) {
    const bitmap = await decode(it.bytes, 'image/jpeg');
    // The exact frame may have arrived earlier, even that of a later request.
    if (state.playing || isRight()) {
      if (current && isOf(view, rev, frame)) current.digest = it.digest;
      bitmap.close();
    } else show(bitmap, { view, rev, n: frame, digest: it.digest, exact: false });
    if (purpose === 'scrub') sizes.took(it.took, 40, performance.now());
  } else if (it.same && !isRight()) {
    // The image that was reported to the server may have been replaced in the meantime.
    if (current?.digest === it.same) stay(view, rev, frame);
    else wish ??= purpose;
  } else if (it.error === 'busy') {
    sizes.down(performance.now());
    wish ??= purpose;
  } else if (it.error === 'slow' && frame === state.n) giveUp(it);
  busy = false;
  if (wish) next();
  // The exact frame may have been displayed and then replaced by this response.
  else if (it.bytes && !isRight() && !rest.isSet) rest.set(settle, 120);
}

/** Requests a frame after a change of the playhead, the scene or the display size. */
export function refresh(purpose = 'scrub') {
  still?.abort();
  rest.clear();
  set({ slow: null });
  if (state.playing || !state.scene || state.link !== 'open') return;
  wish = purpose;
  next();
  rest.set(settle, 120);
}

/** Loads the exact frame once nothing has moved for a while. */
async function settle() {
  if (state.playing || !state.scene || state.link !== 'open') return;
  const { view, rev } = shown();
  const frame = state.n;
  if (isOf(view, rev, frame) && current?.exact) return;
  still = new AbortController();
  try {
    const got = await fetch(address('still', { view, rev, n: frame }), { signal: still.signal });
    // The displayed image stays, and the exact one is not requested again.
    if (got.status === 504) return toast('Rendering the exact frame took too long and was aborted.', true);
    if (got.status !== 200) throw new Error('no picture');
    const bitmap = await createImageBitmap(await got.blob(), { colorSpaceConversion: 'none' });
    const now = shown();
    if (state.playing || now.view !== view || now.rev !== rev || state.n !== frame) return;
    // If the moving frame has not arrived yet, its digest is unknown.
    show(bitmap, { view, rev, n: frame, digest: isOf(view, rev, frame) ? current?.digest : undefined, exact: true });
  } catch (error) {
    // The request was aborted by a change; otherwise it is retried.
    if (error.name !== 'AbortError') rest.set(settle, 1000);
  }
}

/** Handles frames that the server pushes after a new text or during a preview. */
onPush(async (it) => {
  const isWanted = () => {
    const { view, rev } = shown();
    return (it.view ?? view) === view && it.rev >= rev && it.n === state.n && !state.playing
      && !isOf(view, it.rev, state.n);
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

/** Waits for a pushed frame after a new text if the server pushes frames; otherwise requests the frame. */
export function renew() {
  pushWait.clear();
  if (state.push && current?.view === shown().view) pushWait.set(() => refresh('rest'), 80);
  else refresh('rest');
}

/** Returns the background shown behind transparent areas. */
export const ground = () => state.ground || (state.scene?.transparent ? 'checker' : 'scene');

/** Shows the frame from before the last change while `isOn` is true. */
export async function before(isOn) {
  if (!isOn) {
    current = null;
    refresh('rest');
    return true;
  }
  const it = await ask('frame', {
    view: state.view, rev: state.rev - 1, n: state.n, width: wanted(false), for: 'rest', ground: ground(),
  });
  if (!it.bytes) return false;
  rest.clear();
  still?.abort();
  show(await decode(it.bytes, 'image/jpeg'),
    { view: state.view, rev: state.rev - 1, n: state.n, digest: it.digest, exact: false, before: true });
  return true;
}

on('n', () => refresh('scrub'));
on('attempt', renew);
on('playing', () => state.playing || refresh('rest'));
// A restarted server numbers revisions from the beginning.
on('link', () => { current = null; });
on('ground', () => { current = null; refresh('rest'); });
