// SPDX-License-Identifier: MIT
import { Delay, settled, unfinished } from './activity.js';
import { startAlign } from './align.js';
import { startCode } from './code.js';
import { ask, askScene, begin, onEvent } from './connection.js';
import { $, click, fill, h, icon, icons, menu, openAt, splitter, toast } from './dom.js';
import { startEdits } from './edits.js';
import { startExport } from './export.js';
import { refresh, renew } from './frames.js';
import { shownGraph, startGraph } from './graph.js';
import { startInsert } from './insert.js';
import { startInspector } from './inspector.js';
import { startKeys } from './keys.js';
import { shownHandles } from './handles.js';
import { outlines, startOverlay } from './overlay.js';
import { startParams } from './params.js';
import { startPicture } from './picture.js';
import { play, stop, toggle } from './player.js';
import { broke, healed, startProblems } from './problems.js';
import { startRuler } from './ruler.js';
import {
  duration, firstTimes, followAddress, frames, now, on, paint, range, readAddress, seek, set, state,
} from './store.js';
import { startSelection } from './selection.js';
import { startTimeline, zoomBy, zoomFit } from './timeline.js';
import { startTree } from './tree.js';
import { clamp } from './time.js';

/** Connects the parts: stores messages from the server and attaches actions to buttons and tabs. */

let asking = 0;
let known = false;

/** Loads the rows that did not fit in the first response. */
async function loadRest(it) {
  it.parts = it.more;
  while (it.more) {
    const { rows, more, error } = await ask('scene', { view: it.view, rev: it.rev, from: it.rows.length });
    if (error || !rows.length) return;
    it.rows = [...it.rows, ...rows];
    it.more = more;
  }
}

/** Loads the scene of the current revision. */
async function loadScene() {
  const mine = ++asking;
  const { view, rev } = state;
  const it = await askScene(view, rev);
  if (mine !== asking) return;
  if (it.error === 'gone') return;
  if (it.error) return toast(it.reason ?? 'The scene could not be loaded.', true);
  // The rest of a very long list arrives in parts. At first, the frame takes priority.
  if (known) await loadRest(it);
  else loadRest(it).then(() => { if (it.parts && mine === asking) set({ scene: { ...it } }); });
  if (mine !== asking) return;
  const wasWhole = state.scene && state.zoom[0] === 0 && Math.abs(state.zoom[1] - state.scene.duration * 1.02) < 1e-6;
  set(known ? { scene: it } : { scene: it, ...firstTimes(it) });
  if (known) {
    if (wasWhole) set({ zoom: [0, duration() * 1.02] });
    const frame = clamp(state.n, 0, frames() - 1);
    const limits = state.range && [Math.min(state.range[0], frames() - 1), Math.min(state.range[1], frames())];
    if (frame !== state.n) set({ n: frame });
    if (limits && (limits[0] !== state.range?.[0] || limits[1] !== state.range?.[1])) {
      set({ range: limits[0] < limits[1] ? limits : null });
    }
    if (state.selected && !it.rows.some((r) => r.key === state.selected)) set({ selected: null });
  }
  known = true;
}

const isSpecial = () => state.wish.scene || state.wish.size || state.wish.rate || state.wish.row
  || Object.keys(state.wish.params).length > 0;

const sizes = [[1920, 1080], [1280, 720], [1080, 1920], [1080, 1350], [1080, 1080], [3840, 2160]];
const rates = [[24, 1], [25, 1], [30, 1], [50, 1], [60, 1]];

/** Returns menu items that lay out the scene for a different size or frame rate in this view only. */
function forms() {
  const choice = (name, list, text) => [undefined, ...list].map((it) => ({
    text: it ? text(it) : `${name === 'size' ? 'Frame size' : 'Frame rate'} of the scene`,
    checked: String(state.wish[name]) === String(it),
    act: () => set({ wish: { ...state.wish, [name]: it } }),
  }));
  return [...choice('size', sizes, (it) => it.join(' × ')), null, ...choice('rate', rates, ([n]) => `${n} fps`)];
}

/** Returns menu items for the scene's output files. A file with its own layout gets its own view. */
function outputs() {
  const choose = (name, size) => { set({ output: name, wish: { ...state.wish, size } }); };
  return [{ text: 'The scene', checked: !state.output, act: () => choose('', undefined) },
    ...state.scene.outputs.filter((output) => output.name).map((output) => ({
      text: output.name, note: output.size ? `${output.size.join(' × ')}${output.own ? '' : `, ${output.fit}`}` : '',
      checked: state.output === output.name,
      act: () => choose(output.name, output.own && output.size ? output.size : undefined),
    }))];
}

