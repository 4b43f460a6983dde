// SPDX-License-Identifier: MIT
import { Delay } from './activity.js';
import { ask } from './connection.js';
import { $, click, fill, h, icon, plain, say, toast } from './dom.js';
import { S, on, paint, seekTime, set } from './store.js';
import { clockText } from './time.js';
import { editor } from './tree.js';

/** Errors above the frame and warnings below the timeline. */

const card = new Delay('errors');

/** Returns the path of the file that contains a span. */
const pathOf = (span) => span.path ?? S.scene?.files?.find((f) => f.id === span.file)?.path ?? S.file;

/** Returns a link that opens the editor at a source location. */
export function placeLink(span, short = false) {
  if (!span) return null;
  const whole = pathOf(span);
  const path = whole.startsWith(S.folder + '/') ? whole.slice(S.folder.length + 1) : whole;
  const text = `${short ? path.split('/').at(-1) : path}:${span.line}${short ? '' : `:${span.column}`}`;
  if (path.startsWith('std/')) return h('span.place', text);
  if (S.editor) return h('button.link.place', { title: `Open ${path} in the editor`, onclick: () => editor.open(span) }, text);
  return h('a.link.place', { title: `Open ${path} in the editor`, href: editorAddress(span) }, text);
}

const editorAddress = (span) => {
  const folder = S.folder ? S.folder.replace(/\/$/, '') + '/' : '';
  const path = pathOf(span);
  const whole = path.startsWith('/') ? path : folder + path;
  return `vscode://file${encodeURI(whole.startsWith('/') ? whole : '/' + whole)}:${span.line}:${span.column}`;
};

editor.open = async (span) => {
  if (!span) return;
  if (!S.editor) {
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
  const it = await ask('fix', { view: S.view, rev: S.rev, problem: problem.id, fix: index });
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
      (S.readOnly ? [] : problem.fixes ?? []).map((f, i) => h('button.fix', { onclick: () => fix(problem, i) }, f.title))),
  ]);
  return it;
}

/** Shows a frame that exceeded the time limit as an error. */
function slowCard() {
  const { n, reason } = S.slow;
  fill($('errors'), [
    h('h2', `Frame ${n} could not be rendered`, h('span', 'The preview still shows an earlier frame.')),
    h('ul', h('li.problem.error', h('p.says', icon('error'), h('span', reason)),
      h('p.help', `The preview limits rendering to 5 s per frame. Run 'scenec frame --frame ${n}' to render it without the limit.`))),
  ]);
  say(`Frame ${n}: ${reason}`);
}

function showCards() {
  const list = S.broken ?? [];
  const isBad = !!(S.broken || S.slow);
  $('errors').hidden = !isBad;
  $('stage').classList.toggle('dimmed', isBad);
  if (!isBad) return fill($('errors'), []);
  if (!S.broken) return slowCard();
  const many = list.length === 1 ? '1 error' : `${list.length} errors`;
  fill($('errors'), [
    h('h2', many, h('span', S.rev ? 'The preview shows the last valid version.' : 'Nothing has been rendered yet.')),
    h('ul', list.slice(0, 50).map(item)),
  ]);
  say(`${many}. ${list[0]?.message ?? ''}`);
}

/** Updates the list below the timeline and the indicator in the top bar. */
function showList() {
  const list = S.problems;
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
  const state = $('state');
  const total = S.ms && Object.keys(S.ms).length ? ` ${Math.round(Object.values(S.ms).reduce((a, b) => a + b, 0))} ms` : '';
  let title = '…';
  let text = 'Connecting';
  let kind = 'wait';
  if (S.link === 'ended') [text, title] = ['scenec has exited', '○'];
  else if (S.link === 'lost') text = 'Connection lost, reconnecting';
  else if (S.broken) {
    [title, text, kind] = [`✕ ${S.broken.length}`, S.broken.length === 1 ? '1 error' : `${S.broken.length} errors`, 'bad'];
  } else if (S.rev) [title, text, kind] = [`●${total}`, total || 'up to date', 'good'];
  state.className = `state ${kind}`;
  fill(state, [h('span.dot'), text]);
  state.title = S.ms ? Object.entries(S.ms).map(([k, v]) => `${k} ${Number(v.toFixed(1))} ms`).join(', ') : '';
  document.title = plain(`${title} ${S.file.split('/').at(-1) || 'scenec'}`);
  const ended = $('ended');
  ended.hidden = S.link === 'open' || S.link === 'waiting';
  ended.textContent = S.link === 'ended' ? 'scenec has exited. The page reconnects when it is started again.'
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
    if (S.link === 'ended') say('scenec has exited.');
    if (S.link === 'lost') say('Connection lost.');
  });
  click('warnings', () => {
    $('problems').open = true;
    $('problems').querySelector('summary').focus();
  });
  showState();
}
