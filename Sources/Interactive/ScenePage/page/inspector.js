// SPDX-License-Identifier: MIT
import { Delay } from './activity.js';
import { ask } from './connection.js';
import { $, colour, fill, h, icon, isHeld, menu } from './dom.js';
import { write } from './edits.js';
import { bezierControl, flipScope, isBlock, leafControl, noted, steer, textIn, valueControls } from './fields.js';
import { placeLink } from './problems.js';
import { family, labelOf, titleOf } from './rows.js';
import { state, on, rate, rowOf, set, shown } from './store.js';
import { timeOf } from './time.js';

/** The properties of the selected element: their current values and their source text. */

const panel = $('panel-inspector');
let element = null;
let elementOf = '';
let asking = false;
let again = false;

const utf8 = new TextEncoder();
const row = () => rowOf(state.selected);

async function load() {
  if (asking) {
    again = true;
    return;
  }
  const key = state.selected;
  if (!key || !row()) {
    element = null;
    elementOf = '';
    return draw();
  }
  asking = true;
  const { view, rev } = state;
  const frame = state.n;
  const it = await ask('element', { view, rev, key, n: frame });
  asking = false;
  if (again) {
    again = false;
    return load();
  }
  element = it.error ? { properties: [], readers: [], error: it.error } : noted(it);
  elementOf = `${rev} ${key}`;
  draw();
  if (state.n !== frame) follow();
}

let valuesAt = 0;
const update = new Delay('values');
/** Updates animated values ten times per second. */
function follow() {
  if (!element || update.isSet || state.tab !== 'inspector') return;
  update.set(async () => {
    valuesAt = performance.now();
    const { view, rev } = shown();
    const key = state.selected;
    const frame = state.n;
    const it = await ask('values', { view, rev, key, n: frame });
    update.clear();
    // The playhead moved while the server responded.
    if (state.n !== frame) follow();
    if (!it.values || key !== state.selected) return;
    for (const entry of panel.querySelectorAll('.prop')) {
      const now = it.values[entry.dataset.name];
      const place = entry.querySelector('.now');
      const property = element.properties.find((p) => p.name === entry.dataset.name);
      const button = entry.querySelector('.scope.add');
      if (button && property && button.classList.contains('at-key') !== isOnKey(property)) {
        button.replaceWith(adder(property) ?? '');
      }
      if (now === undefined || !place || entry.querySelector('.now input')) continue;
      if (!property || !isSteered(property)) {
        if (place.textContent !== now) fill(place, property && isInline(property) && now === property.value ? controls(property) : [now]);
      } else if (property.value !== now && !place.querySelector('.held')) {
        property.value = now;
        fill(place, [steered(property)]);
      }
    }
    curves();
  }, Math.max(0, 100 - (performance.now() - valuesAt)));
}

/** Returns the literals of each `cubic-bezier(…)` in a property, in groups of four. */
function beziers(property, leaves) {
  return [...property.text.matchAll(/cubic-bezier\(([^()]*)\)/g)].map((match) => {
    const from = property.span.start + utf8.encode(property.text.slice(0, match.index)).length;
    const to = from + utf8.encode(match[0]).length;
    return leaves.filter((leaf) => leaf.kind === 'number' && leaf.span.start > from && leaf.span.end < to);
  }).filter((four) => four.length === 4);
}

/** Returns the literals in the text of a property, without those behind names. */
const insideOf = (property) => (property.leaves ?? []).filter((l) => property.span && l.span.file === property.span.file
  && l.span.start >= property.span.start && l.span.end <= property.span.end)
  .sort((a, b) => a.span.start - b.span.start);

/** Returns whether the text of a property is its value, so that a line of its own would only repeat it. */
const isInline = (property) => !isSteered(property) && property.text === property.value
  && property.leaves?.length > 1 && property.text.length < 32 && insideOf(property).length === property.leaves.length
  && !beziers(property, property.leaves).length;

/** Returns the text of a property with its literals as controls, without curves. */
function controls(property) {
  const out = [];
  let at = property.span.start;
  for (const leaf of insideOf(property)) {
    if (leaf.span.start < at) continue;
    out.push(textIn(property, at, leaf.span.start), leafControl(leaf, property.name));
    at = leaf.span.end;
  }
  out.push(textIn(property, at, property.span.end));
  return out;
}

