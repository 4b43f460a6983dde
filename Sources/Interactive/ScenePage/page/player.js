// SPDX-License-Identifier: MIT
import { busy, during } from './activity.js';
import { address, ask } from './connection.js';
import { decode, ground, show, sizes, wanted } from './frames.js';
import { Ring, ahead, standing } from './ring.js';
import { state, frames, on, range, rate, seek, set, shown } from './store.js';
import { timeOf } from './time.js';

/** Playback: frames are buffered in a ring, and the clock is that of the scene's audio. */

const ring = new Ring();
const screenRate = 60;
let room = 12;
/** The requested frames. @type {Set<number>} */
let asked = new Set();
/** A counter of starts, for ignoring responses to earlier ones. */
let turn = 0;
let origin = 0;
let startFrame = 0;
let began = 0;
let last = -1;
let returnTo = 0;
/** The response time for a frame in ms. */
let latency = 30;
/** An addition to the response time that grows with each late frame and shrinks with each timely one. */
let slack = 0;
let shownAt = 0;
let shownLast = 0;

/** The signed playback speed in frames per second; `stride` is the number of frames per display refresh. */
const velocity = () => (rate()[0] / rate()[1]) * state.speed * state.playing;
const stride = () => Math.sign(velocity()) * Math.max(1, Math.floor(Math.abs(velocity()) / screenRate));

/** Returns the range, or the whole video if playback starts outside the range. */
function limits() {
  const interval = range();
  return startFrame >= interval[0] && startFrame < interval[1] ? interval : [0, frames()];
}

const options = () => ({ range: limits(), step: stride(), loop: state.loop });

/** Requests the next frames, three at a time, except those that would arrive too late. */
function pump(from) {
  const lead = began ? Math.min(room - 2, ((latency + slack) * Math.abs(velocity() / stride())) / 1000) : 0;
  ahead(from, room, options()).forEach((frame, i) => {
    if (asked.size < 3 && i + 1 >= lead && !ring.has(frame) && !asked.has(frame)) get(frame);
  });
}

async function get(frame) {
  asked.add(frame);
  const mine = turn;
  const { view, rev } = shown();
  const begun = performance.now();
  const it = await ask('frame', { view, rev, n: frame, width: wanted(true), for: 'play', ground: ground() });
  if (mine !== turn) return;
  if (it.bytes) {
    const bitmap = await decode(it.bytes, 'image/jpeg');
    if (mine !== turn) return bitmap.close();
    latency += (performance.now() - begun - latency) * 0.2;
    room = ring.room(bitmap.width, bitmap.height);
    Object.assign(bitmap, { digest: it.digest, rev });
    ring.put(frame, bitmap);
    const isLate = began && !ahead(state.n, room, options()).includes(frame);
    slack = Math.min(400, Math.max(0, slack + (isLate ? 15 : -1)));
    // If all frames are late, an outdated frame is better than none.
    if (isLate && performance.now() - shownAt > 250 && (frame - shownLast) * velocity() > 0) put(frame);
    sizes.took(it.took, 3000 / Math.abs(velocity()), performance.now());
  } else if (it.error === 'busy') sizes.down(performance.now());
  asked.delete(frame);
  if (state.playing && began) pump(state.n);
}

function put(frame) {
  const bitmap = ring.take(frame);
  if (!bitmap) return false;
  const { view, rev } = shown();
  shownAt = performance.now();
  shownLast = frame;
  show(bitmap, { view, rev, n: frame, digest: bitmap.digest, exact: false });
  return true;
}

/** Runs on every display refresh and shows the due frame, if available. */
function tick(at) {
  if (!state.playing) return;
  requestAnimationFrame(tick);
  if (!began) {
    const ready = ahead(startFrame - stride(), 2, { ...options(), range: [0, frames()] });
    if (!ready.every((frame) => ring.has(frame)) && at - origin < 400) return;
    if (soundWaits(at - origin)) return;
    began = at;
    soundBegins();
  }
  const elapsed = (soundClock() ?? (at - began) / 1000) * velocity();
  const { n: exact, done } = standing(startFrame, elapsed, limits(), state.loop);
  const step = Math.abs(stride());
  const frame = exact - ((exact - limits()[0]) % step);
  if (done) return stop(exact);
  if (frame !== last) {
    const gone = last < 0 ? 1 : Math.abs(frame - last) / step;
    const isShown = put(frame);
    const missed = (gone < 1000 && Math.sign(frame - last) === Math.sign(stride()) ? gone - 1 : 0) + (isShown ? 0 : 1);
    if (missed) sizes.missed(at);
    last = frame;
    set({ n: frame, lost: state.lost + Math.round(missed) });
    ring.keep(ahead(frame, room, options()));
  }
  pump(frame);
}

/** The function that ends playback as unfinished work; null while stopped. @type {(() => void) | null} */
let playback = null;
on('playing', () => {
  if (state.playing) playback ??= busy('playback');
  else {
    playback?.();
    playback = null;
  }
});

export function play(direction = 1) {
  if (!state.scene || state.link !== 'open') return;
  const interval = range();
  if (!state.playing) returnTo = state.n;
  const atEnd = direction > 0 ? state.n >= interval[1] - 1 : state.n <= interval[0];
  if (!state.loop && atEnd) seek(direction > 0 ? interval[0] : interval[1] - 1);
  set({ playing: direction, lost: 0 });
  restart();
  pump(startFrame - stride());
  requestAnimationFrame(tick);
}

/** Restarts playback at the current frame after a change of direction, speed, range or text. */
function restart() {
  turn += 1;
  asked = new Set();
  ring.keep([]);
  startFrame = state.n;
  last = -1;
  began = 0;
  origin = performance.now();
  soundLoads(startFrame, limits());
}

