// SPDX-License-Identifier: MIT
// Progressive enhancement of the site: search, copy buttons, playback of visible videos, and the
// color scheme. All pages work without it.
'use strict';
const root = document.documentElement;
const button = document.getElementById('theme');
const isDark = () => root.dataset.theme
  ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
button.hidden = false;
button.onclick = () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  try { localStorage.setItem('theme', root.dataset.theme); } catch { /* for this page only */ }
  name();
};
matchMedia('(prefers-color-scheme: dark)').onchange = name;
name();

// Copy buttons for source code.
for (const block of document.querySelectorAll('.code')) {
  const copy = document.createElement('button');
  copy.className = 'copy';
  copy.textContent = 'Copy';
  copy.onclick = async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    copy.textContent = 'Copied';
    setTimeout(() => { copy.textContent = 'Copy'; }, 1500);
  };
  block.append(copy);
}

// Silent videos play while visible, unless the user prefers reduced motion.
if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) target.play().catch(() => {}); else target.pause();
    }
  }, { threshold: 0.4 });
  for (const video of document.querySelectorAll('video[data-silent]')) seen.observe(video);
}

// The search. `INDEX` contains [title, kind, address, other names, text] for each page.
const plain = (text) => text.toLowerCase().replace(/[-_]+/g, ' ').replace(/\s+/g, ' ').trim();
const idle = new Set('a an the to of in on at for how do does i my is are can make per with and or add use what'.split(' '));
const begins = (text, part) => {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) return true;
  }
  return false;
};

/** Returns the entries that match some words, best match first. */
function search(query) {
  const phrase = plain(query);
  const all = phrase.split(' ').filter(Boolean);
  const telling = all.filter((word) => !idle.has(word));
  const words = (telling.length ? telling : all).map((w) => (w.length > 3 && /[^s]s$/.test(w) ? w.slice(0, -1) : w));
  if (!words.length) return [];
  const one = phrase.replace(/s$/, '');
  const found = [];
  INDEX.forEach((entry, order) => {
    const [title, , , others, text] = entry;
    const names = [plain(title), ...others.map(plain)];
    const body = plain(text);
    let rank = 0;
    if (names[0] === phrase || names[0] === one) rank = 7;
    else if (names.includes(phrase) || names.includes(one)) rank = 6;
    else if (names.some((it) => begins(it, phrase))) rank = 5;
    else if (begins(body, phrase)) rank = 3;
    else if (names.some((it) => words.every((word) => begins(it, word)))) rank = 4;
    else if (words.every((word) => begins(`${names.join(' ')} ${body}`, word))) rank = 1;
    if (rank) found.push({ entry, rank, order });
  });
  return found.sort((a, b) => b.rank - a.rank || a.order - b.order).map((it) => it.entry);
}

const input = document.getElementById('find');
const list = document.getElementById('found');
const show = () => {
  const query = input.value;
  list.replaceChildren();
  list.hidden = !query.trim();
  input.setAttribute('aria-expanded', String(!list.hidden));
  if (list.hidden) return;
  const found = search(query).slice(0, 12);
  for (const [title, kind, address, , text] of found) {
    const link = document.createElement('a');
    link.href = address;
    link.append(title);
    const small = document.createElement('small');
    small.textContent = `${kind}: ${text.slice(0, 110)}${text.length > 110 ? '…' : ''}`;
    link.append(small);
    const item = document.createElement('li');
    item.append(link);
    list.append(item);
  }
  if (!found.length) {
    const item = document.createElement('li');
    item.className = 'none';
    item.textContent = `Nothing says anything about “${query}”.`;
    list.append(item);
  }
};
input.oninput = show;
input.onkeydown = (event) => {
  if (event.key === 'Enter') { const first = list.querySelector('a'); if (first) location.href = first.href; }
  if (event.key === 'ArrowDown') { const first = list.querySelector('a'); if (first) { event.preventDefault(); first.focus(); } }
  if (event.key === 'Escape') { input.value = ''; show(); }
};
list.onkeydown = (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') { list.hidden = true; input.focus(); }
  if (!step) return;
  event.preventDefault();
  const links = [...list.querySelectorAll('a')];
  const next = links[links.indexOf(document.activeElement) + step];
  (next || input).focus();
};
addEventListener('click', (event) => { if (!event.target.closest('.find')) list.hidden = true; });
addEventListener('keydown', (event) => {
  if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) { event.preventDefault(); input.focus(); }
});
// A URL can contain a search: cookbook.html?find=glow.
const asked = new URLSearchParams(location.search).get('find');
if (asked) { input.value = asked; show(); }