/** Returns the line of a property with its text, and the literals behind its names. */
function written(property) {
  const inside = insideOf(property);
  const out = controls(property);
  for (const four of beziers(property, inside)) out.push(bezierControl(four, property.name));
  const others = (property.leaves ?? []).filter((l) => !inside.includes(l)).map((l) => h('div', {},
    `${l.via ?? ''} = `, leafControl(l, `${property.name} via ${l.via}`), l.uses > 1 ? ` used ${l.uses}×` : '', ' ',
    placeLink(l.span, true)));
  return [h('div.written', out), others.length ? h('div.written', others) : null];
}

const origins = {
  own: '', head: '', style: 'style', inherited: 'inherited', change: 'change',
  component: 'component', initial: 'default',
};

/** One or two numbers, such as `40%` or `(200, 50)`. */
const numbers = /^\(?[-+]?[\d.]+[a-z%]*(, [-+]?[\d.]+[a-z%]*)?\)?$/;
/** Returns whether a value is animated numbers, which are edited at the playhead. */
const isSteered = (p) => !p.by?.length && (p.curve?.length || p.keys?.length) && numbers.test(p.value);

/** Returns the value at the playhead as controls, and the switch between the key and the whole motion. */
function steered(property) {
  const { key } = element;
  const isWhole = steer(key, property.name).scope === 'whole';
  return [valueControls(key, property), state.readOnly ? null : h('button.scope', {
    'aria-pressed': String(isWhole), 'aria-label': `${property.name}: move the whole motion`,
    title: isWhole ? 'Edits move the whole motion' : 'Edits change the key at the playhead, or insert one',
    onclick: () => { flipScope(key, property.name); draw(); },
  }, isWhole ? '⇆' : '◆')];
}

/** Returns whether a key of a property is at the playhead. */
const isOnKey = (property) => Boolean(property.text?.startsWith('keyframes')
  && property.keys?.some((k) => Math.abs(k.t - timeOf(state.n, rate())) < timeOf(0.5, rate())));

/** Returns the button that adds or deletes the key at the playhead, for numbers that have no motion or keyframes. */
function adder(property) {
  const isNumber = numbers.test(property.value);
  const isKeyed = property.keys?.length && property.text?.startsWith('keyframes');
  const isOpen = isKeyed || isNumber && !property.keys?.length && !property.curve?.length && !property.by?.length;
  if (!isOpen || !property.text || state.readOnly) return null;
  const isKey = isOnKey(property);
  return h(`button.scope.add${isKey ? '.at-key' : ''}`, {
    'aria-label': isKey ? `${property.name}: delete the key` : `${property.name}: add a key`,
    title: isKey ? 'Delete the key at the playhead' : 'Add a key at the playhead',
    onclick: () => write([{ ...steer(element.key, property.name), drop: isKey }],
      `${isKey ? 'delete key' : 'key'} of ${property.name}`),
  }, isKey ? '◆' : '◇');
}

/** The easings that menus offer. */
export const easings = ['linear', 'hold', 'ease', 'ease-in', 'ease-out', 'ease-in-out', 'ease-in-cubic', 'ease-out-cubic',
  'ease-in-out-cubic', 'ease-out-back', 'ease-out-elastic', 'ease-out-bounce'];

/** Returns the menu of the easing that leads to the key at the playhead or to the next one. */
function easer(property) {
  if (!isSteered(property) || !property.keys?.length || state.readOnly) return icon('curve');
  const it = h('button.scope.ease', { 'aria-label': `${property.name}: easing`, title: 'Easing at the playhead' },
    icon('curve'));
  menu(it, () => easings.map((name) => ({ text: name,
    act: () => write([{ ...steer(element.key, property.name), ease: name }], `easing of ${property.name}`) })));
  return it;
}

