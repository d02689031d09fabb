"use strict";

const net = require("node:net");
const { setTimeout: sleep } = require("node:timers/promises");
const { inParallel } = require("../servers/client.js");
const { setAttributes } = require("../servers/rows.js");

/** What one org does with large users and with sessions, see `guard/attacks.js`. */

const PAGE = 200;

/** The users of the first slice of a search. */
const SLICE = 1_024;

const READERS = 16;

/** In milliseconds: how long readers read nothing, and sessions are asked for. */
const IDLE = 8_000;
const FLOOD = 5_000;

const LIST = `/api/v1/users?limit=${PAGE}`;

const loginOf = (index) => `user${index}@hostile.example`;

/** Users with as many texts of the greatest length as make `bytes`. */
const storeUsers =
  (count, bytes) =>
  ({ database, orgId, scale }) => {
    const logins = Array.from({ length: scale(count) }, (_, index) => loginOf(index));
    const texts = Math.floor(bytes / 2_052);
    const attributes = Object.fromEntries(
      Array.from({ length: Math.ceil(texts / 96) }, (_, attribute) => [
        `a${attribute}`,
        Array.from({ length: Math.min(96, texts - attribute * 96) }, () => "x".repeat(2_048)),
      ]),
    );
    return setAttributes(database, orgId, logins, () => attributes);
  };

/** Not parsed: only the server's work counts. */
function list({ hostile }) {
  return hostile.send(LIST, { timeout: 120_000 });
}

async function listIdle({ server, token }) {
  const sockets = Array.from({ length: READERS }, () => {
    const socket = net.connect({ host: server.host, port: server.port }, () => {
      socket.pause();
      socket.write(
        [
          `GET ${LIST} HTTP/1.1`,
          "Host: hostile.localhost",
          "X-Forwarded-Proto: https",
          `Authorization: SVC ${token}`,
          "",
          "",
        ].join("\r\n"),
      );
    });
    return socket.on("error", () => undefined);
  });
  await sleep(IDLE);
  for (const socket of sockets) socket.destroy();
  return { status: "none read", text: "" };
}

function search({ hostile }) {
  return hostile.send(`/api/v1/users?limit=1&search=${encodeURIComponent('profile.nothing co "yyy"')}`, {
    timeout: 120_000,
  });
}

/** Ask for sessions with links and tokens that nobody has. */
async function askForSessions({ anonymous }) {
  const end = Date.now() + FLOOD;
  const statuses = {};
  let number = 0;
  await inParallel(64, 64, async () => {
    while (Date.now() < end) {
      const address = `198.51.${number % 100}.${number++ % 250}`; // one alone is soon refused
      const { status } = await anonymous.send("/console/session", {
        method: "POST",
        headers: { Origin: "https://hostile.localhost", "X-Forwarded-For": address },
        body: { code: "0".repeat(40) },
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  const [status, count] = Object.entries(statuses).sort(([, a], [, b]) => b - a)[0];
  return { status: `${count} × ${status}`, text: "" };
}

module.exports = {
  "users-list": { row: 3, users: PAGE, store: storeUsers(PAGE, 970_000), attack: list },
  "users-idle": { row: 3, users: PAGE, store: storeUsers(PAGE, 970_000), attack: listIdle },
  "users-search": { row: 6, users: SLICE, store: storeUsers(SLICE, 200_000), attack: search },
  sessions: { row: 6, store: () => Promise.resolve(), attack: askForSessions },
};
