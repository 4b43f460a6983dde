// SPDX-License-Identifier: MIT
'use strict';

const { spawn } = require('child_process');

const CANCELLED = -32800;
const MODIFIED = -32801;

/** An error response of a server. */
class ResponseError extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

/** Parses messages from the bytes of a pipe. */
class FrameReader {
  constructor() {
    this.bytes = Buffer.alloc(0);
  }

  /** Adds bytes, and returns the messages that are complete. */
  add(more) {
    this.bytes = Buffer.concat([this.bytes, more]);
    const messages = [];
    for (;;) {
      const end = this.bytes.indexOf('\r\n\r\n');
      if (end < 0) return messages;
      const length = /content-length: *(\d+)/i.exec(this.bytes.toString('latin1', 0, end));
      const start = end + 4;
      const count = length ? Number(length[1]) : 0;
      if (this.bytes.length < start + count) return messages;
      if (length) messages.push(JSON.parse(this.bytes.toString('utf8', start, start + count)));
      this.bytes = this.bytes.subarray(start + count);
    }
  }
}

/** A server that runs as a process and speaks JSON-RPC. */
class Client {
  constructor(command, words, options) {
    this.waiting = new Map();
    this.handlers = new Map();
    this.lastId = 0;
    this.isEnded = false;
    this.process = spawn(command, words, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => {
      this.process.on('error', (error) => resolve(error.message));
      this.process.on('exit', (code, signal) => resolve(signal || `exit code ${code}`));
    });
    this.ended.then((reason) => this.end(reason));
    const reader = new FrameReader();
    this.process.stdout.on('data', (bytes) => reader.add(bytes).forEach((it) => this.take(it)));
    // The server has exited, which `ended` reports.
    this.process.stdin.on('error', () => {});
  }

  /** Registers a handler for a notification or request of the server. */
  on(method, handler) {
    this.handlers.set(method, handler);
  }

  notify(method, params) {
    this.write({ method, params });
  }

  /** Returns the result; `undefined` if the request was canceled or refers to an older text. */
  request(method, params, token) {
    if (this.isEnded) return Promise.resolve(undefined);
    const id = (this.lastId += 1);
    return new Promise((resolve, reject) => {
      const listener = token?.onCancellationRequested(() => this.notify('$/cancelRequest', { id }));
      this.waiting.set(id, { resolve, reject, listener });
      this.write({ id, method, params });
    });
  }

  /** Shuts the server down, and kills it if it does not exit. */
  async stop() {
    const late = setTimeout(() => this.process.kill(), 2000);
    try {
      await this.request('shutdown');
      this.notify('exit');
      await this.ended;
    } finally {
      clearTimeout(late);
    }
  }

  write(message) {
    if (this.isEnded) return;
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  take(message) {
    if (message.method === undefined) return this.answer(message);
    const handler = this.handlers.get(message.method);
    if (message.id === undefined) return handler?.(message.params);
    if (!handler) {
      const error = { code: -32601, message: `unknown request '${message.method}'` };
      return this.write({ id: message.id, error });
    }
    return Promise.resolve(handler(message.params)).then(
      (result) => this.write({ id: message.id, result: result ?? null }),
      (error) => this.write({ id: message.id, error: { code: -32603, message: error.message } }),
    );
  }

  answer({ id, result, error }) {
    const request = this.waiting.get(id);
    if (!request) return;
    this.waiting.delete(id);
    request.listener?.dispose();
    if (!error) request.resolve(result);
    else if (error.code === CANCELLED || error.code === MODIFIED) request.resolve(undefined);
    else request.reject(new ResponseError(error));
  }

  end() {
    this.isEnded = true;
    for (const { resolve, listener } of this.waiting.values()) {
      listener?.dispose();
      resolve(undefined);
    }
    this.waiting.clear();
  }
}

module.exports = { Client, FrameReader };
