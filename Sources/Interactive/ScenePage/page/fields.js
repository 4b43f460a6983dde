// SPDX-License-Identifier: MIT
import { colour, drag, h, openAt } from './dom.js';
import { attempt, drop, write } from './edits.js';
import { state, rate } from './store.js';

/** Controls for literals of the source, which can be dragged, edited or chosen. */

/** Stores with each literal of an element its property and its index among the property's literals. */
export function noted(element) {
  const key = element.key;
  for (const { name, leaves } of element.properties ?? []) {
    leaves?.forEach((leaf, index) => { leaf.at = { key, name, index }; });
  }
  return element;
}

export const change = (leaf, value) => (leaf.steer ? leaf.steer(value.number) : {
  at: leaf.at,
  file: leaf.span.file, hash: state.scene?.files?.find((f) => f.id === leaf.span.file)?.hash,
  start: leaf.span.start, end: leaf.span.end, old: leaf.text, value,
});

/** The properties whose motion moves as a whole, by element and name. @type {Set<string>} */
const wholes = new Set();
const scopeOf = (key, name) => (wholes.has(`${key} ${name}`) ? 'whole' : 'key');

/** Switches between an edit at the playhead and one of the whole motion. */
export function flipScope(key, name) {
  const both = `${key} ${name}`;
  if (!wholes.delete(both)) wholes.add(both);
  return scopeOf(key, name);
}

/** Returns an edit of a property at a frame, without the value. */
export const steer = (key, name, round = 0, n = state.n) => ({ key, edit: name, n, round, scope: scopeOf(key, name) });

/** Returns the change of a number per pixel of a drag. */
export function stepOf({ unit, value }) {
  if (unit === 's') return rate()[1] / rate()[0];
  if (unit === 'ms') return 10;
  if (unit) return 1;
  const size = Math.abs(value);
  return size <= 2 ? 0.01 : size < 10 ? 0.1 : 1;
}

const utf8 = new TextEncoder();
const decoder = new TextDecoder();
/** Returns a byte range of a property's text, by offsets in the file. */
export const textIn = (property, from, to) => {
  const { text, span } = property;
  return decoder.decode(utf8.encode(text).slice(from - span.start, to - span.start));
};

/** Rounds a number to hide binary floating-point artifacts. */
export const tidy = (x) => Number(x.toFixed(6));

const byte = (share) => Math.round(Math.min(1, Math.max(0, share)) * 255);
const hex = (color) => '#' + color.slice(0, 3).map((x) => byte(x).toString(16).padStart(2, '0')).join('');
const fromHex = (text, alpha) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255).concat(alpha);

/** Opens a popup with some children next to a literal. */
function popover(at, children) {
  const box = h('div.menu', { popover: 'auto' }, children);
  openAt(at, box);
  return box;
}

/** Returns whether a text literal has or allows several lines. */
export const isBlock = (leaf) => leaf.kind === 'text' && (leaf.text.startsWith('"""') || leaf.value.includes('\n'));

/** Opens a text field in place of a literal. Enter, or Ctrl+Enter for several lines, writes the value; Esc
 * cancels. */
function type(it, leaf, label) {
  const isNumber = leaf.kind === 'number';
  const hasLines = isBlock(leaf);
  const start = leaf.kind === 'text' ? leaf.value : leaf.text;
  const input = h(hasLines ? 'textarea' : 'input', { 'aria-label': label, spellcheck: 'false',
    rows: hasLines ? Math.min(16, start.split('\n').length + 1) : null,
    title: hasLines ? 'Press Ctrl Enter to apply' : null });
  input.value = start;
  let isDone = false;
  const end = (save) => {
    if (isDone) return;
    isDone = true;
    input.replaceWith(it);
    it.focus();
    if (!save || input.value === start) return drop();
    const value = typed(input.value, leaf);
    if (value) write([change(leaf, value)], label);
    else drop();
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Enter' && (!hasLines || event.ctrlKey || event.metaKey)) end(true);
    if (event.key === 'Escape') end(false);
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || !isNumber) return;
    event.preventDefault();
    const number = parseFloat(input.value);
    if (!Number.isFinite(number)) return;
    const to = tidy(number + by * stepOf(leaf) * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1));
    input.value = `${to}${leaf.unit ?? ''}`;
    attempt([change(leaf, { number: to })]);
  });
  input.addEventListener('input', () => {
    const value = typed(input.value, leaf);
    if (value) attempt([change(leaf, value)]);
  });
  input.addEventListener('blur', () => end(true));
  it.replaceWith(input);
  input.select();
  input.focus();
}

