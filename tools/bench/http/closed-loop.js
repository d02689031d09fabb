"use strict";

/**
 * A process that sends one request after the other on each of its connections, each when the response before has arrived, and
 * notes how long each took. It does little else, so the server is what is measured.
 */
const { Buffer } = require("node:buffer");
const net = require("node:net");
const { performance } = require("node:perf_hooks");

process.on("disconnect", () => process.exit());
process.on("message", async ({ port, path, body, connections, seconds }) => {
  const common = "HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*";
  const request = Buffer.from(
    body === undefined
      ? `GET ${path} ${common}\r\n\r\n`
      : `POST ${path} ${common}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const times = [];
  const end = performance.now() + seconds * 1_000;
  await Promise.all(Array.from({ length: connections }, () => ask(port, request, end, times)));
  process.send({ times });
});

/** Ask until `end`, over one connection. */
function ask(port, request, end, times) {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: "127.0.0.1", noDelay: true }, send).on("error", reject);
    let start;
    let missing = 0; // bytes of the body

    socket.on("data", (chunk) => {
      const arrived = missing === 0 ? chunk.length - measureHead(chunk) : chunk.length;
      if (missing === 0) missing = readLength(chunk);
      missing -= arrived;
      if (missing > 0) return;
      times.push(performance.now() - start);
      if (performance.now() < end) send();
      else resolve(socket.destroy());
    });

    function send() {
      start = performance.now();
      socket.write(request);
    }
  });
}

/** A server writes a header in one piece. */
function measureHead(chunk) {
  return chunk.indexOf("\r\n\r\n") + 4;
}

function readLength(chunk) {
  return Number(/content-length: (\d+)/i.exec(chunk.latin1Slice(0, measureHead(chunk)))[1]);
}
