// SPDX-License-Identifier: MIT
import { Delay } from './activity.js';
import { ask } from './connection.js';
import { $, colour, fill, h, icon, isHeld } from './dom.js';
import { bezierControl, isBlock, leafControl, noted, textIn } from './fields.js';
import { placeLink } from './problems.js';
import { family, labelOf, titleOf } from './rows.js';
import { S, on, rate, rowOf, set, shown } from './store.js';
import { timeOf } from './time.js';

/** The properties of the selected element: their current values and their source text. */

const panel = $('panel-inspector');
let element = null;
let elementOf = '';
let asking = false;
let again = false;

const utf8 = new TextEncoder();
const row = () => rowOf(S.selected);

async function load() {
  if (asking) {
    again = true;
    return;
  }
  const key = S.selected;
  if (!key || !row()) {
    element = null;
    elementOf = '';
    return draw();
  }
  asking = true;
  const { view, rev } = S;
  const n = S.n;
  const it = await ask('element', { view, rev, key, n });
  asking = false;
  if (again) {
    again = false;
    return load();
  }
  element = it.error ? { properties: [], readers: [], error: it.error } : noted(it);
  elementOf = `${rev} ${key}`;
  draw();
  if (S.n !== n) follow();
}

let valuesAt = 0;
const update = new Delay('values');
/** Updates animated values ten times per second. */
function follow() {
  if (!element || update.isSet || S.tab !== 'inspector') return;
  update.set(async () => {
    valuesAt = performance.now();
    const { view, rev } = shown();
    const key = S.selected;
    const n = S.n;
    const it = await ask('values', { view, rev, key, n });
    update.clear();
    // The playhead moved while the server responded.
    if (S.n !== n) follow();
    if (!it.values || key !== S.selected) return;
    for (const p of panel.querySelectorAll('.prop')) {
      const now = it.values[p.dataset.name];
      const place = p.querySelector('.now');
      if (now !== undefined && place && place.textContent !== now) fill(place, [now]);
    }
    curves();
  }, Math.max(0, 100 - (performance.now() - valuesAt)));
}

/** Returns the literals of each `cubic-bezier(…)` in a property, in groups of four. */
function beziers(p, leaves) {
  return [...p.text.matchAll(/cubic-bezier\(([^()]*)\)/g)].map((m) => {
    const from = p.span.start + utf8.encode(p.text.slice(0, m.index)).length;
    return leaves.filter((l) => l.kind === 'number' && l.span.start > from && l.span.end < from + utf8.encode(m[0]).length);
  }).filter((four) => four.length === 4);
}

/** Returns the text of a property with its literals as controls. */
function written(p) {
  const inside = (p.leaves ?? []).filter((l) => p.span && l.span.file === p.span.file
    && l.span.start >= p.span.start && l.span.end <= p.span.end)
    .sort((a, b) => a.span.start - b.span.start);
  const out = [];
  let at = p.span.start;
  for (const leaf of inside) {
    if (leaf.span.start < at) continue;
    out.push(textIn(p, at, leaf.span.start), leafControl(leaf, p.name));
    at = leaf.span.end;
  }
  out.push(textIn(p, at, p.span.end));
  for (const four of beziers(p, inside)) out.push(bezierControl(four, p.name));
  const others = (p.leaves ?? []).filter((l) => !inside.includes(l)).map((l) => h('div', {},
    `${l.via ?? ''} = `, leafControl(l, `${p.name} via ${l.via}`), l.uses > 1 ? ` used ${l.uses}×` : '', ' ', placeLink(l.span, true)));
  return [h('div.written', out), others.length ? h('div.written', others) : null];
}

const origins = {
  own: 'own line', head: 'own line', style: 'style', inherited: 'inherited', change: 'change',
  component: 'component', initial: 'default',
};

function property(p) {
  const why = (p.leaves ?? []).find((l) => !l.writable)?.why;
  // A single literal also serves as the value.
  const sole = p.leaves?.length === 1 && p.leaves[0].text === p.text?.trim() && !p.by?.length ? p.leaves[0] : null;
  const lone = sole && !isBlock(sole) ? sole : null;
  return h('div.prop', { 'data-name': p.name },
    h('div.line', h('span.label', p.name), lone ? h('span', leafControl(lone, p.name)) : sole ? h('span') : h('span.now', { title: p.value }, p.value),
      h('span.origin', p.curve?.length ? [icon('curve')] : null,
        [origins[p.origin] ?? p.origin, ...(p.by ?? [])].join(', '))),
    p.text && !lone && (p.leaves?.length || p.text !== p.value) ? written(p) : null,
    why ? h('div.why', why) : null,
    p.curve?.length ? h('canvas.curve-box', { 'data-curve': p.name, 'aria-hidden': true }) : null);
}

/** Draws each animated number over the lifetime of the element. */
function curves() {
  const life = row()?.life ?? [0, S.scene?.duration ?? 1];
  const r = devicePixelRatio || 1;
  for (const it of panel.querySelectorAll('canvas.curve-box')) {
    const values = element.properties.find((p) => p.name === it.dataset.curve)?.curve ?? [];
    const [w, height] = [it.clientWidth, it.clientHeight];
    it.width = w * r;
    it.height = height * r;
    const c = it.getContext('2d');
    c.scale(r, r);
    const low = Math.min(...values);
    const high = Math.max(...values);
    const y = (v) => (high === low ? height / 2 : height - 5 - ((v - low) / (high - low)) * (height - 10));
    c.strokeStyle = colour('--line');
    c.strokeRect(0.5, 0.5, w - 1, height - 1);
    c.strokeStyle = colour('--accent');
    c.lineWidth = 1.5;
    c.beginPath();
    values.forEach((v, i) => c.lineTo((i / (values.length - 1)) * w, y(v)));
    c.stroke();
    const x = ((timeOf(S.n, rate()) - life[0]) / (life[1] - life[0])) * w;
    c.fillStyle = colour('--head');
    if (x >= 0 && x <= w) c.fillRect(x - 0.5, 0, 1, height);
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
    !isFresh || !element.properties.length ? facts(it) : element.properties.map(property),
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
