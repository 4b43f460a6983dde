// SPDX-License-Identifier: MIT
/** The logic of playback, without a clock, a socket or a page. */

/** Returns the next `count` frames after frame `start` in playback order. `range` is half-open.
 * @type {(start: number, count: number, o: {range: number[], step: number, loop: boolean}) => number[]} */
export function ahead(start, count, { range, step, loop }) {
  const out = [];
  for (let frame = start; out.length < count;) {
    frame = after(frame, step, range, loop);
    if (frame < 0 || out.includes(frame)) break;
    out.push(frame);
  }
  return out;
}

/** Returns the frame `step` after `frame`; -1 at the end. */
export function after(frame, step, range, loop) {
  const next = frame + step;
  if (next >= range[0] && next < range[1]) return next;
  if (!loop) return -1;
  return step > 0 ? range[0] : range[1] - 1;
}

/** Returns the frame after playing `elapsed` frames from `start`. `done` is true at the end.
 * @type {(start: number, elapsed: number, range: number[], loop: boolean) => {n: number, done: boolean}} */
export function standing(start, elapsed, range, loop) {
  const [low, high] = range;
  const frame = start + (elapsed < 0 ? Math.ceil(elapsed) : Math.floor(elapsed));
  if (frame >= low && frame < high) return { n: frame, done: false };
  if (!loop) return { n: frame < low ? low : high - 1, done: true };
  const length = high - low;
  return { n: low + (((frame - low) % length) + length) % length, done: false };
}

/** A ring of decoded frames: at most 12, or 64 MiB. */
export class Ring {
  constructor(capacity = 12, bytes = 64 << 20) {
    this.capacity = capacity;
    this.bytes = bytes;
    /** @type {Map<number, {width: number, height: number, close?: () => void}>} */
    this.held = new Map();
  }

  /** Returns the capacity for frames of a size. */
  room(width, height) {
    return Math.max(3, Math.min(this.capacity, Math.floor(this.bytes / (width * height * 4 || 1))));
  }

  put(frame, picture) {
    this.held.get(frame)?.close?.();
    this.held.set(frame, picture);
  }

  has(frame) { return this.held.has(frame); }

  /** Removes and returns a frame, which the caller must close. */
  take(frame) {
    const it = this.held.get(frame);
    this.held.delete(frame);
    return it;
  }

  /** Closes all frames that are not in the list. */
  keep(frames) {
    const wanted = new Set(frames);
    for (const [frame, it] of this.held) {
      if (wanted.has(frame)) continue;
      it.close?.();
      this.held.delete(frame);
    }
  }
}

const shares = [1, 0.75, 0.5, 0.375, 0.25];

/** The scale of requested frames during motion: reduced immediately, and raised after two seconds without
 * delays. */
export class Sizes {
  constructor() {
    this.index = 0;
    /** @type {number[]} */
    this.late = [];
    this.calmSince = 0;
  }

  get share() { return shares[this.index]; }

  /** Records a late frame during playback. */
  missed(now) {
    this.late = this.late.filter((t) => now - t < 1000);
    this.late.push(now);
    this.calmSince = now;
    if (this.late.length >= 3) this.down(now);
  }

  /** Records the total time of a frame in ms; `bar` is the limit. */
  took(ms, bar, now) {
    if (ms > bar) return this.down(now);
    if (ms > bar / 2) this.calmSince = now;
    else if (now - this.calmSince > 2000 && this.index > 0) {
      this.index -= 1;
      this.calmSince = now;
    }
  }

  down(now) {
    this.index = Math.min(this.index + 1, shares.length - 1);
    this.late = [];
    this.calmSince = now;
  }
}
