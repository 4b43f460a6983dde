// SPDX-License-Identifier: MIT
import { before } from './frames.js';
import { $, click, fill, h, toast } from './dom.js';
import { moveBy, redo, remove, undo } from './edits.js';
import { toggleGraph } from './graph.js';
import { copy, duplicate, paste } from './insert.js';
import { nextGround, scaleTo } from './picture.js';
import { hear, shuttle, stop, stopAndReturn, toggle } from './player.js';
import { moveRange } from './ruler.js';
import { state, frames, range, rate, rowOf, seek, set } from './store.js';
import { editor } from './tree.js';
import { toStop, zoomBy, zoomFit, zoomSelected } from './timeline.js';

/** The keyboard shortcuts: their names, their actions, and the sheet that lists them. */

const step = (count) => { if (state.playing) stop(); seek(state.n + count); hear(); };
const second = () => Math.round(rate()[0] / rate()[1]);
const end = (last) => {
  if (state.playing) stop();
  seek(last ? range()[1] - 1 : range()[0]);
};

/** Removes one end of the range. Without both ends, there is no range. */
function clearEnd(i) {
  const limits = [...range()];
  limits[i] = i ? frames() : 0;
  set({ range: limits[0] === 0 && limits[1] === frames() ? null : limits });
}

let last = /** @type {number[] | null} */ (null);
/** Toggles between looping the range and looping everything (P). */
function flipRange() {
  if (state.range) last = state.range;
  set({ range: state.range ? null : last, loop: true });
}

export function escape() {
  if (state.playing) stop();
  else set({ selected: null });
}

const open = () => editor.open(rowOf(state.selected)?.span);

/** The shortcuts by group: `[key, label, description, action]`.
 * @type {[string, [string | string[], string, string, () => void][]][]} */
const groups = [
  ['Playback', [
    [' ', 'Space', 'Play or pause', toggle],
    ['j', 'J', 'Play backward; press again to speed up', () => shuttle(-1)],
    ['k', 'K', 'Stop', () => stop()],
    ['l', 'L', 'Play forward; press again to speed up', () => shuttle(1)],
    ['m', 'M', 'Sound on or off', () => set({ muted: !state.muted })],
    ['Shift-M', 'Shift M', 'Sound while scrubbing', () => set({ scrubs: !state.scrubs })],
    ['Enter', 'Enter', 'Stop and return to the start of playback', stopAndReturn],
  ]],
  ['Navigation', [
    [['ArrowLeft', ','], '← ,', 'Previous frame', () => step(-1)],
    [['ArrowRight', '.'], '→ .', 'Next frame', () => step(1)],
    ['Shift-ArrowLeft', 'Shift ←', 'Back one second', () => step(-second())],
    ['Shift-ArrowRight', 'Shift →', 'Forward one second', () => step(second())],
    ['Home', 'Home', 'Start of the range or scene', () => end(false)],
    ['End', 'End', 'End of the range or scene', () => end(true)],
    ['Alt-ArrowLeft', 'Alt ←', 'Previous key, edge or marker', () => toStop(-1)],
    ['Alt-ArrowRight', 'Alt →', 'Next key, edge or marker', () => toStop(1)],
  ]],
  ['Range', [
    ['i', 'I', 'Start the range here', () => moveRange(0, state.n)],
    ['o', 'O', 'End the range here', () => moveRange(1, state.n + 1)],
    ['Shift-I', 'Shift I', 'Clear the start of the range', () => clearEnd(0)],
    ['Shift-O', 'Shift O', 'Clear the end of the range', () => clearEnd(1)],
    ['p', 'P', 'Loop the range or the whole scene', flipRange],
  ]],
  ['Timeline', [
    [['+', '='], '+', 'Zoom in', () => zoomBy(1 / 1.5)],
    ['-', '−', 'Zoom out', () => zoomBy(1.5)],
    ['0', '0', 'Zoom to fit', zoomFit],
    ['f', 'F', 'Zoom to the selected element', zoomSelected],
    ['v', 'V', 'Graph of the selected element', toggleGraph],
  ]],
  ['Frame', [
    ['1', '1', 'Fit', () => scaleTo(0)],
    ['2', '2', '100 %', () => scaleTo(1)],
    ['g', 'G', 'Safe areas and rule of thirds', () => set({ guides: !state.guides })],
    ['t', 'T', 'Background of transparent frames', nextGround],
  ]],
  ['Editing', [
    ['Ctrl-z', 'Ctrl Z', 'Undo', () => undo()],
    [['Ctrl-Shift-Z', 'Ctrl-y'], 'Ctrl Shift Z', 'Redo', () => redo()],
    ['Ctrl-c', 'Ctrl C', 'Copy the selected elements', () => copy()],
    ['Ctrl-v', 'Ctrl V', 'Paste after the selected element', () => paste()],
    ['Ctrl-d', 'Ctrl D', 'Duplicate the selected elements', () => duplicate()],
    [['Delete', 'Backspace'], 'Delete', 'Delete the selected elements', () => remove()],
    ['e', 'E', 'Open the source line in the editor', open],
    ['Escape', 'Esc', 'Cancel the drag, or deselect', escape],
    ['?', '?', 'Keyboard shortcuts', help],
  ]],
];

