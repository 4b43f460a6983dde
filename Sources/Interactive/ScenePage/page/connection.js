// SPDX-License-Identifier: MIT
import { busy, during } from './activity.js';
import { state, set } from './store.js';

const base = new URL('.', location.href);
/** @type {WebSocket | null} */
let socket = null;
let nextId = 1;
let failures = 0;
let ended = false;
/** @type {Map<number, {resolve: (x: any) => void, at: number}>} */
const waiting = new Map();
/** @type {Record<string, (e: any) => void>} */
const handlers = {};
/** Called with frames that the server sends without a request. */
let pushed = () => {};
/** The events received before all modules were loaded; `null` afterward. @type {any[] | null} */
let early = [];
const modulesLoad = busy('modules');
/** Called when the server has sent the state of the scene or the connection is lost. */
let greeted = () => {};
/** The response to the first `scene` request, which is sent in advance.
 * @type {{rev: number, answer: Promise<any>} | null} */
let firstScene = null;

export function onEvent(name, fn) {
  handlers[name] = fn;
}

export function onPush(fn) {
  pushed = fn;
}

/** Returns the URL of a server resource. @type {(path: string, query?: any) => string} */
export function address(path, query) {
  const url = new URL(path, base);
  for (const [k, v] of Object.entries(query ?? {})) url.searchParams.set(k, String(v));
  return url.href;
}

/** Sends a request. The response has `error` on failure. A frame has its `bytes` and the response time
 * `ms`.
 * @type {(what: string, args?: any) => Promise<any>} */
export function ask(what, args) {
  if (socket?.readyState !== WebSocket.OPEN) return Promise.resolve({ error: 'closed' });
  const id = nextId++;
  socket.send(JSON.stringify({ id, do: what, ...args }));
  return during(`request ${what}`, new Promise((resolve) => waiting.set(id, { resolve, at: performance.now() })));
}

function answer(id, it) {
  const asked = waiting.get(id);
  waiting.delete(id);
  if (!asked) return false;
  it.took = performance.now() - asked.at;
  asked.resolve(it);
  return true;
}

const utf8 = new TextDecoder();

function receive(data) {
  if (typeof data === 'string') {
    const it = JSON.parse(data);
    if (it.event === 'rev' || it.event === 'broken') greeted();
    if (it.event && early) {
      early.push(it);
      if (it.event === 'rev' && it.view === 'main') {
        firstScene = { rev: it.rev, answer: ask('scene', { view: 'main', rev: it.rev }) };
      }
    } else if (it.event) handlers[it.event]?.(it);
    else if (!answer(it.id, it) && it.id === 0) pushed(it);
    return;
  }
  const length = new DataView(data).getUint32(0);
  const it = JSON.parse(utf8.decode(new Uint8Array(data, 4, length)));
  it.bytes = new Uint8Array(data, 4 + length);
  if (!answer(it.id, it)) pushed(it);
}

/** Returns the scene from the response in advance or from a new request. */
export function askScene(view, rev) {
  const first = view === 'main' && firstScene?.rev === rev ? firstScene : null;
  firstScene = null;
  return first ? first.answer : ask('scene', { view, rev });
}

/** Handles the events that arrived while the modules were loading. */
export function begin() {
  const events = early ?? [];
  early = null;
  for (const it of events) handlers[it.event]?.(it);
  modulesLoad();
}

/** Opens the socket and reopens it whenever the connection is lost. */
function connect() {
  const url = new URL('ws', base);
  url.protocol = url.protocol.replace('http', 'ws');
  const it = new WebSocket(url, 'scenec.' + state.build);
  socket = it;
  greeted = busy('connection');
  it.binaryType = 'arraybuffer';
  it.onopen = () => {
    failures = 0;
    ended = false;
  };
  it.onmessage = (event) => receive(event.data);
  it.onclose = () => {
    if (socket !== it) return;
    socket = null;
    greeted();
    for (const id of [...waiting.keys()]) answer(id, { error: 'closed' });
    set({ link: ended ? 'ended' : 'lost', playing: 0 });
    failures += 1;
    if (failures > 1) compareBuilds();
    const pause = Math.min(3000, 100 * 2 ** failures) * (0.75 + Math.random() / 2);
    setTimeout(connect, document.hidden ? 4 * pause : pause);
  };
}

/** Reloads the page if the server has a different build, which would reject the socket. */
async function compareBuilds() {
  try {
    const text = await during('page', fetch(base, { cache: 'no-store' }).then((r) => r.text()));
    const build = /name="build" content="([^"]*)"/.exec(text)?.[1];
    if (build && build !== state.build) location.reload();
  } catch {
    // The server is not running yet.
  }
}

onEvent('bye', () => { ended = true; });
onEvent('hello', (message) => {
  if (message.build && message.build !== state.build) return location.reload();
  set({
    link: 'open', file: message.file ?? '', readOnly: !!message.readOnly, editor: !!message.editor,
    live: !!message.live, push: message.push !== false, folder: message.dir ?? '',
  });
});

connect();
