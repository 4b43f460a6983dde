// SPDX-License-Identifier: MIT
import { Delay, during } from './activity.js';
import { ask } from './connection.js';
import { $, drag, toast } from './dom.js';
import { change, noted, steer, tidy } from './fields.js';
import { flowOf, order } from './reorder.js';
import { timeUnder, width } from './ruler.js';
import { chosen } from './selection.js';
import { state, on, rate, rowOf, set } from './store.js';
import { beats, edits, keysOf, rampOf, stops } from './timeline.js';
import { nearestFrame, snap, timeOf } from './time.js';

/** Edits of the source: previewed during a drag, and written once on release. */

let trying = false;
/** @type {any[] | null} */
let wish = null;
let turn = 0;
/** Hides the preview of a written edit if no new text arrives. */
const expiry = new Delay('tried frame');

/** Shows what a drag edits, or why it cannot. */
function tell(text, isBad = false) {
  $('trial').textContent = text;
  $('trial').classList.toggle('bad', isBad);
}

/** Previews changes without writing them. Of several waiting previews, only the newest is sent. */
export async function attempt(changes) {
  wish = changes;
  if (trying) return;
  trying = true;
  const mine = turn;
  while (wish && mine === turn) {
    const now = wish;
    wish = null;
    const it = await ask('try', { view: state.view, changes: now });
    // `drop` and `write` have already made room for the next drag.
    if (mine !== turn) return;
    if (it.error === 'passed') continue;
    if (it.error) tell(it.reason || it.error, true);
    else if (it.problems?.some((p) => p.severity === 'error')) tell(it.problems[0].message, true);
    else {
      tell(it.places?.[0] ?? '');
      set({ attempt: { view: it.view, rev: it.rev } });
    }
  }
  trying = false;
}

/** Discards the preview. */
export function drop() {
  const isAsked = trying || state.attempt;
  turn += 1;
  wish = null;
  trying = false;
  tell('');
  if (isAsked) ask('try', { view: state.view, changes: [] });
  if (state.attempt) set({ attempt: null });
}

/** Writes changes as one undo step. Returns the response, or null if the file was not changed. */
export async function write(changes, label) {
  turn += 1;
  wish = null;
  trying = false;
  tell('');
  const tried = state.attempt;
  let it = await ask('edit', { view: state.view, rev: state.rev, changes, label });
  if (['changed', 'gone'].includes(it.error)) {
    const anew = await again(changes);
    if (anew) it = await ask('edit', { view: state.view, rev: state.rev, changes: anew, label });
  }
  if (it.error) {
    set({ attempt: null });
    toast(it.reason ?? 'The file was not changed.', true);
    return null;
  }
  // The preview stays until the new text is shown. By then the next drag may show a different preview.
  if (tried && state.attempt === tried) expiry.set(() => { if (state.attempt === tried) set({ attempt: null }); }, 500);
  return it;
}

/** Returns the same changes for the current text if the same properties still contain the same literals. */
async function again(changes) {
  for (let i = 0; i < 20 && (i < 3 || state.scene?.rev !== state.rev); i++) {
    await during('newer text', new Promise((done) => setTimeout(done, 100)));
  }
  const all = await Promise.all(changes.map(async (wanted) => {
    const { at, old, value } = wanted;
    if (wanted.edit || wanted.remove || wanted.insert || wanted.beside) return wanted;
    const it = at && await ask('element', { view: state.view, rev: state.rev, key: at.key, n: state.n });
    const leaf = it && noted(it).properties?.find((p) => p.name === at.name)?.leaves?.[at.index];
    return leaf?.text === old ? change(leaf, value) : null;
  }));
  return all.every(Boolean) ? all : null;
}

async function step(what) {
  if (state.readOnly) return toast('The preview is read-only.', true);
  if (!state.history[what]) return toast(what === 'undo' ? 'Nothing to undo.' : 'Nothing to redo.');
  const it = await ask(what);
  if (it.error) toast(it.reason ?? 'The file has changed in the meantime.', true);
  else toast(`${what === 'undo' ? 'Undone' : 'Redone'}: ${it.label ?? ''}`);
}

