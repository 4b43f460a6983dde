// SPDX-License-Identifier: MIT
import { ask } from './connection.js';
import { $ } from './dom.js';
import { dragHandle } from './edits.js';
import { steer } from './fields.js';
import { place, toFilm } from './picture.js';
import { state } from './store.js';

/** The handles of the selected element: they resize it, rotate it, and move its pivot. */

const stage = $('stage');
const touch = matchMedia('(pointer: coarse), (max-width: 519px)');
/** The size of a handle and the distance at which it is hit, in CSS pixels. */
const size = () => (touch.matches ? 14 : 8);
const reach = () => (touch.matches ? 22 : 7);
/** The distance between the box and the handle that rotates. */
const stem = () => (touch.matches ? 44 : 26);

/** The handles in the displayed frame, in frame pixels. @type {any} */
let found = null;
/** The element and the round that they belong to. */
let owner = { key: '', round: 0 };
/** The name of the part under the pointer, which is drawn larger. */
let near = '';

/** Requests the handles of an element in the displayed frame. */
export async function loadHandles(key, round, { view, rev }, n) {
  if (!key || state.readOnly) {
    found = null;
    return;
  }
  const it = await ask('handles', { view, rev, key, round, n });
  if (key !== state.selected) return;
  found = it.handles?.length ? it : null;
  owner = { key, round };
}

/** Returns the positions of the handles in frame pixels, for tests. */
export function shownHandles() {
  if (!found || owner.key !== state.selected) return null;
  const [x, y] = rotator()?.at ?? [];
  return { ...found, turner: [(x - place.x) / place.k, (y - place.y) / place.k] };
}

export const forgetHandles = () => { found = null; };

const toStage = ([x, y]) => [place.x + x * place.k, place.y + y * place.k];
const minus = ([ax, ay], [bx, by]) => [ax - bx, ay - by];
const length = ([x, y]) => Math.hypot(x, y);

/** Returns the shown handles with their positions on the stage. Those of the sides are left out where they would
 * cover the corners. */
function resizers() {
  if (!found) return [];
  const all = found.handles.map(({ side, at, shown }) => ({ part: 'resize', side, shown, at: toStage(at) }));
  return all.filter((it, i) => {
    if (!it.shown) return false;
    if (it.side[0] && it.side[1]) return true;
    const [a, b] = [all[(i + 7) % 8].at, all[(i + 1) % 8].at];
    return length(minus(a, b)) > 4 * size();
  });
}

/** Returns the handle that rotates: outside the top of the box, or its bottom if that is hidden. */
function rotator() {
  // The rings of an element in space include this rotation.
  if (!found?.middle || found.rings.rotate) return null;
  const middle = toStage(found.middle);
  const all = [1, 5].map((index) => {
    const foot = toStage(found.handles[index].at);
    const way = minus(foot, middle);
    const far = length(way) || 1;
    const [dx, dy] = far > 1 ? way.map((x) => x / far) : [0, index === 1 ? -1 : 1];
    return { part: 'rotate', foot, at: [foot[0] + dx * stem(), foot[1] + dy * stem()] };
  });
  const isInside = ({ at: [x, y] }) => x > 12 && y > 12 && x < stage.clientWidth - 12 && y < stage.clientHeight - 12;
  return all.find(isInside) ?? all[0];
}

/** Returns whether the sides of the box are those of the frame. */
function isUpright() {
  const [a, b, , c] = [0, 2, 4, 6].map((i) => found.handles[i].at);
  return Math.abs(a[1] - b[1]) < 0.01 && Math.abs(a[0] - c[0]) < 0.01;
}

/** Returns whether the pivot is apart from the middle, where it would be in the way of drags. */
const isApart = () => found?.pivot && found.middle
  && length(minus(toStage(found.pivot), toStage(found.middle))) > 2 * reach();

const onStage = (event) => {
  const box = stage.getBoundingClientRect();
  return [event.clientX - box.x, event.clientY - box.y];
};

/** Returns whether a point of a ring is on its far side. The other side is taken where both look the same. */
const isFar = (name, angle) => (name === 'rotate-y' && angle < 180) || (name === 'rotate-x' && angle > 180);

