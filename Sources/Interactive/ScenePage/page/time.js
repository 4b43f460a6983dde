// SPDX-License-Identifier: MIT
/** Time calculations. Times are in seconds, frames are integers, and `rate` is `[n, d]` frames per second. */

/** @type {(n: number, rate: number[]) => number} */
export const timeOf = (n, rate) => (n * rate[1]) / rate[0];

/** @type {(t: number, rate: number[]) => number} */
export const frameAt = (t, rate) => Math.floor((t * rate[0]) / rate[1] + 1e-6);

/** Returns the frame with the closest start, which inverts rounding to three decimals.
 * @type {(t: number, rate: number[]) => number} */
export const nearestFrame = (t, rate) => Math.round((t * rate[0]) / rate[1]);

export const clamp = (x, low, high) => Math.min(Math.max(x, low), Math.max(low, high));

const two = (/** @type {number} */ x) => String(x).padStart(2, '0');

/** Returns a time such as `01:02.345`. */
export function clockText(t) {
  const ms = Math.round(Math.max(0, t) * 1000);
  return `${two(Math.floor(ms / 60000))}:${two(Math.floor(ms / 1000) % 60)}.` +
    String(ms % 1000).padStart(3, '0');
}

/** Returns a time such as `1.2s`, with at most three decimals. */
export const seconds = (t) => `${Number(t.toFixed(3))}s`;

/** Returns the smallest distance between labels, in frames or half seconds, that leaves `room` pixels for
 * each.
 * @type {(span: number, width: number, rate: number[], room?: number) => {step: number, byFrame: number}} */
export function tickStep(span, width, rate, room = 72) {
  const pixels = width / span;
  for (const count of [1, 2, 5, 10]) {
    const step = timeOf(count, rate);
    if (step < 0.21 && step * pixels >= room) return { step, byFrame: count };
  }
  for (const step of [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600]) {
    if (step * pixels >= room) return { step, byFrame: 0 };
  }
  return { step: 7200, byFrame: 0 };
}

/** Returns the label of a tick. All labels of a ruler have one unit: frames if the ticks are frames, else minutes
 * for a video of at least a minute, else seconds.
 * @type {(time: number, step: {step: number, byFrame: number}, rate: number[], duration: number) => string} */
export function tickText(time, step, rate, duration) {
  if (step.byFrame) return `f${nearestFrame(time, rate)}`;
  if (duration < 60) return seconds(time);
  const minutes = Math.floor(time / 60 + 1e-9);
  const rest = Math.max(0, time - 60 * minutes).toFixed(step.step < 1 ? 1 : 0);
  return `${minutes}:${rest.padStart(step.step < 1 ? 4 : 2, '0')}`;
}

/** The number of beats in a bar. */
export const beatsPerBar = 4;

/** Returns the beats in an interval, with the index of each. With little room they are thinned out to bars, then to
 * every second, fourth or eighth bar.
 * @type {(beat: number, view: number[], width: number, room?: number) => {time: number, index: number}[]} */
export function beatLines(beat, [from, to], width, room = 7) {
  const pixels = (beat / (to - from)) * width;
  let step = 1;
  while (step * pixels < room) step = step === 1 ? beatsPerBar : step * 2;
  const first = Math.ceil(from / beat / step - 1e-9);
  const last = Math.floor(to / beat / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) },
    (it, i) => ({ time: (first + i) * step * beat, index: (first + i) * step }));
}

/** Returns the interval `[from, to]` zoomed by `factor` around `at`, limited to slightly more than the
 * video.
 * @type {(view: number[], factor: number, at: number, duration: number, least: number) => number[]} */
export function zoomed(view, factor, at, duration, least) {
  const whole = duration * 1.05;
  const span = clamp((view[1] - view[0]) * factor, Math.min(least, whole), whole);
  const share = (at - view[0]) / (view[1] - view[0]);
  const from = clamp(at - share * span, 0, whole - span);
  return [from, from + span];
}

/** @type {(view: number[], by: number, duration: number) => number[]} */
export function panned(view, by, duration) {
  const span = view[1] - view[0];
  const from = clamp(view[0] + by, 0, Math.max(0, duration * 1.05 - span));
  return [from, from + span];
}

/** Returns the closest candidate within `tolerance`, or else the time itself.
 * @type {(t: number, candidates: number[], tolerance: number) => number} */
export function snap(time, candidates, tolerance) {
  let best = time;
  let least = tolerance;
  for (const candidate of candidates) {
    if (Math.abs(candidate - time) <= least) {
      least = Math.abs(candidate - time);
      best = candidate;
    }
  }
  return best;
}

/** Parses the URL fragment; `writeHash` is the inverse.
 * @type {(hash: string) => Record<string, string>} */
export function readHash(hash) {
  /** @type {Record<string, string>} */
  const out = Object.create(null);
  for (const [k, v] of new URLSearchParams(hash.replace(/^#/, ''))) out[k] = v;
  return out;
}

/** @type {(values: Record<string, string | number | null | undefined>) => string} */
export function writeHash(values) {
  const parts = [];
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === '') continue;
    parts.push(`${encodeURIComponent(key)}=${encodeURIComponent(value).replace(/%2F/g, '/').replace(/%2C/g, ',')}`);
  }
  return parts.length ? '#' + parts.join('&') : '';
}
