// SPDX-License-Identifier: MIT
// The modules of the page that do not need a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';

const page = new URL('../../Sources/Interactive/ScenePage/page/', import.meta.url);
const load = (name) => import(new URL(name, page).href);
const activity = await load('activity.js');
const time = await load('time.js');
const ring = await load('ring.js');
const rows = await load('rows.js');
const plot = await load('plot.js');

test('the page is settled once no work is left, nor begun in the frame after', async () => {
  const steps = [];
  globalThis.requestAnimationFrame = (fn) => setTimeout(fn);
  const end = activity.busy('request');
  const delay = new activity.Delay('timer');
  delay.set(async () => {
    steps.push('timer');
    await activity.during('image', new Promise((done) => setTimeout(done, 1)));
    steps.push('image');
  }, 1);
  assert.deepEqual(activity.unfinished(), ['request', 'timer']);
  const settled = activity.settled().then(() => steps.push('settled'));
  end();
  end();
  // More work starts during the frame.
  globalThis.requestAnimationFrame = (fn) => {
    globalThis.requestAnimationFrame = (fn) => setTimeout(fn);
    const late = activity.busy('late');
    setTimeout(() => { steps.push('late'); late(); }, 5);
    setTimeout(fn);
  };
  await settled;
  assert.deepEqual(steps, ['timer', 'image', 'late', 'settled']);
  assert.equal(delay.isSet, false);
});

test('a timer that is cleared or set again runs only its last function', async () => {
  const ran = [];
  const delay = new activity.Delay('timer');
  delay.set(() => ran.push(1), 1);
  delay.clear();
  assert.deepEqual(activity.unfinished(), []);
  delay.set(() => ran.push(2), 1);
  delay.set(() => ran.push(3), 1);
  assert.equal(delay.isSet, true);
  globalThis.requestAnimationFrame = (fn) => setTimeout(fn);
  await activity.settled();
  assert.deepEqual(ran, [3]);
});

