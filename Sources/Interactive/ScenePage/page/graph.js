// SPDX-License-Identifier: MIT
import { ask } from './connection.js';
import { $, click, drag, fill, h, icon, isHeld, menu, say, toast } from './dom.js';
import { dragHandle, snapTime, write } from './edits.js';
import { steer } from './fields.js';
import { easings } from './inspector.js';
import { apart, curvePath, handlesOf, keyName, marks, svg } from './marks.js';
import { interval, shiftLimits, valueText, valueTicks } from './plot.js';
import { scrub, timeAt, width, xOf } from './ruler.js';
import { now, on, paint, rate, rowOf, set, shown, state } from './store.js';
import { stops } from './timeline.js';
import { clamp, nearestFrame, seconds, tickStep, timeOf } from './time.js';

/** The graph of a property in place of the lanes: its curves, keys and easings, sampled by the server. */

const plot = /** @type {any} */ ($('plot'));
const samples = 240;
/** The graph from the server. @type {any} */
let data = null;
/** The selected keys, as `motion.key.component`. @type {Set<string>} */
let picked = new Set();
/** The interval of the values, which stays during a drag. @type {number[]} */
let range = [0, 1];
/** The marks of a drag in place of those of the server: the shift of the picked keys, or a curve. @type {any} */
let live = null;
let asking = false;
let again = false;

const height = () => plot.clientHeight;
const yOf = (value) => height() - ((value - range[0]) / (range[1] - range[0])) * height();
const perPixel = () => (range[1] - range[0]) / Math.max(1, height());
const isOpen = () => Boolean(state.graph);

async function load() {
  if (!isOpen() || !state.scene) return;
  if (asking) {
    again = true;
    return;
  }
  const key = state.selected;
  asking = true;
  const { view, rev } = shown();
  const it = key ? await ask('graph', {
    view, rev, key, n: state.n, property: state.graph, from: state.zoom[0], to: state.zoom[1], count: samples,
  }) : {};
  asking = false;
  // The response of a revision that no longer exists is replaced by the next one.
  if (!it.error) {
    if (data?.key !== key || data?.property !== it.property) picked = new Set();
    data = { ...it, key };
    if (it.property && it.property !== state.graph) set({ graph: it.property });
    side();
    draw();
  }
  if (again) {
    again = false;
    load();
  }
}

/** Returns all keys with their positions, in the order of their times. */
function keys() {
  const isSpeed = state.speeds;
  return (data?.motions ?? []).flatMap((motion, m) => motion.why ? [] : motion.keys.flatMap((key, k) =>
    motion.components.map((c) => ({
      id: `${m}.${k}.${c}`, m, k, c, t: key.t, value: isSpeed ? speedAt(key.t, c) : key.values[c],
      timed: key.timed,
    })))).sort((a, b) => a.t - b.t);
}

const speedAt = (t, c) => data.speeds[c]?.[Math.max(0, data.times.findIndex((it) => it >= t))] ?? 0;
const labels = () => data?.labels ?? [];

/** Returns a value with its unit. */
const textOf = (value, step = perPixel()) =>
  `${valueText(value, step)}${data.unit === '%' || data.unit === 'deg' ? data.unit : data.unit ? ' ' + data.unit : ''}${state.speeds ? '/s' : ''}`;

// MARK: Drawing

function grid() {
  const { step, values } = valueTicks(range, height());
  const time = tickStep(state.zoom[1] - state.zoom[0], width(), rate()).step;
  const first = Math.ceil(state.zoom[0] / time);
  const count = Math.max(0, Math.floor(state.zoom[1] / time) - first + 1);
  const [from, to] = data.life.map(xOf);
  const beyond = [[0, from], [to, width()]].filter(([a, b]) => b > a && b > 0 && a < width());
  return [
    ...beyond.map(([a, b]) => svg('rect.beyond', { x: Math.max(0, a), y: 0, width: Math.min(width(), b) - Math.max(0, a), height: height() })),
    ...Array.from({ length: count }, (it, i) => Math.round(xOf((first + i) * time)) + 0.5)
      .map((x) => svg('line.grid', { x1: x, x2: x, y1: 0, y2: height() })),
    ...values.map((value) => {
      const y = Math.round(yOf(value)) + 0.5;
      return svg(`line.grid${value === 0 ? '.zero' : ''}`, { x1: 0, x2: width(), y1: y, y2: y });
    }),
    ...values.filter((value) => yOf(value) > 14).map((value) => svg('text.tick', { x: 4, y: yOf(value) - 3 }, textOf(value, step))),
  ];
}

