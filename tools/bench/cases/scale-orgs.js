"use strict";

const { Agent, request } = require("node:http");
const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { URL } = require("node:url");
const { p99 } = require("../../kit/statistics.js");
const { formatRow } = require("../rows.js");
const { createDatabase } = require("../stores/databases.js");
const { addOrgs, domainOf } = require("../stores/orgs.js");
const { startServer } = require("../stores/program.js");

const ORGS = 10_000;
const RULES = 100;
const USERS = 100;
const PROCESSES = 4;

/** Orgs whose first response is timed, one after the other, at each process. */
const COLD = 500;

/** Changes a second in other orgs, for so many seconds, while one org is watched. */
const CHANGES = 100;
const CHANGED_ORGS = 1_000;
const SECONDS = 20;

/** In milliseconds: between two questions whether a process has seen a change. To ask is work for the same processors. */
const POLL = 10;

const agent = new Agent({ keepAlive: true });

/** Many orgs on several processes: the first response of an org, memory, and how soon all of them see a change. */
module.exports = [{ name: "scale/orgs", measure }];

async function measure() {
  const database = await createDatabase("postgresql");
  const servers = [];
  try {
    const added = await addOrgs(database, { count: ORGS, rules: RULES, users: USERS });
    for (let index = 0; index < PROCESSES; index++) {
      const server = startServer(database, { execArgv: ["--expose-gc"] });
      servers.push(server);
      server.url = await server.listening();
      await ask(server, 0); // what is compiled once
    }
    const [[{ size }]] = await database.run(["select pg_database_size(current_database()) as size"]);
    const cold = await timeColdOrgs(servers);
    await visitAll(servers);
    const users = await timeUsers(servers, added);
    const resident = await Promise.all(servers.map(readMemory));
    const seen = await timeChanges(servers, added);
    return [
      row("disk-of-one", "KB", [Number(size) / 2 ** 10 / ORGS]),
      row("cold", "ms", cold),
      row("cold-99-percent", "ms", [p99(cold)]),
      row("user", "ms", users),
      row("resident", "MB", resident),
      row("change-seen", "ms", seen),
      row("change-seen-last", "ms", [Math.max(...seen)]),
    ];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  }
}

function row(figure, unit, ours) {
  return formatRow({ name: `scale/orgs/${figure}`, unit, samples: { ours } });
}

async function timeColdOrgs(servers) {
  const times = [];
  for (let index = 1; index <= COLD; index++) {
    for (const server of servers) {
      const start = performance.now();
      await ask(server, index);
      times.push(performance.now() - start);
    }
  }
  return times;
}

/** Each process has answered for each org. */
async function visitAll(servers) {
  await Promise.all(
    servers.map(async (server) => {
      for (let index = 0; index < ORGS; index++) await ask(server, index);
    }),
  );
}

/** In milliseconds: one user of an org that was not asked for a user before. */
async function timeUsers(servers, { token }) {
  const times = [];
  for (let index = 0; index < COLD; index++) {
    const path = `/api/v1/users/joe.${index % USERS}@example.com`;
    const start = performance.now();
    const { status } = await send(servers[0], index, { path, headers: { Authorization: `SVC ${token}` } });
    if (status !== 200) throw new Error(`A user is answered with ${status}`);
    times.push(performance.now() - start);
  }
  return times;
}

async function readMemory(server) {
  await server.usage({ collect: true }); // what it collects the first time is gone the second
  return (await server.usage({ collect: true })).resident / 2 ** 20;
}

/** In milliseconds: from the response to a change until the last process answers by it. Other orgs change all the time. */
async function timeChanges(servers, { token, policy, rules }) {
  let isDone = false;
  const busy = changeOthers(() => isDone);
  const times = [];
  const end = performance.now() + SECONDS * 1_000;
  for (let round = 0; performance.now() < end; round++) {
    const isActive = round % 2 === 1;
    await change(servers[round % PROCESSES], 0, isActive);
    const start = performance.now();
    const seen = servers.map(async (server) => {
      while ((await ask(server, 0)).includes("Second") !== isActive) await sleep(POLL);
    });
    await Promise.all(seen);
    times.push(performance.now() - start);
    await sleep(200);
  }
  isDone = true;
  const changes = await busy;
  if (changes < CHANGES * SECONDS * 0.9) throw new Error(`There were only ${changes} changes in ${SECONDS} s`);
  return times;

  async function changeOthers(isOver) {
    const start = performance.now();
    const changes = [];
    while (!isOver()) {
      while (changes.length < ((performance.now() - start) / 1_000) * CHANGES) {
        const round = Math.floor(changes.length / CHANGED_ORGS);
        const changing = change(
          servers[changes.length % PROCESSES],
          1 + (changes.length % CHANGED_ORGS),
          round % 2 === 1,
        );
        changing.catch(() => undefined); // told at the end
        changes.push(changing);
      }
      await sleep(5);
    }
    return (await Promise.all(changes)).length;
  }

  async function change(server, org, isActive) {
    const path = `/api/v1/policies/${policy}/rules/${rules[0]}/lifecycle/${isActive ? "activate" : "deactivate"}`;
    const { status, text } = await send(server, org, {
      method: "POST",
      path,
      headers: { Authorization: `SVC ${token}` },
    });
    if (status >= 300) throw new Error(`A change is answered with ${status}: ${text}`);
  }
}

/** The provider of a login that two rules match. */
async function ask(server, org) {
  const path = `/.well-known/webfinger?resource=svc:acct:joe@${domainOf(RULES - 1)}`;
  const { status, text } = await send(server, org, { path });
  if (status !== 200) throw new Error(`WebFinger answers ${status}: ${text}`);
  return text;
}

function send({ url }, org, { method = "GET", path, headers }) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: { Host: `org-${org}.localhost`, "X-Forwarded-Proto": "https", ...headers },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode, text }));
      },
    );
    sent.on("error", reject).end();
  });
}
