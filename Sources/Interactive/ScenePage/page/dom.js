// SPDX-License-Identifier: MIT

export const $ = (id) => document.getElementById(id);

export const click = (id, act) => $(id).addEventListener('click', act);

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a text of the scene with invisible characters spelled out. */
export const plain = (text) => String(text).replace(hidden,
  (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);

/** Creates an element, like the function of this name in hyperscript:
 * `h('button.icon', { title: 'Play', onclick }, 'text', child)`. */
export function h(what, ...children) {
  const attributes = Object.getPrototypeOf(children[0] ?? 0) === Object.prototype ? children.shift() : {};
  const [tag, ...classes] = what.split('.');
  const it = document.createElement(tag);
  if (classes.length) it.className = classes.join(' ');
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) it.addEventListener(name.slice(2), value);
    else it.setAttribute(name, value === true ? '' : plain(value));
  }
  fill(it, children);
  return it;
}

export function fill(it, children) {
  it.replaceChildren(...[children].flat(3).filter((c) => c !== null && c !== undefined && c !== false)
    .map((c) => (c instanceof Node ? c : plain(c))));
}

export const dark = matchMedia('(prefers-color-scheme: dark)');
const colours = new Map();
const svg = 'http://www.w3.org/2000/svg';

/** Creates an icon from the sprite in index.html. */
export function icon(name) {
  const it = document.createElementNS(svg, 'svg');
  it.setAttribute('class', 'i');
  it.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(svg, 'use');
  use.setAttribute('href', '#i-' + name);
  it.append(use);
  return it;
}

/** Adds icons to all elements with a `data-icon` attribute. */
export function icons() {
  for (const it of document.querySelectorAll('[data-icon]')) it.append(icon(it.dataset.icon));
}

/** Returns the value of a CSS color variable for drawing on a canvas, for the current color scheme. */
export function colour(name) {
  const key = name + document.documentElement.dataset.theme + dark.matches;
  if (!colours.has(key)) {
    $('probe').style.color = `var(${name})`;
    colours.set(key, getComputedStyle($('probe')).color);
  }
  return colours.get(key);
}

/** Announces a sentence to screen readers. Earlier sentences remain for a while, so that none is skipped. */
export function say(text) {
  const it = h('p', text);
  $('live').append(it);
  while ($('live').children.length > 8) $('live').firstChild?.remove();
  setTimeout(() => it.remove(), 20000);
}

/** The messages that wait until one of those shown disappears. @type {(() => void)[]} */
const queue = [];
const mostToasts = 3;

/** Returns for how long a message is shown, in milliseconds: long enough to read it. */
export const readingTime = (text, isLong) => Math.max(isLong ? 8000 : 4000, 1500 + 70 * text.length);

/** Shows a temporary message below the frame. `offer` contains the label and the action of a button. Further
 * messages appear below, and then wait. */
export function toast(text, bad = false, offer = null) {
  say(text);
  const same = [...$('toasts').children].find((it) => it.dataset.text === text);
  if (same) return same.dispatchEvent(new Event('again'));
  if ($('toasts').children.length < mostToasts) show(text, bad, offer);
  else queue.push(() => show(text, bad, offer));
}

function show(text, bad, offer) {
  const close = () => {
    clearTimeout(timer);
    it.remove();
    queue.shift()?.();
  };
  const act = () => {
    close();
    offer[1]();
  };
  const button = offer ? h('button.fix', { onclick: act }, offer[0]) : null;
  const it = h('p.toast' + (bad ? '.bad' : ''), { 'data-text': text }, text, button);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(close, readingTime(text, bad || Boolean(offer)));
  };
  let timer = 0;
  it.addEventListener('again', wait);
  it.addEventListener('pointerenter', () => clearTimeout(timer));
  it.addEventListener('pointerleave', wait);
  $('toasts').append(it);
  wait();
}

let held = 0;
/** Whether a drag is in progress. The dragged elements must then not be replaced. */
export const isHeld = () => held > 0;

/** Follows a pressed pointer until its release. `move` receives the offset from the start. Esc ends the
 * drag with `done(false)`. `kind` is the event to follow. */
