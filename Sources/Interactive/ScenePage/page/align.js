// SPDX-License-Identifier: MIT
import { $, menu, toast } from './dom.js';
import { write } from './edits.js';
import { steer } from './fields.js';
import { outlines } from './overlay.js';
import { chosen } from './selection.js';
import { state, on } from './store.js';

/** Aligns and distributes the selected elements: several to each other, a single one to the frame. */

/** Returns the edges of an outline in frame pixels: left, top, right and bottom. */
function edges(points) {
  const [xs, ys] = [0, 1].map((i) => points.map((p) => p[i]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Returns the projected center of an element, where the diagonals of its outline cross. It is the center of the edges
 * unless the element is in perspective. */
function center([a, b, c, d]) {
  const [p, q, r] = [[a, c], [b, d], [a, b]].map(([from, to]) => [to[0] - from[0], to[1] - from[1]]);
  const area = p[0] * q[1] - p[1] * q[0];
  const share = area ? (r[0] * q[1] - r[1] * q[0]) / area : 0.5;
  return [a[0] + share * p[0], a[1] + share * p[1]];
}

/** Returns whether an element changes its size in the frame when it moves: its outline is not a parallelogram. */
const isInPerspective = ({ points: [a, b, c, d] }) => [0, 1].some((i) => Math.abs(a[i] - b[i] + c[i] - d[i]) > 0.1);

/** Returns the corner of an element at the start (0) or the end (1) of an axis, which moves by the exact shift in
 * perspective; nothing for its center (0.5), which is the default. */
function corner({ points, box }, axis, share) {
  return share === 0.5 ? undefined : points.find((p) => p[axis] === box[axis + 2 * share]);
}

/** Writes a shift of each element as one edit. `ways` are lists of a key, a shift in frame pixels, and the point that
 * is shifted. */
function shift(ways, label) {
  const moved = ways.filter(([, by]) => Math.hypot(...by) > 0.01);
  if (!moved.length) return toast('Nothing to move: the elements are already in place.');
  return write(moved.map(([key, by, mark]) => ({ ...steer(key, 'position'), by, mark, exact: true })), label);
}

const measured = () => chosen().map((key) => ({ key, points: outlines(key)[0] })).filter((it) => it.points)
  .map((it) => ({ ...it, box: edges(it.points), center: center(it.points) }));
const along = (axis, x) => (axis ? [0, x] : [x, 0]);

/** Aligns along an axis (0 or 1): at the start (0), the center (0.5) or the end (1). */
function align(axis, share, label) {
  const all = measured();
  const [low, high] = all.length > 1
    ? [Math.min(...all.map((it) => it.box[axis])), Math.max(...all.map((it) => it.box[axis + 2]))]
    : [0, state.scene.size[axis]];
  const target = low + (high - low) * share;
  const place = (it) => (share === 0.5 ? it.center[axis] : it.box[axis + 2 * share]);
  return shift(all.map((it) => [it.key, along(axis, target - place(it)), corner(it, axis, share)]), label);
}

/** Makes the gaps between the elements along an axis equal, or in perspective the distances between their centers. The
 * outer ones stay in place. */
function distribute(axis, label) {
  const all = measured().sort((a, b) => a.center[axis] - b.center[axis]);
  const last = all.length - 1;
  if (all.some(isInPerspective)) {
    const step = (all[last].center[axis] - all[0].center[axis]) / last;
    return shift(all.map((it, i) => [it.key, along(axis, all[0].center[axis] + i * step - it.center[axis])]), label);
  }
  const size = (it) => it.box[axis + 2] - it.box[axis];
  const gap = (all[last].box[axis + 2] - all[0].box[axis] - all.reduce((sum, it) => sum + size(it), 0)) / last;
  let at = all[0].box[axis];
  return shift(all.map((it) => {
    const by = along(axis, at - it.box[axis]);
    at += size(it) + gap;
    return [it.key, by];
  }), label);
}

const ways = [
  ['Align left', 0, 0], ['Align horizontal centers', 0, 0.5], ['Align right', 0, 1], null,
  ['Align top', 1, 0], ['Align vertical centers', 1, 0.5], ['Align bottom', 1, 1],
];

export function startAlign() {
  const button = $('align');
  menu(button, () => {
    const isFew = measured().length < 3;
    return [...ways.map((way) => way && { text: way[0], act: () => align(way[1], way[2], way[0].toLowerCase()) }), null,
      { text: 'Distribute horizontally', off: isFew, act: () => distribute(0, 'distribute horizontally') },
      { text: 'Distribute vertically', off: isFew, act: () => distribute(1, 'distribute vertically') }];
  });
  on('selected others readOnly scene', () => {
    button.disabled = state.readOnly || !chosen().length;
    button.title = chosen().length > 1 ? `Align and distribute ${chosen().length} elements` : 'Align to the frame';
  });
}
