// SPDX-License-Identifier: MIT
import { during } from './activity.js';
import { $, click, drag, menu } from './dom.js';
import { ground, refresh, screen } from './frames.js';
import { S, on, paint, set } from './store.js';
import { clamp } from './time.js';

/** The canvas of the frame, with its size and position on the stage. */

const canvas = $('film');
const context = canvas.getContext('2d', { willReadFrequently: true });
const fine = $('fine');
const stage = $('stage');
/** The position of the frame: left and top in CSS pixels of the stage, and CSS pixels per frame pixel. */
export const place = { x: 0, y: 0, k: 1 };
let pan = [0, 0];
const placed = [];

export const onPlaced = (fn) => { placed.push(fn); };

/** Converts a pointer position to frame pixels. */
export function toFilm(e) {
  const r = stage.getBoundingClientRect();
  return [(e.clientX - r.left - place.x) / place.k, (e.clientY - r.top - place.y) / place.k];
}

const ratio = () => devicePixelRatio || 1;

/** Returns the number of CSS pixels per frame pixel at which the frame fits the stage. */
function fitting() {
  const [w, h] = S.scene.size;
  const inset = stage.clientWidth < 600 ? 8 : 24;
  return Math.min((stage.clientWidth - 2 * inset) / w, (stage.clientHeight - 2 * inset) / h, 1);
}

/** The scene that the position was computed for. */
let laid = null;

function lay() {
  if (!S.scene || !stage.clientWidth) return;
  laid = S.scene;
  const [w, h] = S.scene.size;
  const k = S.scale ? S.scale / ratio() : Math.max(0.01, fitting());
  if (!S.scale) pan = [0, 0];
  const slack = [Math.max(0, (w * k - stage.clientWidth) / 2 + 48), Math.max(0, (h * k - stage.clientHeight) / 2 + 48)];
  pan = [clamp(pan[0], -slack[0], slack[0]), clamp(pan[1], -slack[1], slack[1])];
  const whole = (x) => Math.round(x * ratio()) / ratio();
  place.k = k;
  place.x = whole((stage.clientWidth - w * k) / 2 + pan[0]);
  place.y = whole((stage.clientHeight - h * k) / 2 + pan[1]);
  for (const it of [canvas, fine]) {
    it.style.left = `${place.x}px`;
    it.style.top = `${place.y}px`;
    it.style.width = `${w * k}px`;
    it.style.height = `${h * k}px`;
  }
  if (!fine.hidden) during('reduced frame', reduce());
  canvas.classList.toggle('pixels', k * ratio() >= 1);
  $('scale').textContent = `${S.scale ? '' : 'fit '}${Math.round(k * ratio() * 100)} %`;
  for (const fn of placed) fn();
}

let turn = 0;
/** Shows a high-quality reduced copy of the exact frame, since browsers scale canvases with artifacts. */
async function reduce() {
  const mine = ++turn;
  const width = Math.round(S.scene.size[0] * place.k * ratio());
  if (canvas.dataset.exact !== 'true' || width >= canvas.width) {
    fine.hidden = true;
    return;
  }
  const bitmap = await createImageBitmap(canvas, {
    resizeWidth: width, resizeHeight: Math.max(1, Math.round((width * canvas.height) / canvas.width)), resizeQuality: 'high',
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
  if (laid !== S.scene) lay();
  return S.scene ? S.scene.size[0] * place.k * ratio() : 960;
};
screen.show = (bitmap, about) => {
  if (bitmap) {
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
    } else if (S.scene?.transparent) context.clearRect(0, 0, canvas.width, canvas.height);
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
export function scaleTo(scale, e) {
  if (!S.scene) return;
  const [w, h] = S.scene.size;
  const r = stage.getBoundingClientRect();
  const [fx, fy] = e ? toFilm(e) : [w / 2, h / 2];
  const k = scale / ratio();
  if (e) {
    pan = [
      e.clientX - r.left - fx * k - (stage.clientWidth - w * k) / 2,
      e.clientY - r.top - fy * k - (stage.clientHeight - h * k) / 2,
    ];
  } else pan = [0, 0];
  if (S.scale === scale) lay();
  set({ scale });
}

const grounds = ['scene', 'checker', 'white', 'black'];
/** Selects the next ground behind transparent areas. */
export const nextGround = () => set({ ground: grounds[(grounds.indexOf(ground()) + 1) % grounds.length] });

function wheel(e) {
  if (!S.scene) return;
  e.preventDefault();
  if (e.ctrlKey || e.metaKey) {
    const now = place.k * ratio();
    scaleTo(clamp(now * Math.exp(-clamp(e.deltaY, -50, 50) / 100), 0.05, 32), e);
  } else if (S.scale) {
    pan = [pan[0] - (e.shiftKey ? e.deltaY : e.deltaX), pan[1] - (e.shiftKey ? 0 : e.deltaY)];
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
  stage.addEventListener('pointerdown', (e) => {
    if (e.button !== 1) return;
    e.preventDefault();
    const from = [...pan];
    drag(e, (dx, dy) => { pan = [from[0] + dx, from[1] + dy]; lay(); });
  });
  menu($('scale'), () => [
    { text: 'Fit', note: '1', checked: S.scale === 0, act: () => scaleTo(0) },
    ...[0.5, 1, 2, 4].map((s) => ({
      text: `${s * 100} %`, note: s === 1 ? '2' : '', checked: S.scale === s, act: () => scaleTo(s),
    })),
  ]);
  menu($('ground'), () => grounds.map((g) => ({
    text: { scene: 'As in the scene', checker: 'Checkerboard', white: 'White', black: 'Black' }[g],
    checked: ground() === g, act: () => set({ ground: g }),
  })));
  click('guides', () => set({ guides: !S.guides }));
  paint('guides', () => $('guides').setAttribute('aria-pressed', String(S.guides)));
  paint('ground scene', () => { stage.dataset.ground = ground(); });
}