export const undo = () => step('undo');
export const redo = () => step('redo');

const number = (leaf, value) => change(leaf, { number: tidy(value) });

/** Returns the change that shifts a time of an element by `dt` seconds: that of its literal, or a new
 * property; `null` for a computed time. */
function retime(element, { key, life, parent }, name, dt) {
  const p = element.properties.find((x) => x.name === name);
  if (p?.text) return p.leaves.length === 1 ? shifted(p.leaves[0], dt) : null;
  if (!life) return null;
  const now = name === 'for' ? life[1] - life[0] : life[0] - (rowOf(parent)?.life?.[0] ?? 0);
  return { key, set: name, value: { number: tidy(now + dt), unit: 's' } };
}

/** Returns the change of a time in its own unit. Frames stay whole if they were, and beats as well near a beat. */
function shifted(leaf, dt) {
  const units = { s: 1, ms: 0.001, min: 60, f: timeOf(1, rate()), beat: state.scene?.beatUnit };
  const unit = units[leaf?.unit];
  if (!unit || !leaf.writable) return null;
  const value = leaf.value + dt / unit;
  const whole = Math.round(value);
  const isWhole = leaf.unit === 'f' ? Number.isInteger(leaf.value) : Math.abs(value - whole) < 1e-3;
  return number(leaf, isWhole ? whole : value);
}

/** Returns the changes that shift a part of a bar, or the keyframe at a time, by `dt` seconds. */
function moved(element, { row, motion }, part, at, dt) {
  const name = motion?.property ?? part;
  if (motion || rampOf(row, name)) {
    const keys = element.properties.find((x) => x.name === name)?.keys ?? [];
    const key = keys.find((k) => Math.abs(k.t - at) < 1e-6);
    if (!key?.open) return [shifted(key?.leaf, dt * (key?.by ?? 1))];
    const ramp = motion ?? rampOf(row, name);
    return [{ key: row.key, over: name, value: { number: tidy(ramp.to - ramp.from + dt * key.by), unit: 's' } }];
  }
  if (part === 'end') return [retime(element, row, 'for', dt)];
  const begin = retime(element, row, 'at', dt);
  return part === 'bar' || part === 'marker' ? [begin] : [begin, retime(element, row, 'for', -dt)];
}

/** Returns the change that copies the key at a time to another time. */
const copied = ({ row, motion }, at, time) => [{
  ...steer(row.key, motion.property, 0, nearestFrame(time, rate())), like: nearestFrame(at, rate()),
}];

const words = {
  bar: 'at', start: 'start', end: 'end', key: 'key', motion: 'motion', marker: 'marker', enter: 'enter', exit: 'exit',
};

/** Returns the time of a part of a row. */
function placeOf({ row, motion }, part, index) {
  const ramp = motion ?? rampOf(row, part);
  if (part === 'key') return keysOf(motion)[index];
  if (part === 'end') return row.life?.[1];
  return part === 'enter' ? ramp.to : ramp ? ramp.from : row.life?.[0];
}

/** Limits a time so that an entrance or exit lasts at least one frame. */
function bounded(time, { row, motion }, part) {
  const ramp = motion ?? rampOf(row, part);
  const frame = timeOf(1, rate());
  if ((ramp?.property ?? part) === 'enter' && part !== 'motion') return Math.max(time, ramp.from + frame);
  return ramp?.property === 'exit' ? Math.min(time, ramp.to - frame) : time;
}

/** Handles drags of bars, their edges and keyframes in the timeline. Times snap to frames unless Alt is
 * pressed. */
