// SPDX-License-Identifier: MIT
import { Delay, settled, unfinished } from './activity.js';
import { startCode } from './code.js';
import { ask, askScene, begin, onEvent } from './connection.js';
import { $, click, fill, h, icon, icons, menu, splitter, toast } from './dom.js';
import { startEdits } from './edits.js';
import { startExport } from './export.js';
import { refresh, renew } from './frames.js';
import { startInspector } from './inspector.js';
import { startKeys } from './keys.js';
import { startOverlay } from './overlay.js';
import { startParams } from './params.js';
import { startPicture } from './picture.js';
import { play, stop, stopAndReturn, toggle } from './player.js';
import { broke, healed, startProblems } from './problems.js';
import { startRuler } from './ruler.js';
import { S, duration, followAddress, frames, now, on, paint, range, firstTimes, readAddress, seek, set } from './store.js';
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
  const { view, rev } = S;
  const it = await askScene(view, rev);
  if (mine !== asking) return;
  if (it.error === 'gone') return;
  if (it.error) return toast(it.reason ?? 'The scene could not be loaded.', true);
  // The rest of a very long list arrives in parts. At first, the frame takes priority.
  if (known) await loadRest(it);
  else loadRest(it).then(() => { if (it.parts && mine === asking) set({ scene: { ...it } }); });
  if (mine !== asking) return;
  const wasWhole = S.scene && S.zoom[0] === 0 && Math.abs(S.zoom[1] - S.scene.duration * 1.02) < 1e-6;
  set(known ? { scene: it } : { scene: it, ...firstTimes(it) });
  if (known) {
    if (wasWhole) set({ zoom: [0, duration() * 1.02] });
    const n = clamp(S.n, 0, frames() - 1);
    const r = S.range && [Math.min(S.range[0], frames() - 1), Math.min(S.range[1], frames())];
    if (n !== S.n) set({ n });
    if (r && (r[0] !== S.range?.[0] || r[1] !== S.range?.[1])) set({ range: r[0] < r[1] ? r : null });
    if (S.selected && !it.rows.some((r) => r.key === S.selected)) set({ selected: null });
  }
  known = true;
}

const isSpecial = () => S.wish.scene || S.wish.size || S.wish.rate || Object.keys(S.wish.params).length > 0;

const sizes = [[1920, 1080], [1280, 720], [1080, 1920], [1080, 1350], [1080, 1080], [3840, 2160]];
const rates = [[24, 1], [25, 1], [30, 1], [50, 1], [60, 1]];

/** Returns menu items that lay out the scene for a different size or frame rate in this view only. */
function forms() {
  const choice = (name, list, text) => [undefined, ...list].map((it) => ({
    text: it ? text(it) : `${name === 'size' ? 'Frame size' : 'Frame rate'} of the scene`,
    checked: String(S.wish[name]) === String(it),
    act: () => set({ wish: { ...S.wish, [name]: it } }),
  }));
  return [...choice('size', sizes, (it) => it.join(' × ')), null, ...choice('rate', rates, ([n]) => `${n} fps`)];
}

/** Returns menu items for the scene's output files. A file with its own layout gets its own view. */
function outputs() {
  const choose = (name, size) => { set({ output: name, wish: { ...S.wish, size } }); };
  return [{ text: 'The scene', checked: !S.output, act: () => choose('', undefined) },
    ...S.scene.outputs.filter((o) => o.name).map((o) => ({
      text: o.name, note: o.size ? `${o.size.join(' × ')}${o.own ? '' : `, ${o.fit}`}` : '', checked: S.output === o.name,
      act: () => choose(o.name, o.own && o.size ? o.size : undefined),
    }))];
}

/** Opens a view for a different scene or different parameters. */
async function changeView() {
  const it = await ask('view', S.wish);
  if (it.error) {
    if (isSpecial()) toast(it.reason ?? 'Unknown scene or param.', true);
    return;
  }
  if (!it.rev) return toast('The scene has errors with this value.', true);
  set({ view: it.view, rev: it.rev, kept: [] });
  await loadScene();
  refresh('rest');
}

function onRev(e) {
  if (e.view !== S.view) {
    // The page requested other parameters but does not have its view yet.
    if (e.view === 'main' && !known) changeView();
    return;
  }
  healed();
  set({ rev: e.rev, ms: e.ms ?? null, kept: [] });
  if (!known && isSpecial()) changeView();
  else if (S.scene) {
    renew();
    loadScene();
  } else loadScene().then(() => refresh('rest'));
}

