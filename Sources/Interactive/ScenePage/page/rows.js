// SPDX-License-Identifier: MIT

/** The rows of the tree and the timeline: their visibility and order. */

const families = {
  text: 'text span captions description',
  path: 'path line polyline arrow arc',
  shape: 'rect circle ellipse star polygon',
  image: 'image',
  clip: 'clip video',
  sound: 'audio',
  group: 'scene group row column grid sequence steps step slot mask each camera change',
  marker: 'marker expect',
};

/** Returns the family of a kind, which determines its icon. Components are a family of their own. */
export function family(kind) {
  for (const [name, kinds] of Object.entries(families)) {
    if (kinds.split(' ').includes(kind)) return name;
  }
  return 'component';
}

export const labelOf = (row) => row.name ?? row.text ?? '';

/** Returns the title of a row, the last part of its accessible name. */
export const titleOf = (row) => [row.kind, labelOf(row)].filter(Boolean).join(' ') +
  (row.count > 1 ? ` ×${row.count}` : '');

/** Returns the visible rows in order with their depth. A filter keeps matching rows and their ancestors.
 * With `lanes`, an open row is followed by its motions.
 * @type {(rows: any[], o: {open: Map<string, boolean>, filter?: string, lanes?: boolean}) => any[]} */
export function flatten(rows, { open, filter = '', lanes = false }) {
  /** @type {Map<string | null, any[]>} */
  const children = new Map();
  const known = new Set(rows.map((r) => r.key));
  for (const row of rows) {
    const parent = known.has(row.parent) ? row.parent : null;
    const list = children.get(parent);
    if (list) list.push(row);
    else children.set(parent, [row]);
  }
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (row) => {
    const motions = lanes ? row.motions.map((m) => m.property).join(' ') : '';
    const text = `${row.kind} ${labelOf(row)} ${motions}`.toLowerCase();
    return words.every((w) => text.includes(w));
  };
  const kept = words.length ? new Set() : null;
  const keep = (row) => {
    const inside = (children.get(row.key) ?? []).map(keep).includes(true);
    if (!inside && !matches(row)) return false;
    kept?.add(row.key);
    return true;
  };
  if (kept) (children.get(null) ?? []).forEach(keep);
  const few = rows.length <= 60;
  /** @type {any[]} */
  const out = [];
  const add = (parent, depth) => {
    const list = (children.get(parent) ?? []).filter((r) => !kept || kept.has(r.key));
    list.forEach((row, i) => {
      const below = children.get(row.key) ?? [];
      const motions = lanes ? row.motions : [];
      const opens = below.length > 0 || motions.length > 0 || (row.children > 0 && !below.length);
      const isOpen = opens && (open.get(row.key) ?? (kept ? below.length > 0 : below.length > 0 && (few || depth < 1)));
      out.push({ row, depth, opens, isOpen, position: i + 1, size: list.length });
      if (!isOpen) return;
      motions.forEach((motion, m) => out.push({
        row, motion, depth: depth + 1, opens: false, isOpen: false, position: m + 1, size: motions.length,
      }));
      add(row.key, depth + 1);
    });
  };
  add(null, 0);
  return out;
}

/** Returns the selected row with its neighbors, for small screens. */
export function neighbours(items, key, around = 1) {
  const at = Math.max(0, items.findIndex((x) => x.row.key === key && !x.motion));
  const from = Math.max(0, Math.min(at - around, items.length - 2 * around - 1));
  return items.slice(from, from + 2 * around + 1);
}

/** Handles the arrow keys in a tree whose active row is `index`; returns true if the key was handled.
 * @type {(event: KeyboardEvent, items: any[], index: number, go: (to: any) => void,
 *   twist: (item: any, open: boolean) => void) => boolean} */
export function treeKey(event, items, index, go, twist) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !items.length) return false;
  const item = items[index];
  const to = (i) => go(items[Math.min(Math.max(i, 0), items.length - 1)]);
  const parent = () => {
    const key = item.motion ? item.row.key : item.row.parent;
    return items.findIndex((x) => !x.motion && x.row.key === key);
  };
  const acts = {
    ArrowDown: () => to(index + 1),
    ArrowUp: () => to(index - 1),
    ArrowRight: () => item && (item.opens && !item.isOpen ? twist(item, true) : to(index + 1)),
    ArrowLeft: () => item && (item.isOpen ? twist(item, false) : to(parent())),
  };
  if (!acts[event.key]) return false;
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
  return true;
}
