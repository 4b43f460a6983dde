// SPDX-License-Identifier: MIT
import { ask } from './connection.js';
import { $, h, toast } from './dom.js';
import { attempt, drop, write } from './edits.js';
import { change, noted } from './fields.js';
import { onPlaced, place, placed } from './picture.js';
import { state } from './store.js';

/** A field in place of a text in the frame. */

const stage = $('stage');
let close = (save) => save;
let lay = () => {};
onPlaced(() => lay());

/** Opens a field over a text with corners in frame pixels. Enter writes the text, Esc cancels. */
export async function typeText(key, corners) {
  if (state.readOnly) return toast('The preview is read-only.', true);
  close(true);
  const element = await ask('element', { view: state.view, rev: state.rev, key, n: state.n });
  if (element.error) return;
  const leaves = noted(element).properties.find((p) => p.name === 'content')?.leaves ?? [];
  const leaf = leaves.length === 1 && leaves[0].kind === 'text' ? leaves[0] : null;
  if (!leaf?.writable) return toast(leaf?.why ?? 'The text is computed. Edit it in the source.', true);
  const field = h('textarea', { id: 'typing', 'aria-label': 'Text', spellcheck: 'false' });
  field.value = leaf.value;
  lay = () => {
    const [xs, ys] = [0, 1].map((i) => corners.map((p) => p[i] * place.k));
    const [width, height] = [xs, ys].map((all) => Math.max(...all) - Math.min(...all));
    const lines = Math.max(1, field.value.split('\n').length);
    const size = Math.max(13, Math.min(160, height / lines / 1.25));
    const room = Math.min(stage.clientWidth - 8, Math.max(160, width + size * 1.5));
    const middle = place.x + (Math.min(...xs) + Math.max(...xs)) / 2;
    field.style.fontSize = `${size}px`;
    field.style.width = `${room}px`;
    field.style.height = `${Math.max(28, lines * size * 1.25 + 10)}px`;
    field.style.left = `${Math.max(4, Math.min(stage.clientWidth - room - 4, middle - room / 2))}px`;
    field.style.top = `${Math.max(4, place.y + Math.min(...ys) - 5)}px`;
  };
  let isOpen = true;
  close = (save) => {
    if (!isOpen) return;
    isOpen = false;
    close = () => {};
    lay = () => {};
    field.remove();
    placed();
    if (save && field.value !== leaf.value) write([change(leaf, { text: field.value })], 'content');
    else drop();
  };
  field.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close(false);
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    close(true);
  });
  field.addEventListener('input', () => { lay(); attempt([change(leaf, { text: field.value })]); });
  field.addEventListener('blur', () => close(true));
  for (const name of ['pointerdown', 'click', 'dblclick', 'pointermove', 'wheel']) {
    field.addEventListener(name, (event) => event.stopPropagation());
  }
  stage.append(field);
  placed();
  field.focus();
  field.select();
}
