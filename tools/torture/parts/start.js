"use strict";

const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { median } = require("../../kit/statistics.js");
const { formatTime } = require("../format.js");
const { Client, webfinger } = require("../servers/client.js");
const { createDatabase, ENGINES } = require("../servers/databases.js");
const { org } = require("../servers/orgs.js");
const { mixSeed, Random } = require("../random.js");
const { importDocument, startServer } = require("../servers/server.js");

const ORGS = 10_000;
const STARTS = 20;

/** In milliseconds: from the start of the process to the first answer. */
const MAX_START = 5_000;

async function run(engine, { count, seed }) {
  const random = new Random(mixSeed(seed, "start"));
  const database = await createDatabase(engine);
  const orgs = count(ORGS);
  await importDocument(database, {
    orgs: Array.from({ length: orgs }, (_, index) => org(`org${index}`, { users: 2 })),
  });
  const found = { ready: [], answered: [], faults: [] };
  const starts = count(STARTS);
  for (let index = 0; index < starts; index++) await startOnce(database, `org${random.integer(orgs)}`, found);
  await database.remove();
  const slowest = Math.max(...found.answered);
  return {
    tried: starts,
    survived: found.answered.filter((time) => time <= MAX_START).length,
    faults: found.faults,
    versions: database.versions,
    figures: {
      "from the start to ready": describe(found.ready),
      "from the start to the first answer of WebFinger": describe(found.answered),
    },
    levels: [
      {
        level: `from the start to the first answer, with ${orgs.toLocaleString("en-US")} orgs on ${engine}`,
        target: `≤ ${formatTime(MAX_START)}`,
        measured: formatTime(slowest),
        isMet: slowest <= MAX_START,
      },
    ],
  };
}

async function startOnce(database, subdomain, { ready, answered, faults }) {
  const begin = performance.now();
  const server = await startServer(database);
  const probe = new Client(server);
  while ((await probe.send("/readyz")).text !== "ok\n") await sleep(10);
  ready.push(performance.now() - begin);
  const client = new Client(server, { org: subdomain });
  const { status, text } = await client.send(webfinger(`joe@${subdomain}.example`));
  answered.push(performance.now() - begin);
  if (status !== 200) faults.push(`the first answer was ${status} ${text}`);
  for (const one of [probe, client]) one.close();
  await server.stop();
}

function describe(times) {
  return `${formatTime(median(times))}, ${formatTime(Math.max(...times))} at most`;
}

module.exports = {
  name: "start",
  claim: `A server with ${ORGS.toLocaleString("en-US")} orgs starts again and again. Held: \`/readyz\` says \`ok\`, and an org has the first
answer of WebFinger, within ${MAX_START / 1_000} s after the start of the process.`,
  runs: ENGINES.map((engine) => ({
    name: engine,
    unit: "starts",
    total: STARTS,
    run: (context) => run(engine, context),
  })),
};
