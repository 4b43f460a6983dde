// SPDX-License-Identifier: MIT
import { $, colour, dark, drag } from './dom.js';
import { hear } from './player.js';
import { S, duration, frames, now, on, paint, rate, seek, set } from './store.js';
import { clamp, clockText, frameAt, nearestFrame, snap, tickStep, tickText, timeOf } from './time.js';

/** The horizontal time ruler: ticks, range, markers, cached frames, and the playhead. */

const ruler = $('ruler');
const canvas = $('ticks');
const context = canvas.getContext('2d');
/** Returns the times that a drag can snap to. */
let anchors = () => [];

export const setAnchors = (fn) => { anchors = fn; };

/** Returns the width of the lanes in CSS pixels. */
export const width = () => ruler.clientWidth;
const span = () => S.zoom[1] - S.zoom[0];
export const xOf = (t) => ((t - S.zoom[0]) / span()) * width();
export const timeAt = (x) => S.zoom[0] + (x / width()) * span();

/** Returns the time at the pointer, snapped to nearby anchors unless Alt is pressed. */
export function timeUnder(e, others = anchors()) {
  const t = timeAt(e.clientX - ruler.getBoundingClientRect().left);
  return S.snap && !e.altKey ? snap(t, others, (6 / width()) * span()) : t;
}

/** Browsers may delay pointer events until the next paint, which costs half a display frame. */
const soon = 'onpointerrawupdate' in window ? 'pointerrawupdate' : 'pointermove';

/** Moves the playhead with the pointer, starting when it is pressed. */
export function scrub(e) {
  if (e.button !== 0 || !S.scene) return;
  if (S.playing) set({ playing: 0 });
  const to = (m) => {
    const n = S.n;
    seek(frameAt(timeUnder(m) + 1e-9, rate()));
    if (S.n !== n) hear();
  };
  to(e);
  drag(e, (dx, dy, m) => to(m), null, soon);
}

function drawTicks(w, h) {
  const step = tickStep(span(), w, rate());
  const minor = step.byFrame === 1 ? step.step : step.step / 5;
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = 'middle';
  const first = Math.max(0, Math.floor(S.zoom[0] / minor));
  for (let i = first; i * minor <= S.zoom[1]; i++) {
    const t = i * minor;
    const x = Math.round(xOf(t)) + 0.5;
    const isMajor = Math.abs(t / step.step - Math.round(t / step.step)) < 1e-6;
    context.strokeStyle = colour(isMajor ? '--muted' : '--edge');
    context.beginPath();
    context.moveTo(x, isMajor ? 3 : 17);
    context.lineTo(x, isMajor ? h - 6 : 22);
    context.stroke();
    if (!isMajor || t > duration() + 1e-6) continue;
    context.fillStyle = colour('--muted');
    context.fillText(tickText(t, step, rate()), x + 4, 9);
  }
}

function drawBands(w, h) {
  const bar = (a, b, y, height, fill) => {
    context.fillStyle = fill;
    const x = xOf(timeOf(a, rate()));
    context.fillRect(x, y, Math.max(1, xOf(timeOf(b, rate())) - x), height);
  };
  if (S.range) bar(S.range[0], S.range[1], 0, h - 4, colour('--range'));
  bar(0, frames(), h - 4, 2, colour('--line'));
  for (const [a, b] of S.kept) bar(a, b, h - 4, 2, colour('--kept'));
  const end = xOf(duration());
  if (end < w) {
    context.fillStyle = colour('--beyond');
    context.fillRect(end, 0, w - end, h);
  }
}

const draw = paint('zoom scene range kept theme', () => {
  const r = devicePixelRatio || 1;
  const [w, h] = [ruler.clientWidth, ruler.clientHeight];
  if (!w) return;
  if (canvas.width !== Math.round(w * r)) canvas.width = Math.round(w * r);
  if (canvas.height !== Math.round(h * r)) canvas.height = Math.round(h * r);
  context.setTransform(r, 0, 0, r, 0, 0);
  context.clearRect(0, 0, w, h);
  drawBands(w, h);
  drawTicks(w, h);
  place();
});

/** Positions the playhead and the ends of the range. */
function place() {
  const x = xOf(timeOf(S.n, rate()));
  for (const id of ['head', 'headline']) {
    const it = $(id);
    it.style.transform = `translateX(${x}px)`;
    it.hidden = !S.scene || x < -1 || x > width() + 1;
  }
  ['in', 'out'].forEach((id, i) => {
    const it = $(id);
    const at = S.range ? xOf(timeOf(S.range[i], rate())) : -99;
    it.hidden = !S.range || at < -8 || at > width() + 8;
    it.style.transform = `translateX(${at}px)`;
    if (!S.range) return;
    it.setAttribute('aria-valuemax', String(frames()));
    it.setAttribute('aria-valuenow', String(S.range[i]));
    it.setAttribute('aria-valuetext', `${clockText(timeOf(S.range[i], rate()))}`);
  });
}

/** Updates the accessible values and the time display. */
function tell() {
  ruler.setAttribute('aria-valuemax', String(frames() - 1));
  ruler.setAttribute('aria-valuenow', String(S.n));
  ruler.setAttribute('aria-valuetext', `${Number(now().toFixed(3))} s, frame ${S.n} of ${frames()}`);
  $('time').textContent = clockText(now());
  $('frame').textContent = `f${S.n}`;
  $('lost').textContent = S.lost ? `${S.lost} dropped` : '';
}

/** Moves the end `i` of the range to frame `n`. */
export function moveRange(i, n) {
  const r = [...(S.range ?? [0, frames()])];
  r[i] = i ? clamp(n, r[0] + 1, frames()) : clamp(n, 0, r[1] - 1);
  set({ range: r });
}

function handle(id, i) {
  const it = $(id);
  it.addEventListener('pointerdown', (e) => {
    e.stopPropagation();
    const from = S.range;
    drag(e, (dx, dy, m) => moveRange(i, nearestFrame(timeUnder(m), rate())), (kept) => kept || set({ range: from }));
  });
  it.addEventListener('keydown', (e) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!by || !S.range) return;
    e.preventDefault();
    e.stopPropagation();
    moveRange(i, S.range[i] + by * (e.shiftKey ? 10 : 1));
  });
}

export function startRuler() {
  ruler.addEventListener('pointerdown', scrub);
  handle('in', 0);
  handle('out', 1);
  new ResizeObserver(draw).observe(ruler);
  dark.addEventListener('change', draw);
  paint('n scene zoom', () => { place(); tell(); });
  paint('lost', tell);
  on('range', draw);
}
