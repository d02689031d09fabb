"use strict";

const { setTimeout: sleep } = require("node:timers/promises");
const attacks = { ...require("../guard/rules.js"), ...require("../guard/bodies.js"), ...require("../guard/users.js") };
const { median } = require("../../kit/statistics.js");
const { formatBytes, formatDuration } = require("../format.js");
const { Client } = require("../servers/client.js");
const { createDatabase, ENGINES } = require("../servers/databases.js");
const { org, rule } = require("../servers/orgs.js");
const { findOrgId } = require("../servers/rows.js");
const { createToken, importDocument } = require("../servers/server.js");
const { WatchedServer } = require("../servers/watched.js");

/** In milliseconds: what a neighbour may wait. In bytes: what the server may take above rest. */
const MAX_WAIT = 100;
const MAX_MEMORY = 100 * 2 ** 20;

const ROUNDS = 3;

/** What takes longer than this (in milliseconds) is not tried again: no noise is so loud. */
const ENOUGH = 1_000;

/** @param name of one of the attacks */
async function run(engine, name, { count }) {
  const { store, attack, users = 1 } = attacks[name];
  const database = await createDatabase(engine);
  const zones = [{ name: "Zone", gateways: [{ type: "CIDR", value: "203.0.113.0/24" }] }];
  const orgs = [
    org("quiet", { users: 1 }),
    { ...org("hostile", { users: count(users) }), zones, rules: [rule("First", "nowhere.example")] },
  ];
  await importDocument(database, { orgs });
  const [quietToken, token] = [await createToken(database, "quiet"), await createToken(database, "hostile")];
  const orgId = await findOrgId(database, "hostile");
  await store({ database, orgId, scale: count });
  const watched = await WatchedServer.start(database, { neighbour: { org: "quiet", token: quietToken } });
  const hostile = new Client(watched.server, { org: "hostile", token, address: "198.51.100.1" });
  const anonymous = new Client(watched.server, { org: "hostile", address: "198.51.100.2" });
  const [{ id: policyId }] = (await hostile.send("/api/v1/policies?type=IDP_DISCOVERY")).body;
  await anonymous.send("/.well-known/webfinger?resource=svc:acct:nobody"); // its rules are compiled

  const quiet = await watched.measure(() => sleep(1_000));
  const rounds = [];
  while (rounds.length < ROUNDS && !rounds.some(({ webfinger }) => webfinger > ENOUGH)) {
    const call = { server: watched.server, hostile, anonymous, token, policyId };
    rounds.push(await watched.measure(() => attack(call).catch((error) => ({ status: error.message, text: "" }))));
  }
  hostile.close();
  anonymous.close();
  const lives = watched.server.isRunning;
  await watched.stop();
  await database.remove();
  return judge(rounds, { quiet, lives, versions: database.versions });
}

function judge(rounds, { quiet, lives, versions }) {
  const middle = (member) => median(rounds.map((round) => round[member]));
  const [webfinger, write, turn, memory] = ["webfinger", "write", "turn", "memory"].map(middle);
  const faults = lives ? [] : ["the server ended"];
  if (webfinger - quiet.webfinger > MAX_WAIT)
    faults.push(`a neighbour waited ${formatDuration(webfinger)} for WebFinger`);
  if (write - quiet.write > MAX_WAIT) faults.push(`a neighbour waited ${formatDuration(write)} for a write`);
  if (memory > MAX_MEMORY) faults.push(`the server took ${formatBytes(memory)} above rest`);
  const { status, text = "", duration } = rounds.at(-1).result;
  if (status === 500) faults.push(`the response was 500 ${text.slice(0, 200)}`);
  const refused = Object.entries(rounds.at(-1).refused).map(([name, number]) => `${number} × ${name}`);
  return {
    tried: 1,
    survived: faults.length === 0 ? 1 : 0,
    faults,
    versions,
    figures: {
      "slowest WebFinger and write of a neighbour": `${formatDuration(webfinger)} and ${formatDuration(write)}`,
      "the same without it": `${formatDuration(quiet.webfinger)} and ${formatDuration(quiet.write)}`,
      "longest turn of the event loop": formatDuration(turn),
      "memory above rest": formatBytes(memory),
      "the response": `${status}, ${text.length.toLocaleString("en-US")} characters${duration === undefined ? "" : ` after ${formatDuration(duration)}`}`,
      ...(refused.length > 0 && { "what the neighbour got instead of 200": refused.join(", ") }),
    },
  };
}

module.exports = {
  name: "guard",
  claim: `One org does what once made its neighbours wait for seconds, within the default quotas: 9,900 rules on an attribute of 100
long values; a JSON Patch of 740 KB, a pointer of 400,000 tokens; lists of users of 970 KB, also for 16 clients that read nothing;
bodies of 4 MiB with as many members as fit; 28,000 patterns with \`xn--\`; 10,000 rules with 300 zones, 64 platforms or a dynamic
provider; a search over large users; a flood of \`/console/session\`. Held: a neighbour's slowest WebFinger and write take at most
${MAX_WAIT} ms more than without it, and the server at most ${formatBytes(MAX_MEMORY)} above rest (medians of ${ROUNDS} rounds). The server has its default settings.`,
  runs: ENGINES.flatMap((engine) =>
    Object.keys(attacks).map((name) => ({
      name: `${engine}/${name}`,
      unit: "inputs",
      total: 1,
      run: (context) => run(engine, name, context),
    })),
  ),
};
