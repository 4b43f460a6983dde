// SPDX-License-Identifier: MIT
import { Delay } from './activity.js';
import { ask } from './connection.js';
import { $, click, fill, h, icon, plain, say, toast } from './dom.js';
import { state, on, paint, seekTime, set } from './store.js';
import { clockText } from './time.js';
import { editor } from './tree.js';

/** Errors above the frame and warnings below the timeline. */

const card = new Delay('errors');

/** Returns the path of the file that contains a span. */
const pathOf = (span) => span.path ?? state.scene?.files?.find((f) => f.id === span.file)?.path ?? state.file;

/** Returns a link that opens the editor at a source location. */
export function placeLink(span, short = false) {
  if (!span) return null;
  const whole = pathOf(span);
  const path = whole.startsWith(state.folder + '/') ? whole.slice(state.folder.length + 1) : whole;
  const text = `${short ? path.split('/').at(-1) : path}:${span.line}${short ? '' : `:${span.column}`}`;
  if (path.startsWith('std/')) return h('span.place', text);
  const title = `Open ${path} in the editor`;
  if (state.editor) return h('button.link.place', { title, onclick: () => editor.open(span) }, text);
  return h('a.link.place', { title: `Open ${path} in the editor`, href: editorAddress(span) }, text);
}

const editorAddress = (span) => {
  const folder = state.folder ? state.folder.replace(/\/$/, '') + '/' : '';
  const path = pathOf(span);
  const whole = path.startsWith('/') ? path : folder + path;
  return `vscode://file${encodeURI(whole.startsWith('/') ? whole : '/' + whole)}:${span.line}:${span.column}`;
};

editor.open = async (span) => {
  if (!span) return;
  if (!state.editor) {
    location.href = editorAddress(span);
    return;
  }
  const it = await ask('open', { file: span.file, line: span.line, column: span.column });
  if (it.error) toast(it.reason ?? 'The editor could not be started.', true);
};

/** Returns the source line of a span with the span underlined. */
function sourceLine(source) {
  if (!source) return null;
  const text = [...source.text];
  const from = Math.max(0, source.from - 1);
  const to = Math.max(from + 1, source.to - 1);
  const start = Math.max(0, Math.min(text.findIndex((c) => c !== ' '), from));
  const cut = (a, b) => plain(text.slice(a, b).join(''));
  return h('pre.source', h('span.number', String(source.line)),
    h('code', cut(start, from), h('u', cut(from, to) || ' '), cut(to, text.length)));
}

async function fix(problem, index) {
  const it = await ask('fix', { view: state.view, rev: state.rev, problem: problem.id, fix: index });
  if (it.error) toast(it.reason ?? 'The fix could not be applied because the file has changed.', true);
  else toast(`Fixed: ${problem.fixes[index].title}`);
}

async function explain(code, it) {
  const next = it.querySelector('.page');
  if (next) return next.remove();
  const page = await ask('explain', { code });
  it.append(h('pre.page', page.text ?? page.reason ?? 'No explanation is available for this code.'));
}

/** Returns a list item for a diagnostic with its actions. */
function item(problem) {
  const it = h(`li.problem.${problem.severity}`);
  fill(it, [
    h('p.says', icon(problem.severity),
      h('button.code', { title: 'Explain this code', onclick: () => explain(problem.code, it) }, problem.code),
      h('span', problem.message)),
    sourceLine(problem.source),
    problem.help ? h('p.help', problem.help) : null,
    (problem.notes ?? []).map((n) => h('p.help', n.message, ' ', placeLink(n.span))),
    h('p.acts', placeLink(problem.span),
      problem.instant === undefined || problem.instant === null ? null
        : h('button.link', { onclick: () => seekTime(problem.instant) }, icon('clock'), clockText(problem.instant)),
      (state.readOnly ? [] : problem.fixes ?? [])
        .map((offer, i) => h('button.fix', { onclick: () => fix(problem, i) }, offer.title))),
  ]);
  return it;
}

