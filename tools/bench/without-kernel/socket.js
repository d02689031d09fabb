"use strict";

const { Buffer } = require("node:buffer");
const { Duplex } = require("node:stream");

/** The first byte of `HTTP/1.1`. */
const H = 72;

/** A stream in place of a connection: what a server writes is counted, and goes nowhere. */
class SocketDouble extends Duplex {
  remoteAddress = "10.0.0.9";
  remotePort = 1;
  encrypted = false;
  bytes = 0;

  /** Called with each response, once its head was written. */
  onResponse = undefined;

  /** Takes the text of what is written, if set. */
  onText = undefined;

  constructor() {
    super({ decodeStrings: false });
  }

  _read() {}

  _write(chunk, _encoding, callback) {
    this.#see(chunk);
    callback();
  }

  _writev(chunks, callback) {
    for (const { chunk } of chunks) if (chunk.length > 0) this.#see(chunk);
    callback();
  }

  #see(chunk) {
    this.bytes += Buffer.byteLength(chunk);
    this.onText?.(String(chunk));
    if (typeof chunk === "string" ? chunk.startsWith("HTTP/1.1") : chunk[0] === H) this.onResponse?.();
  }

  setTimeout() {
    return this;
  }

  setNoDelay() {
    return this;
  }

  setKeepAlive() {
    return this;
  }

  ref() {
    return this;
  }

  unref() {
    return this;
  }

  address() {
    return { address: "127.0.0.1", port: 80, family: "IPv4" };
  }
}

module.exports = { SocketDouble };
