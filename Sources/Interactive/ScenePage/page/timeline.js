// SPDX-License-Identifier: MIT
import { Delay } from './activity.js';
import { ask } from './connection.js';
import { $, colour, drag, h, icon, plain } from './dom.js';
import { family, neighbours, titleOf } from './rows.js';
import { scrub, setAnchors, timeAt, timeUnder, width, xOf } from './ruler.js';
import { state, duration, on, paint, rate, rowOf, seekTime, set } from './store.js';
import { Tree, headOf, idOf } from './tree.js';
import { beatLines, clamp, clockText, panned, seconds, tickStep, timeOf, zoomed } from './time.js';

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

const share = (t) => `${((t - state.zoom[0]) / (state.zoom[1] - state.zoom[0])) * 100}%`;

function put(it, from, to) {
  it.style.left = share(from);
  if (to !== undefined) it.style.width = `max(2px, ${((to - from) / (state.zoom[1] - state.zoom[0])) * 100}%)`;
  return it;
}

const outside = (from, to) => to < state.zoom[0] || from > state.zoom[1];

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
  for (const motion of row.motions.slice(0, 40)) {
    if (motion.from === null || outside(motion.from, motion.to)) continue;
    // Several effects form a single entrance or exit.
    if (!isRamp(motion)) all.push(put(h('div.moves'), motion.from, motion.to));
    else if (rampOf(row, motion.property) === motion) {
      const grip = h('i.grip', { 'data-part': motion.property });
      all.push(put(h(`div.ramp.${motion.property}`, grip), motion.from, motion.to));
    }
  }
  if (state.scene.hasSound && ['audio', 'video'].includes(row.kind)) all.push(wave(row));
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
    const it = await ask('peaks', { view: state.view, rev: state.rev, key, ...wish });
    if (!it.bytes) continue;
    waves.set(key, { name, ...wish, bytes: new Int8Array(it.bytes) });
    tree.later();
  }
  // Rows that became visible while the server responded.
  if (wishes.size) waveform.set(loadWaves, 150);
}

/** Returns the waveform of a row's visible part. The previous waveform stays until the new one arrives. */
function wave(row) {
  const from = Math.max(row.life[0], state.zoom[0]);
  const to = Math.min(row.life[1], state.zoom[1]);
  const pixels = Math.max(1, Math.round(xOf(to) - xOf(from)));
  const it = h('canvas.wave', { width: pixels, height: 16, 'aria-hidden': true });
  const name = `${state.view} ${state.rev} ${from} ${to} ${pixels}`;
  const known = waves.get(row.key);
  if (known?.name !== name) {
    wishes.set(row.key, { name, from, to, px: Math.min(pixels, 2000) });
    if (!waveform.isSet) waveform.set(loadWaves, 150);
  }
  if (known) {
    const context = it.getContext('2d');
    const count = known.bytes.length / 2;
    // Quiet audio is enlarged up to eight times.
    const half = Math.max(16, ...known.bytes.map(Math.abs)) / 7;
    context.fillStyle = colour('--text');
    for (let x = 0; x < pixels; x++) {
      const time = from + ((x + 0.5) / pixels) * (to - from);
      const i = Math.floor(((time - known.from) / (known.to - known.from)) * count);
      if (i < 0 || i >= count) continue;
      const [low, high] = [known.bytes[2 * i] / half, known.bytes[2 * i + 1] / half];
      if (high > low) context.fillRect(x, 8 - high, 1, Math.max(1, high - low));
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
    const all = items.filter((x) => !['marker', 'output', 'expect'].includes(x.row.kind));
    return small.matches ? neighbours(all, state.selected) : all;
  },
});

/** Draws vertical lines at the labels of the ruler. */
function grid() {
  const step = tickStep(state.zoom[1] - state.zoom[0], width(), rate()).step;
  const style = $('timeline').style;
  style.setProperty('--step', `${(step / (state.zoom[1] - state.zoom[0])) * width()}px`);
  style.setProperty('--offset', `${xOf(0)}px`);
  style.setProperty('--end', `${Math.min(width(), Math.max(0, xOf(duration())))}px`);
}

function renew() {
  if (!state.scene) return;
  body.setAttribute('aria-rowcount', String(tree.items.length));
  $('none').hidden = tree.items.length > 0 || !state.filter;
  grid();
  markers();
}

function markers() {
  const list = state.scene?.markers ?? [];
  $('timeline').classList.toggle('marked', list.length > 0);
  $('markers').replaceChildren(...list.filter((marker) => !outside(marker.time, marker.time)).map((marker) => {
    const it = h('button.flag', {
      title: `${marker.name}, ${clockText(marker.time)}`, tabindex: -1, 'data-marker': list.indexOf(marker),
    }, icon('marker'), h('span', marker.name));
    const gap = Math.min(...list.map((x) => xOf(x.time) - xOf(marker.time)).filter((x) => x > 0));
    it.style.maxWidth = `${Math.max(24, Math.min(112, gap))}px`;
    return put(it, marker.time);
  }));
}

