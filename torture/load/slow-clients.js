"use strict";

/** A process that opens connections to `port` and is slow on all of them, in the `manner` that the message says. */
const net = require("node:net");
const os = require("node:os");
const { setInterval } = require("node:timers");
const { setTimeout: sleep } = require("node:timers/promises");

/** In milliseconds: between two bytes. */
const PACE = 2_000;

/** In milliseconds: between two connections. Their requests are work; slow clients are not to be a flood. */
const INTERVAL = 10;

/** How many requests a reader who reads nothing has sent: their responses fill every buffer on the way. */
const PIPELINED = 20;

const head = (method, target, lines) =>
  [`${method} ${target} HTTP/1.1`, "Host: slow.localhost", "X-Forwarded-Proto: https", ...lines, ""].join("\r\n");

const MANNERS = {
  headers(socket) {
    socket.write(head("GET", "/", []));
    drip(socket, "X-Slow: 1\r\n");
  },

  bodies(socket, token) {
    const lines = [`Authorization: SVC ${token}`, "Content-Type: application/json", "Content-Length: 100000"];
    socket.write(`${head("POST", "/api/v1/users", lines)}\r\n{`);
    drip(socket, " ");
  },

  readers(socket, token) {
    socket.pause();
    const request = `${head("GET", "/api/v1/users?limit=200", [`Authorization: SVC ${token}`])}\r\n`;
    socket.write(request.repeat(PIPELINED));
  },
};

process.on("disconnect", () => process.exit());
process.on("message", async ({ port, manner, count, token }) => {
  for (let number = 0; number < count; number++) {
    await connect(port, (socket) => MANNERS[manner](socket, token));
    await sleep(INTERVAL);
  }
  process.send("opened");
});
os.setPriority(os.constants.priority.PRIORITY_LOW);

function connect(port, begin) {
  return new Promise((resolve) => {
    const socket = net.connect({ host: "127.0.0.1", port, allowHalfOpen: false }, () => {
      begin(socket);
      resolve();
    });
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
    if (socket.readableFlowing !== false) socket.on("data", () => undefined);
  });
}

/** Bytes that never make a whole. */
function drip(socket, text) {
  const timer = setInterval(() => (socket.destroyed ? clear() : socket.write(text[0])), PACE);
  const clear = () => timer.close();
  socket.once("close", clear);
}
