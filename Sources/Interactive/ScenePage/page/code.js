// SPDX-License-Identifier: MIT
import { ask } from './connection.js';
import { $, fill, h } from './dom.js';
import { state, on, rowOf, set } from './store.js';
import { editor } from './tree.js';

/** The source text with syntax highlighting, for reading and for selecting elements. */

const panel = $('panel-code');
let file = 0;
let loaded = '';
/** @type {HTMLElement[]} */
let lines = [];
/** The byte offset of each line. @type {number[]} */
let starts = [];

const utf8 = new TextEncoder();

async function load() {
  const files = state.scene?.files.filter((f) => !f.path.startsWith('std/')) ?? [];
  if (!files.length || state.tab !== 'code') return;
  const it = files.find((f) => f.id === file) ?? files[0];
  file = it.id;
  const name = `${it.id} ${it.hash}`;
  if (name === loaded) return mark();
  const got = await ask('source', { view: state.view, rev: state.rev, file, hash: it.hash });
  if (got.error || typeof got.text !== 'string') return;
  loaded = name;
  draw(got, files);
  mark();
}

function draw({ text, tokens = [], kinds = [] }, files) {
  lines = [];
  starts = [];
  let offset = 0;
  let at = 0;
  let token = 0;
  for (const line of text.split('\n')) {
    const end = at + line.length;
    const parts = [];
    let done = at;
    for (; token < tokens.length && tokens[token] < end; token += 3) {
      const [start, length, kind] = tokens.slice(token, token + 3);
      if (start + length <= done) continue;
      const from = Math.max(start, done);
      const to = Math.min(end, start + length);
      if (from > done) parts.push(text.slice(done, from));
      parts.push(h(`span.t-${kinds[kind] ?? 'name'}`, text.slice(from, to)));
      done = to;
      // A token that spans several lines continues on the next line.
      if (start + length > end) break;
    }
    if (done < end) parts.push(text.slice(done, end));
    starts.push(offset);
    lines.push(h('div.code-line', { 'data-line': lines.length + 1 },
      h('span.number', String(lines.length + 1)), h('span', parts)));
    offset += utf8.encode(line).length + 1;
    at = end + 1;
  }
  const tabs = files.length < 2 ? null : h('div.files', files.map((source) => h('button.pick', {
    'aria-pressed': String(source.id === file), title: source.path,
    onclick: () => { file = source.id; load(); },
  }, source.path.split('/').at(-1))));
  fill(panel, [tabs, h('div.code-view', lines)]);
}

/** Marks the lines of the selected element. */
function mark() {
  const row = rowOf(state.selected);
  for (const it of panel.querySelectorAll('.here')) it.classList.remove('here');
  if (!row?.span || row.span.file !== file) return;
  const it = lines[row.span.line - 1];
  if (!it) return;
  it.classList.add('here');
  if (!panel.hidden) it.scrollIntoView({ block: 'nearest' });
}

/** Returns the last element whose head starts before the end of a line. */
function elementAt(line) {
  const end = starts[line] ?? Infinity;
  let best = null;
  for (const row of state.scene?.rows ?? []) {
    if (row.span?.file !== file || row.span.start >= end) continue;
    if (!best || row.span.start >= best.span.start) best = row;
  }
  return best;
}

export function startCode() {
  panel.addEventListener('click', (event) => {
    const line = event.target.closest('[data-line]');
    if (!line || String(getSelection())) return;
    const row = elementAt(Number(line.dataset.line));
    if (row) set({ selected: row.key });
  });
  panel.addEventListener('dblclick', (event) => {
    const line = Number(event.target.closest('[data-line]')?.dataset.line);
    if (line) editor.open({ file, line, column: 1 });
  });
  on('scene tab', load);
  on('selected', () => {
    const row = rowOf(state.selected);
    if (row?.span && row.span.file !== file && state.tab === 'code') {
      file = row.span.file;
      load();
    } else mark();
  });
}
