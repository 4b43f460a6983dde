// SPDX-License-Identifier: MIT
import { state, on, rowOf, set } from './store.js';

/** The selected elements: the one in `state.selected`, and those that Shift and a click have added. */

let isAdding = false;

/** Returns whether another of the keys belongs to an element around an element. */
function isInside(key, keys) {
  for (let row = rowOf(key); row?.parent; row = rowOf(row.parent)) if (keys.includes(row.parent)) return true;
  return false;
}

/** Returns the keys of the selected elements, without the scene and without elements in other selected ones. */
export function chosen() {
  const keys = [state.selected, ...state.others].filter((key) => rowOf(key)?.parent);
  return keys.filter((key) => !isInside(key, keys));
}

/** Adds an element to the selection, or removes it. */
export function toggle(key) {
  isAdding = true;
  if (!state.selected) set({ selected: key });
  else if (state.others.includes(key)) set({ others: state.others.filter((it) => it !== key) });
  else if (key === state.selected) set({ selected: state.others[0] ?? null, others: state.others.slice(1) });
  else set({ others: [...state.others, key] });
  isAdding = false;
}

/** Selects several elements. */
export function selectAll([first, ...others]) {
  isAdding = true;
  set({ selected: first ?? null, others });
  isAdding = false;
}

export function startSelection() {
  on('selected', () => { if (!isAdding && state.others.length) set({ others: [] }); });
  on('scene', () => {
    const known = state.others.filter(rowOf);
    if (known.length < state.others.length) set({ others: known });
  });
}
