// SPDX-License-Identifier: MIT
import { Delay, busy } from './activity.js';
import { clamp, frameAt, readHash, timeOf, writeHash } from './time.js';

/** What several parts of the page read. It changes only through `set`. */
export const S = {
  build: document.querySelector('meta[name=build]')?.getAttribute('content') ?? '',
  /** `waiting`, `open`, `ended` or `lost`. */
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
  /** The view with unsaved changes that a drag shows. @type {{view: string, rev: number} | null} */
  attempt: null,
  scene: null,
  ms: null,
  n: 0,
  playing: 0,
  speed: 1,
  loop: true,
  lost: 0,
  /** Half open, in frames. @type {number[] | null} */
  range: null,
  /** @type {string | null} */
  selected: null,
  /** @type {string | null} */
  hovered: null,
  /** Seconds that the timeline shows. @type {number[]} */
  zoom: [0, 1],
  filter: '',
  tab: 'inspector',
  /** Device pixels a pixel of the film has; 0 fits. */
  scale: 0,
  ground: '',
  guides: false,
  snap: true,
  theme: '',
  /** @type {number[][]} */
  kept: [],
  /** @type {any[]} */
  problems: [],
  /** The faults of a text that is not shown. @type {any[] | null} */
  broken: null,
  /** @type {{undo: string | null, redo: string | null}} */
  history: { undo: null, redo: null },
  film: null,
  /** The film that is made on demand. */
  job: null,
  muted: false,
  /** Whether moving the playhead by hand is heard. */
  scrubs: false,
  /** The frame that took too long, and what is said of it. @type {{n: number, reason: string} | null} */
  slow: null,
  /** The name of the output that is looked at; '' for the scene as it is. */
  output: '',
  /** What the view is made with. @type {{scene: string | null, params: Record<string, string>, size?: number[], rate?: number[]}} */
  wish: { scene: null, params: {} },
};

/** @type {{keys: Set<string>, fn: () => void}[]} */
const listeners = [];

/** Calls `fn` when one of the words changes, once for each `set`. */
export function on(keys, fn) {
  listeners.push({ keys: new Set(keys.split(' ')), fn });
}

/** The same, at most once for each picture of the display. */
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
  for (const [k, v] of Object.entries(patch)) {
    if (S[k] === v) continue;
    S[k] = v;
    changed.push(k);
  }
  if (!changed.length) return;
  for (const it of listeners.filter((l) => changed.some((k) => l.keys.has(k)))) {
    // A panel that fails takes no other one with it.
    try { it.fn(); } catch (e) { reportError(e); }
  }
}

export const rate = () => S.scene?.rate ?? [30, 1];
export const frames = () => S.scene?.frames ?? 1;
export const duration = () => S.scene?.duration ?? 1;
/** Where play loops. */
export const range = () => S.range ?? [0, frames()];
/** @type {Map<string, any>} */
let byKey = new Map();
let byKeyOf = null;
export function rowOf(key) {
  if (byKeyOf !== S.scene?.rows) {
    byKeyOf = S.scene?.rows;
    byKey = new Map(byKeyOf?.map((r) => [r.key, r]));
  }
  return byKey.get(key);
}
export const now = () => timeOf(S.n, rate());

/** Moves the playhead. */
export function seek(n) {
  set({ n: clamp(Math.round(n), 0, frames() - 1) });
}

export const seekTime = (t) => seek(frameAt(t, rate()));

/** What the shown pictures are of. */
export const shown = () => S.attempt ?? { view: S.view, rev: S.rev };

const first = readHash(location.hash);

/** What the address asks for before anything is known of the scene. */
export function readAddress() {
  const params = {};
  for (const k of Object.keys(first)) if (k.startsWith('p.')) params[k.slice(2)] = first[k];
  const two = (text) => (/^\d+[x-]\d+$/.test(text ?? '') ? text.split(/[x-]/).map(Number) : undefined);
  set({
    tab: first.tab || 'inspector',
    selected: first.sel || null,
    output: first.output || '',
    theme: ['light', 'dark'].includes(first.theme) ? first.theme : '',
    wish: { scene: first.scene || null, params, size: two(first.size), rate: two(first.rate) },
  });
}

/** What the address says of times, once the scene is known. */
export function firstTimes(scene) {
  const t = (name) => {
    const x = Number(first[name]);
    return first[name] === undefined || !Number.isFinite(x) ? null : frameAt(x + 0.0005, scene.rate);
  };
  const last = scene.frames;
  const a = t('in');
  const b = t('out');
  const limits = [clamp(a ?? 0, 0, last - 1), clamp(b ?? last, 1, last)];
  const zoom = (first.z ?? '').split('-').map(Number);
  return {
    n: clamp(t('t') ?? 0, 0, last - 1),
    range: (a === null && b === null) || limits[0] >= limits[1] ? null : limits,
    zoom: zoom.length === 2 && zoom[0] < zoom[1] ? zoom : [0, scene.duration * 1.02],
  };
}

/** The place that the address has. */
export function address() {
  const whole = S.zoom[0] === 0 && Math.abs(S.zoom[1] - duration() * 1.02) < 1e-6;
  /** @type {Record<string, any>} */
  const out = {
    t: S.n ? Number(now().toFixed(3)) : null,
    sel: S.selected,
    in: S.range ? Number(timeOf(S.range[0], rate()).toFixed(3)) : null,
    out: S.range ? Number(timeOf(S.range[1], rate()).toFixed(3)) : null,
    z: whole ? null : S.zoom.map((x) => Number(x.toFixed(2))).join('-'),
    tab: S.tab === 'inspector' ? null : S.tab,
    theme: S.theme,
    scene: S.wish.scene,
    output: S.output,
    size: S.wish.size?.join('x'),
    rate: S.wish.rate?.join('-'),
  };
  for (const [k, v] of Object.entries(S.wish.params)) out['p.' + k] = v;
  return writeHash(out);
}

const update = new Delay('address');
/** Keeps the address up to date, four times a second at most. */
export function followAddress() {
  on('n playing selected range zoom tab wish theme output', () => {
    if (update.isSet || !S.scene || S.playing) return;
    update.set(() => {
      const to = address();
      if (to !== location.hash) history.replaceState(null, '', to || location.pathname);
    }, 250);
  });
}