/** Marks the ranges of problems, such as flashes, at the top of the ruler. A click jumps to the start. */
function ranges() {
  const list = state.scene ? state.problems.filter((it) => it.end !== undefined && !outside(it.instant, it.end)) : [];
  $('ranges').replaceChildren(...list.map((it) => put(h(`button.problem-range.${it.severity}`, {
    title: plain(it.message), 'aria-label': plain(it.message), tabindex: -1, onclick: () => seekTime(it.instant),
  }), it.instant, it.end)));
}

/** Drags a marker, or jumps to it on a click. Its flag may be replaced in the meantime. */
function pressMarker(event) {
  const marker = state.scene?.markers[event.target.closest('.flag')?.dataset.marker];
  if (!marker || event.button !== 0) return;
  const row = rowOf(marker.key);
  if (row) edits.drag?.(event, { row: { ...row, life: [marker.time, marker.time] } }, 'marker');
  event.currentTarget.addEventListener('click', (click) => {
    if (Math.abs(click.clientX - event.clientX) < 4) seekTime(marker.time);
  }, { once: true });
}

/** Returns the times at which something starts, ends or changes, for arrow keys and snapping. */
export function stops() {
  const out = [0, duration(), ...(state.scene?.markers ?? []).map((m) => m.time)];
  if (state.range) out.push(...state.range.map((n) => timeOf(n, rate())));
  const seen = tree.items.length < 400 ? tree.items.map((x) => x.row)
    : state.scene?.rows.filter((r) => r.key === state.selected) ?? [];
  for (const row of new Set(seen)) {
    if (row.life) out.push(...row.life);
    for (const m of row.motions) out.push(...keysOf(m));
  }
  return out;
}

/** Returns the visible beats of a scene with a tempo. Those that are too close to snap to are left out. */
export function beats() {
  const beat = state.scene?.beat;
  return beat ? beatLines(beat, state.zoom, width(), 16).map((it) => it.time) : [];
}

/** Moves to the previous or next stop, of the selected element if there is one. */
export function toStop(direction) {
  const half = timeOf(0.5, rate());
  const time = timeOf(state.n, rate());
  const row = rowOf(state.selected);
  const own = row ? [...(row.life ?? []), ...row.motions.flatMap(keysOf)] : [];
  const near = [...new Set(own.length ? own : stops())]
    .filter((x) => (direction > 0 ? x > time + half : x < time - half));
  if (near.length) seekTime((direction > 0 ? Math.min(...near) : Math.max(...near)) + half / 2);
}

function press(event) {
  const item = tree.at(event);
  const part = event.target.closest('[data-part]')?.dataset.part;
  if (item && event.target.closest('.name')) return tree.press(event);
  if (event.button === 1) {
    event.preventDefault();
    const from = state.zoom;
    const scroll = body.scrollTop;
    return drag(event, (dx, dy) => {
      set({ zoom: panned(from, (-dx / width()) * (from[1] - from[0]), duration()) });
      body.scrollTop = scroll - dy;
    });
  }
  if (!part || event.button !== 0) return scrub(event);
  tree.active = idOf(item);
  set({ selected: item.row.key });
  const key = Number(event.target.closest('[data-key]')?.dataset.key ?? 0);
  edits.drag?.(event, item, part, key);
}

function wheel(event) {
  if (!state.scene) return;
  const size = state.zoom[1] - state.zoom[0];
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoomBy(Math.exp(clamp(event.deltaY, -60, 60) / 120), timeUnder(event, []));
  } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
    event.preventDefault();
    set({ zoom: panned(state.zoom, ((event.deltaX || event.deltaY) / width()) * size, duration()) });
  }
}

export function zoomBy(factor, at) {
  const time = timeOf(state.n, rate());
  const inView = time >= state.zoom[0] && time <= state.zoom[1];
  set({ zoom: zoomed(state.zoom, factor, at ?? (inView ? time : timeAt(width() / 2)), duration(), timeOf(4, rate())) });
}

export const zoomFit = () => set({ zoom: [0, duration() * 1.02] });

/** Zooms to the lifetime of the selected element. */
export function zoomSelected() {
  const life = rowOf(state.selected)?.life;
  if (!life) return zoomFit();
  const edge = Math.max(timeOf(2, rate()), (life[1] - life[0]) * 0.05);
  set({ zoom: [Math.max(0, life[0] - edge), life[1] + edge] });
}

/** Scrolls along during playback. */
function follow() {
  if (!state.playing) return;
  const time = timeOf(state.n, rate());
  const [from, to] = state.zoom;
  if (time < from || time > to) {
    set({ zoom: panned(state.zoom, time - from - (time < from ? to - from : 0) * 0.9, duration()) });
  }
}

export function startTimeline() {
  setAnchors(() => [...stops(), ...beats()]);
  body.addEventListener('pointerdown', press);
  $('markers').addEventListener('pointerdown', pressMarker);
  // In the capture phase, before the tree handles the arrow keys.
  body.addEventListener('keydown', (event) => {
    const item = tree.items[tree.index()];
    if (item) edits.key?.(event, item);
  }, true);
  $('timeline').addEventListener('wheel', wheel, { passive: false });
  $('filter').addEventListener('input', (event) => set({ filter: event.target.value }));
  small.addEventListener('change', () => tree.renew());
  paint('zoom', () => { tree.draw(); renew(); });
  paint('zoom scene problems', ranges);
  on('scene filter', renew);
  on('selected', () => { if (small.matches) tree.renew(); });
  on('n', follow);
}