/** Shows a frame that exceeded the time limit as an error. */
function slowCard() {
  const { n: frame, reason } = state.slow;
  fill($('errors'), [
    h('h2', `Frame ${frame} could not be rendered`, h('span', 'The preview still shows an earlier frame.')),
    h('ul', h('li.problem.error', h('p.says', icon('error'), h('span', reason)),
      h('p.help', 'The preview limits rendering to 5 s per frame. '
        + `Run 'scenec frame --frame ${frame}' to render it without the limit.`))),
  ]);
  say(`Frame ${frame}: ${reason}`);
}

function showCards() {
  const list = state.broken ?? [];
  const isBad = !!(state.broken || state.slow);
  $('errors').hidden = !isBad;
  $('stage').classList.toggle('dimmed', isBad);
  if (!isBad) return fill($('errors'), []);
  if (!state.broken) return slowCard();
  const many = list.length === 1 ? '1 error' : `${list.length} errors`;
  fill($('errors'), [
    h('h2', many,
      h('span', state.rev ? 'The preview shows the last valid version.' : 'Nothing has been rendered yet.')),
    h('ul', list.slice(0, 50).map(item)),
  ]);
  say(`${many}. ${list[0]?.message ?? ''}`);
}

/** Updates the list below the timeline and the indicator in the top bar. */
function showList() {
  const list = state.problems;
  const warnings = list.length;
  $('warnings').hidden = !warnings;
  fill($('warnings'), [icon('warning'), String(warnings)]);
  $('warnings').title = warnings === 1 ? '1 problem' : `${warnings} problems`;
  const fold = $('problems');
  fold.hidden = !warnings;
  fill($('problems-title'), [icon('twist'), 'Problems ', h('span.count', String(warnings))]);
  fill($('problems-list'), list.slice(0, 200).map(item));
}

/** Updates the title and the top bar with the state of the last text. */
function showState() {
  const badge = $('state');
  const stages = Object.values(state.ms ?? {});
  const total = stages.length ? ` ${Math.round(stages.reduce((a, b) => a + b, 0))} ms` : '';
  let title = '…';
  let text = 'Connecting';
  let kind = 'wait';
  if (state.link === 'ended') [text, title] = ['scenec has exited', '○'];
  else if (state.link === 'lost') text = 'Connection lost, reconnecting';
  else if (state.broken) {
    const count = state.broken.length;
    [title, text, kind] = [`✕ ${count}`, count === 1 ? '1 error' : `${count} errors`, 'bad'];
  } else if (state.rev) [title, text, kind] = [`●${total}`, total || 'up to date', 'good'];
  badge.className = `state ${kind}`;
  fill(badge, [h('span.dot'), text]);
  badge.title = state.ms ? Object.entries(state.ms).map(([k, v]) => `${k} ${Number(v.toFixed(1))} ms`).join(', ') : '';
  document.title = plain(`${title} ${state.file.split('/').at(-1) || 'scenec'}`);
  const ended = $('ended');
  ended.hidden = state.link === 'open' || state.link === 'waiting';
  ended.textContent = state.link === 'ended' ? 'scenec has exited. The page reconnects when it is started again.'
    : 'Connection lost. Reconnecting.';
}

/** Reports errors of the text. They are shown after a tenth of a second. */
export function broke(list) {
  card.set(() => set({ broken: list }), 100);
}

/** Reports a text without errors. */
export function healed() {
  card.clear();
  set({ broken: null });
}

export function startProblems() {
  on('broken slow', showCards);
  paint('problems scene', showList);
  on('broken rev link ms file', showState);
  on('link', () => {
    if (state.link === 'ended') say('scenec has exited.');
    if (state.link === 'lost') say('Connection lost.');
  });
  click('warnings', () => {
    $('problems').open = true;
    $('problems').querySelector('summary').focus();
  });
  showState();
}
