// SPDX-License-Identifier: MIT
import { Delay } from './activity.js';
import { $, fill, h } from './dom.js';
import { write } from './edits.js';
import { change } from './fields.js';
import { placeLink } from './problems.js';
import { state, on, set } from './store.js';

/** Controls for the parameters of the scene, which affect this view only. A value can be written to the
 * source as the default. */

const panel = $('panel-params');
const update = new Delay('params');

function give(name, text) {
  update.set(() => {
    const params = { ...state.wish.params };
    const param = state.scene?.params.find((param) => param.name === name);
    if (text === null || text === param?.default) delete params[name];
    else params[name] = text;
    set({ wish: { ...state.wish, params } });
  }, 60);
}

const split = (text) => {
  const match = /^\s*([-+]?[\d.]+)\s*(.*)$/.exec(text ?? '');
  return match ? { number: Number(match[1]), unit: match[2] } : null;
};

function control(param, id) {
  const now = state.wish.params[param.name] ?? param.given ?? param.default ?? '';
  const words = param.type?.includes('|') ? param.type.split('|').map((w) => w.trim()) : [];
  if (words.length) {
    const it = h('select', { id }, words.map((w) => h('option', { value: w, selected: w === now }, w)));
    it.addEventListener('change', () => give(param.name, it.value));
    return [it];
  }
  if (now === 'true' || now === 'false') {
    const it = h('input', { id, type: 'checkbox', checked: now === 'true' });
    it.addEventListener('change', () => give(param.name, String(it.checked)));
    return [it];
  }
  const number = split(now);
  const [low, high] = (param.range ?? []).map(split);
  if (number && low && high) {
    const whole = Number.isInteger(low.number) && Number.isInteger(high.number) && high.number - low.number > 10;
    const value = h('span.value', now);
    const it = h('input', {
      id, type: 'range', min: low.number, max: high.number, value: number.number,
      step: whole ? 1 : (high.number - low.number) / 200,
    });
    it.addEventListener('input', () => {
      value.textContent = it.value + number.unit;
      give(param.name, it.value + number.unit);
    });
    return [it, value];
  }
  const text = h('input', { id, value: now, spellcheck: 'false' });
  text.addEventListener('input', () => give(param.name, text.value));
  const isHex = /^#[0-9a-f]{6}$/i.test(now);
  if (param.type !== 'color' && !isHex) return [text];
  const colour = h('input', { type: 'color', value: isHex ? now : '#888888', 'aria-label': `${param.name}: color` });
  colour.addEventListener('input', () => {
    text.value = colour.value;
    give(param.name, colour.value);
  });
  return [colour, text];
}

/** Returns a value in the form that the server writes as the default. */
function typed(leaf, text) {
  const number = split(text);
  if (leaf.kind === 'number') return number && { number: number.number, unit: number.unit || undefined };
  if (leaf.kind === 'bool') return { bool: text === 'true' };
  if (leaf.kind === 'word') return { word: text };
  if (leaf.kind === 'text') return { text };
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  return hex && { color: [...hex.slice(1).map((x) => parseInt(x, 16) / 255), 1] };
}

async function makeDefault(param) {
  const value = typed(param.leaf, state.wish.params[param.name]);
  if (value && await write([change(param.leaf, value)], `default of ${param.name}`)) give(param.name, null);
}

function field(param) {
  const id = `param-${param.name}`;
  const isGiven = param.name in state.wish.params;
  return h('div.field', h('label', { for: id, title: param.type }, param.name), h('div.control', control(param, id)),
    h('div.acts', placeLink(param.span, true),
      isGiven ? h('button.link', { onclick: () => { give(param.name, null); panel.focus(); } }, 'reset') : null,
      isGiven && param.leaf?.writable && !state.readOnly
        ? h('button.link', { onclick: () => makeDefault(param) }, 'make default') : null));
}

function draw() {
  const all = (state.scene?.params ?? []).map(field);
  if (!all.length) all.push(h('p.empty', 'The scene has no params. To add one, write param title: text = "Hello"'));
  if (all.length !== panel.children.length) return fill(panel, all);
  all.forEach((it, i) => {
    const old = panel.children[i];
    // A field that is being edited is kept.
    if (old.querySelector('.control')?.contains(document.activeElement)) old.lastChild.replaceWith(it.lastChild);
    else old.replaceWith(it);
  });
}

export function startParams() {
  on('scene wish', draw);
  draw();
}