/** Returns the curves with a wide invisible line each, and the names of several at their ends. */
function curves() {
  const all = state.speeds ? data.speeds : data.values;
  const end = data.times.length - 1;
  const heights = apart(all.map((values) => clamp(yOf(values[end]) - 8, 12, height() - 4)), 12, height() - 4);
  return data.shown.flatMap((c) => {
    const values = all[c];
    const path = curvePath(data.times.map(xOf), values.map(yOf));
    const name = all.length > 1 ? `c${c}` : 'alone';
    const x = Math.min(xOf(data.times[end]), width()) - 10;
    return [
      svg(`path.curve.${name}`, { d: path, 'data-label': labels()[c] }),
      data.moves ? null : svg('path.grab', { d: path, 'data-flat': c }),
      all.length > 1 ? svg(`text.label.${name}`, { x, y: heights[c] }, labels()[c]) : null,
    ];
  });
}

/** Returns the points of all handles, with those of a drag in place of the server's. */
function handles() {
  if (state.speeds || state.readOnly || !data?.motions) return [];
  return handlesOf(data, { picked, live, xOf, yOf });
}

function shiftOf(key) {
  if (live?.keys?.has(key.id)) return [live.dt, state.speeds ? 0 : live.dv];
  // The other components of a moved key keep its time.
  return live?.keys && [...live.keys].some((id) => id.startsWith(`${key.m}.${key.k}.`)) ? [live.dt, 0] : [0, 0];
}

/** Returns the value and the time of a dragged key, beside it. */
function readout(key) {
  const [time, value] = [key.t + live.dt, key.value + live.dv];
  const isLate = xOf(time) > width() - 160;
  return svg('text.readout', { x: xOf(time) + (isLate ? -14 : 14), y: Math.max(14, yOf(value) - 10),
    'text-anchor': isLate ? 'end' : 'start' }, `${textOf(value)} · ${seconds(time)}`);
}

function draw() {
  if (!isOpen() || !height()) return;
  plot.setAttribute('viewBox', `0 0 ${width()} ${height()}`);
  if (!data?.property) {
    plot.replaceChildren();
    return;
  }
  if (!isHeld()) {
    const points = handles().flatMap((it) => it.shown ? [it.value] : []);
    range = interval([...data.shown.flatMap((c) => (state.speeds ? data.speeds : data.values)[c]), ...(state.speeds ? [] : keys().map((it) => it.value)), ...points]);
  }
  const x = xOf(now());
  plot.setAttribute('aria-label', `Graph of ${data.property}`);
  plot.replaceChildren(...[
    ...grid(), ...curves(), svg('rect.head', { x: x - 5, y: 0, width: 10, height: height(), 'data-head': '' }),
    // The keys of a drag are at the pointer, where those of the trial arrive later.
    ...marks({ keys: (live?.start ?? keys()).map((key) => ({ ...key, shift: shiftOf(key) })), handles: handles(), picked, xOf, yOf,
      name: (key) => keyName(key, labels(), textOf) }),
    live?.box ? svg('rect.marquee', live.box) : null, live?.main ? readout(live.main) : null,
  ].filter(Boolean));
}

const drawSoon = paint('n zoom readOnly', draw);

/** Returns the menu of the easings that lead to the selected keys. */
function easer() {
  const steps = (data?.motions ?? []).flatMap((motion, m) => motion.steps
    .filter((it) => motion.components.some((c) => picked.has(`${m}.${it.end}.${c}`))).map((it) => ({ ...it, m })));
  if (!steps.length || state.readOnly) return null;
  const names = new Set(steps.map((it) => it.easing || 'default'));
  const it = h('button.pick', { title: 'Easing of the motions to the selected keys' }, icon('curve'),
    h('span.label', names.size > 1 ? 'several easings' : [...names][0]));
  menu(it, () => easings.map((name) => ({ text: name, checked: names.size === 1 && names.has(name),
    act: () => write(steps.map(({ m, step }) => change({ curve: name, motion: m, step })), `easing of ${data.property}`) })));
  return h('div.easer', it);
}

/** Draws the properties of the element and the switch between value and speed. */
function side() {
  const row = rowOf(state.selected);
  const toggle = (isSpeed, text) => h('button', { 'aria-pressed': String(state.speeds === isSpeed), onclick: () => set({ speeds: isSpeed }) }, text);
  const list = data?.properties ?? [];
  const dots = (name) => name === data.property && labels().length > 1
    ? data.shown.map((c) => h(`span.dot.c${c}`, labels()[c])) : null;
  const why = data?.motions?.find((it) => it.why)?.why;
  fill($('graph-side'), [
    h('div.choice', { role: 'group', 'aria-label': 'Shown' }, toggle(false, 'Value'), toggle(true, 'Speed')),
    list.map(({ name }) => h('button.curve-name', { 'aria-pressed': String(name === data.property), onclick: () => set({ graph: name }) },
      h('span.label', name), dots(name))),
    !row ? h('p.empty', 'Select an element to see its graph.')
      : !list.length ? h('p.empty', 'The element has no animated numbers.') : null,
    why ? h('p.empty', why) : null, easer(),
  ]);
}

