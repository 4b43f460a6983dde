// SPDX-License-Identifier: MIT
import { ask } from './connection.js';
import { $, h, icon, openAt, toast } from './dom.js';
import { write } from './edits.js';
import { place } from './picture.js';
import { chosen, selectAll } from './selection.js';
import { state, on, rowOf } from './store.js';

/** New elements and the clipboard, which stays in the server: the page names what it inserts. */

const shapes = [
  ['text', 'Text', 'text'], ['rect', 'Rectangle', 'shape'], ['circle', 'Circle', 'shape'],
  ['ellipse', 'Ellipse', 'shape'], ['star', 'Star', 'shape'], ['line', 'Line', 'path'], ['arrow', 'Arrow', 'path'],
];

/** Writes an insertion, and selects the new elements once the page knows them. */
async function insert(wanted, label) {
  if (state.readOnly) return toast('The preview is read-only.', true);
  const it = await write([wanted], label);
  if (it?.keys?.length) later(it.keys);
}

/** @type {string[]} */
let expected = [];
function later(keys) {
  if (keys.every(rowOf)) selectAll(keys);
  else expected = keys;
}

/** Returns the center of the visible part of the frame. */
function center() {
  const [width, height] = state.scene.size;
  const stage = $('stage');
  const middle = (from, size, room) => Math.round(
    (Math.max(0, -from / place.k) + Math.min(size, (room - from) / place.k)) / 2);
  return [middle(place.x, width, stage.clientWidth), middle(place.y, height, stage.clientHeight)];
}

async function open(button) {
  const { images = [] } = await ask('images');
  const item = (text, kind, act) => h('button.item', { role: 'menuitem', onclick: () => { box.hidePopover(); act(); } },
    icon(kind), h('span', text));
  const box = h('div.menu', { role: 'menu', popover: 'auto', id: 'insert-menu' },
    shapes.map(([name, text, kind]) => item(text, kind, () => insert({ insert: name, at: center() }, `insert ${name}`))),
    images.length ? h('hr') : null,
    images.map((name, i) => item(name, 'image', () => insert({ insert: 'image', image: i, at: center() }, 'insert image'))));
  box.addEventListener('toggle', (event) => button.setAttribute('aria-expanded', String(event.newState === 'open')));
  openAt(button, box);
  box.querySelector('button')?.focus();
}

/** Copies the selected elements to the clipboard of the server. */
export async function copy() {
  const keys = chosen();
  if (!keys.length || state.readOnly) return;
  const it = await ask('copy', { view: state.view, keys });
  toast(it.error ? it.reason : keys.length > 1 ? `Copied: ${keys.length} elements` : `Copied: ${rowOf(keys[0]).name ?? rowOf(keys[0]).kind}`,
    Boolean(it.error));
}

/** Inserts the copied elements after the selected one, or at the end of the scene. */
export const paste = () => insert({ insert: 'paste', after: chosen().at(-1) }, 'paste');

export function duplicate() {
  const keys = chosen();
  if (keys.length) insert({ insert: 'duplicate', keys }, 'duplicate');
}

export function startInsert() {
  const button = $('insert');
  button.setAttribute('aria-haspopup', 'menu');
  button.addEventListener('click', () => open(button));
  on('readOnly', () => { button.disabled = state.readOnly; });
  on('scene', () => {
    if (!expected.length || !expected.every(rowOf)) return;
    const keys = expected;
    expected = [];
    selectAll(keys);
  });
}