function describe(property) {
  const why = (property.leaves ?? []).find((l) => !l.writable)?.why;
  // A single literal also serves as the value.
  const first = property.leaves?.length === 1 && !property.by?.length ? property.leaves[0] : null;
  const sole = first && first.text === property.text?.trim() ? first : null;
  const lone = sole && !isBlock(sole) ? sole : null;
  return h('div.prop', { 'data-name': property.name },
    h('div.line', h('span.label', property.name),
      lone ? h('span', leafControl(lone, property.name))
        : sole ? h('span') : h('span.now', { title: property.value },
          isSteered(property) ? steered(property) : isInline(property) ? controls(property) : property.value),
      h('span.origin', adder(property), property.curve?.length ? [easer(property)] : null,
        [origins[property.origin] ?? property.origin, ...(property.by ?? [])].filter(Boolean).join(', '))),
    property.text && !lone && !isInline(property) && (property.leaves?.length || property.text !== property.value) ? written(property) : null,
    why ? h('div.why', why) : null,
    property.curve?.length ? h('canvas.curve-box', { 'data-curve': property.name, 'aria-hidden': true,
      title: 'Show the graph', onclick: () => set({ graph: property.name }) }) : null);
}

/** Draws each animated number over the lifetime of the element. */
function curves() {
  const life = row()?.life ?? [0, state.scene?.duration ?? 1];
  const ratio = devicePixelRatio || 1;
  for (const it of panel.querySelectorAll('canvas.curve-box')) {
    const values = element.properties.find((p) => p.name === it.dataset.curve)?.curve ?? [];
    const [width, height] = [it.clientWidth, it.clientHeight];
    it.width = width * ratio;
    it.height = height * ratio;
    const context = it.getContext('2d');
    context.scale(ratio, ratio);
    const low = Math.min(...values);
    const high = Math.max(...values);
    const y = (v) => (high === low ? height / 2 : height - 5 - ((v - low) / (high - low)) * (height - 10));
    context.strokeStyle = colour('--line');
    context.strokeRect(0.5, 0.5, width - 1, height - 1);
    context.strokeStyle = colour('--accent');
    context.lineWidth = 1.5;
    context.beginPath();
    values.forEach((v, i) => context.lineTo((i / (values.length - 1)) * width, y(v)));
    context.stroke();
    const x = ((timeOf(state.n, rate()) - life[0]) / (life[1] - life[0])) * width;
    context.fillStyle = colour('--head');
    if (x >= 0 && x <= width) context.fillRect(x - 0.5, 0, 1, height);
  }
}

function facts(it) {
  return h('div.prop', h('div.line', h('span.label', 'lifetime'),
    h('span.now', it.life ? `${Number(it.life[0].toFixed(3))}s – ${Number(it.life[1].toFixed(3))}s` : 'always'), null),
  (it.motions ?? []).map((m) => h('div.line', h('span.label', m.property),
    h('span.now', { title: m.text }, m.text), placeLink(m.span, true))));
}

function draw() {
  if (isHeld()) return addEventListener('dropped', draw, { once: true });
  const it = row();
  if (!it) {
    return fill(panel, [h('p.empty', 'Select an element in the frame, the tree or the timeline.')]);
  }
  const isFresh = element && elementOf.endsWith(` ${it.key}`);
  const top = panel.scrollTop;
  const focus = document.activeElement?.getAttribute('aria-label');
  const hadFocus = panel.contains(document.activeElement);
  const readers = (isFresh && element.readers) || [];
  fill(panel, [
    h('div.title', h(`span.kind.k-${family(it.kind)}`, icon(family(it.kind))),
      h('strong', labelOf(it) || it.kind), h('span.what', it.kind),
      it.count > 1 ? h('span.count', `×${it.count}`) : null, placeLink(it.span, true)),
    readers.length ? h('p.reads', 'used by ', readers.slice(0, 12).map((key) => {
      const other = rowOf(key);
      return h('button.link', { onclick: () => set({ selected: key }) }, other ? titleOf(other) : key);
    })) : null,
    !isFresh || !element.properties.length ? facts(it) : element.properties.map(describe),
  ]);
  panel.scrollTop = top;
  if (hadFocus && focus) panel.querySelector(`[aria-label="${CSS.escape(focus)}"]`)?.focus();
  curves();
}

export function startInspector() {
  on('selected scene', load);
  on('n attempt', follow);
  on('tab', curves);
  new ResizeObserver(curves).observe(panel);
  draw();
}
