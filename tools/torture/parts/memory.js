"use strict";

const { fork } = require("node:child_process");
const { once } = require("node:events");
const path = require("node:path");
const { median } = require("../../kit/statistics.js");
const { formatBytes } = require("../format.js");
const { hold } = require("../servers/children.js");
const { createDatabase } = require("../servers/databases.js");
const { org } = require("../servers/orgs.js");
const { mixSeed } = require("../random.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");

const REQUESTS = 5_000_000;
const ORGS = 10_000;

/** How often the memory is read. */
const SAMPLES = 40;

/** What the memory of the last quarter may be, as a multiple of that of the second. */
const MAX_GROWTH = 1.1;

async function run({ count, seed, say }) {
  const database = await createDatabase("sqlite");
  const orgs = count(ORGS);
  await importDocument(database, { orgs: Array.from({ length: orgs }, (_, index) => org(`org${index}`)) });
  const tokenOrg = "org0";
  const token = await createToken(database, tokenOrg);
  const server = await startServer(database, { args: ifSupported("--rate-limits", "off") });
  const child = fork(path.join(__dirname, "../load/flood.js"));
  const release = hold(() => child.kill("SIGKILL"));

  const requests = count(REQUESTS);
  const share = Math.ceil(requests / SAMPLES);
  const found = { statuses: {}, samples: [], faults: [], tried: 0 };
  for (let sample = 0; found.tried < requests && server.isRunning; sample++) {
    const reply = once(child, "message");
    child.send({
      port: server.port,
      count: Math.min(share, requests - found.tried),
      orgs,
      token,
      tokenOrg,
      seed: mixSeed(seed, sample),
    });
    const [{ statuses, problems }] = await reply;
    note(found, statuses, problems);
    found.samples.push(await server.usage({ collect: true }));
    if (sample % 10 === 9) say(`${found.tried}, ${formatBytes(found.samples.at(-1).resident)}`);
  }
  if (!server.isRunning) found.faults.push("the server ended");
  release();
  await server.stop();
  await database.remove();
  return judge(found, orgs, database.versions);
}

function note(found, statuses, problems) {
  for (const [status, number] of Object.entries(statuses)) {
    found.tried += number;
    found.statuses[status] = (found.statuses[status] ?? 0) + number;
    if (status >= 500) found.faults.push(`${number} × ${status}`);
  }
  found.faults.push(...problems);
}

function judge({ statuses, samples, faults, tried }, orgs, versions) {
  const figures = {};
  for (const [member, name] of [
    ["heap", "heap and buffers after a collection"],
    ["resident", "resident memory"],
  ]) {
    const [early, late] = [
      [1, 2],
      [3, 4],
    ].map(([from, to]) => median(quarter(samples, from, to).map((sample) => sample[member])));
    const ratio = late / early;
    figures[`${name} in the second and in the last quarter`] =
      `${formatBytes(early)} and ${formatBytes(late)}, ${ratio.toFixed(2)} times`;
    if (ratio > MAX_GROWTH && samples.length >= SAMPLES)
      faults.push(`${name}: ${ratio.toFixed(2)} times as much in the last quarter`);
  }
  const failed = Object.entries(statuses).reduce((sum, [status, number]) => sum + (status >= 500 ? number : 0), 0);
  const listed = Object.entries(statuses).map(([status, number]) => `${number.toLocaleString("en-US")} × ${status}`);
  return {
    tried,
    survived: tried - failed,
    faults,
    versions,
    figures: { orgs: orgs.toLocaleString("en-US"), responses: listed.join(", "), ...figures },
  };
}

/** The samples from one quarter to the next. */
function quarter(samples, from, to) {
  return samples.slice(Math.floor((samples.length * from) / 4), Math.max(1, Math.floor((samples.length * to) / 4)));
}

module.exports = {
  name: "memory",
  claim: `${REQUESTS.toLocaleString("en-US")} requests of all kinds to ${ORGS.toLocaleString("en-US")} orgs. Held: no 5xx, and heap and
resident memory in the last quarter are at most ${MAX_GROWTH} times those in the second: what is kept for orgs and clients is bounded.`,
  runs: [{ name: "sqlite", unit: "requests", total: REQUESTS, run }],
};