/** Returns the nearest point of a ring, if given near another angle: its distance and its angle in degrees. */
function nearest(ring, name, at, last = null) {
  let best = { distance: Infinity, rank: Infinity, angle: last ?? 0 };
  ring.forEach((from, i) => {
    const to = ring[(i + 1) % ring.length];
    const middle = (i + 0.5) * (360 / ring.length);
    if (!from || !to || last !== null && Math.abs(between(last, middle)) > 60) return;
    const [a, b] = [toStage(from), toStage(to)];
    const way = minus(b, a);
    const share = Math.min(1, Math.max(0,
      (way[0] * (at[0] - a[0]) + way[1] * (at[1] - a[1])) / (way[0] ** 2 + way[1] ** 2 || 1)));
    const distance = Math.hypot(at[0] - a[0] - share * way[0], at[1] - a[1] - share * way[1]);
    const rank = distance + (last === null && isFar(name, middle) ? 2 : 0);
    if (rank < best.rank) best = { distance, rank, angle: (i + share) * (360 / ring.length) };
  });
  return best;
}

/** Returns the way from one angle to another in degrees, from -180 to 180. */
const between = (from, to) => ((to - from + 540) % 360) - 180;

/** Returns whether a point of the stage is inside the box. */
function isOver([x, y]) {
  const corners = [0, 2, 4, 6].map((i) => toStage(found.handles[i].at));
  const sides = corners.map(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % 4];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  });
  return sides.every((s) => s > 0) || sides.every((s) => s < 0);
}

/** Returns the part of the handles under the pointer. */
function partAt(event) {
  if (!found || owner.key !== state.selected) return null;
  const at = onStage(event);
  // Inside a small box, its middle is left for drags of the element.
  const sides = [0, 2].map((i) => length(minus(toStage(found.handles[i].at), toStage(found.handles[i + 2].at))));
  const isInside = found.middle && length(minus(toStage(found.middle), at)) < Math.min(...sides) / 2;
  const whole = event.pointerType === 'touch' ? 22 : reach();
  const limit = isInside ? Math.min(whole, Math.min(...sides) / 4) : whole;
  const distance = (it) => length(minus(it.at, at));
  const turn = rotator();
  const all = [...resizers(), ...(turn ? [turn] : [])].filter((it) => distance(it) <= limit)
    .sort((a, b) => distance(a) - distance(b));
  if (found.pivot && (event.altKey || isApart()) && length(minus(toStage(found.pivot), at)) <= limit) {
    return { part: 'pivot', at: toStage(found.pivot) };
  }
  if (all.length) return all[0];
  // Inside the box, a press drags the element.
  if (isOver(at)) return null;
  const rings = Object.entries(found.rings ?? {}).map(([name, ring]) => ({
    part: 'ring', name, ...nearest(ring, name, at),
  }))
    .filter((it) => it.distance <= limit).sort((a, b) => a.distance - b.distance);
  return rings[0] ?? null;
}

const shapes = ['ew-resize', 'nwse-resize', 'ns-resize', 'nesw-resize'];
/** Returns the cursor for a part: the arrows of a handle point in the direction of its drag. */
function cursorOf(it) {
  if (it.part === 'pivot') return 'crosshair';
  if (it.part !== 'resize') return 'grab';
  const opposite = found.handles.find(({ side }) => side[0] === -it.side[0] && side[1] === -it.side[1]);
  const [dx, dy] = minus(it.at, toStage(opposite.at));
  return shapes[Math.round(((Math.atan2(dy, dx) * 180) / Math.PI + 360) / 45) % 4];
}

const nameOf = (it) => (it ? `${it.part} ${it.side ?? it.name ?? ''}` : '');

/** Sets the cursor for the part under the pointer. Returns whether there is one. */
export function pointHandles(event, redraw) {
  const it = partAt(event);
  if (nameOf(it) !== near) {
    near = nameOf(it);
    redraw();
  }
  if (it) stage.style.cursor = cursorOf(it);
  return Boolean(it);
}

