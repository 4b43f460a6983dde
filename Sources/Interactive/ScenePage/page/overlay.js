// SPDX-License-Identifier: MIT
import { ask } from './connection.js';
import { $, colour } from './dom.js';
import { dragElement, dragPoint } from './edits.js';
import { drawHandles, forgetHandles, loadHandles, pointHandles, pressHandles } from './handles.js';
import { onPlaced, place, toFilm } from './picture.js';
import { titleOf } from './rows.js';
import { chosen, toggle } from './selection.js';
import { snapper } from './snapping.js';
import { state, on, paint, rowOf, set, shown } from './store.js';
import { editor } from './tree.js';
import { typeText } from './typing.js';

/** The overlay of the frame: outlines, safe areas, thirds, and the element under the pointer. */

const canvas = $('over');
const stage = $('stage');
const context = canvas.getContext('2d');
/** The corners of visible elements. @type {any[]} */
let boxes = [];
let boxesOf = '';
let asking = false;
/** The outline points of the selected element. @type {any[]} */
let points = [];
/** The dragged point and its offset. @type {{index: number, way: number[]} | null} */
let held = null;
/** The round of the selected element that was clicked last. */
let round = { key: '', index: 0 };
/** The result of the last click, for another click at the same position.
 * @type {{x: number, y: number, hits: any[], index: number} | null} */
let clicked = null;

const ratio = () => devicePixelRatio || 1;

/** Requests the outlines of the displayed frame, one request at a time. */
async function load() {
  if (asking || state.playing || !state.scene || (!state.selected && !state.hovered)) return;
  const { view, rev } = shown();
  const name = `${view} ${rev} ${state.selected} ${state.n}`;
  if (name === boxesOf) return;
  asking = true;
  const key = state.selected;
  const kinds = ['path', 'line', 'arrow', 'polyline', 'polygon'];
  const hasPoints = key && !state.attempt && kinds.includes(rowOf(key)?.kind);
  const index = round.key === key ? round.index : boxes.find((b) => b.row === rowIndex(key))?.round ?? 0;
  const [it, own] = await Promise.all([ask('boxes', { view, rev, n: state.n }),
    hasPoints ? ask('element', { view, rev, key, n: state.n }) : null,
    loadHandles(key, index, { view, rev }, state.n)]);
  asking = false;
  if (!state.attempt) points = (key === state.selected && own?.points) || [];
  boxes = it.bytes ? read(it.bytes) : [];
  boxesOf = it.bytes || it.error === 'unknown' ? name : '';
  draw();
  if (it.bytes) load();
}

function read(bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = [];
  for (let at = 0; at + 40 <= data.byteLength; at += 40) {
    const points = [];
    for (let i = 0; i < 4; i++) {
      points.push([data.getFloat32(at + 8 + 8 * i), data.getFloat32(at + 12 + 8 * i)]);
    }
    out.push({ row: data.getUint32(at), round: data.getUint32(at + 4), points });
  }
  return out;
}

const rowIndex = (key) => state.scene?.rows.indexOf(rowOf(key));

/** Returns the outlines of an element in frame pixels. */
export function outlines(key) {
  const index = rowIndex(key);
  return boxes.filter((b) => b.row === index).map((b) => b.points);
}

/** Strokes on top of a darker line, for contrast on any background. */
function twice(style, width, below) {
  for (const [color, lineWidth] of [['rgb(0 0 0 / 0.4)', below], [style, width]]) {
    context.strokeStyle = color;
    context.lineWidth = lineWidth;
    context.stroke();
  }
}

function outline(points, isSelected) {
  const at = points.map(([x, y]) => [place.x + x * place.k, place.y + y * place.k]);
  context.beginPath();
  for (const [x, y] of at) context.lineTo(x, y);
  context.closePath();
  if (isSelected) twice('#66a6ff', 1.5, 3.5);
  else twice('#fff', 1, 2.5);
}

function label(points, text) {
  const x = place.x + Math.min(...points.map((p) => p[0])) * place.k;
  const y = place.y + Math.min(...points.map((p) => p[1])) * place.k;
  context.font = '11px system-ui, sans-serif';
  const labelWidth = context.measureText(text).width + 8;
  const top = Math.max(2, y - 20);
  const left = Math.max(2, Math.min(x, stage.clientWidth - labelWidth - 2));
  context.fillStyle = 'rgb(20 20 20 / 0.85)';
  context.fillRect(left, top, labelWidth, 17);
  context.fillStyle = '#fff';
  context.fillText(text, left + 4, top + 12.5);
}

function guides() {
  const [width, height] = state.scene.size.map((x) => x * place.k);
  context.beginPath();
  for (const share of [1 / 3, 2 / 3]) {
    context.moveTo(place.x + width * share, place.y);
    context.lineTo(place.x + width * share, place.y + height);
    context.moveTo(place.x, place.y + height * share);
    context.lineTo(place.x + width, place.y + height * share);
  }
  // Action and title safe areas (EBU R 95).
  for (const inset of [0.035, 0.05]) {
    context.rect(place.x + width * inset, place.y + height * inset, width * (1 - 2 * inset), height * (1 - 2 * inset));
  }
  twice('rgb(255 255 255 / 0.7)', 1, 3);
}