/** Parses input as a value with the unit of the literal. */
function typed(text, leaf) {
  if (leaf.kind === 'text') return { text };
  const match = /^\s*([-+]?(?:\d+\.?\d*|\.\d+))\s*([a-z%]*)\s*$/i.exec(text);
  if (leaf.kind === 'number') {
    return match && (!match[2] || match[2] === leaf.unit) ? { number: Number(match[1]) } : null;
  }
  const size = /^\s*([\d.]+)\s*x\s*([\d.]+)\s*$/.exec(text);
  return size && { size: [Number(size[1]), Number(size[2])] };
}

function slide(it, leaf, label, event) {
  if (event.button !== 0) return;
  let value = leaf.value;
  let moved = false;
  let at = 0;
  it.classList.add('held');
  drag(event, (dx, dy, pointer) => {
    const by = stepOf(leaf) * (pointer.shiftKey ? 10 : pointer.altKey ? 0.1 : 1);
    const pixels = leaf.unit === 's' ? 4 : 1;
    const steps = Math.trunc((dx - at) / pixels);
    if (!steps) return;
    at += steps * pixels;
    moved = true;
    value = tidy(value + steps * by);
    it.textContent = `${value}${leaf.unit ?? ''}`;
    attempt([change(leaf, { number: value })]);
  }, (kept) => {
    it.classList.remove('held');
    if (!moved) return kept && type(it, leaf, label);
    if (kept) return write([change(leaf, { number: value })], label);
    it.textContent = leaf.text;
    drop();
  });
}

function pickColour(it, leaf, label) {
  let [red, green, blue, opacity = 1] = leaf.value;
  const put = () => ({ color: [red, green, blue, opacity] });
  const tell = () => attempt([change(leaf, put())]);
  const colour = h('input', { type: 'color', value: hex(leaf.value), 'aria-label': `${label}: color` });
  const alpha = h('input', {
    type: 'range', min: 0, max: 1, step: 0.01, value: opacity, 'aria-label': `${label}: opacity`,
  });
  colour.addEventListener('input', () => { [red, green, blue] = fromHex(colour.value, opacity); tell(); });
  alpha.addEventListener('input', () => { opacity = Number(alpha.value); tell(); });
  let isKept = false;
  const box = popover(it, h('div.field', h('label', 'Color'), h('div.control', colour),
    h('label', 'Opacity'), h('div.control', alpha),
    h('div.acts', h('button.fix.main', { onclick: () => { isKept = true; box.hidePopover(); } }, 'Apply'),
      h('button.fix', { onclick: () => box.hidePopover() }, 'Cancel'))));
  box.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return;
    if (isKept) write([change(leaf, put())], label);
    else drop();
  });
  colour.focus();
}

function pickWord(it, leaf, label, words) {
  const box = popover(it, words.map((word) => h('button.item', {
    onclick: () => {
      box.hidePopover();
      write([change(leaf, leaf.kind === 'bool' ? { bool: word === 'true' } : { word: word })], label);
    },
    onpointerenter: () => attempt([change(leaf, leaf.kind === 'bool' ? { bool: word === 'true' } : { word: word })]),
  }, h('span.check', word === leaf.text ? '✓' : ''), word)));
  box.addEventListener('toggle', (event) => event.newState === 'closed' && drop());
  box.querySelector('button')?.focus();
}

/** Returns a control for a literal. A read-only literal shows the reason. */
export function leafControl(leaf, label) {
  const isOpen = leaf.writable && !state.readOnly;
  const why = state.readOnly ? 'The preview is read-only' : leaf.why;
  const swatch = leaf.kind === 'color' ? h('span.swatch') : null;
  if (swatch) {
    const parts = leaf.value.slice(0, 3).map((x) => x * 255);
    swatch.style.background = `rgb(${parts.join(' ')} / ${leaf.value[3] ?? 1})`;
  }
  if (!isOpen) return h('span.leaf.fixed', { title: why }, swatch, leaf.text);
  const kinds = { color: 'colour', word: 'word', bool: 'word', text: 'string', size: 'string', number: 'number' };
  const uses = leaf.uses > 1 ? `, changes all ${leaf.uses} uses` : '';
  const it = h(`span.leaf.${kinds[leaf.kind] ?? 'fixed'}${isBlock(leaf) ? '.block' : ''}`, {
    role: leaf.kind === 'number' ? 'spinbutton' : 'button', tabindex: 0, 'aria-label': label,
    'aria-valuenow': leaf.kind === 'number' ? leaf.value : null,
    'aria-valuetext': leaf.kind === 'number' ? leaf.text : null,
    title: leaf.kind === 'number' ? `${leaf.place ? `Drag or type to change ${leaf.place}` : 'Drag or type to change'}${uses}` : `Change${uses}`,
  }, swatch, leaf.text);
  const act = () => {
    if (leaf.kind === 'color') pickColour(it, leaf, label);
    else if (leaf.kind === 'bool') pickWord(it, leaf, label, ['true', 'false']);
    else if (leaf.kind === 'word') pickWord(it, leaf, label, leaf.words ?? [leaf.text]);
    else type(it, leaf, label);
  };
  if (leaf.kind === 'number') it.addEventListener('pointerdown', (event) => slide(it, leaf, label, event));
  else it.addEventListener('click', act);
  it.addEventListener('keydown', (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.key === 'Enter' || event.key === ' ' || event.key === 'F2') {
      event.preventDefault();
      event.stopPropagation();
      act();
    } else if (by && leaf.kind === 'number') {
      event.preventDefault();
      event.stopPropagation();
      const to = tidy(leaf.value + by * stepOf(leaf) * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1));
      write([change(leaf, { number: to })], label);
    }
  });
  return it;
}

