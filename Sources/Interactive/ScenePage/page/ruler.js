// SPDX-License-Identifier: MIT
import { $, colour, dark, drag } from './dom.js';
import { hear } from './player.js';
import { state, duration, frames, now, on, paint, rate, seek, set } from './store.js';
import { beatLines, beatsPerBar, clamp, clockText, frameAt, nearestFrame, snap, tickStep, tickText, timeOf } from './time.js';

/** The horizontal time ruler: ticks, range, markers, cached frames, and the playhead. */

const ruler = $('ruler');
const canvas = $('ticks');
const context = canvas.getContext('2d');
/** Returns the times that a drag can snap to. */
let anchors = () => [];

export const setAnchors = (fn) => { anchors = fn; };

/** Returns the width of the lanes in CSS pixels. */
export const width = () => ruler.clientWidth;
const span = () => state.zoom[1] - state.zoom[0];
export const xOf = (t) => ((t - state.zoom[0]) / span()) * width();
export const timeAt = (x) => state.zoom[0] + (x / width()) * span();

/** Returns the time at the pointer, snapped to nearby anchors unless Alt is pressed. */
export function timeUnder(event, others = anchors()) {
  const time = timeAt(event.clientX - ruler.getBoundingClientRect().left);
  return state.snap && !event.altKey ? snap(time, others, (6 / width()) * span()) : time;
}

/** The event of pointer moves. Browsers may delay the usual one until the next paint, which costs half a display
 * frame. */
const soon = 'onpointerrawupdate' in window ? 'pointerrawupdate' : 'pointermove';

/** Moves the playhead with the pointer, starting when it is pressed. */
export function scrub(event) {
  if (event.button !== 0 || !state.scene) return;
  if (state.playing) set({ playing: 0 });
  const to = (pointer) => {
    const before = state.n;
    seek(frameAt(timeUnder(pointer) + 1e-9, rate()));
    if (state.n !== before) hear();
  };
  to(event);
  drag(event, (dx, dy, m) => to(m), null, soon);
}

