// SPDX-License-Identifier: MIT
import { $, h, icon } from './dom.js';
import { family, flatten, labelOf, titleOf, treeKey } from './rows.js';
import { toggle } from './selection.js';
import { state, now, on, paint, rowOf, set } from './store.js';

/** The tree of elements, beside the frame and in the timeline. */

const rowHeight = 24;

/** The editor integration, set by problems.js. @type {{open: (span: any) => void}} */
export const editor = { open() {} };

export const idOf = (item) => item.row.key + (item.motion ? ` ${item.row.motions.indexOf(item.motion)}` : '');

/** A virtualized list of rows with keyboard navigation. */
export class Tree {
  /** `fill` returns the attributes and children of a row. */
  constructor(body, options) {
    this.body = body;
    this.options = options;
    /** The rows that the user opened or closed. @type {Map<string, boolean>} */
    this.open = new Map();
    /** @type {any[]} */
    this.items = [];
    this.active = '';
    this.sheet = h('div.sheet', { role: 'presentation' });
    body.append(this.sheet);
    this.later = paint('selected hovered others', () => this.draw());
    on('scene filter', () => {
      const isFirst = !this.items.length;
      this.renew();
      if (isFirst) this.reveal(state.selected);
    });
    on('selected', () => this.reveal(state.selected));
    new ResizeObserver(this.later).observe(body);
    const listen = (name, act) => body.addEventListener(name, act);
    listen('scroll', () => this.draw());
    listen('pointermove', (event) => set({ hovered: this.at(event)?.row.key ?? null }));
    listen('pointerleave', () => set({ hovered: null }));
    listen('keydown', (event) => this.key(event));
    listen('focus', () => {
      if (!this.active && this.items[0]) this.active = idOf(this.items[0]);
      this.draw();
    });
    listen('dblclick', (event) => {
      // The rows have been replaced since the first click.
      const target = document.elementFromPoint(event.clientX, event.clientY);
      if (target && !target.closest('.lane')) editor.open(this.at({ target })?.row.span);
    });
  }

  renew() {
    if (!state.scene) return;
    const all = flatten(state.scene.rows, { open: this.open, filter: state.filter, lanes: this.options.lanes });
    this.items = this.options.some?.(all) ?? all;
    this.sheet.style.height = `${this.items.length * rowHeight}px`;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.body.scrollTop / rowHeight) - 2);
    const last = Math.min(this.items.length, first + Math.ceil(this.body.clientHeight / rowHeight) + 4);
    const made = [];
    for (let i = first; i < last; i++) made.push(this.make(this.items[i], i));
    this.sheet.replaceChildren(...made);
    const index = this.index();
    if (index < first || index >= last) this.body.removeAttribute('aria-activedescendant');
    else this.body.setAttribute('aria-activedescendant', `${this.body.id}-${index}`);
  }

  make(item, index) {
    const { row, motion } = item;
    const isSelected = row.key === state.selected || state.others.includes(row.key);
    const [attributes, children] = this.options.fill(item);
    const classes = [isSelected && '.selected', idOf(item) === this.active && '.active', motion && '.sub',
      row.key === state.hovered && '.hovered'].filter(Boolean).join('');
    const it = h(`div.row${classes}`, {
      id: `${this.body.id}-${index}`, 'data-index': index, 'aria-level': item.depth + 1, 'aria-setsize': item.size,
      'aria-posinset': item.position, 'aria-selected': String(isSelected),
      'aria-expanded': item.opens ? String(item.isOpen) : null, ...attributes,
    }, children);
    it.style.top = `${index * rowHeight}px`;
    return it;
  }

  index() {
    return this.items.findIndex((x) => idOf(x) === this.active);
  }

  /** Returns the item at the target of an event. */
  at(event) {
    return this.items[event.target.closest('[data-index]')?.dataset.index];
  }

  twist(item, to = !item.isOpen) {
    if (!item.opens) return;
    this.open.set(item.row.key, to);
    this.renew();
  }

  /** Opens the ancestors of an element and scrolls to its row. */
  reveal(key) {
    let row = rowOf(key);
    if (!row) return;
    if (!this.items.some((x) => x.row.key === key)) {
      while ((row = rowOf(row.parent))) this.open.set(row.key, true);
      this.renew();
    }
    if (this.items[this.index()]?.row.key !== key) this.active = key ?? '';
    this.show(this.index());
  }

  show(index) {
    const top = index * rowHeight;
    const { scrollTop, clientHeight } = this.body;
    if (index >= 0 && (top < scrollTop || top + rowHeight > scrollTop + clientHeight)) {
      this.body.scrollTop = top < scrollTop ? top : top + rowHeight - clientHeight;
    }
    this.later();
  }

  go(item) {
    this.active = idOf(item);
    this.show(this.items.indexOf(item));
    set({ selected: item.row.key });
  }

  /** Handles a click on the head of a row. */
  press(event) {
    const item = this.at(event);
    if (!item) return;
    this.active = idOf(item);
    if (event.target.closest('.twist')) this.twist(item);
    else if (event.shiftKey) toggle(item.row.key);
    else set({ selected: item.row.key });
    this.later();
  }

  key(event) {
    if (event.defaultPrevented) return;
    const index = this.index();
    if (treeKey(event, this.items, index, (to) => this.go(to), (item, to) => this.twist(item, to))) return;
    if (event.key !== 'Enter' || index < 0) return;
    event.stopPropagation();
    editor.open(this.items[index].row.span);
  }
}

/** Returns the content of a row's head. */
export function headOf({ row, opens, isOpen }, what = false) {
  const kind = family(row.kind);
  return [
    h(`span.twist${isOpen ? '.open' : ''}`, opens ? icon('twist') : null),
    h(`span.kind.k-${kind}`, icon(kind)),
    h('span.label', labelOf(row) || row.kind),
    what && labelOf(row) ? h('span.what', row.kind) : null,
    row.count > 1 ? h('span.count', `×${row.count}`) : null,
  ];
}

const isAlive = (row) => !row.life || (row.life[0] <= now() + 1e-9 && now() < row.life[1] - 1e-9);

export function startTree() {
  const tree = new Tree($('elements'), {
    lanes: false,
    fill: (item) => {
      const cell = h('div.name', headOf(item, true));
      cell.style.paddingLeft = `${4 + Math.min(item.depth, 10) * 12}px`;
      if (!isAlive(item.row)) cell.classList.add('gone');
      return [{ role: 'treeitem', title: titleOf(item.row) }, [cell]];
    },
  });
  tree.body.addEventListener('pointerdown', (event) => tree.press(event));
  // During playback and scrubbing, only the visibility of elements changes.
  paint('n', () => {
    for (const it of tree.sheet.children) {
      const row = tree.items[it.dataset.index]?.row;
      if (row) it.firstChild.classList.toggle('gone', !isAlive(row));
    }
  });
}