// MARK: Selection

function pick(ids, isMore = false) {
  picked = new Set(isMore ? [...picked, ...ids] : ids);
  side();
  drawSoon();
}

const pickedKeys = () => keys().filter((it) => picked.has(it.id));

/** Selects the next or the previous key. */
function pickNext(by) {
  const all = keys();
  const at = all.findIndex((it) => picked.has(it.id));
  const next = all[clamp(at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by, 0, all.length - 1)];
  if (!next) return;
  pick([next.id]);
  say(keyName(next, labels(), textOf));
}

// MARK: Edits

const change = (more) => ({ ...steer(data.key, data.property), ...more });

/** Returns the change that shifts keys by seconds and by a value. */
function shifted(all, dt, dv) {
  const byKey = new Map();
  for (const { m, k, c } of all) {
    const name = `${m}.${k}`;
    const it = byKey.get(name) ?? { motion: m, key: k, by: data.valued ? labels().map(() => 0) : [] };
    if (data.valued) it.by[c] = dv;
    byKey.set(name, it);
  }
  return change({ keys: [...byKey.values()], time: dt, resolution: Math.min(1e6, perPixel()) });
}

const wordsOf = (count) => `${count === 1 ? 'key' : 'keys'} of ${data.property}`;

/** Returns the interval in which keys can be shifted in time; [0, 0] if the time of one is not a number. */
function limitsOf(all) {
  if (all.some((it) => !it.timed)) return [0, 0];
  const limits = data.motions.map((motion, m) => shiftLimits(motion.keys.map((it) => it.t),
    new Set(all.filter((it) => it.m === m).map((it) => it.k)), timeOf(1, rate())));
  return [Math.max(...limits.map((it) => it[0])), Math.min(...limits.map((it) => it[1]))];
}

function dragKeys(event, key) {
  const all = pickedKeys();
  const ids = new Set(all.map((it) => it.id));
  const others = stops().filter((t) => !all.some((it) => Math.abs(it.t - t) < 1e-6));
  const [low, high] = limitsOf(all);
  const scale = perPixel();
  const start = keys();
  dragHandle(event, 1, wordsOf(ids.size), ([dx, dy], pointer) => {
    const way = pointer.shiftKey ? (Math.abs(dx) > Math.abs(dy) ? [dx, 0] : [0, dy]) : [dx, dy];
    const raw = key.t + timeAt(way[0]) - timeAt(0);
    const to = !way[0] ? key.t : pointer.altKey ? raw : snapTime(raw, others);
    const dt = clamp(to - key.t, low, high);
    live = { keys: ids, main: key, start, dt, dv: state.speeds || !data.valued ? 0 : -way[1] * scale };
    drawSoon();
    return [shifted(all, live.dt, live.dv)];
  });
  addEventListener('dropped', release, { once: true });
}

/** Ends a drag. The marks stay in place until the new text arrives. */
function release() {
  live = null;
  drawSoon();
}

function dragCurve(event, it) {
  const { segment, end } = it;
  const before = [...segment.curve];
  dragHandle(event, 1, `easing of ${data.property}`, ([dx, dy], pointer) => {
    const curve = [...before];
    const x = before[2 * end] + dx / segment.width;
    let y = before[2 * end + 1] + dy / segment.height;
    if (pointer.shiftKey) y = before[2 * end + 1];
    // Near the value of the key, the handle is level.
    else if (!pointer.altKey && Math.abs((y - end) * segment.height) < 5) y = end;
    curve[2 * end] = Number(clamp(x, 0, 1).toFixed(3));
    curve[2 * end + 1] = Number(clamp(y, -20, 20).toFixed(3));
    live = { curve, m: segment.m, step: segment.step };
    drawSoon();
    return [change({ curve, motion: segment.m, step: segment.step })];
  });
  addEventListener('dropped', release, { once: true });
}

/** Drags the line of a constant value. */
function dragFlat(event, c) {
  const before = data.values.map((it) => it[0]);
  const scale = perPixel();
  dragHandle(event, 1, data.property, ([, dy]) => {
    const { step } = valueTicks(range, height());
    const to = before.map((value, i) => (i === c ? Number(valueText(value - dy * scale, step / 20)) : value));
    return [change({ to })];
  });
}

