// SPDX-License-Identifier: MIT
import { Delay, busy } from './activity.js';
import { clamp, frameAt, readHash, timeOf, writeHash } from './time.js';

/** The shared state of the page. It changes only through `set`. */
export const state = {
  build: document.querySelector('meta[name=build]')?.getAttribute('content') ?? '',
  /** The state of the connection: `waiting`, `open`, `ended` or `lost`. */
  link: 'waiting',
  file: '',
  readOnly: false,
  editor: false,
  /** Whether an editor started the preview. */
  live: false,
  push: false,
  folder: '',
  view: 'main',
  rev: 0,
  /** The private view that previews a drag. @type {{view: string, rev: number} | null} */
  attempt: null,
  scene: null,
  ms: null,
  n: 0,
  playing: 0,
  speed: 1,
  loop: true,
  lost: 0,
  /** The half-open range in frames. @type {number[] | null} */
  range: null,
  /** @type {string | null} */
  selected: null,
  /** The other elements of a selection. @type {string[]} */
  others: [],
  /** The guides to which a drag has snapped. @type {{axis: number, line: number}[]} */
  lines: [],
  /** The ends of the line that shows the new place of an element of a layout. @type {number[][] | null} */
  mark: null,
  /** @type {string | null} */
  hovered: null,
  /** The visible interval of the timeline in seconds. @type {number[]} */
  zoom: [0, 1],
  filter: '',
  /** The property of the graph, `-` for the first one, or '' for the timeline. */
  graph: '',
  /** Whether the graph shows speeds. */
  speeds: false,
  tab: 'inspector',
  /** The number of device pixels per frame pixel; 0 fits the frame to the stage. */
  scale: 0,
  ground: '',
  guides: false,
  snap: true,
  theme: '',
  /** @type {number[][]} */
  kept: [],
  /** @type {any[]} */
  problems: [],
  /** The errors of the current text. @type {any[] | null} */
  broken: null,
  /** @type {{undo: string | null, redo: string | null}} */
  history: { undo: null, redo: null },
  film: null,
  /** The current export. */
  job: null,
  muted: false,
  /** Whether scrubbing plays audio. */
  scrubs: false,
  /** The frame that exceeded the time limit, with the reason. @type {{n: number, reason: string} | null} */
  slow: null,
  /** The name of the selected output; '' for the scene itself. */
  output: '',
  /** The options of the view.
   * @type {{scene: string | null, params: Record<string, string>, size?: number[], rate?: number[], row?: number}} */
  wish: { scene: null, params: {} },
};

/** @type {{keys: Set<string>, fn: () => void}[]} */
const listeners = [];

/** Calls `fn` when any of the keys changes, once per `set`. */
export function on(keys, fn) {
  listeners.push({ keys: new Set(keys.split(' ')), fn });
}

/** Calls `fn` like `on`, but at most once per display frame. */
export function paint(keys, fn) {
  let asked = false;
  const ask = () => {
    if (asked) return;
    asked = true;
    const end = busy(`frame for ${keys}`);
    requestAnimationFrame(() => {
      asked = false;
      try { fn(); } finally { end(); }
    });
  };
  on(keys, ask);
  return ask;
}

export function set(patch) {
  const changed = [];
  for (const [key, value] of Object.entries(patch)) {
    if (state[key] === value) continue;
    state[key] = value;
    changed.push(key);
  }
  if (!changed.length) return;
  for (const it of listeners.filter((l) => changed.some((k) => l.keys.has(k)))) {
    // An error in one panel does not affect others.
    try { it.fn(); } catch (e) { reportError(e); }
  }
}

export const rate = () => state.scene?.rate ?? [30, 1];
export const frames = () => state.scene?.frames ?? 1;
export const duration = () => state.scene?.duration ?? 1;
/** Returns the range that playback loops. */
export const range = () => state.range ?? [0, frames()];
/** @type {Map<string, any>} */
let byKey = new Map();
let byKeyOf = null;
export function rowOf(key) {
  if (byKeyOf !== state.scene?.rows) {
    byKeyOf = state.scene?.rows;
    byKey = new Map(byKeyOf?.map((r) => [r.key, r]));
  }
  return byKey.get(key);
}
export const now = () => timeOf(state.n, rate());

/** Moves the playhead. */
export function seek(frame) {
  set({ n: clamp(Math.round(frame), 0, frames() - 1) });
}

export const seekTime = (t) => seek(frameAt(t, rate()));

/** Returns the view and revision of the displayed frames. */
export const shown = () => state.attempt ?? { view: state.view, rev: state.rev };

const first = readHash(location.hash);

/** Reads the parts of the URL that do not depend on the scene. */
export function readAddress() {
  const params = {};
  for (const k of Object.keys(first)) if (k.startsWith('p.')) params[k.slice(2)] = first[k];
  const two = (text) => (/^\d+[x-]\d+$/.test(text ?? '') ? text.split(/[x-]/).map(Number) : undefined);
  set({
    tab: first.tab || 'inspector',
    selected: first.sel || null,
    output: first.output || '',
    graph: first.graph || '',
    theme: ['light', 'dark'].includes(first.theme) ? first.theme : '',
    wish: { scene: first.scene || null, params, size: two(first.size), rate: two(first.rate),
      row: /^\d+$/.test(first.row ?? '') ? Number(first.row) : undefined },
  });
}

/** Returns the times in the URL, once the scene is loaded. */
export function firstTimes(scene) {
  const frameOf = (name) => {
    const x = Number(first[name]);
    return first[name] === undefined || !Number.isFinite(x) ? null : frameAt(x + 0.0005, scene.rate);
  };
  const last = scene.frames;
  const from = frameOf('in');
  const to = frameOf('out');
  const limits = [clamp(from ?? 0, 0, last - 1), clamp(to ?? last, 1, last)];
  const zoom = (first.z ?? '').split('-').map(Number);
  return {
    n: clamp(frameOf('t') ?? 0, 0, last - 1),
    range: (from === null && to === null) || limits[0] >= limits[1] ? null : limits,
    zoom: zoom.length === 2 && zoom[0] < zoom[1] ? zoom : [0, scene.duration * 1.02],
  };
}

/** Returns the URL fragment for the current state. */
export function address() {
  const whole = state.zoom[0] === 0 && Math.abs(state.zoom[1] - duration() * 1.02) < 1e-6;
  /** @type {Record<string, any>} */
  const out = {
    t: state.n ? Number(now().toFixed(3)) : null,
    sel: state.selected,
    in: state.range ? Number(timeOf(state.range[0], rate()).toFixed(3)) : null,
    out: state.range ? Number(timeOf(state.range[1], rate()).toFixed(3)) : null,
    z: whole ? null : state.zoom.map((x) => Number(x.toFixed(2))).join('-'),
    tab: state.tab === 'inspector' ? null : state.tab,
    theme: state.theme,
    scene: state.wish.scene,
    output: state.output,
    graph: state.graph,
    size: state.wish.size?.join('x'),
    rate: state.wish.rate?.join('-'),
    row: state.wish.row,
  };
  for (const [k, v] of Object.entries(state.wish.params)) out['p.' + k] = v;
  return writeHash(out);
}

const update = new Delay('address');
/** Updates the URL at most four times per second. */
export function followAddress() {
  on('n playing selected range zoom tab wish theme output graph', () => {
    if (update.isSet || !state.scene || state.playing) return;
    update.set(() => {
      const to = address();
      if (to !== location.hash) history.replaceState(null, '', to || location.pathname);
    }, 250);
  });
}
