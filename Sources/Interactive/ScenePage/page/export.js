// SPDX-License-Identifier: MIT
import { address, ask, onEvent } from './connection.js';
import { $, fill, h, menu, toast } from './dom.js';
import { state, on, paint, set } from './store.js';

/** The video of the scene, and exports. */

const endings = ['mp4', 'webm', 'mov', 'gif', 'webp', 'mp3'];
const nameOf = (path) => String(path ?? '').split('/').at(-1);

async function start(output, ending, [from, to]) {
  const it = await ask('export', { view: state.view, output, ending, from, to });
  if (it.error) toast(it.reason ?? 'The export could not be started.', true);
}

function items() {
  const whole = [null, null];
  const list = (frames, words) => endings.filter((ending) => ending !== 'mp3' || state.scene?.hasSound)
    .map((ending) => ({ text: `${words}.${ending}`, act: () => start(null, ending, frames) }));
  const files = (state.scene?.outputs ?? []).map((output, i) => ({
    text: nameOf(output.path), note: output.name, act: () => start(i, null, whole),
  }));
  const made = state.film?.state === 'done' && state.film.path ? state.film : null;
  const film = made ? [null, { text: 'Show video', note: nameOf(made.path), act: () => show({}, made) }] : [];
  const part = state.range ? [null, ...list(state.range, 'Range as ')] : [];
  return [...files, null, ...list(whole, 'As '), ...part, ...film];
}

/** Shows a video in the player, or only its name if the browser does not support the format. */
function show(query, { path, tracks }) {
  const box = $('player');
  const src = address('video', { ...query, at: Date.now() });
  const texts = tracks.map(({ kind, language, label }, n) => h('track', {
    kind, srclang: language || null, label: label || null, src: address('track', { ...query, n, at: Date.now() }),
  }));
  const film = /\.(gif|webp|png|apng)$/.test(path) ? h('img', { src, alt: nameOf(path) })
    : h('video', { src, controls: true, loop: true, autoplay: false }, texts);
  film.addEventListener('error', () => film.replaceWith(h('p', 'This browser cannot play the video.')));
  fill(box, [h('form', { method: 'dialog' }, h('h2', nameOf(path)), h('button.fix', 'Close')), film, h('p.why', path)]);
  box.addEventListener('close', () => fill(box, []), { once: true });
  box.showModal();
}

const words = { building: 'build', drawing: 'export', failed: 'build failed' };

function showState() {
  const it = state.job ?? state.film;
  const text = words[it?.state];
  fill($('film-state'), text ? [text,
    it.of ? h('progress', { value: it.frame, max: it.of, 'aria-label': text }) : null,
    state.job ? h('button.link', { onclick: () => ask('stop', { job: it.job }) }, 'stop') : null] : []);
  $('film-state').title = [nameOf(it?.path), it?.left ? `${Math.ceil(it.left)} s left` : ''].filter(Boolean).join(', ');
}

function onJob(message) {
  set({ job: message.state === 'drawing' ? message : null });
  if (message.state === 'done') {
    toast(`Exported ${nameOf(message.path)}`, false, ['Show', () => show({ job: message.job }, message)]);
  }
  if (message.state === 'failed') toast(message.reason ?? 'The export failed.', true);
}

export function startExport() {
  menu($('export'), items);
  paint('film job', showState);
  on('readOnly', () => { $('export').hidden = state.readOnly; });
  on('link', () => set({ job: null }));
  onEvent('film', (message) => set({ film: message }));
  onEvent('job', onJob);
}
