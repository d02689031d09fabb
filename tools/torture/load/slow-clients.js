"use strict";

/** A process that opens connections to `host` and `port`, and is slow on all of them in the `manner` that the message says. */
const net = require("node:net");
const os = require("node:os");
const { setInterval } = require("node:timers");
const { setTimeout: sleep } = require("node:timers/promises");

/** In milliseconds: between two bytes, or two requests of a reader. */
const PACE = 2_000;

/** In milliseconds: between two connections. Their requests are work; slow clients are not to be a flood. */
const INTERVAL = 10;

/** The largest response of the server. It fills every buffer between it and a reader who reads nothing. */
const LARGEST = "/api/docs/swagger-ui-bundle.js";

const head = (method, target, lines) =>
  [`${method} ${target} HTTP/1.1`, "Host: slow.localhost", "X-Forwarded-Proto: https", ...lines, ""].join("\r\n");

const MANNERS = {
  headers(socket) {
    socket.write(head("GET", "/", []));
    repeat(socket, "X");
  },

  bodies(socket, token) {
    const lines = [`Authorization: SVC ${token}`, "Content-Type: application/json", "Content-Length: 100000"];
    socket.write(`${head("POST", "/api/v1/users", lines)}\r\n{`);
    repeat(socket, " ");
  },

  readers(socket) {
    const request = `${head("GET", LARGEST, [])}\r\n`;
    socket.pause();
    socket.write(request);
    repeat(socket, request);
  },
};

process.on("disconnect", () => process.exit());
process.on("message", async ({ host, port, manner, count, token }) => {
  for (let number = 0; number < count; number++) {
    await connect({ host, port }, (socket) => MANNERS[manner](socket, token));
    await sleep(INTERVAL);
  }
  process.send("opened");
});
os.setPriority(os.constants.priority.PRIORITY_LOW);

function connect(server, begin) {
  return new Promise((resolve) => {
    const socket = net.connect({ ...server, allowHalfOpen: false }, () => {
      begin(socket);
      resolve();
    });
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
    if (socket.readableFlowing !== false) socket.on("data", () => undefined);
  });
}

/** Send `text` again and again, slowly. */
function repeat(socket, text) {
  const timer = setInterval(() => (socket.destroyed ? clear() : socket.write(text)), PACE);
  const clear = () => timer.close();
  socket.once("close", clear);
}