async function dragTime(event, item, part, index) {
  if (state.readOnly) return;
  const at = placeOf(item, part, index);
  const grabbed = timeUnder(event, []);
  const wanted = ask('element', { view: state.view, rev: state.rev, key: item.row.key, n: state.n });
  let element = null;
  let changes = [];
  let last = 0;
  let latest = null;
  let isCopy = false;
  const move = (dx, dy, pointer) => {
    latest = pointer;
    const raw = at + timeUnder(pointer, []) - grabbed;
    const to = pointer.altKey ? raw : snapTime(raw, stops().filter((x) => !item.row.life?.includes(x)));
    const time = bounded(to, item, part);
    isCopy = part === 'key' && (pointer.ctrlKey || pointer.metaKey);
    if (!element || time - at === last) return;
    last = time - at;
    changes = isCopy ? copied(item, at, time) : moved(element, item, part, at, last);
    if (changes.length && changes.every(Boolean)) attempt(changes);
    else tell('This time is computed. Edit it in the source.', true);
  };
  const get = async () => {
    const it = await wanted;
    element ??= it.error ? null : noted(it);
  };
  drag(event, move, async (kept) => {
    // The drag may end before the element is loaded.
    if (!element) {
      await get();
      if (kept && latest) move(0, 0, latest);
    }
    finish(kept && last !== 0, changes, `${item.row.name ?? item.row.kind} ${isCopy ? 'copied key' : words[part]}`);
  });
  await get();
}

/** Returns the nearest beat, other time or frame. Beats remain exact, so that times in beats stay whole. */
export function snapTime(t, others) {
  const reach = 6 * (state.zoom[1] - state.zoom[0]) / width();
  const frame = (time) => timeOf(nearestFrame(time, rate()), rate());
  if (!state.snap) return frame(t);
  const all = beats();
  const found = snap(t, [...others, ...all], reach);
  const beat = all.find((it) => Math.abs(it - found) < 1e-6);
  return beat ?? frame(found);
}

/** Ends a drag: writes or discards the previewed changes. */
function finish(kept, changes, label) {
  if (state.lines.length) set({ lines: [] });
  if (state.mark) set({ mark: null });
  if (kept && changes.length && changes.every(Boolean)) write(changes, label);
  else drop();
}

/** Moves the bar of the active row by frames with Ctrl and the arrow keys. */
function nudge(event, item) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by || !event.ctrlKey || state.readOnly) return false;
  event.preventDefault();
  event.stopPropagation();
  ask('element', { view: state.view, rev: state.rev, key: item.row.key, n: state.n }).then((element) => {
    if (element.error) return;
    noted(element);
    const part = event.shiftKey ? 'end' : item.motion ? 'motion' : 'bar';
    const at = item.motion?.property === 'exit' ? item.motion.from : item.motion?.to;
    const changes = moved(element, item, part, at, by * timeOf(1, rate()));
    finish(true, changes, `${item.row.name ?? item.row.kind} ${words[part]}`);
  });
  return true;
}

/** Handles drags of an outline point. `onMove` receives the offset in frame pixels. */
export function dragPoint(event, scale, { x, y }, onMove) {
  dragBy(event, scale, 'point', (way) => {
    onMove(way);
    return [x, y].filter(Boolean).map(({ leaf, by }) => {
      const decimals = Math.abs(by[0]) + Math.abs(by[1]) < 0.5 ? 1 : 0;
      return number(leaf, Number((leaf.value + by[0] * way[0] + by[1] * way[1]).toFixed(decimals)));
    });
  });
}

/** Follows the drag of a handle. `changesOf` receives the offset in frame pixels and the pointer. */
export function dragHandle(event, scale, label, changesOf) {
  let changes = [];
  let hasMoved = false;
  let latest = null;
  const move = (dx, dy, pointer) => {
    if (!hasMoved && Math.hypot(dx, dy) < 2) return;
    hasMoved = true;
    latest = [dx, dy];
    changes = changesOf([dx / scale, dy / scale], pointer);
    attempt(changes);
  };
  // Shift and Alt change the drag without a move of the pointer.
  const key = (press) => {
    if (!latest || !['Shift', 'Alt'].includes(press.key)) return;
    press.preventDefault();
    const { shiftKey, altKey } = press;
    const [dx, dy] = latest;
    move(dx, dy, { shiftKey, altKey, clientX: event.clientX + dx, clientY: event.clientY + dy });
  };
  addEventListener('keydown', key);
  addEventListener('keyup', key);
  drag(event, move, (kept) => {
    removeEventListener('keydown', key);
    removeEventListener('keyup', key);
    finish(kept && hasMoved, changes, label);
  });
}

