// SPDX-License-Identifier: MIT
import { Delay } from './activity.js';
import { ask } from './connection.js';
import { $, colour, drag, h, icon } from './dom.js';
import { family, neighbours, titleOf } from './rows.js';
import { scrub, setAnchors, timeAt, timeUnder, width, xOf } from './ruler.js';
import { S, duration, on, paint, rate, rowOf, seekTime, set } from './store.js';
import { Tree, headOf, idOf } from './tree.js';
import { clamp, clockText, panned, seconds, tickStep, timeOf, zoomed } from './time.js';

/** The timeline: lifetimes, motions and markers. */

const body = $('lives');
/** The handlers of drags and keys, set by edits.js. */
export const edits = {
  /** */
  drag: null,
  /** */
  key: null,
};
const small = matchMedia('(max-width: 519px)');

const share = (t) => `${((t - S.zoom[0]) / (S.zoom[1] - S.zoom[0])) * 100}%`;

function put(it, from, to) {
  it.style.left = share(from);
  if (to !== undefined) it.style.width = `max(2px, ${((to - from) / (S.zoom[1] - S.zoom[0])) * 100}%)`;
  return it;
}

const outside = (from, to) => to < S.zoom[0] || from > S.zoom[1];

const isRamp = (m) => m.property === 'enter' || m.property === 'exit';

/** Returns the entrance (`enter`) or exit (`exit`) of a row. */
export const rampOf = (row, name) => row.motions.find((m) => m.property === name);

/** Returns the bar of a lifetime with its motions as lines at the bottom. */
function bar(row) {
  if (!row.life) return [];
  const [from, to] = row.life;
  if (outside(from, to)) return [];
  const all = [put(h(`div.bar.k-${family(row.kind)}`, { 'data-part': 'bar' },
    h('i.grip.start', { 'data-part': 'start' }), h('i.grip.end', { 'data-part': 'end' })), from, to)];
  for (const m of row.motions.slice(0, 40)) {
    if (m.from === null || outside(m.from, m.to)) continue;
    // Several effects form a single entrance or exit.
    if (!isRamp(m)) all.push(put(h('div.moves'), m.from, m.to));
    else if (rampOf(row, m.property) === m) {
      all.push(put(h(`div.ramp.${m.property}`, h('i.grip', { 'data-part': m.property })), m.from, m.to));
    }
  }
  if (S.scene.hasSound && ['audio', 'video'].includes(row.kind)) all.push(wave(row));
  return all;
}

/** The waveforms by row key: pairs of the minimum and maximum sample of an interval.
 * @type {Map<string, {name: string, from: number, to: number, bytes: Int8Array}>} */
const waves = new Map();
/** @type {Map<string, any>} */
const wishes = new Map();
const waveform = new Delay('waveform');

async function loadWaves() {
  const all = [...wishes];
  wishes.clear();
  for (const [key, { name, ...wish }] of all) {
    const it = await ask('peaks', { view: S.view, rev: S.rev, key, ...wish });
    if (!it.bytes) continue;
    waves.set(key, { name, ...wish, bytes: new Int8Array(it.bytes) });
    tree.later();
  }
  // Rows that became visible while the server responded.
  if (wishes.size) waveform.set(loadWaves, 150);
}

/** Returns the waveform of a row's visible part. The previous waveform stays until the new one arrives. */
function wave(row) {
  const from = Math.max(row.life[0], S.zoom[0]);
  const to = Math.min(row.life[1], S.zoom[1]);
  const w = Math.max(1, Math.round(xOf(to) - xOf(from)));
  const it = h('canvas.wave', { width: w, height: 16, 'aria-hidden': true });
  const name = `${S.view} ${S.rev} ${from} ${to} ${w}`;
  const known = waves.get(row.key);
  if (known?.name !== name) {
    wishes.set(row.key, { name, from, to, px: Math.min(w, 2000) });
    if (!waveform.isSet) waveform.set(loadWaves, 150);
  }
  if (known) {
    const c = it.getContext('2d');
    const count = known.bytes.length / 2;
    // Quiet audio is enlarged up to eight times.
    const half = Math.max(16, ...known.bytes.map(Math.abs)) / 7;
    c.fillStyle = colour('--text');
    for (let x = 0; x < w; x++) {
      const i = Math.floor(((from + ((x + 0.5) / w) * (to - from) - known.from) / (known.to - known.from)) * count);
      if (i < 0 || i >= count) continue;
      const [low, high] = [known.bytes[2 * i] / half, known.bytes[2 * i + 1] / half];
      if (high > low) c.fillRect(x, 8 - high, 1, Math.max(1, high - low));
    }
  }
  return put(it, from, to);
}

