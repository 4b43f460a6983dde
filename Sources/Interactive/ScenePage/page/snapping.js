// SPDX-License-Identifier: MIT
import { place } from './picture.js';
import { state, set } from './store.js';

/** Snapping of drags in the frame: to the frame, its thirds and safe areas, and to other elements. */

/** The distance in CSS pixels at which a drag snaps. */
const reach = 6;

/** Returns the coordinates to which a drag snaps along an axis (0 or 1). `boxes` are the corners of other
 * elements. */
export function lines(axis, size, boxes) {
  const inside = [0.035, 0.05].flatMap((inset) => [inset, 1 - inset]);
  const own = [0, 1 / 3, 0.5, 2 / 3, 1, ...inside].map((share) => share * size[axis]);
  return own.concat(...boxes.map((points) => {
    const all = points.map((p) => p[axis]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return [low, (low + high) / 2, high];
  }));
}

/** Returns the shift nearest to `by` that brings one of the points to a line, and that line; or `by` and null. */
export function nearestLine(points, by, all, limit) {
  let best = { by, line: null, distance: limit };
  for (const point of points) {
    for (const line of all) {
      const distance = Math.abs(point + by - line);
      if (distance < best.distance) best = { by: line - point, line, distance };
    }
  }
  return best;
}

/** Returns a function that snaps a shift in frame pixels and shows guides. `points` are the coordinates of the
 * dragged thing along each axis. Ctrl, or the button of the timeline, disables it. */
export function snapper(points, boxes) {
  const all = [0, 1].map((axis) => lines(axis, state.scene.size, boxes));
  return (way, pointer) => {
    if (!state.snap || pointer.ctrlKey || pointer.metaKey) {
      if (state.lines.length) set({ lines: [] });
      return way;
    }
    const found = [0, 1].map((axis) => (pointer.shiftKey && !way[axis]
      ? { by: way[axis], line: null } : nearestLine(points[axis], way[axis], all[axis], reach / place.k)));
    set({ lines: found.map(({ line }, axis) => ({ axis, line })).filter((it) => it.line !== null) });
    return found.map((it) => it.by);
  };
}