const mostRows = 200;

/** Opens the menu of the rows of `--data`: a field for the number, and the first rows. */
function rowsOf(button) {
  const { now, count, labels } = state.scene.table;
  const choose = (row) => set({ wish: { ...state.wish, row } });
  const input = h('input', { type: 'number', id: 'row-number', min: 1, max: count, value: now });
  input.addEventListener('change', () => {
    const row = Math.round(Number(input.value));
    if (row >= 1 && row <= count) choose(row);
    else toast(`The table has rows 1 to ${count}.`, true);
  });
  input.addEventListener('keydown', (event) => { if (event.key === 'Enter') box.hidePopover(); });
  const box = h('div.menu.long', { popover: 'auto' },
    h('div.pick-row', h('label', { for: 'row-number' }, `Row, 1 to ${count}`), input),
    labels.slice(0, mostRows).map((label, i) => h('button.item', { 'aria-pressed': String(i + 1 === now),
      onclick: () => { box.hidePopover(); choose(i + 1); } },
    h('span.check', i + 1 === now ? '✓' : ''), h('span', String(i + 1)), h('span.note', label))));
  openAt(button, box);
  input.select();
}

/** Opens a view for a different scene or different parameters. */
async function changeView() {
  const it = await ask('view', state.wish);
  if (it.error) {
    if (isSpecial()) toast(it.reason || 'Unknown scene or param.', true);
    if (known) return;
    // The address asks for a view that does not exist.
    set({ wish: { scene: null, params: {} } });
    await loadScene();
    return refresh('rest');
  }
  if (!it.rev) return toast('The scene has errors with this value.', true);
  set({ view: it.view, rev: it.rev, kept: [] });
  await loadScene();
  refresh('rest');
}

function onRev(message) {
  if (message.view !== state.view) {
    // The page requested other parameters but does not have its view yet.
    if (message.view === 'main' && !known) changeView();
    return;
  }
  healed();
  set({ rev: message.rev, ms: message.ms ?? null, kept: [] });
  if (!known && isSpecial()) changeView();
  else if (state.scene) {
    renew();
    loadScene();
  } else loadScene().then(() => refresh('rest'));
}

function events() {
  onEvent('rev', onRev);
  onEvent('broken', (message) => { if (message.view === state.view || message.view === 'main') broke(message.list); });
  onEvent('problems', (message) => { if (message.view === state.view && message.rev === state.rev) set({ problems: message.list }); });
  onEvent('history', (message) => set({ history: { undo: message.undo ?? null, redo: message.redo ?? null } }));
  onEvent('kept', (message) => {
    if (message.view === state.view && message.rev === state.rev) set({ kept: message.ranges });
  });
  on('link', () => {
    // A restarted server does not know the views of the previous one.
    if (state.link === 'open') {
      asking += 1;
      set({ view: 'main', rev: 0, attempt: null, kept: [] });
      if (isSpecial()) known = false;
    }
  });
  // The element at the editor's cursor is highlighted. The time and the selection do not change.
  onEvent('cursor', (message) => set({ hovered: message.key ?? null }));
  const playhead = new Delay('playhead');
  on('n playing', () => {
    if (!state.live || playhead.isSet) return;
    // At most four times per second, always including the last position.
    playhead.set(() => {
      ask('playhead', { seconds: now(), playing: !!state.playing });
    }, 250);
  });
  on('wish', () => { if (known) changeView(); });
}

function transport() {
  click('play', toggle);
  click('back', () => (state.playing === -1 ? stop() : play(-1)));
  click('start', () => { stop(); seek(range()[0]); });
  click('finish', () => { stop(); seek(range()[1] - 1); });
  const flip = (id, name) => {
    click(id, () => set({ [name]: !state[name] }));
    paint(name, () => $(id).setAttribute('aria-pressed', String(state[name])));
    $(id).setAttribute('aria-pressed', String(state[name]));
  };
  flip('loop', 'loop');
  flip('snap', 'snap');
  flip('scrubs', 'scrubs');
  click('sound', () => set({ muted: !state.muted }));
  paint('muted scene', () => {
    $('sound').hidden = !state.scene?.hasSound;
    fill($('sound'), icon(state.muted ? 'muted' : 'sound'));
    $('sound').setAttribute('aria-pressed', String(!state.muted));
    $('scrubs').hidden = $('sound').hidden;
  });
  menu($('speed'), () => [0.25, 0.5, 1, 2, 4].map((speed) => ({
    text: `${speed}×`, checked: state.speed === speed, act: () => set({ speed }),
  })));
  paint('speed', () => { $('speed').textContent = `${state.speed}×`; });
  paint('playing', () => {
    fill($('play'), icon(state.playing > 0 ? 'pause' : 'play'));
    $('play').title = state.playing > 0 ? 'Pause (Space)' : 'Play (Space)';
    fill($('back'), icon(state.playing < 0 ? 'pause' : 'back'));
    document.body.classList.toggle('playing', !!state.playing);
  });
  click('closer', () => zoomBy(1 / 1.5));
  click('farther', () => zoomBy(1.5));
  click('whole', zoomFit);
}