/** Returns the times of a motion's keyframes. */
export const keysOf = (motion) => [...new Set([motion.from, ...(motion.keys ?? []), motion.to])];

function lane(motion) {
  if (motion.from === null || motion.from === undefined) return [];
  const all = [put(h('div.motion', { 'data-part': 'motion' }), motion.from, motion.to)];
  keysOf(motion).slice(0, 400).forEach((t, i) => {
    if (!outside(t, t)) all.push(put(h('i.key', { 'data-part': 'key', 'data-key': i }), t));
  });
  if (xOf(motion.to) < width() - 40) all.push(put(h('span.writes', motion.text ?? ''), motion.to));
  return all;
}

function fill(item) {
  const { row, motion, depth } = item;
  const cell = h('div.name', { role: 'rowheader', title: motion ? motion.text : titleOf(row) },
    motion ? h('span.property', motion.property) : headOf(item));
  cell.style.paddingLeft = `${4 + Math.min(depth, small.matches ? 1 : 8) * 12 + (motion ? 24 : 0)}px`;
  const life = motion ? `${motion.property}: ${motion.text}`
    : row.life ? `${seconds(row.life[0])} to ${seconds(row.life[1])}` : 'always';
  return [{ role: 'row' }, [cell,
    h('div.lane', { role: 'gridcell', 'aria-label': life }, motion ? lane(motion) : bar(row))]];
}

const tree = new Tree(body, {
  lanes: true, fill, some: (items) => {
    // Markers are in the ruler, and outputs have no lifetime.
    const all = items.filter((x) => !['marker', 'output'].includes(x.row.kind));
    return small.matches ? neighbours(all, S.selected) : all;
  },
});

/** Draws vertical lines at the labels of the ruler. */
function grid() {
  const step = tickStep(S.zoom[1] - S.zoom[0], width(), rate()).step;
  const style = $('timeline').style;
  style.setProperty('--step', `${(step / (S.zoom[1] - S.zoom[0])) * width()}px`);
  style.setProperty('--offset', `${xOf(0)}px`);
  style.setProperty('--end', `${Math.min(width(), Math.max(0, xOf(duration())))}px`);
}

function renew() {
  if (!S.scene) return;
  body.setAttribute('aria-rowcount', String(tree.items.length));
  $('none').hidden = tree.items.length > 0 || !S.filter;
  grid();
  markers();
}

function markers() {
  const list = S.scene?.markers ?? [];
  $('timeline').classList.toggle('marked', list.length > 0);
  $('markers').replaceChildren(...list.filter((m) => !outside(m.time, m.time)).map((m) => {
    const it = h('button.flag', {
      title: `${m.name}, ${clockText(m.time)}`, tabindex: -1, 'data-marker': list.indexOf(m),
    }, icon('marker'), h('span', m.name));
    const gap = Math.min(...list.map((x) => xOf(x.time) - xOf(m.time)).filter((x) => x > 0));
    it.style.maxWidth = `${Math.max(24, Math.min(112, gap))}px`;
    return put(it, m.time);
  }));
}

/** Drags a marker, or jumps to it on a click. Its flag may be replaced in the meantime. */
function pressMarker(e) {
  const m = S.scene?.markers[e.target.closest('.flag')?.dataset.marker];
  if (!m || e.button !== 0) return;
  const row = rowOf(m.key);
  if (row) edits.drag?.(e, { row: { ...row, life: [m.time, m.time] } }, 'marker');
  e.currentTarget.addEventListener('click', (c) => Math.abs(c.clientX - e.clientX) < 4 && seekTime(m.time), { once: true });
}