/** Returns controls for the numbers of a value at the playhead, such as `(200, 50)` or `40%`. */
export function valueControls(key, property) {
  const numbers = [...property.value.matchAll(/[-+]?[\d.]+/g)];
  const values = numbers.map((it) => Number(it[0]));
  const out = [];
  let at = 0;
  numbers.forEach((it, i) => {
    const unit = /^[a-z%]*/.exec(property.value.slice(it.index + it[0].length))?.[0] ?? '';
    const steered = (number) => ({ ...steer(key, property.name), to: values.map((v, j) => (i === j ? number : v)) });
    out.push(property.value.slice(at, it.index), leafControl({
      kind: 'number', value: values[i], unit, text: it[0] + unit, writable: true, uses: 1, steer: steered,
      place: 'the value at the playhead',
    }, `${property.name} at the playhead${values.length > 1 ? `, ${i + 1}` : ''}`));
    at = it.index + it[0].length + unit.length;
  });
  out.push(property.value.slice(at));
  return out;
}

/** Returns an editor for `cubic-bezier(x1, y1, x2, y2)` with two handles, which can be dragged or moved
 * with the arrow keys. */
export function bezierControl(four, label) {
  const values = four.map((l) => l.value);
  const isOpen = four.every((l) => l.writable) && !state.readOnly;
  const [side, top] = [160, 40];
  const it = h('canvas.bezier', { width: 2 * side, height: 2 * (side + 2 * top), tabindex: isOpen ? 0 : null,
    role: isOpen ? 'slider' : 'img', 'aria-label': `${label}: curve`, 'aria-valuetext': values.join(', '),
    'aria-valuenow': isOpen ? values[0] : null });
  const at = (i) => [values[2 * i] * side, top + (1 - values[2 * i + 1]) * side];
  let active = 0;
  const draw = () => {
    const context = it.getContext('2d');
    context.setTransform(2, 0, 0, 2, 0, 0);
    context.clearRect(0, 0, side, side + 2 * top);
    context.strokeStyle = colour('--line');
    context.strokeRect(0.5, top + 0.5, side - 1, side - 1);
    context.strokeStyle = colour('--muted');
    context.beginPath();
    context.moveTo(0, top + side);
    context.lineTo(...at(0));
    context.moveTo(side, top);
    context.lineTo(...at(1));
    context.stroke();
    context.strokeStyle = colour('--accent');
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(0, top + side);
    context.bezierCurveTo(...at(0), ...at(1), side, top);
    context.stroke();
    context.lineWidth = 1;
    for (const i of [0, 1]) {
      context.fillStyle = colour(i === active ? '--accent' : '--muted');
      context.beginPath();
      context.arc(...at(i), 5, 0, 7);
      context.fill();
    }
  };
  const changes = () => four.map((leaf, i) => [leaf, values[i]])
    .filter(([leaf, value]) => leaf.value !== value).map(([leaf, value]) => change(leaf, { number: value }));
  const move = (i, x, y) => {
    values[2 * i] = Math.min(1, Math.max(0, Number(x.toFixed(2))));
    values[2 * i + 1] = Math.min(2, Math.max(-1, Number(y.toFixed(2))));
    draw();
  };
  if (isOpen) it.addEventListener('pointerdown', (event) => {
    const box = it.getBoundingClientRect();
    const [x, y] = [event.clientX - box.x, event.clientY - box.y];
    const far = (i) => Math.hypot(at(i)[0] - x, at(i)[1] - y);
    active = far(1) < far(0) ? 1 : 0;
    const old = [...values];
    drag(event, (dx, dy) => {
      move(active, old[2 * active] + dx / side, old[2 * active + 1] - dy / side);
      if (changes().length) attempt(changes());
    }, (kept) => {
      if (kept && changes().length) return write(changes(), label);
      values.splice(0, 4, ...old);
      draw();
      drop();
    });
    draw();
  });
  it.addEventListener('keydown', (event) => {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
    if (dx === undefined && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === ' ') active = 1 - active;
    else move(active, values[2 * active] + dx / 100, values[2 * active + 1] + dy / 100);
    draw();
    if (changes().length) write(changes(), label);
  });
  draw();
  return it;
}
