"use strict";

const net = require("node:net");
const { performance } = require("node:perf_hooks");
const { clearTimeout, setImmediate, setTimeout } = require("node:timers");

/** In milliseconds: a connection that is still open so long after all was sent hangs. */
const PATIENCE = 10_000;

/** The most bytes that are sent one by one. */
const MAX_DRIPS = 400;

/**
 * Send what an exchange says, and collect what comes until the server closes the connection.
 *
 * @param connect makes the connection
 * @returns `{ text, wait, isOpen }`: latin1, the milliseconds between the last byte and the end, whether it hung
 */
function perform(exchange, connect) {
  return new Promise((resolve) => {
    const socket = connect();
    const chunks = [];
    let sent = performance.now();
    const timer = setTimeout(() => end(true), PATIENCE);
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined); // a reset is one way to refuse
    socket.on("close", () => end(false));
    write(socket, exchange, () => {
      sent = performance.now();
      if (exchange.finish === "half-close") socket.end();
      if (exchange.finish === "destroy") socket.destroy();
    });

    function end(isOpen) {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: chunks.join(""), wait: performance.now() - sent, isOpen });
    }
  });
}

function write(socket, { bytes, pace }, done) {
  if (pace === "whole") return socket.write(bytes, done);
  const size = pace === "drip" ? Math.max(1, Math.ceil(bytes.length / MAX_DRIPS)) : Math.ceil(bytes.length / 4);
  let offset = 0;
  const next = () => {
    if (socket.destroyed || offset >= bytes.length) return done();
    socket.write(bytes.subarray(offset, offset + size));
    offset += size;
    setImmediate(next);
  };
  socket.once("connect", next);
}

function connectTcp(port) {
  return () => net.connect({ host: "127.0.0.1", port });
}

module.exports = { connectTcp, perform };