/** Draws the guides to which a drag has snapped. */
function snapLines() {
  const [width, height] = state.scene.size.map((x) => x * place.k);
  context.beginPath();
  for (const { axis, line } of state.lines) {
    const at = line * place.k;
    context.moveTo(place.x + (axis ? 0 : at), place.y + (axis ? at : 0));
    context.lineTo(place.x + (axis ? width : at), place.y + (axis ? at : height));
  }
  if (state.lines.length) twice('#ff5cd6', 1, 2.5);
}

/** Draws the line where a dragged element of a layout is inserted. */
function insertionMark(ends) {
  context.beginPath();
  for (const [x, y] of ends) context.lineTo(place.x + x * place.k, place.y + y * place.k);
  context.lineCap = 'round';
  twice('#ff5cd6', 3, 6);
  context.lineCap = 'butt';
}

/** Returns the corners of the boxes of other elements, not inside or around the given ones. */
function othersThan(keys) {
  const rows = state.scene?.rows ?? [];
  const isRelated = (key) => keys.some((it) => key === it || key?.startsWith(`${it}/`) || it.startsWith(`${key}/`));
  return boxes.filter((b) => !isRelated(rows[b.row]?.key)).slice(0, 400).map((b) => b.points);
}

/** Returns the function that snaps a drag of elements by their edges and centers. */
function snapOf(keys, hit) {
  const own = keys.flatMap((key) => boxes.filter((b) => b.row === rowIndex(key)
    && (key !== hit.key || b.round === hit.round)).flatMap((b) => b.points));
  const points = [0, 1].map((axis) => {
    const all = own.map((p) => p[axis]);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return all.length ? [low, (low + high) / 2, high] : [];
  });
  return snapper(points, othersThan(keys));
}

/** Returns the function that snaps a handle that moves along some axes. */
const snapHandle = (key, at, side) => snapper([0, 1].map((axis) => (side[axis] ? [at[axis]] : [])), othersThan([key]));

/** Draws the area of the frame that an output without its own layout shows. */
function outputFrame() {
  const it = state.scene.outputs?.find((o) => o.name === state.output && state.output);
  if (!it?.size || it.own || it.fit === 'fill') return;
  const [sceneWidth, sceneHeight] = state.scene.size;
  const ways = [it.size[0] / sceneWidth, it.size[1] / sceneHeight];
  const k = place.k / (it.fit === 'cover' ? Math.max(...ways) : Math.min(...ways));
  const [width, height] = it.size.map((x) => x * k);
  const x = place.x + (sceneWidth * place.k - width) / 2;
  const y = place.y + (sceneHeight * place.k - height) / 2;
  context.beginPath();
  if (it.fit === 'cover') {
    context.rect(place.x, place.y, sceneWidth * place.k, sceneHeight * place.k);
    context.rect(x, y, width, height);
    context.fillStyle = 'rgb(40 40 40 / 0.7)';
    context.fill('evenodd');
    context.beginPath();
  }
  context.rect(x + 0.5, y + 0.5, width - 1, height - 1);
  twice('#fff', 1, 3);
}

on('n', () => { if (!state.playing && (state.selected || state.hovered)) draw(); });