function marquee(event) {
  const box = plot.getBoundingClientRect();
  const [x, y] = [event.clientX - box.x, event.clientY - box.y];
  const start = event.shiftKey ? [...picked] : [];
  if (!event.shiftKey) pick([]);
  drag(event, (dx, dy) => {
    live = { box: { x: Math.min(x, x + dx), y: Math.min(y, y + dy), width: Math.abs(dx), height: Math.abs(dy) } };
    const inside = (it) => {
      const [a, b] = [xOf(it.t), yOf(it.value)];
      return a >= live.box.x && a <= live.box.x + live.box.width && b >= live.box.y && b <= live.box.y + live.box.height;
    };
    pick([...start, ...keys().filter(inside).map((it) => it.id)]);
  }, release);
}

function press(event) {
  if (event.button !== 0 || !data?.property) return;
  const { id, handle, flat, head } = event.target.dataset;
  if (id) {
    if (event.shiftKey && picked.has(id)) return pick([...picked].filter((it) => it !== id));
    if (!picked.has(id)) pick([id], event.shiftKey);
    const key = keys().find((it) => it.id === id);
    if (key && !state.readOnly) dragKeys(event, key);
  } else if (handle) {
    const it = handles()[Number(handle)];
    if (it) dragCurve(event, it);
  } else if (flat && !state.readOnly) dragFlat(event, Number(flat));
  else if (head !== undefined) scrub(event);
  else marquee(event);
}

async function removeKeys() {
  const all = pickedKeys();
  const names = new Map(all.map(({ m, k }) => [`${m}.${k}`, { motion: m, key: k }]));
  if (await write([change({ keys: [...names.values()], drop: true })], `delete ${wordsOf(names.size)}`)) pick([]);
}

/** Adds a key where the plot is clicked twice. */
function insert(event) {
  if (state.readOnly || !data?.property || event.target.dataset.id || event.target.dataset.handle) return;
  const time = timeAt(event.clientX - plot.getBoundingClientRect().left);
  write([steer(data.key, data.property, 0, nearestFrame(time, rate()))], `key of ${data.property}`);
}

function key(event) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  const isMod = event.ctrlKey || event.metaKey || event.altKey;
  const done = () => { event.preventDefault(); event.stopPropagation(); };
  if (event.key === 'PageDown' || event.key === 'PageUp') {
    done();
    pickNext(event.key === 'PageDown' ? 1 : -1);
  } else if (event.key.toLowerCase() === 'a' && event.ctrlKey) {
    done();
    pick(keys().map((it) => it.id));
  } else if (!picked.size) return;
  else if (event.key === 'Escape') {
    done();
    pick([]);
  } else if (state.readOnly || isMod) return;
  else if (event.key === 'Delete' || event.key === 'Backspace') {
    done();
    removeKeys();
  } else if (way) {
    done();
    const all = pickedKeys();
    const [low, high] = limitsOf(all);
    const dt = clamp(way[0] * timeOf(event.shiftKey ? 10 : 1, rate()), low, high);
    const { step } = valueTicks(range, height());
    const dv = way[1] * (event.shiftKey ? step : step / 10);
    if (way[0] && !dt) toast('The key cannot move further in this direction.', true);
    else write([shifted(all, dt, dv)], wordsOf(all.length));
  }
}

export const toggleGraph = () => set({ graph: state.graph ? '' : '-' });

export function startGraph() {
  click('curves', toggleGraph);
  plot.addEventListener('pointerdown', press);
  plot.addEventListener('dblclick', insert);
  plot.addEventListener('keydown', key);
  const open = () => {
    $('graph').hidden = !isOpen();
    $('timeline').classList.toggle('graphed', isOpen());
    $('curves').setAttribute('aria-pressed', String(isOpen()));
  };
  on('graph', open);
  open();
  on('graph selected scene zoom attempt', load);
  on('speeds', () => { side(); draw(); });
  on('selected', () => { if (!state.selected) data = null; });
  new ResizeObserver(draw).observe(plot);
}

/** Returns the positions of the marks on the screen, for tests. */
export function shownGraph() {
  const box = plot.getBoundingClientRect();
  const at = (x, y) => [box.x + x, box.y + y];
  return {
    property: data?.property, labels: labels(), picked: [...picked],
    keys: Object.fromEntries(keys().map((it) => [it.id, { at: at(xOf(it.t), yOf(it.value)), t: it.t, value: it.value }])),
    handles: handles().filter((it) => it.shown).map((it) => ({ at: at(it.x, it.y), step: it.segment.step, end: it.end, exact: it.segment.exact })),
    perPixel: perPixel(), perSecond: xOf(1) - xOf(0), time: seconds(now()),
  };
}
