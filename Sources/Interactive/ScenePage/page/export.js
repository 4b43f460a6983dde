// SPDX-License-Identifier: MIT
import { address, ask, onEvent } from './connection.js';
import { $, fill, h, menu, toast } from './dom.js';
import { S, on, paint, set } from './store.js';

/** The video of the scene, and exports. */

const endings = ['mp4', 'webm', 'mov', 'gif', 'webp', 'mp3'];
const nameOf = (path) => String(path ?? '').split('/').at(-1);

async function start(output, ending, [from, to]) {
  const it = await ask('export', { view: S.view, output, ending, from, to });
  if (it.error) toast(it.reason ?? 'The export could not be started.', true);
}

function items() {
  const whole = [null, null];
  const list = (frames, words) => endings.filter((e) => e !== 'mp3' || S.scene?.hasSound)
    .map((e) => ({ text: `${words}.${e}`, act: () => start(null, e, frames) }));
  return [...(S.scene?.outputs ?? []).map((o, i) => ({ text: nameOf(o.path), note: o.name, act: () => start(i, null, whole) })),
    null, ...list(whole, 'As '), ...(S.range ? [null, ...list(S.range, 'Range as ')] : []),
    ...(S.film?.state === 'done' && S.film.path ? [null, { text: 'Show video', note: nameOf(S.film.path), act: () => show({}, S.film.path) }] : [])];
}

/** Shows a video in the player, or only its name if the browser does not support the format. */
function show(query, path) {
  const box = $('player');
  const src = address('video', { ...query, at: Date.now() });
  const film = /\.(gif|webp|png|apng)$/.test(path) ? h('img', { src, alt: nameOf(path) })
    : h('video', { src, controls: true, loop: true, autoplay: false });
  film.addEventListener('error', () => film.replaceWith(h('p', 'This browser cannot play the video.')));
  fill(box, [h('form', { method: 'dialog' }, h('h2', nameOf(path)), h('button.fix', 'Close')), film, h('p.why', path)]);
  box.addEventListener('close', () => fill(box, []), { once: true });
  box.showModal();
}

const words = { building: 'build', drawing: 'export', failed: 'build failed' };

function state() {
  const it = S.job ?? S.film;
  const text = words[it?.state];
  fill($('film-state'), text ? [text,
    it.of ? h('progress', { value: it.frame, max: it.of, 'aria-label': text }) : null,
    S.job ? h('button.link', { onclick: () => ask('stop', { job: it.job }) }, 'stop') : null] : []);
  $('film-state').title = [nameOf(it?.path), it?.left ? `${Math.ceil(it.left)} s left` : ''].filter(Boolean).join(', ');
}

function onJob(e) {
  set({ job: e.state === 'drawing' ? e : null });
  if (e.state === 'done') toast(`Exported ${nameOf(e.path)}`, false, ['Show', () => show({ job: e.job }, e.path)]);
  if (e.state === 'failed') toast(e.reason ?? 'The export failed.', true);
}

export function startExport() {
  menu($('export'), items);
  paint('film job', state);
  on('readOnly', () => { $('export').hidden = S.readOnly; });
  on('link', () => set({ job: null }));
  onEvent('film', (e) => set({ film: e }));
  onEvent('job', onJob);
}
