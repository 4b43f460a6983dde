// SPDX-License-Identifier: MIT

/** The work that the page has not finished: requests without a response, images that are being fetched or
 * decoded, timers, and updates that wait for an animation frame. Tests wait for all of it with
 * `scenec.settled()`. */

/** Descriptions of the unfinished work. @type {Map<symbol, string>} */
const open = new Map();
/** Called once no work is left. @type {(() => void)[]} */
let waiting = [];

/** Counts work as unfinished until the returned function is called.
 * @type {(what: string) => () => void} */
export function busy(what) {
  const key = Symbol(what);
  open.set(key, what);
  return () => {
    if (!open.delete(key) || open.size) return;
    const all = waiting;
    waiting = [];
    for (const fn of all) fn();
  };
}

/** Counts work as unfinished until its promise settles. Returns that promise.
 * @type {<T>(what: string, promise: Promise<T>) => Promise<T>} */
export function during(what, promise) {
  const end = busy(what);
  promise.then(end, end);
  return promise;
}

/** A timer that runs one function later. It counts as unfinished work until the function, and the promise
 * that it may return, has ended. */
export class Delay {
  constructor(what) {
    this.what = what;
    this.timer = 0;
    this.end = null;
  }

  /** Whether the timer runs, or the function that it started. */
  get isSet() {
    return this.end !== null;
  }

  /** Runs `act` after `ms` milliseconds, in place of the function that was set before. */
  set(act, ms) {
    this.clear();
    const end = busy(this.what);
    this.end = end;
    const ended = () => {
      if (this.end === end) this.end = null;
      end();
    };
    this.timer = setTimeout(() => {
      let result;
      try {
        result = act();
      } finally {
        if (result instanceof Promise) result.then(ended, ended);
        else ended();
      }
    }, ms);
  }

  /** Stops the timer. A function that already runs is not stopped. */
  clear() {
    clearTimeout(this.timer);
    this.end?.();
    this.end = null;
  }
}

/** Returns descriptions of the unfinished work, for the message of a test that times out. */
export const unfinished = () => [...open.values()];

/** Resolves once no work is left and the display shows the result. Fading messages, exports and the delay
 * before a reconnection do not count. */
export async function settled() {
  do {
    if (open.size) await new Promise((done) => { waiting.push(() => done(null)); });
    // Callbacks of this frame may start more work, and so may observers, which run after them.
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done));
  } while (open.size);
}
