// SPDX-License-Identifier: MIT
import { Delay } from './activity.js';
import { $, fill, h } from './dom.js';
import { write } from './edits.js';
import { change } from './fields.js';
import { placeLink } from './problems.js';
import { S, on, set } from './store.js';

/** Controls for the parameters of the scene, which affect this view only. A value can be written to the
 * source as the default. */

const panel = $('panel-params');
const update = new Delay('params');

function give(name, text) {
  update.set(() => {
    const params = { ...S.wish.params };
    const param = S.scene?.params.find((p) => p.name === name);
    if (text === null || text === param?.default) delete params[name];
    else params[name] = text;
    set({ wish: { ...S.wish, params } });
  }, 60);
}

const split = (text) => {
  const m = /^\s*([-+]?[\d.]+)\s*(.*)$/.exec(text ?? '');
  return m ? { number: Number(m[1]), unit: m[2] } : null;
};

function control(p, id) {
  const now = S.wish.params[p.name] ?? p.given ?? p.default ?? '';
  const words = p.type?.includes('|') ? p.type.split('|').map((w) => w.trim()) : [];
  if (words.length) {
    const it = h('select', { id }, words.map((w) => h('option', { value: w, selected: w === now }, w)));
    it.addEventListener('change', () => give(p.name, it.value));
    return [it];
  }
  if (now === 'true' || now === 'false') {
    const it = h('input', { id, type: 'checkbox', checked: now === 'true' });
    it.addEventListener('change', () => give(p.name, String(it.checked)));
    return [it];
  }
  const number = split(now);
  const [low, high] = (p.range ?? []).map(split);
  if (number && low && high) {
    const whole = Number.isInteger(low.number) && Number.isInteger(high.number) && high.number - low.number > 10;
    const value = h('span.value', now);
    const it = h('input', {
      id, type: 'range', min: low.number, max: high.number, value: number.number,
      step: whole ? 1 : (high.number - low.number) / 200,
    });
    it.addEventListener('input', () => {
      value.textContent = it.value + number.unit;
      give(p.name, it.value + number.unit);
    });
    return [it, value];
  }
  const text = h('input', { id, value: now, spellcheck: 'false' });
  text.addEventListener('input', () => give(p.name, text.value));
  const isHex = /^#[0-9a-f]{6}$/i.test(now);
  if (p.type !== 'color' && !isHex) return [text];
  const colour = h('input', { type: 'color', value: isHex ? now : '#888888', 'aria-label': `${p.name}: color` });
  colour.addEventListener('input', () => {
    text.value = colour.value;
    give(p.name, colour.value);
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

async function makeDefault(p) {
  const value = typed(p.leaf, S.wish.params[p.name]);
  if (value && await write([change(p.leaf, value)], `default of ${p.name}`)) give(p.name, null);
}

function field(p) {
  const id = `param-${p.name}`;
  const isGiven = p.name in S.wish.params;
  return h('div.field', h('label', { for: id, title: p.type }, p.name), h('div.control', control(p, id)),
    h('div.acts', placeLink(p.span, true),
      isGiven ? h('button.link', { onclick: () => { give(p.name, null); panel.focus(); } }, 'reset') : null,
      isGiven && p.leaf?.writable && !S.readOnly
        ? h('button.link', { onclick: () => makeDefault(p) }, 'make default') : null));
}

function draw() {
  const all = (S.scene?.params ?? []).map(field);
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
