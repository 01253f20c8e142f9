// Client: starts `diderotc lsp` and speaks JSON-RPC with it, in frames with a header of their length. It knows
// nothing of the editor.
"use strict";

const { spawn } = require("child_process");

const MAX_STARTS = 5; // of a server that ends by itself

class Client {
  // handlers: { notice(method, params), ended(message) }
  constructor(command, handlers) {
    this.command = command;
    this.handlers = handlers;
    this.starts = 0;
    this.open = new Map(); // documents by URI, to be opened again after a start
  }

  async start() {
    this.starts++;
    this.waiting = new Map();
    this.lastId = 0;
    this.input = Buffer.alloc(0);
    this.isStopping = false;
    const child = spawn(this.command, ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
    this.child = child;
    child.stdout.on("data", (chunk) => this.take(chunk));
    child.stdin.on("error", () => {});
    child.on("error", (error) => this.end(child, error.message));
    child.on("exit", (status) => this.end(child, `it ended with status ${status}`));
    const result = await this.request("initialize", {
      processId: process.pid,
      rootUri: null,
      capabilities: { general: { positionEncodings: ["utf-16"] } },
    });
    this.notify("initialized", {});
    for (const document of this.open.values()) this.notify("textDocument/didOpen", { textDocument: document() });
    return result.capabilities;
  }

  end(child, why) {
    if (child !== this.child) return;
    this.child = null;
    for (const { reject } of this.waiting.values()) reject(new Error(`${this.command} lsp: ${why}`));
    this.waiting.clear();
    if (this.isStopping) return;
    if (this.starts < MAX_STARTS && this.open.size > 0) this.start().catch(() => {});
    else this.handlers.ended(`${this.command} lsp: ${why}`);
  }

  async stop() {
    if (!this.child) return;
    this.isStopping = true;
    await this.request("shutdown", null);
    this.notify("exit", null);
  }

  // --- messages

  send(message) {
    if (!this.child) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.child.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params, token) {
    const id = ++this.lastId;
    if (!this.child) return Promise.reject(new Error(`${this.command} lsp does not run`));
    if (token) token.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  take(chunk) {
    this.input = Buffer.concat([this.input, chunk]);
    for (;;) {
      const end = this.input.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.input.toString("latin1", 0, end))[1]);
      if (this.input.length < end + 4 + length) return;
      const body = this.input.toString("utf8", end + 4, end + 4 + length);
      this.input = this.input.subarray(end + 4 + length);
      this.see(JSON.parse(body));
    }
  }

  see(message) {
    if (message.method) {
      this.handlers.notice(message.method, message.params);
      return;
    }
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!asked) return;
    if (message.error) asked.reject(new Error(message.error.message));
    else asked.resolve(message.result);
  }
}

module.exports = { Client };
