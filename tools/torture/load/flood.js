"use strict";

/**
 * A process that sends `count` mixed requests to `port`, pipelined on some connections, to `orgs` orgs. It tells of every
 * thousandth, and at the end what it got, by status.
 */
const net = require("node:net");
const { mixSeed, Random } = require("../random.js");

const CONNECTIONS = 16;
const PIPELINED = 8;

process.on("disconnect", () => process.exit());
process.on("message", async ({ port, count, orgs, token, tokenOrg, seed }) => {
  const statuses = {};
  const state = { left: count, statuses };
  const lanes = Array.from({ length: CONNECTIONS }, (_, lane) => {
    const random = new Random(mixSeed(seed, lane));
    return flood(port, state, () => createRequest(random, { orgs, token, tokenOrg }));
  });
  const problems = (await Promise.allSettled(lanes)).filter(({ status }) => status === "rejected");
  process.send({ statuses, problems: problems.map(({ reason }) => reason.message) });
});

function createRequest(random, { orgs, token, tokenOrg }) {
  const host = `org${random.integer(orgs)}`;
  const login = `user${random.integer(1_000_000)}@${random.pick(["a", "b", "c"])}.example`;
  const roll = random.fraction();
  if (roll < 0.65) return head(host, `/.well-known/webfinger?resource=svc:acct:${login}`);
  if (roll < 0.7) return head(host, `/sso/idps/SVC?login_hint=${login}`);
  if (roll < 0.75) return head(host, `/nowhere/${random.integer(1_000_000)}`);
  if (roll < 0.8) return head(`unknown${random.integer(1_000_000)}`, "/api/v1/users");
  if (roll < 0.85) return head(host, "/api/v1/users", "Authorization: SVC 0123456789012345678901234567890123456789");
  if (roll < 0.95) return head(tokenOrg, `/api/v1/users/${login}`, `Authorization: SVC ${token}`);
  return head(tokenOrg, "/api/v1/users?limit=5", `Authorization: SVC ${token}`);
}

function head(host, target, ...lines) {
  const all = [
    `GET ${target} HTTP/1.1`,
    `Host: ${host}.localhost`,
    "X-Forwarded-Proto: https",
    "X-Forwarded-For: 192.0.2.8",
    ...lines,
  ];
  return `${all.join("\r\n")}\r\n\r\n`;
}

/** Send some requests, wait for their responses, and so on; a connection that the server closes is made anew. */
async function flood(port, state, createOne) {
  while (state.left > 0) await useConnection(port, state, createOne);
}

function useConnection(port, state, createOne) {
  return new Promise((resolve, reject) => {
    let rest = "";
    let waiting = 0;
    const socket = net.connect({ host: "127.0.0.1", port }, sendSome).setEncoding("latin1").setNoDelay(true);
    socket.on("error", reject);
    socket.on("close", () => {
      state.left += waiting; // to be sent again
      resolve();
    });
    socket.on("data", (chunk) => {
      rest = readResponses(rest + chunk, (status) => {
        state.statuses[status] = (state.statuses[status] ?? 0) + 1;
        waiting -= 1;
      });
      if (waiting === 0) sendSome();
    });

    function sendSome() {
      if (state.left <= 0) return socket.end();
      const requests = Array.from({ length: Math.min(PIPELINED, state.left) }, createOne);
      waiting = requests.length;
      state.left -= waiting;
      socket.write(requests.join(""));
    }
  });
}

/** @returns what is not yet a whole response */
function readResponses(text, note) {
  let offset = 0;
  for (;;) {
    const end = text.indexOf("\r\n\r\n", offset);
    if (end === -1) break;
    const [, size = "0"] = /content-length: *(\d+)/i.exec(text.slice(offset, end)) ?? [];
    const next = end + 4 + Number(size);
    if (next > text.length) break;
    note(text.slice(offset + 9, offset + 12));
    offset = next;
  }
  return text.slice(offset);
}
