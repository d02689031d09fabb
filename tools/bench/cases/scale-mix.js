"use strict";

const { formatRow } = require("../rows.js");
const { Unavailable } = require("../../kit/unavailable.js");
const { createDatabase } = require("../stores/databases.js");
const { addOrgs, domainOf } = require("../stores/orgs.js");
const { readProcessorTime } = require("../stores/processor.js");
const { startLoad, startServer } = require("../stores/program.js");

const ORGS = 200;
const RULES = 20;
const USERS = 100;

/** In seconds. The code of a process is warm after some 10,000 requests. */
const WARM_UP = 45;
const SAMPLE = 2;

const ROUNDS = 5;

/** Of ten requests seven are WebFinger, two read a user, and one changes a user. */
const MIX = [
  "discover",
  "discover",
  "read",
  "discover",
  "discover",
  "change",
  "discover",
  "discover",
  "read",
  "discover",
];

const REQUESTS = 1_000;

/** A mix of requests to several processes of the server, and to several nodes of a database. */
module.exports = [
  {
    name: "scale/processes",
    measure: () =>
      measure("scale/processes", {
        "one process": { engine: "postgresql", workers: 1 },
        "two processes": { engine: "postgresql", workers: 2 },
        "four processes": { engine: "postgresql", workers: 4 },
      }),
  },
  {
    name: "scale/nodes",
    measure: () =>
      measure("scale/nodes", {
        PostgreSQL: { engine: "postgresql", workers: 1 },
        "two nodes of Citus": { engine: "citus-2", workers: 1 },
        "three nodes of Citus": { engine: "citus-3", workers: 1 },
      }),
  },
];

/** For each: how long a request takes, by the clock and of the processors, those of the database included. */
async function measure(name, kinds) {
  const running = {};
  try {
    for (const [kind, options] of Object.entries(kinds)) running[kind] = await start(options);
    for (const server of Object.values(running)) await sample(server, WARM_UP);
    const samples = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [kind, server] of Object.entries(running)) samples[kind].push(await sample(server, SAMPLE));
    }
    const [first, ...others] = Object.keys(kinds);
    return others.flatMap((kind) =>
      ["time", "processor"].map((figure) =>
        formatRow({
          name: `${name}/${figure}/${kind}`,
          peerName: first,
          unit: "µs",
          samples: { ours: samples[kind].map((one) => one[figure]), peer: samples[first].map((one) => one[figure]) },
        }),
      ),
    );
  } finally {
    for (const { stop } of Object.values(running)) await stop();
  }
}

async function start({ engine, workers }) {
  const database = await createDatabase(engine);
  const added = await addOrgs(database, { count: ORGS, rules: RULES, users: USERS });
  const server = startServer(database, { args: ["--workers", String(workers)] });
  const load = startLoad();
  const url = await server.listening();
  return {
    pids: [server.pid, ...(await readPostmasters(database, engine))],
    ask: (seconds) => load.ask({ url, seconds, requests: createRequests(added) }),
    async stop() {
      await Promise.all([server.stop(), load.stop()]);
      await database.drop();
    },
  };
}

async function sample({ pids, ask }, seconds) {
  const before = pids.map(readProcessorTime);
  const { requests } = await ask(seconds);
  const used = pids.map(readProcessorTime).reduce((total, time, index) => total + time - before[index], 0);
  return { time: (seconds * 1e6) / requests, processor: used / requests };
}

/** The processes that started all others of the database's nodes. */
async function readPostmasters({ run }, engine) {
  const own = "pg_read_file('postmaster.pid')";
  const [rows] = await run([
    engine === "postgresql"
      ? `select ${own} as text`
      : `select result as text from run_command_on_all_nodes($$select ${own}$$)`,
  ]);
  const pids = rows.map(({ text }) => Number.parseInt(text, 10));
  if (pids.some((pid) => readProcessorTime(pid) === 0)) throw new Unavailable("PostgreSQL runs on another machine");
  return pids;
}

function createRequests({ token }) {
  return Array.from({ length: REQUESTS }, (_, index) => {
    const headers = { Host: `org-${(index * 7) % ORGS}.localhost`, "X-Forwarded-Proto": "https" };
    const credentials = { ...headers, Authorization: `SVC ${token}` };
    const user = `/api/v1/users/joe.${index % USERS}@example.com`;
    switch (MIX[index % MIX.length]) {
      case "discover":
        return { path: `/.well-known/webfinger?resource=svc:acct:joe@${domainOf(1 + (index % (RULES - 1)))}`, headers };
      case "read":
        return { path: user, headers: credentials };
      default:
        return {
          method: "POST",
          path: user,
          headers: { ...credentials, "Content-Type": "application/json" },
          body: JSON.stringify({ profile: { lastName: `Doe ${index}` } }),
        };
    }
  });
}