/** @type {Map<string, () => void>} */
const acts = new Map();
for (const [, list] of groups) {
  for (const [keys, , , act] of list) for (const key of [keys].flat()) acts.set(key, act);
}

export function help() {
  const sheet = $('keys');
  if (sheet.open) return sheet.close();
  const held = ['C', 'Hold to show the frame before the last change', () => {}];
  const moves = ['← → ↑ ↓', 'Move the selected elements by 1 px; with Shift by 10 px'];
  fill($('keys-list'), groups.map(([name, list]) => h('section', h('h3', name), h('dl', {},
    [...list.map(([, text, says]) => [text, says]), ...(name === 'Frame' ? [held] : []),
      ...(name === 'Editing' ? [moves] : [])].map(([text, says]) =>
      h('div', h('dt', String(text).split(' ').map((k) => h('kbd', k))), h('dd', says)))))));
  sheet.showModal();
}

const isField = (it) => it instanceof Element
  && (it.matches('input:not([type=checkbox],[type=range]), textarea, select, [contenteditable]')
    || it.closest('[role=menu]'));

/** The directions of the arrow keys, which move the selected element. */
const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const canNudge = () => Boolean(rowOf(state.selected)?.parent) && !state.playing && !state.readOnly;

let isBefore = false;
async function compare() {
  if (isBefore) return;
  isBefore = true;
  if (state.playing) stop();
  if (!await before(true)) {
    isBefore = false;
    toast('No earlier frame is available.');
  }
}

function endCompare() {
  if (isBefore) before(false);
  isBefore = false;
}

export function startKeys() {
  addEventListener('keydown', (event) => {
    if (isField(event.target) || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const isButton = event.target instanceof Element && event.target.matches('button, a, summary, input');
    if (isButton && (event.key === 'Enter' || event.key === ' ')) return;
    const mod = (event.ctrlKey || event.metaKey ? 'Ctrl-' : '') + (event.altKey ? 'Alt-' : '');
    const bare = event.key.length === 1 && !mod && !/[a-z]/i.test(event.key);
    const isLetter = event.key.length === 1 && !event.shiftKey;
    const name = mod + (event.shiftKey && !bare ? 'Shift-' : '') + (isLetter ? event.key.toLowerCase() : event.key);
    if (name === 'c') return event.repeat || compare();
    const way = ways[event.key];
    if (way && !mod && canNudge()) {
      event.preventDefault();
      return moveBy(way.map((it) => it * (event.shiftKey ? 10 : 1)));
    }
    const act = acts.get(name);
    // The browser copies marked text, such as that of the source.
    if (!act || name === 'Ctrl-c' && getSelection()?.toString()) return;
    event.preventDefault();
    act();
  });
  addEventListener('keyup', (event) => { if (event.key.toLowerCase() === 'c') endCompare(); });
  addEventListener('blur', endCompare);
  click('help', help);
}