export function stop(frame = state.n) {
  turn += 1;
  asked = new Set();
  ring.keep([]);
  soundStops();
  if (state.playing) set({ playing: 0 });
  seek(frame);
}

export const toggle = () => (state.playing ? stop() : play(1));
export const stopAndReturn = () => (state.playing ? stop(returnTo) : seek(range()[0]));

/** Sets the direction, and doubles the speed each time (J and L). */
export function shuttle(direction) {
  if (state.playing === direction) set({ speed: Math.min(4, state.speed * 2) });
  else {
    set({ speed: 1 });
    play(direction);
  }
}

on('speed loop range rev attempt', () => {
  if (!state.playing) return;
  restart();
  pump(startFrame - stride());
});

// Audio is loaded in pieces of two seconds, two of them in advance. It starts with the first frame.

const piece = 2;
/** @type {AudioContext | null} */
let context = null;
/** @type {GainNode | null} */
let gain = null;
let soundTurn = 0;
/** The first piece, until it plays. @type {AudioBuffer | null} */
let first = null;
/** Whether the first piece is loading. */
let isComing = false;
/** The start of the first piece on the audio clock. */
let soundFrom = 0;
/** The function that continues loading after the first piece. @type {(() => void) | null} */
let goOn = null;
/** @type {AudioBufferSourceNode[]} */
let sources = [];

const isHeard = () => state.scene?.hasSound && state.playing === 1 && state.speed === 1;

/** Returns whether frames must wait for the first piece, at most half a second. */
const soundWaits = (waited) => isComing && waited < 500;

/** Returns the seconds since audio started, or null without audio. */
const soundClock = () => {
  if (!soundFrom || context?.state !== 'running') return null;
  return Math.max(0, context.currentTime - soundFrom);
};

function openSound() {
  if (context) return;
  context = new AudioContext({ sampleRate: 48000 });
  gain = context.createGain();
  gain.connect(context.destination);
  volume();
}

async function load(from, to) {
  const { view, rev } = shown();
  const got = await during('sound', fetch(address('sound', { view, rev, from, to })));
  if (got.status !== 200) throw new Error('no sound');
  return context && during('sound', context.decodeAudioData(await got.arrayBuffer()));
}

function sound(buffer, due) {
  const it = new AudioBufferSourceNode(context, { buffer });
  it.connect(gain);
  const late = Math.max(0, context.currentTime - due);
  it.start(due + late, late);
  sources = [...sources.slice(-3), it];
}

/** Loads audio from a frame on, wrapping around the range. */
async function soundLoads(frame, [low, high]) {
  soundStops();
  if (!isHeard()) return;
  const mine = soundTurn;
  openSound();
  const [start, finish] = [low, high].map((x) => timeOf(x, rate()));
  let at = timeOf(frame, rate());
  const take = async () => {
    const from = at;
    const to = Math.min(from + piece, finish);
    at = to >= finish - 1e-9 ? start : to;
    const buffer = from < to ? await load(from, to) : null;
    return mine === soundTurn && buffer ? { buffer, length: to - from } : null;
  };
  try {
    isComing = true;
    context.resume();
    const begin = await take();
    if (mine !== soundTurn) return;
    isComing = false;
    first = begin?.buffer ?? null;
    await new Promise((resolve) => { goOn = resolve; });
    let due = soundFrom + (begin?.length ?? 0);
    while (mine === soundTurn && begin) {
      if (at === start && !state.loop) return;
      const next = await take();
      if (!next) return;
      sound(next.buffer, due);
      due += next.length;
      await new Promise((done) => setTimeout(done, Math.max(0, (due - context.currentTime - 2 * piece) * 1000)));
    }
  } catch {
    // Without audio, playback uses its own clock.
    if (mine === soundTurn) soundStops();
  }
}

/** Starts audio with the first frame. */
function soundBegins() {
  if (!first || !context) return;
  soundFrom = context.currentTime + 0.01;
  sound(first, soundFrom);
  first = null;
  goOn?.();
}

function soundStops() {
  soundTurn += 1;
  soundFrom = 0;
  isComing = false;
  first = null;
  goOn = null;
  for (const it of sources) it.stop();
  sources = [];
}

function volume() {
  if (gain) gain.gain.value = state.muted ? 0 : 1;
}

on('muted', volume);

/** The duration of audio at each position while scrubbing, in seconds. */
const grain = 0.06;
/** The last requested pieces, each extended by one grain.
 * @type {Map<string, Promise<AudioBuffer | null | undefined>>} */
const pieces = new Map();
let places = 0;
/** @type {AudioBufferSourceNode | null} */
let heard = null;

/** Plays the audio at the playhead if scrubbing with audio is on. */
export async function hear() {
  if (!state.scrubs || state.muted || state.playing || !state.scene?.hasSound) return;
  const mine = ++places;
  openSound();
  context.resume();
  const { view, rev } = shown();
  const at = timeOf(state.n, rate());
  const number = Math.floor(at / piece);
  const name = `${view} ${rev} ${number}`;
  if (!pieces.has(name)) {
    if (pieces.size >= 8) pieces.delete(pieces.keys().next().value);
    pieces.set(name, load(number * piece, (number + 1) * piece + grain).catch(() => null));
  }
  const buffer = await pieces.get(name);
  if (mine !== places || !buffer || state.playing) return;
  heard?.stop();
  heard = new AudioBufferSourceNode(context, { buffer });
  const now = context.currentTime;
  const ramp = new GainNode(context, { gain: 0 });
  // Fades avoid clicks at both ends.
  for (const [t, v] of [[0.005, 1], [grain - 0.01, 1], [grain, 0]]) ramp.gain.linearRampToValueAtTime(v, now + t);
  heard.connect(ramp).connect(gain);
  heard.start(now, at - number * piece, grain);
}