function events() {
  onEvent('rev', onRev);
  onEvent('broken', (e) => { if (e.view === S.view || e.view === 'main') broke(e.list); });
  onEvent('problems', (e) => { if (e.view === S.view) set({ problems: e.list }); });
  onEvent('history', (e) => set({ history: { undo: e.undo ?? null, redo: e.redo ?? null } }));
  onEvent('kept', (e) => { if (e.view === S.view && e.rev === S.rev) set({ kept: e.ranges }); });
  on('link', () => {
    // A restarted server does not know the views of the previous one.
    if (S.link === 'open') {
      asking += 1;
      set({ view: 'main', rev: 0, attempt: null, kept: [] });
      if (isSpecial()) known = false;
    }
  });
  // The element at the editor's cursor is highlighted. The time and the selection do not change.
  onEvent('cursor', (e) => set({ hovered: e.key ?? null }));
  const playhead = new Delay('playhead');
  on('n playing', () => {
    if (!S.live || playhead.isSet) return;
    // At most four times per second, always including the last position.
    playhead.set(() => {
      ask('playhead', { seconds: now(), playing: !!S.playing });
    }, 250);
  });
  on('wish', () => { if (known) changeView(); });
}

function transport() {
  click('play', toggle);
  click('back', () => (S.playing === -1 ? stop() : play(-1)));
  click('start', stopAndReturn);
  click('finish', () => { stop(); seek(range()[1] - 1); });
  const flip = (id, name) => {
    click(id, () => set({ [name]: !S[name] }));
    paint(name, () => $(id).setAttribute('aria-pressed', String(S[name])));
    $(id).setAttribute('aria-pressed', String(S[name]));
  };
  flip('loop', 'loop');
  flip('snap', 'snap');
  flip('scrubs', 'scrubs');
  click('sound', () => set({ muted: !S.muted }));
  paint('muted scene', () => {
    $('sound').hidden = !S.scene?.hasSound;
    fill($('sound'), icon(S.muted ? 'muted' : 'sound'));
    $('sound').setAttribute('aria-pressed', String(!S.muted));
    $('scrubs').hidden = $('sound').hidden;
  });
  menu($('speed'), () => [0.25, 0.5, 1, 2, 4].map((speed) => ({
    text: `${speed}×`, checked: S.speed === speed, act: () => set({ speed }),
  })));
  paint('speed', () => { $('speed').textContent = `${S.speed}×`; });
  paint('playing', () => {
    fill($('play'), icon(S.playing > 0 ? 'pause' : 'play'));
    $('play').title = S.playing > 0 ? 'Pause (Space)' : 'Play (Space)';
    fill($('back'), icon(S.playing < 0 ? 'pause' : 'back'));
    document.body.classList.toggle('playing', !!S.playing);
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
    const shown = names().includes(S.tab) ? S.tab : 'inspector';
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
  $('tabs').addEventListener('keydown', (e) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!by) return;
    e.preventDefault();
    e.stopPropagation();
    const all = names();
    const to = all[(all.indexOf(S.tab) + by + all.length) % all.length];
    set({ tab: to });
    $(`tab-${to}`).focus();
  });
  on('tab', show);
  narrow.addEventListener('change', move);
  move();
}

/** Sets up the top bar: the file name followed by the menu of scenes. */
function bar() {
  menu($('scene'), () => (S.scene?.scenes ?? []).map((name) => ({
    text: name, checked: name === S.scene.name,
    act: () => set({ wish: { ...S.wish, scene: name } }),
  })));
  menu($('output'), outputs);
  menu($('facts'), forms);
  paint('scene file wish readOnly output', () => {
    $('file').textContent = S.file.split('/').at(-1) ?? '';
    $('file').title = S.file;
    $('scene').hidden = (S.scene?.scenes?.length ?? 0) < 2;
    $('scene-name').textContent = S.scene?.name ?? '';
    $('output').hidden = !S.scene?.outputs.some((o) => o.name);
    $('output-name').textContent = S.output || 'output';
    const [n, d] = S.scene?.rate ?? [0, 1];
    $('facts').textContent = S.scene
      ? `${S.scene.size.join(' × ')} · ${Number((n / d).toFixed(3))} fps · ${Number(S.scene.duration.toFixed(2))} s` : '';
    $('read-only').hidden = !S.readOnly;
  });
  click('theme', () => set({ theme: { '': 'light', light: 'dark', dark: '' }[S.theme] ?? '' }));
  const theme = () => {
    document.documentElement.dataset.theme = S.theme;
    $('theme').title = `Color scheme: ${S.theme || 'system'}`;
  };
  on('theme', theme);
  theme();
}

icons();
readAddress();
startProblems();
startPicture();
startOverlay();
startRuler();
startTimeline();
startTree();
startInspector();
startCode();
startParams();
startEdits();
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
Object.assign(window, { scenec: { settled, unfinished, revision: () => S.rev } });
begin();