const draw = paint('lines mark selected others hovered guides scene rev link broken theme playing output', () => {
  const density = ratio();
  const [width, height] = [Math.round(stage.clientWidth * density), Math.round(stage.clientHeight * density)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  if (!state.scene) return;
  context.strokeStyle = colour('--stage-edge');
  context.lineWidth = 1;
  const [sceneWidth, sceneHeight] = state.scene.size;
  context.strokeRect(place.x - 0.5, place.y - 0.5, sceneWidth * place.k + 1, sceneHeight * place.k + 1);
  if (state.guides) guides();
  snapLines();
  outputFrame();
  if (state.playing) return;
  const isHere = boxesOf.endsWith(` ${state.n}`);
  if (state.hovered && state.hovered !== state.selected && isHere) {
    const found = outlines(state.hovered);
    for (const points of found.slice(0, 400)) outline(points, false);
    const row = rowOf(state.hovered);
    if (found[0] && row) label(found[0], titleOf(row));
  }
  if (state.selected && isHere) for (const points of outlines(state.selected).slice(0, 400)) outline(points, true);
  if (isHere) for (const key of state.others) for (const points of outlines(key).slice(0, 400)) outline(points, true);
  if (state.selected && isHere && !state.others.length && !$('typing')) drawHandles(context, twice);
  if (state.selected && !state.readOnly) points.forEach((p, i) => handle(onScreen(i), held?.index === i));
  if (state.mark) insertionMark(state.mark);
});

const hits = (event) => {
  const [x, y] = toFilm(event);
  const { view, rev } = shown();
  return ask('hit', { view, rev, n: state.n, x, y }).then((it) => it.hits);
};

let hovering = false;
async function hover(event) {
  if (event.buttons) return;
  if (state.playing || state.others.length || !pointHandles(event, draw)) stage.style.cursor = state.hovered && !state.readOnly ? 'move' : '';
  if (hovering || state.playing) return;
  hovering = true;
  const found = await hits(event);
  hovering = false;
  if (found) set({ hovered: found[0]?.key ?? null });
}

async function click(event) {
  const isDrag = Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4;
  if (event.target.closest('#errors, #toasts') || isDrag || event.detail > 1) return;
  const isSame = clicked && Math.hypot(event.clientX - clicked.x, event.clientY - clicked.y) < 4;
  if (isSame && clicked?.hits?.length) clicked.index = (clicked.index + 1) % clicked.hits.length;
  else clicked = { x: event.clientX, y: event.clientY, hits: await hits(event), index: 0 };
  if (!clicked?.hits) return;
  const hit = clicked.hits[clicked.index];
  if (event.shiftKey) {
    if (clicked.hits[0]) toggle(clicked.hits[0].key);
    clicked = null;
    return;
  }
  if (hit) choose(hit);
  set({ selected: hit?.key ?? null });
}

/** Keeps the round of an element whose handles are shown. */
function choose(hit) {
  const isOther = round.key !== hit.key || round.index !== hit.round;
  round = { key: hit.key, index: hit.round };
  if (!isOther || hit.key !== state.selected) return;
  boxesOf = '';
  load();
}

/** Returns the position of a point on the stage, including the offset of a drag. */
function onScreen(i) {
  const [dx, dy] = held?.index === i ? held.way : [0, 0];
  return [place.x + (points[i].at[0] + dx) * place.k, place.y + (points[i].at[1] + dy) * place.k];
}

function handle([x, y], isHeld) {
  context.beginPath();
  context.arc(x, y, isHeld ? 6 : 4.5, 0, 7);
  context.fillStyle = isHeld ? '#1b62c4' : '#fff';
  context.fill();
  twice(isHeld ? '#fff' : '#1b62c4', 1.5, 3.5);
  context.fill();
}

/** Returns the index of the topmost point under the pointer. */
function pointAt(event) {
  const box = stage.getBoundingClientRect();
  return points.findLastIndex((p, i) => {
    const [x, y] = onScreen(i);
    return Math.hypot(event.clientX - box.x - x, event.clientY - box.y - y) < 9;
  });
}

function pullPoint(event, index) {
  held = { index, way: [0, 0] };
  draw();
  stage.addEventListener('pointerup', () => { held = null; draw(); }, { once: true });
  dragPoint(event, place.k, points[index], (way) => { if (held) held.way = way; draw(); });
}

const isInside = ([x, y], corners) => {
  const sides = corners.map(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  });
  return sides.every((s) => s >= 0) || sides.every((s) => s <= 0);
};

/** Returns the element's round whose outline contains a point in frame pixels, if any. */
function roundAt(at, key) {
  const index = rowIndex(key);
  return boxes.findLast((b) => b.row === index && isInside(at, b.points))?.round;
}

let pressed = [0, 0];
function press(event) {
  pressed = [event.clientX, event.clientY];
  if (event.button !== 0 || event.target.closest('#errors, #toasts')) return;
  if (state.playing || state.readOnly || !state.scene) return;
  const point = state.selected ? pointAt(event) : -1;
  if (point >= 0) return pullPoint(event, point);
  if (state.selected && !state.others.length && pressHandles(event, snapHandle)) return;
  const from = toFilm(event);
  const key = chosen().find((it) => roundAt(from, it) !== undefined);
  const inside = key ? roundAt(from, key) : undefined;
  if (key && inside !== undefined && !state.others.length) choose({ key, round: inside });
  dragElement(event, place.k, inside === undefined ? hits(event).then((all) => {
    if (all?.[0]) choose(all[0]);
    return all?.[0] ?? null;
  }) : { key, round: inside }, { from, snapOf, boxesOf: outlines });
}

export function startOverlay() {
  onPlaced(draw);
  stage.addEventListener('pointerdown', press);
  on('n rev attempt selected others hovered playing scene', load);
  stage.addEventListener('pointermove', hover);
  stage.addEventListener('pointerleave', () => set({ hovered: null }));
  stage.addEventListener('click', click);
  stage.addEventListener('dblclick', (event) => {
    const row = rowOf(state.selected);
    if (!row || event.target.closest('#errors')) return;
    const corners = outlines(row.key)[round.key === row.key ? round.index : 0] ?? outlines(row.key)[0];
    if (row.kind === 'text' && corners) typeText(row.key, corners);
    else editor.open(row.span);
  });
  on('scene n', () => { clicked = null; });
  on('selected', forgetHandles);
}