function drawTicks(canvasWidth, canvasHeight) {
  const step = tickStep(span(), canvasWidth, rate());
  const minor = step.byFrame === 1 ? step.step : step.step / 5;
  context.font = `11px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = 'middle';
  const first = Math.max(0, Math.floor(state.zoom[0] / minor));
  for (let i = first; i * minor <= state.zoom[1]; i++) {
    const time = i * minor;
    const x = Math.round(xOf(time)) + 0.5;
    const isMajor = Math.abs(time / step.step - Math.round(time / step.step)) < 1e-6;
    context.strokeStyle = colour(isMajor ? '--muted' : '--edge');
    context.beginPath();
    context.moveTo(x, isMajor ? 3 : 17);
    context.lineTo(x, isMajor ? canvasHeight - 6 : 22);
    context.stroke();
    if (!isMajor || time > duration() + 1e-6) continue;
    context.fillStyle = colour('--muted');
    context.fillText(tickText(time, step, rate(), duration()), x + 4, 9);
  }
}

/** Draws the beats of a scene with a tempo above the markers, and its bars longer and stronger. */
function drawBeats(canvasHeight) {
  const bottom = Math.min(canvasHeight, 28) - 4;
  const beat = state.scene?.beat;
  if (!beat) return;
  for (const { time, index } of beatLines(beat, state.zoom, width())) {
    if (time > duration() + 1e-6) break;
    const isBar = index % beatsPerBar === 0;
    context.fillStyle = colour(isBar ? '--bar' : '--beat');
    const [across, high] = isBar ? [2, 12] : [1, 6];
    context.fillRect(Math.round(xOf(time)) + (isBar ? -0.5 : 0), bottom - high, across, high);
  }
}

function drawBands(canvasWidth, canvasHeight) {
  const bar = (from, to, y, height, fill) => {
    context.fillStyle = fill;
    const x = xOf(timeOf(from, rate()));
    context.fillRect(x, y, Math.max(1, xOf(timeOf(to, rate())) - x), height);
  };
  if (state.range) bar(state.range[0], state.range[1], 0, canvasHeight - 4, colour('--range'));
  bar(0, frames(), canvasHeight - 4, 2, colour('--line'));
  for (const [a, b] of state.kept) bar(a, b, canvasHeight - 4, 2, colour('--kept'));
  const end = xOf(duration());
  if (end < canvasWidth) {
    context.fillStyle = colour('--beyond');
    context.fillRect(end, 0, canvasWidth - end, canvasHeight);
  }
}

/** Marks the first frames in which expectations fail. */
function drawFailures(canvasHeight) {
  context.fillStyle = colour('--bad');
  for (const { instant, end } of state.problems) {
    if (instant === undefined || end !== undefined) continue;
    const x = xOf(instant);
    context.beginPath();
    context.moveTo(x - 4, canvasHeight - 11);
    context.lineTo(x + 4, canvasHeight - 11);
    context.lineTo(x, canvasHeight - 4);
    context.fill();
  }
}

const draw = paint('zoom scene range kept problems theme', () => {
  const density = devicePixelRatio || 1;
  const [canvasWidth, canvasHeight] = [ruler.clientWidth, ruler.clientHeight];
  if (!canvasWidth) return;
  if (canvas.width !== Math.round(canvasWidth * density)) canvas.width = Math.round(canvasWidth * density);
  if (canvas.height !== Math.round(canvasHeight * density)) canvas.height = Math.round(canvasHeight * density);
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, canvasWidth, canvasHeight);
  drawBands(canvasWidth, canvasHeight);
  drawTicks(canvasWidth, canvasHeight);
  drawBeats(canvasHeight);
  drawFailures(canvasHeight);
  place();
});

/** Positions the playhead and the ends of the range. */
function place() {
  const x = xOf(timeOf(state.n, rate()));
  for (const id of ['head', 'headline']) {
    const it = $(id);
    it.style.transform = `translateX(${x}px)`;
    it.hidden = !state.scene || x < -1 || x > width() + 1;
  }
  ['in', 'out'].forEach((id, i) => {
    const it = $(id);
    const at = state.range ? xOf(timeOf(state.range[i], rate())) : -99;
    it.hidden = !state.range || at < -8 || at > width() + 8;
    it.style.transform = `translateX(${at}px)`;
    if (!state.range) return;
    it.setAttribute('aria-valuemax', String(frames()));
    it.setAttribute('aria-valuenow', String(state.range[i]));
    it.setAttribute('aria-valuetext', `${clockText(timeOf(state.range[i], rate()))}`);
  });
}

/** Updates the accessible values and the time display. */
function tell() {
  ruler.setAttribute('aria-valuemax', String(frames() - 1));
  ruler.setAttribute('aria-valuenow', String(state.n));
  ruler.setAttribute('aria-valuetext', `${Number(now().toFixed(3))} s, frame ${state.n} of ${frames()}`);
  $('time').textContent = clockText(now());
  $('frame').textContent = `f${state.n}`;
  $('lost').textContent = state.lost ? `${state.lost} dropped` : '';
}

/** Moves the end `i` of the range to a frame. */
export function moveRange(i, frame) {
  const limits = [...(state.range ?? [0, frames()])];
  limits[i] = i ? clamp(frame, limits[0] + 1, frames()) : clamp(frame, 0, limits[1] - 1);
  set({ range: limits });
}

function handle(id, i) {
  const it = $(id);
  it.addEventListener('pointerdown', (event) => {
    event.stopPropagation();
    const from = state.range;
    const move = (dx, dy, pointer) => moveRange(i, nearestFrame(timeUnder(pointer), rate()));
    drag(event, move, (kept) => kept || set({ range: from }));
  });
  it.addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || !state.range) return;
    event.preventDefault();
    event.stopPropagation();
    moveRange(i, state.range[i] + by * (event.shiftKey ? 10 : 1));
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
