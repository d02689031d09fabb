"use strict";

const { once } = require("node:events");
const net = require("node:net");
const { hold } = require("./children.js");

/** A way to a server that can be cut, and that can hang: it then accepts and passes nothing on. */
class Proxy {
  #target;
  #sockets = new Set();
  #waiting = new Set();
  #stranded = new WeakSet();
  #server = net.createServer((client) => this.#accept(client));
  #hangs = false;
  #release = hold(() => this.cut());

  static async to(port) {
    const proxy = new Proxy();
    proxy.#target = { host: "127.0.0.1", port };
    await proxy.#listen(0);
    proxy.port = proxy.#server.address().port;
    return proxy;
  }

  /** Lead new connections to another port. */
  lead(port) {
    this.#target = { host: "127.0.0.1", port };
  }

  /** Let the connections of now neither pass anything on nor break, as those to a machine that is gone. */
  strand() {
    for (const socket of this.#sockets) {
      socket.pause();
      this.#stranded.add(socket);
    }
  }

  /** Break all connections and refuse new ones. */
  async cut() {
    for (const socket of [...this.#sockets, ...this.#waiting]) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, "close");
  }

  hang() {
    this.#hangs = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Pass everything on again, also what was sent meanwhile. */
  async restore() {
    if (!this.#server.listening) await this.#listen(this.port);
    this.#hangs = false;
    for (const socket of this.#sockets) if (!this.#stranded.has(socket)) socket.resume();
    for (const client of this.#waiting) this.#join(client);
    this.#waiting.clear();
  }

  close() {
    return this.#release();
  }

  #accept(client) {
    client.on("error", () => client.destroy());
    if (!this.#hangs) return this.#join(client);
    this.#waiting.add(client);
    client.once("close", () => this.#waiting.delete(client));
  }

  #join(client) {
    const upstream = net.connect(this.#target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ]) {
      this.#sockets.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => to.destroy());
      from.once("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }

  async #listen(port) {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
  }
}

module.exports = { Proxy };