/** Starts the drag of the part under the pointer. Returns whether there is one. */
export function pressHandles(event, snapOf) {
  const it = partAt(event);
  if (!it) return false;
  const { key, round } = owner;
  const n = state.n;
  if (it.part === 'resize') {
    const at = [(it.at[0] - place.x) / place.k, (it.at[1] - place.y) / place.k];
    const snap = snapOf(key, at, isUpright() ? it.side : [0, 0]);
    dragHandle(event, place.k, 'size', (way, pointer) => [{
      ...steer(key, 'size', round, n), pull: it.side, by: pointer.shiftKey ? way : snap(way, pointer),
      aspect: pointer.shiftKey, center: pointer.altKey,
    }]);
  } else if (it.part === 'pivot') {
    dragHandle(event, place.k, 'pivot', (way) => [{ ...steer(key, 'pivot', round, n), by: way }]);
  } else if (it.part === 'rotate') rotate(event, key, round, n);
  else rotateInSpace(event, it, key, round, n);
  return true;
}

function rotate(event, key, round, n) {
  const pivot = toStage(found.pivot);
  const from = toFilm(event);
  const angle = (pointer) => {
    const [x, y] = minus(onStage(pointer), pivot);
    return (Math.atan2(y, x) * 180) / Math.PI;
  };
  let last = angle(event);
  let total = 0;
  dragHandle(event, place.k, 'rotate', (way, pointer) => {
    const now = angle(pointer);
    total += between(last, now);
    last = now;
    return [{ ...steer(key, 'rotate', round, n), turn: [from, toFilm(pointer)], near: total, snap: pointer.shiftKey }];
  });
}

/** Turns an element in space: the point of the ring under the pointer follows it. */
function rotateInSpace(event, { name, angle }, key, round, n) {
  const { rings } = found;
  let last = angle;
  let total = 0;
  dragHandle(event, place.k, name, (way, pointer) => {
    const now = nearest(rings[name], name, onStage(pointer), last).angle;
    total += between(last, now);
    last = now;
    return [{ ...steer(key, name, round, n), about: total, snap: pointer.shiftKey }];
  });
}

const blue = '#1b62c4';
const tones = { 'rotate-x': '#ff6b5e', 'rotate-y': '#57c95c', rotate: '#5aa9ff' };

function disc(context, [x, y], radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
}

function path(context, points) {
  context.beginPath();
  let isOpen = false;
  for (const point of [...points, points[0]]) {
    if (!point) isOpen = false;
    else if (isOpen) context.lineTo(...toStage(point));
    else {
      context.moveTo(...toStage(point));
      isOpen = true;
    }
  }
}

/** Draws the handles on the overlay. */
export function drawHandles(context, twice) {
  if (!found || owner.key !== state.selected || state.readOnly) return;
  for (const [name, ring] of Object.entries(found.rings ?? {})) {
    path(context, ring);
    twice(tones[name], near === `ring ${name}` ? 3.5 : 2, near === `ring ${name}` ? 6 : 4);
  }
  const turn = rotator();
  if (turn) {
    context.beginPath();
    context.moveTo(...turn.foot);
    context.lineTo(...turn.at);
    twice('#66a6ff', 1.5, 3.5);
    disc(context, turn.at, size() / 2 + (near.startsWith('rotate') ? 2 : 1));
    twice(blue, 1.5, 3.5);
    context.fillStyle = '#fff';
    context.fill();
  }
  for (const it of resizers()) {
    const half = size() / 2 + (near === nameOf(it) ? 1.5 : 0);
    const [x, y] = it.at;
    context.beginPath();
    if (it.side[0] && it.side[1]) context.rect(x - half, y - half, 2 * half, 2 * half);
    else context.arc(x, y, half * 0.85, 0, 7);
    twice(blue, 1.5, 3.5);
    context.fillStyle = '#fff';
    context.fill();
  }
  if (found.pivot) {
    const [x, y] = toStage(found.pivot);
    const arm = size() / 2 + (near.startsWith('pivot') ? 3 : 1);
    disc(context, [x, y], arm * 0.7);
    context.moveTo(x - arm * 1.6, y);
    context.lineTo(x + arm * 1.6, y);
    context.moveTo(x, y - arm * 1.6);
    context.lineTo(x, y + arm * 1.6);
    twice('#fff', 1.25, 3);
  }
}
