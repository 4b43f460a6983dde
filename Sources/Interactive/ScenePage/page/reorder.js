// SPDX-License-Identifier: MIT
import { toFilm } from './picture.js';
import { rowOf, set, state } from './store.js';

/** The order of the children of rows, columns and grids, which a drag changes. */

const center = (points) => [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);

/** Returns the layout that places an element: `row`, `column` or `grid`; '' for none. */
export const flowOf = (key) => rowOf(key)?.flow ?? '';

/** Returns the place of an element dragged to a point of the frame: beside the nearest sibling, with the side of its
 * box that the overlay marks. `boxesOf` returns the corners of the boxes of an element.
 * @type {(key: string, at: number[], boxesOf: (key: string) => number[][][]) => any} */
function placeAt(key, at, boxesOf) {
  const { parent } = rowOf(key);
  const isColumn = flowOf(key) === 'column';
  /** @type {any} */
  let best = null;
  for (const row of state.scene.rows.filter((it) => it.parent === parent && it.flow)) {
    for (const points of boxesOf(row.key)) {
      const [x, y] = center(points);
      const distance = Math.hypot(at[0] - x, at[1] - y);
      if (best && distance >= best.distance) continue;
      // The direction of the layout, which may be rotated.
      const [from, to] = isColumn ? [points[0], points[3]] : [points[0], points[1]];
      const isAfter = (at[0] - x) * (to[0] - from[0]) + (at[1] - y) * (to[1] - from[1]) > 0;
      const sides = isColumn ? [[0, 1], [3, 2]] : [[0, 3], [1, 2]];
      best = { key: row.key, distance, isAfter, mark: sides[Number(isAfter)].map((i) => points[i]) };
    }
  }
  return best?.key === key ? null : best;
}

/** Returns the change that moves an element of a layout beside the sibling at the pointer, which a line marks. */
export function order(key, pointer, boxesOf) {
  const to = placeAt(key, toFilm(pointer), boxesOf);
  set({ selected: key, mark: to?.mark ?? null });
  return to ? [{ key, beside: to.key, after: to.isAfter }] : [];
}
