// SPDX-License-Identifier: MIT

/** The geometry of graphs: intervals of values, ticks, and limits of drags. */

/** Returns a round number of at least `least`: 1, 2 or 5 times a power of ten. */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((it) => it * power).find((it) => it >= least * (1 - 1e-9)) ?? 10 * power;
}

/** Returns the interval that shows all values, with some room around them. A single value gets a tenth of its size
 * around it, or 1.
 * @type {(values: number[], share?: number) => [number, number]} */
export function interval(values, share = 0.14) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (!Number.isFinite(low)) return [0, 1];
  const room = high - low > 1e-9 ? (high - low) * share : Math.abs(low) / 10 || 1;
  return [low - room, high + room];
}

/** Returns the round values in an interval, at least `room` pixels apart, and the distance between them.
 * @type {(range: number[], height: number, room?: number) => {step: number, values: number[]}} */
export function valueTicks([low, high], height, room = 32) {
  const step = roundStep(((high - low) / Math.max(1, height)) * room);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  const values = Array.from({ length: Math.max(0, last - first + 1) }, (it, i) => Number(((first + i) * step).toPrecision(12)));
  return { step, values };
}

/** Returns a value with the decimals that a step requires.
 * @type {(value: number, step: number) => string} */
export function valueText(value, step) {
  const decimals = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step) - 1e-9)));
  return Number(value.toFixed(decimals)).toString();
}

/** Returns the interval of shifts in seconds for which moved keys stay at least `gap` from the others, and in order.
 * @type {(times: number[], moved: Set<number>, gap: number) => [number, number]} */
export function shiftLimits(times, moved, gap) {
  let [low, high] = [-Infinity, Infinity];
  for (const i of moved) {
    if (i > 0 && !moved.has(i - 1)) low = Math.max(low, times[i - 1] + gap - times[i]);
    if (i < times.length - 1 && !moved.has(i + 1)) high = Math.min(high, times[i + 1] - gap - times[i]);
  }
  return [Math.min(low, 0), Math.max(high, 0)];
}
