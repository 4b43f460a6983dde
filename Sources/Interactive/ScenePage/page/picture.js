// SPDX-License-Identifier: MIT
import { during } from './activity.js';
import { $, click, drag, menu } from './dom.js';
import { ground, refresh, screen } from './frames.js';
import { state, on, paint, set } from './store.js';
import { clamp } from './time.js';

/** The canvas of the frame, with its size and position on the stage. */

const canvas = $('film');
const context = canvas.getContext('2d', { willReadFrequently: true });
const fine = $('fine');
const stage = $('stage');
/** The position of the frame: left and top in CSS pixels of the stage, and CSS pixels per frame pixel. */
export const place = { x: 0, y: 0, k: 1 };
let pan = [0, 0];
const followers = [];

export const onPlaced = (fn) => { followers.push(fn); };
/** Draws again whatever is placed over the frame. */
export const placed = () => { for (const fn of followers) fn(); };

/** Converts a pointer position to frame pixels. */
export function toFilm(event) {
  const box = stage.getBoundingClientRect();
  return [(event.clientX - box.left - place.x) / place.k, (event.clientY - box.top - place.y) / place.k];
}

const ratio = () => devicePixelRatio || 1;

/** Returns the number of CSS pixels per frame pixel at which the frame fits the stage. */
function fitting() {
  const [width, height] = state.scene.size;
  const inset = stage.clientWidth < 600 ? 8 : 24;
  return Math.min((stage.clientWidth - 2 * inset) / width, (stage.clientHeight - 2 * inset) / height, 1);
}

/** The scene that the position was computed for. */
let laid = null;

function lay() {
  if (!state.scene || !stage.clientWidth) return;
  laid = state.scene;
  const [width, height] = state.scene.size;
  const k = state.scale ? state.scale / ratio() : Math.max(0.01, fitting());
  if (!state.scale) pan = [0, 0];
  const slack = [Math.max(0, (width * k - stage.clientWidth) / 2 + 48),
    Math.max(0, (height * k - stage.clientHeight) / 2 + 48)];
  pan = [clamp(pan[0], -slack[0], slack[0]), clamp(pan[1], -slack[1], slack[1])];
  const whole = (x) => Math.round(x * ratio()) / ratio();
  place.k = k;
  place.x = whole((stage.clientWidth - width * k) / 2 + pan[0]);
  place.y = whole((stage.clientHeight - height * k) / 2 + pan[1]);
  for (const it of [canvas, fine]) {
    it.style.left = `${place.x}px`;
    it.style.top = `${place.y}px`;
    it.style.width = `${width * k}px`;
    it.style.height = `${height * k}px`;
  }
  if (!fine.hidden) during('reduced frame', reduce());
  canvas.classList.toggle('pixels', k * ratio() >= 1);
  $('scale').textContent = `${state.scale ? '' : 'fit '}${Math.round(k * ratio() * 100)} %`;
  placed();
}

let turn = 0;
/** Shows a high-quality reduced copy of the exact frame, since browsers scale canvases with artifacts. */
async function reduce() {
  const mine = ++turn;
  const width = Math.round(state.scene.size[0] * place.k * ratio());
  if (canvas.dataset.exact !== 'true' || width >= canvas.width) {
    fine.hidden = true;
    return;
  }
  const bitmap = await createImageBitmap(canvas, {
    resizeWidth: width, resizeHeight: Math.max(1, Math.round((width * canvas.height) / canvas.width)),
    resizeQuality: 'high',
  });
  if (mine === turn) {
    fine.width = bitmap.width;
    fine.height = bitmap.height;
    fine.getContext('2d').drawImage(bitmap, 0, 0);
    fine.hidden = false;
  }
  bitmap.close();
}

screen.width = () => {
  // May be called before other listeners have received the scene.
  if (laid !== state.scene) lay();
  return state.scene ? state.scene.size[0] * place.k * ratio() : 960;
};
screen.show = (bitmap, about) => {
  if (bitmap) {
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    } else if (state.scene?.transparent) context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(bitmap, 0, 0);
  }
  canvas.dataset.frame = about.n;
  canvas.dataset.rev = about.rev;
  canvas.dataset.view = about.view;
  canvas.dataset.exact = String(about.exact);
  canvas.hidden = false;
  if (bitmap || !about.exact) {
    turn += 1;
    fine.hidden = true;
    if (about.exact) during('reduced frame', reduce());
  }
  const badge = $('badge');
  badge.className = about.exact ? 'badge exact' : 'badge';
  badge.textContent = about.before ? 'before' : about.exact ? 'exact' : `${canvas.width} × ${canvas.height}`;
  canvas.dispatchEvent(new CustomEvent('painted', { detail: { ...about, at: performance.now() } }));
};

/** Zooms to `scale` around a pointer position. */
export function scaleTo(scale, event) {
  if (!state.scene) return;
  const [width, height] = state.scene.size;
  const box = stage.getBoundingClientRect();
  const [fx, fy] = event ? toFilm(event) : [width / 2, height / 2];
  const k = scale / ratio();
  if (event) {
    pan = [
      event.clientX - box.left - fx * k - (stage.clientWidth - width * k) / 2,
      event.clientY - box.top - fy * k - (stage.clientHeight - height * k) / 2,
    ];
  } else pan = [0, 0];
  if (state.scale === scale) lay();
  set({ scale });
}

const grounds = ['scene', 'checker', 'white', 'black'];
/** Selects the next background for transparent areas. */
export const nextGround = () => set({ ground: grounds[(grounds.indexOf(ground()) + 1) % grounds.length] });

function wheel(event) {
  if (!state.scene) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) {
    const now = place.k * ratio();
    scaleTo(clamp(now * Math.exp(-clamp(event.deltaY, -50, 50) / 100), 0.05, 32), event);
  } else if (state.scale) {
    pan = [pan[0] - (event.shiftKey ? event.deltaY : event.deltaX), pan[1] - (event.shiftKey ? 0 : event.deltaY)];
    lay();
  }
}

export function startPicture() {
  new ResizeObserver(() => { lay(); refresh('rest'); }).observe(stage);
  on('scene', () => {
    const isFirst = !laid;
    lay();
    // Takes priority over all other uses of the scene.
    if (isFirst) refresh('rest');
  });
  on('scale', () => { lay(); refresh('rest'); });
  stage.addEventListener('wheel', wheel, { passive: false });
  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 1) return;
    event.preventDefault();
    const from = [...pan];
    drag(event, (dx, dy) => { pan = [from[0] + dx, from[1] + dy]; lay(); });
  });
  menu($('scale'), () => [
    { text: 'Fit', note: '1', checked: state.scale === 0, act: () => scaleTo(0) },
    ...[0.5, 1, 2, 4].map((choice) => ({
      text: `${choice * 100} %`, note: choice === 1 ? '2' : '', checked: state.scale === choice,
      act: () => scaleTo(choice),
    })),
  ]);
  menu($('ground'), () => grounds.map((choice) => ({
    text: { scene: 'As in the scene', checker: 'Checkerboard', white: 'White', black: 'Black' }[choice],
    checked: ground() === choice, act: () => set({ ground: choice }),
  })));
  click('guides', () => set({ guides: !state.guides }));
  paint('guides', () => $('guides').setAttribute('aria-pressed', String(state.guides)));
  paint('ground scene', () => { stage.dataset.ground = ground(); });
}
