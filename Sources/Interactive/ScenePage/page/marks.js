// SPDX-License-Identifier: MIT
import { plain } from './dom.js';
import { seconds } from './time.js';

/** The marks of a graph: curves, keys, and the handles of easings. */

const space = 'http://www.w3.org/2000/svg';
/** The number of segments up to which all handles are shown; otherwise only those beside selected keys. */
const mostShown = 6;
/** The smallest distance of a handle from its key, in pixels. */
const beside = 16;

/** Creates an SVG element: `svg('line.grid', { x1, x2 })`. */
export function svg(what, attributes, text) {
  const [tag, ...classes] = what.split('.');
  const it = document.createElementNS(space, tag);
  if (classes.length) it.setAttribute('class', classes.join(' '));
  for (const [name, value] of Object.entries(attributes)) it.setAttribute(name, String(value));
  if (text !== undefined) it.textContent = plain(text);
  return it;
}

/** Returns the path through points. */
export function curvePath(xs, ys) {
  return xs.map((x, i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${ys[i].toFixed(1)}`).join('');
}

/** Returns the heights of labels, moved apart by at least `room`. */
export function apart(ys, room, height) {
  const order = ys.map((y, i) => i).sort((a, b) => ys[a] - ys[b]);
  const out = [...ys];
  order.forEach((i, n) => { if (n) out[i] = Math.max(out[i], out[order[n - 1]] + room); });
  const over = Math.max(0, (out[order.at(-1)] ?? 0) - height);
  return out.map((y) => y - over);
}

/** Returns the description of a key. */
export const keyName = (key, labels, textOf) =>
  `${labels.length > 1 ? `${labels[key.c]}: ` : ''}${textOf(key.value)} at ${seconds(key.t)}`;

/** Returns the handles of all segments: two for each, on the component that changes most in the plot. */
export function handlesOf(data, { picked, live, xOf, yOf }) {
  const count = data.motions.reduce((sum, it) => sum + it.steps.length, 0);
  return data.motions.flatMap((motion, m) => motion.why ? [] : motion.steps.flatMap((it) => {
    const [start, end] = [motion.keys[it.start], motion.keys[it.end]];
    const isNear = motion.components.some((c) => picked.has(`${m}.${it.start}.${c}`) || picked.has(`${m}.${it.end}.${c}`));
    const change = (c) => Math.abs(yOf(end.values[c]) - yOf(start.values[c]));
    const own = motion.components.filter((c) => picked.has(`${m}.${it.start}.${c}`) || picked.has(`${m}.${it.end}.${c}`));
    const c = (own.length ? own : motion.components).reduce((best, c) => (change(c) > change(best) ? c : best));
    const [x, y] = [xOf(it.from), yOf(start.values[c])];
    const curve = live?.curve && live.m === m && live.step === it.step ? live.curve : it.curve;
    const segment = { ...it, m, c, curve: it.curve, width: xOf(end.t) - x, height: yOf(end.values[c]) - y };
    if (segment.width < 24 || Math.abs(segment.height) < 1) return [];
    return [0, 1].map((i) => {
      const from = i ? [x + segment.width, y + segment.height] : [x, y];
      const to = [x + curve[2 * i] * segment.width, y + curve[2 * i + 1] * segment.height];
      // A handle on its key is drawn beside the key, where it can be reached.
      const isHidden = Math.hypot(to[0] - from[0], to[1] - from[1]) < beside;
      if (isHidden) to[0] = from[0] + (i ? -beside : beside);
      return {
        segment, end: i, shown: isNear || count <= mostShown, x: to[0], y: to[1], from,
        value: start.values[c] + curve[2 * i + 1] * (end.values[c] - start.values[c]),
      };
    });
  }));
}

/** Returns the elements of keys and handles. */
export function marks({ keys, handles, picked, xOf, yOf, name }) {
  const bars = handles.flatMap((it, i) => it.shown ? [
    svg(`line.stem${it.segment.exact ? '' : '.loose'}`, { x1: it.from[0], y1: it.from[1], x2: it.x, y2: it.y }),
    group('handle', it.x, it.y, { 'data-handle': i }, it.segment.exact ? it.segment.easing || 'default easing'
      : `${it.segment.easing}: a drag replaces it with a curve`, svg(`circle.dot${it.segment.exact ? '' : '.loose'}`, { r: 4.5 })),
  ] : []);
  const diamonds = keys.map((key) => {
    const [dt, dv] = key.shift;
    return group(picked.has(key.id) ? 'gkey.picked' : 'gkey', xOf(key.t + dt), yOf(key.value + dv), { 'data-id': key.id },
      name(key), svg('rect.mark', { x: -4.5, y: -4.5, width: 9, height: 9, transform: 'rotate(45)' }));
  });
  return [...bars, ...diamonds];
}

/** Returns a mark with a larger invisible target. */
function group(classes, x, y, data, title, mark) {
  const it = svg(`g.${classes}`, { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
  const hit = svg('circle.hit', { r: 12, ...data });
  hit.append(svg('title', {}, title));
  it.append(mark, hit);
  return it;
}