/** Returns the times at which something starts, ends or changes, for arrow keys and snapping. */
export function stops() {
  const out = [0, duration(), ...(S.scene?.markers ?? []).map((m) => m.time)];
  if (S.range) out.push(...S.range.map((n) => timeOf(n, rate())));
  const seen = tree.items.length < 400 ? tree.items.map((x) => x.row) : S.scene?.rows.filter((r) => r.key === S.selected) ?? [];
  for (const row of new Set(seen)) {
    if (row.life) out.push(...row.life);
    for (const m of row.motions) out.push(...keysOf(m));
  }
  return out;
}

/** Moves to the previous or next stop, of the selected element if there is one. */
export function toStop(direction) {
  const half = timeOf(0.5, rate());
  const t = timeOf(S.n, rate());
  const row = rowOf(S.selected);
  const own = row ? [...(row.life ?? []), ...row.motions.flatMap(keysOf)] : [];
  const near = [...new Set(own.length ? own : stops())].filter((x) => (direction > 0 ? x > t + half : x < t - half));
  if (near.length) seekTime((direction > 0 ? Math.min(...near) : Math.max(...near)) + half / 2);
}

function press(e) {
  const item = tree.at(e);
  const part = e.target.closest('[data-part]')?.dataset.part;
  if (item && e.target.closest('.name')) return tree.press(e);
  if (e.button === 1) {
    e.preventDefault();
    const from = S.zoom;
    const scroll = body.scrollTop;
    return drag(e, (dx, dy) => {
      set({ zoom: panned(from, (-dx / width()) * (from[1] - from[0]), duration()) });
      body.scrollTop = scroll - dy;
    });
  }
  if (!part || e.button !== 0) return scrub(e);
  tree.active = idOf(item);
  set({ selected: item.row.key });
  const key = Number(e.target.closest('[data-key]')?.dataset.key ?? 0);
  edits.drag?.(e, item, part, key);
}

function wheel(e) {
  if (!S.scene) return;
  const size = S.zoom[1] - S.zoom[0];
  if (e.ctrlKey || e.metaKey) {
    e.preventDefault();
    zoomBy(Math.exp(clamp(e.deltaY, -60, 60) / 120), timeUnder(e, []));
  } else if (Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey) {
    e.preventDefault();
    set({ zoom: panned(S.zoom, ((e.deltaX || e.deltaY) / width()) * size, duration()) });
  }
}

export function zoomBy(factor, at) {
  const t = timeOf(S.n, rate());
  const inView = t >= S.zoom[0] && t <= S.zoom[1];
  set({ zoom: zoomed(S.zoom, factor, at ?? (inView ? t : timeAt(width() / 2)), duration(), timeOf(4, rate())) });
}

export const zoomFit = () => set({ zoom: [0, duration() * 1.02] });

/** Zooms to the lifetime of the selected element. */
export function zoomSelected() {
  const life = rowOf(S.selected)?.life;
  if (!life) return zoomFit();
  const edge = Math.max(timeOf(2, rate()), (life[1] - life[0]) * 0.05);
  set({ zoom: [Math.max(0, life[0] - edge), life[1] + edge] });
}

/** Scrolls along during playback. */
function follow() {
  if (!S.playing) return;
  const t = timeOf(S.n, rate());
  const [a, b] = S.zoom;
  if (t < a || t > b) set({ zoom: panned(S.zoom, t - a - (t < a ? b - a : 0) * 0.9, duration()) });
}

export function startTimeline() {
  setAnchors(stops);
  body.addEventListener('pointerdown', press);
  $('markers').addEventListener('pointerdown', pressMarker);
  // In the capture phase, before the tree handles the arrow keys.
  body.addEventListener('keydown', (e) => {
    const item = tree.items[tree.index()];
    if (item) edits.key?.(e, item);
  }, true);
  $('timeline').addEventListener('wheel', wheel, { passive: false });
  $('filter').addEventListener('input', (e) => set({ filter: e.target.value }));
  small.addEventListener('change', () => tree.renew());
  paint('zoom', () => { tree.draw(); renew(); });
  on('scene filter', renew);
  on('selected', () => { if (small.matches) tree.renew(); });
  on('n', follow);
}