/** Handles drags of an element in the frame: the server finds the values that set its position at the playhead.
 * `hit` is the key and the round of the element, or their promise, and `from` the point that the pointer holds.
 * `snapOf` returns the function that snaps the drag of some elements. The child of a row, a column or a grid gets a
 * new place among its siblings, whose boxes `boxesOf` returns. */
export async function dragElement(event, scale, hit, { from, snapOf, boxesOf }) {
  const n = state.n;
  let target = hit instanceof Promise ? null : hit;
  let snap = null;
  const move = dragBy(event, scale, 'position', (raw, pointer) => {
    if (!target) return null;
    const all = chosen().includes(target.key) ? chosen() : [target.key];
    if (all.length === 1 && flowOf(target.key)) return order(target.key, pointer, boxesOf);
    snap ??= snapOf(all, target);
    const way = snap(raw, pointer);
    if (all.length > 1) {
      return all.map((key) => ({ ...steer(key, 'position', key === target.key ? target.round : 0, n), by: way,
        ...(key === target.key ? { from } : {}) }));
    }
    set({ selected: target.key });
    return [{ ...steer(target.key, 'position', target.round, n), by: way, from }];
  }, async () => { target ??= await hit; });
  target ??= await hit;
  move();
}

/** Follows a drag by the offset in frame pixels. `changesOf` returns the changes, or null while they are
 * unknown; `ready` is awaited at the end of the drag. Returns a function that repeats the last move. */
function dragBy(event, scale, label, changesOf, ready = async () => {}) {
  let changes = [];
  let hasMoved = false;
  let latest = null;
  const move = (dx, dy, pointer) => {
    latest = [dx, dy, pointer];
    if (!hasMoved && Math.hypot(dx, dy) < 4) return;
    const way = [dx / scale, dy / scale];
    if (pointer.shiftKey) way[Math.abs(way[0]) > Math.abs(way[1]) ? 1 : 0] = 0;
    const found = changesOf(way, pointer);
    if (!found) return;
    hasMoved = true;
    changes = found;
    // The image stays until an element of a layout is dropped at its new place.
    if (changes.length && !changes[0].beside) attempt(changes);
  };
  const again = () => latest && move(...latest);
  drag(event, move, async (kept) => {
    await ready();
    if (kept && !hasMoved) again();
    finish(kept && hasMoved, changes, label);
  });
  return again;
}

/** The steps of the arrow keys that are not written yet. @type {{keys: string[], n: number, by: number[]} | null} */
let steps = null;
let isStepping = false;
/** Moves the selected elements by frame pixels. Steps that arrive while one is written become one edit. */
export async function moveBy(by) {
  const keys = chosen();
  if (steps?.keys.join() === keys.join() && steps.n === state.n) steps.by = steps.by.map((it, i) => it + by[i]);
  else steps = { keys, n: state.n, by };
  if (isStepping) return;
  isStepping = true;
  while (steps) {
    const now = steps;
    steps = null;
    await write(now.keys.map((key) => ({ ...steer(key, 'position', 0, now.n), by: now.by, exact: true })), 'position');
  }
  isStepping = false;
}

/** Deletes the selected elements. */
export async function remove() {
  const keys = chosen();
  const row = rowOf(keys[0]);
  if (!row) return;
  if (state.readOnly) return toast('The preview is read-only.', true);
  const name = keys.length > 1 ? `${keys.length} elements` : row.name ?? row.kind;
  if (await write(keys.map((key) => ({ key, remove: true })), `delete ${name}`)) {
    set({ selected: null });
    toast(`Deleted: ${name}`, false, ['Undo', undo]);
  }
}

export function startEdits() {
  edits.drag = dragTime;
  edits.key = nudge;
  on('rev', () => {
    // The preview is based on the previous text, so pending responses are ignored.
    turn += 1;
    wish = null;
    trying = false;
    expiry.clear();
    set({ attempt: null });
  });
  for (const what of ['undo', 'redo']) {
    const button = $(what);
    button.addEventListener('click', () => step(what));
    on('history readOnly', () => {
      button.disabled = state.readOnly || !state.history[what];
      button.title = `${what === 'undo' ? 'Undo' : 'Redo'}${state.history[what] ? ': ' + state.history[what] : ''}`;
    });
  }
}