export function drag(event, move, done, kind = 'pointermove') {
  const target = event.currentTarget;
  const x = event.clientX;
  const y = event.clientY;
  const end = (kept) => {
    target.removeEventListener(kind, step);
    removeEventListener('pointerup', up, true);
    removeEventListener('pointercancel', cancel, true);
    removeEventListener('keydown', key, true);
    held -= 1;
    done?.(kept);
    dispatchEvent(new Event('dropped'));
  };
  const step = (m) => move(m.clientX - x, m.clientY - y, m);
  const up = () => end(true);
  const cancel = () => end(false);
  const key = (keydown) => {
    if (keydown.key !== 'Escape') return;
    keydown.stopPropagation();
    end(false);
  };
  held += 1;
  target.setPointerCapture(event.pointerId);
  target.addEventListener(kind, step);
  // Not on the target, which may have been removed by then.
  addEventListener('pointerup', up, true);
  addEventListener('pointercancel', cancel, true);
  addEventListener('keydown', key, true);
}

/** Makes an element a draggable splitter between two panels that sets the CSS length `name`. */
export function splitter(it, name, sign, [low, high], across = false) {
  const root = document.documentElement;
  const value = () => parseFloat(getComputedStyle(root).getPropertyValue(name));
  const put = (v) => {
    const to = Math.round(Math.min(Math.max(v, low), high));
    root.style.setProperty(name, to + 'px');
    it.setAttribute('aria-valuenow', String(to));
  };
  it.setAttribute('aria-valuemin', String(low));
  it.setAttribute('aria-valuemax', String(high));
  it.setAttribute('aria-valuenow', String(value()));
  it.addEventListener('pointerdown', (event) => {
    const from = value();
    drag(event, (dx, dy) => put(from + sign * (across ? dy : dx)), (kept) => kept || put(from));
  });
  it.addEventListener('keydown', (event) => {
    const less = across ? 'ArrowUp' : 'ArrowLeft';
    const more = across ? 'ArrowDown' : 'ArrowRight';
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    event.stopPropagation();
    put(value() + sign * (event.key === more ? 8 : -8));
  });
}

/** Opens a popup next to an element, with arrow key navigation between buttons. The popup is removed when
 * closed. */
export function openAt(at, box) {
  document.body.append(box);
  box.showPopover();
  const anchor = at.getBoundingClientRect();
  const popup = box.getBoundingClientRect();
  box.style.left = `${Math.max(4, Math.min(anchor.left, innerWidth - popup.width - 4))}px`;
  const isBelow = anchor.bottom + popup.height + 4 <= innerHeight;
  box.style.top = `${isBelow ? anchor.bottom + 4 : Math.max(4, anchor.top - popup.height - 4)}px`;
  box.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return;
    if (box.contains(document.activeElement)) at.focus();
    box.remove();
  });
  box.addEventListener('keydown', (event) => {
    const all = [...box.querySelectorAll('button:not(:disabled)')];
    const i = all.indexOf(document.activeElement);
    const to = { ArrowDown: i + 1, ArrowUp: i - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    event.stopPropagation();
    if (to === undefined || i < 0) return;
    event.preventDefault();
    all[to % all.length].focus();
  });
}

/** Attaches a menu to a button. An item is `{text, note?, checked?, act, off?}`, or null for a separator. */
export function menu(button, items) {
  button.setAttribute('aria-haspopup', 'menu');
  button.setAttribute('aria-expanded', 'false');
  const open = () => {
    const buttons = items().map((it) => it === null ? h('hr') : h('button.item', {
      role: it.checked === undefined ? 'menuitem' : 'menuitemradio',
      'aria-checked': it.checked === undefined ? null : String(it.checked),
      disabled: !!it.off,
      onclick: () => { close(); it.act(); },
    }, h('span.check', it.checked ? '✓' : ''), h('span', it.text),
      it.note ? h('span.note', it.note) : null));
    const box = h('div.menu', { role: 'menu', popover: 'auto' }, buttons);
    const close = () => box.hidePopover();
    box.addEventListener('toggle', (event) => {
      if (event.newState === 'closed') button.setAttribute('aria-expanded', 'false');
    });
    openAt(button, box);
    button.setAttribute('aria-expanded', 'true');
    box.querySelector('[aria-checked=true]')?.focus() ?? box.querySelector('button')?.focus();
  };
  button.addEventListener('click', open);
}