test('the axis of values has round ticks', () => {
  assert.deepEqual([0.013, 0.2, 3, 70, 1].map(plot.roundStep), [0.02, 0.2, 5, 100, 1]);
  assert.deepEqual(plot.valueTicks([0, 100], 200), { step: 20, values: [0, 20, 40, 60, 80, 100] });
  assert.deepEqual(plot.valueTicks([-0.1, 1.1], 200).values, [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.equal(plot.valueText(0.30000000000000004, 0.1), '0.3');
  assert.equal(plot.valueText(1234.56, 20), '1235');
  assert.deepEqual(plot.interval([0, 100], 0.1), [-10, 110]);
  assert.deepEqual(plot.interval([40]), [36, 44]);
  assert.deepEqual(plot.interval([0]), [-1, 1]);
});

test('moved keys stay between the others', () => {
  assert.deepEqual(plot.shiftLimits([0, 1, 2, 4], new Set([1, 2]), 0.25), [-0.75, 1.75]);
  assert.deepEqual(plot.shiftLimits([0, 1, 2, 4], new Set([3]), 0.25), [-1.75, Infinity]);
});

test('every frame comes back from its time, also as three decimals', () => {
  for (const rate of [[24, 1], [25, 1], [30, 1], [60, 1], [30000, 1001], [24000, 1001], [120, 1]]) {
    for (let n = 0; n < 5000; n++) {
      const t = time.timeOf(n, rate);
      assert.equal(time.frameAt(t, rate), n);
      assert.equal(time.frameAt(Number(t.toFixed(3)) + 0.0005, rate), n, `${n} at ${rate}`);
    }
  }
});

test('clock and ticks', () => {
  assert.equal(time.clockText(62.3456), '01:02.346');
  assert.equal(time.seconds(1.2), '1.2s');
  for (const span of [0.1, 0.5, 1, 3, 10, 60, 600, 7000]) {
    const step = time.tickStep(span, 1000, [30, 1]);
    assert.ok((step.step / span) * 1000 >= 72, `${span}`);
  }
  const text = (t, span, duration) => time.tickText(t, time.tickStep(span, 1000, [30, 1]), [30, 1], duration);
  assert.equal(text(1 / 30, 0.2, 4), 'f1');
  assert.equal(text(1, 0.2, 4), 'f30');
  assert.equal(text(2, 8, 8), '2s');
  assert.equal(text(75, 600, 600), '1:15');
  assert.equal(text(30, 600, 600), '0:30');
  assert.equal(text(30.5, 6, 600), '0:30.5');
});

test('beats are thinned out to bars', () => {
  const indices = (span, width) => time.beatLines(0.5, [0, span], width).map((it) => it.index);
  assert.deepEqual(indices(4, 400), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(indices(16, 200), [0, 4, 8, 12, 16, 20, 24, 28, 32]);
  assert.deepEqual(indices(160, 200), Array.from({ length: 21 }, (it, i) => 16 * i));
  assert.deepEqual(time.beatLines(0.6, [1, 3], 400).map((it) => it.index), [2, 3, 4, 5]);
});

test('zooming keeps the time under the pointer and stays in the film', () => {
  const view = time.zoomed([0, 10], 0.5, 4, 10, 0.1);
  assert.deepEqual(view, [2, 7]);
  assert.deepEqual(time.zoomed([2, 7], 100, 4, 10, 0.1), [0, 10.5]);
  assert.deepEqual(time.panned([2, 7], -5, 10), [0, 5]);
  assert.ok(time.zoomed([0, 10], 1e-9, 4, 10, 0.1)[1] <= 4.1);
});

test('snapping takes the closest', () => {
  assert.equal(time.snap(1.05, [1, 1.1, 2], 0.2), 1.1);
  assert.equal(time.snap(1.5, [1, 2], 0.2), 1.5);
});

test('the address keeps any text', () => {
  const values = { t: '1.233', sel: 'intro/heading#2', 'p.title': 'a & b = c # ü', z: '0-5' };
  assert.deepEqual({ ...time.readHash(time.writeHash(values)) }, values);
  assert.equal(time.writeHash({ t: null, sel: '' }), '');
});

test('frames ahead wrap at the end of a loop, in both directions', () => {
  const o = { range: [10, 14], step: 1, loop: true };
  assert.deepEqual(ring.ahead(12, 3, o), [13, 10, 11]);
  assert.deepEqual(ring.ahead(11, 3, { ...o, step: -1 }), [10, 13, 12]);
  assert.deepEqual(ring.ahead(12, 3, { ...o, loop: false }), [13]);
  assert.deepEqual(ring.ahead(12, 99, o).length, 4);
});

test('play stands where its clock says', () => {
  assert.deepEqual(ring.standing(10, 2.9, [10, 14], true), { n: 12, done: false });
  assert.deepEqual(ring.standing(10, 4.1, [10, 14], true), { n: 10, done: false });
  assert.deepEqual(ring.standing(10, -0.5, [10, 14], true), { n: 10, done: false });
  assert.deepEqual(ring.standing(10, -1, [10, 14], true), { n: 13, done: false });
  assert.deepEqual(ring.standing(12, 9, [10, 14], false), { n: 13, done: true });
});

test('the ring closes what it lets go of', () => {
  const closed = [];
  const picture = (n) => ({ width: 1920, height: 1080, close: () => closed.push(n) });
  const it = new ring.Ring();
  for (const n of [1, 2, 3]) it.put(n, picture(n));
  it.keep([2]);
  assert.deepEqual(closed, [1, 3]);
  assert.equal(it.take(2).width, 1920);
  assert.equal(it.has(2), false);
  assert.equal(it.room(1920, 1080), 8);
  assert.equal(it.room(960, 540), 12);
});

test('pictures become smaller at once and larger after two calm seconds', () => {
  const it = new ring.Sizes();
  it.took(41, 40, 0);
  assert.equal(it.share, 0.75);
  for (const t of [100, 200, 300]) it.missed(t);
  assert.equal(it.share, 0.5);
  it.took(10, 40, 1000);
  assert.equal(it.share, 0.5);
  it.took(10, 40, 2400);
  assert.equal(it.share, 0.75);
  it.took(30, 40, 4000);
  it.took(10, 40, 4500);
  assert.equal(it.share, 0.75);
  for (let i = 0; i < 9; i++) it.took(99, 40, 9000);
  assert.equal(it.share, 0.25);
});

const row = (key, parent, more = {}) => ({ key, parent, kind: 'rect', name: key, count: 1, children: 0, motions: [], ...more });

test('rows of a tree: order, depth, filter, motions', () => {
  const all = [
    row('s', null, { kind: 'scene' }), row('a', 's', { motions: [{ property: 'fill', keys: [0, 1] }] }),
    row('b', 's'), row('dot', 'b'), row('lost', 'nowhere'),
  ];
  const names = (o) => rows.flatten(all, { open: new Map(), ...o }).map((x) => `${x.depth}${x.row.key}${x.motion ? '.' + x.motion.property : ''}`);
  assert.deepEqual(names({}), ['0s', '1a', '1b', '2dot', '0lost']);
  assert.deepEqual(names({ filter: 'DO' }), ['0s', '1b', '2dot']);
  assert.deepEqual(names({ lanes: true, open: new Map([['a', true], ['b', false]]) }), ['0s', '1a', '2a.fill', '1b', '0lost']);
  assert.deepEqual(rows.neighbours(rows.flatten(all, { open: new Map() }), 'b').map((x) => x.row.key), ['a', 'b', 'dot']);
});

test('two thousand rows are laid out at once', () => {
  const all = [row('s', null)];
  for (let i = 0; i < 2000; i++) all.push(row(`r${i}`, i % 40 ? `r${i - (i % 40)}` : 's'));
  const begun = process.cpuUsage();
  const open = new Map(all.map((r) => [r.key, true]));
  for (let i = 0; i < 20; i++) assert.equal(rows.flatten(all, { open }).length, 2001);
  assert.ok(process.cpuUsage(begun).user / 20 < 50_000);
});