const narrow = matchMedia('(max-width: 899px)');

/** The panels beside the frame. On small screens, the tree is one of them. */
function tabs() {
  const names = () => ['tree', 'inspector', 'code', 'params'].filter((n) => n !== 'tree' || narrow.matches);
  const show = () => {
    const shown = names().includes(state.tab) ? state.tab : 'inspector';
    for (const name of ['tree', 'inspector', 'code', 'params']) {
      const tab = $(`tab-${name}`);
      tab.hidden = !names().includes(name);
      tab.setAttribute('aria-selected', String(name === shown));
      tab.tabIndex = name === shown ? 0 : -1;
      $(`panel-${name}`).hidden = name !== shown && !(name === 'tree' && !narrow.matches);
    }
  };
  const move = () => {
    if (narrow.matches) $('side').append($('panel-tree'));
    else $('left').append($('panel-tree'));
    show();
  };
  for (const name of ['tree', 'inspector', 'code', 'params']) {
    click(`tab-${name}`, () => set({ tab: name }));
  }
  $('tabs').addEventListener('keydown', (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const all = names();
    const to = all[(all.indexOf(state.tab) + by + all.length) % all.length];
    set({ tab: to });
    $(`tab-${to}`).focus();
  });
  on('tab', show);
  narrow.addEventListener('change', move);
  move();
}

/** Sets up the top bar: the file name followed by the menu of scenes. */
function bar() {
  menu($('scene'), () => (state.scene?.scenes ?? []).map((name) => ({
    text: name, checked: name === state.scene.name,
    act: () => set({ wish: { ...state.wish, scene: name } }),
  })));
  menu($('output'), outputs);
  menu($('facts'), forms);
  click('row', () => rowsOf($('row')));
  paint('scene file wish readOnly output', () => {
    $('file').textContent = state.file.split('/').at(-1) ?? '';
    $('file').title = state.file;
    $('scene').hidden = (state.scene?.scenes?.length ?? 0) < 2;
    $('scene-name').textContent = state.scene?.name ?? '';
    $('output').hidden = !state.scene?.outputs.some((o) => o.name);
    $('output-name').textContent = state.output || 'output';
    const table = state.scene?.table;
    $('row').hidden = !table?.count;
    $('row-name').textContent = table ? `row ${table.now} of ${table.count}` : '';
    const [numerator, denominator] = state.scene?.rate ?? [0, 1];
    $('facts').textContent = state.scene
      ? [state.scene.size.join(' × '), `${Number((numerator / denominator).toFixed(3))} fps`,
        `${Number(state.scene.duration.toFixed(2))} s`].join(' · ') : '';
    $('read-only').hidden = !state.readOnly;
  });
  click('theme', () => set({ theme: { '': 'light', light: 'dark', dark: '' }[state.theme] ?? '' }));
  const theme = () => {
    document.documentElement.dataset.theme = state.theme;
    $('theme').title = `Color scheme: ${state.theme || 'system'}`;
  };
  on('theme', theme);
  theme();
}

icons();
readAddress();
startSelection();
startProblems();
startPicture();
startOverlay();
startRuler();
startTimeline();
startGraph();
startTree();
startInspector();
startCode();
startParams();
startEdits();
startAlign();
startInsert();
startExport();
startKeys();
transport();
tabs();
bar();
splitter($('split-left'), '--left', 1, [160, 480]);
splitter($('split-right'), '--right', -1, [240, 640]);
splitter($('split-lives'), '--lives', -1, [96, 640], true);
events();
followAddress();
// For tests, which wait for the page instead of guessing delays.
Object.assign(window, { scenec: { settled, unfinished, revision: () => state.rev, handles: shownHandles, graph: shownGraph, guides: () => state.lines, mark: () => state.mark, outlines } });
begin();
