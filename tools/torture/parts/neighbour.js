"use strict";

const { fork } = require("node:child_process");
const { once } = require("node:events");
const path = require("node:path");
const { fillLog } = require("../../kit/events.js");
const { beQuiet } = require("../load/quiet.js");
const { median } = require("../../kit/statistics.js");
const { formatBytes, formatDuration } = require("../format.js");
const { hold } = require("../servers/children.js");
const { Client, inParallel, webfinger } = require("../servers/client.js");
const { createDatabase, ENGINES } = require("../servers/databases.js");
const { org } = require("../servers/orgs.js");
const { sharedCluster } = require("../servers/postgres.js");
const { createToken, importDocument, startServer } = require("../servers/server.js");

const ATTACKS = ["filters", "rules", "noise"];

/** In seconds: how long the quiet tenant is watched alone, and beside the hostile one, in each round. */
const WATCH = 12;
const ROUNDS = 3;

/** In seconds: what is shorter has too few requests for a p99. */
const MIN_WATCH = 5;

/** The hostile tenant has so many events. */
const EVENTS = 200_000;

const USERS = 50;

/** How many times its p99 alone the quiet tenant may wait. */
const MAX_RATIO = 2;

async function run(engine, attack, { count }) {
  const database = await createDatabase(engine);
  await importDocument(database, { orgs: [org("quiet", { users: USERS }), org("hostile", { users: 10 })] });
  const tokens = { quiet: await createToken(database, "quiet"), hostile: await createToken(database, "hostile") };
  if (attack === "filters") await fillHostileLog(database, count(EVENTS));
  const server = await startServer(database); // with its defaults: what it does against such tenants is on
  const quiet = new Client(server, { org: "quiet", token: tokens.quiet });
  const seconds = count(WATCH);
  const found = { alone: [], beside: [], tried: 0, faults: [], statuses: {} };
  await beQuiet(quiet, Math.min(3, seconds), { users: USERS }); // until the code is warm

  for (let round = 0; round < Math.min(ROUNDS, count(ROUNDS)); round++) {
    note(found, found.alone, await beQuiet(quiet, seconds, { users: USERS }));
    const end = startAttack(server, attack, tokens.hostile);
    note(found, found.beside, await beQuiet(quiet, seconds, { users: USERS }));
    await end(found.statuses);
  }
  const usage = server.isRunning ? await server.usage() : { resident: 0 };
  quiet.close();
  await server.stop();
  await database.remove();
  return judge(found, usage, { versions: database.versions, isLong: seconds >= MIN_WATCH });
}

function note(found, list, { p99, tried, faults }) {
  list.push(p99);
  found.tried += tried;
  found.faults.push(...faults);
}

function judge({ alone, beside, tried, faults, statuses }, { resident }, { versions, isLong }) {
  const ratio = median(beside) / median(alone);
  const failed = faults.length;
  const slow = isLong && ratio > MAX_RATIO ? [`its p99 was ${ratio.toFixed(1)} times its p99 alone`] : [];
  return {
    tried,
    survived: tried - failed,
    faults: [...faults, ...slow],
    versions,
    figures: {
      "p99 of the quiet tenant alone, and beside the hostile one": `${formatDuration(median(alone))} and ${formatDuration(median(beside))}, ${ratio.toFixed(2)} times`,
      "responses to the hostile tenant":
        Object.entries(statuses)
          .map(([status, number]) => `${number} × ${status}`)
          .join(", ") || "none",
      "resident memory at the end": formatBytes(resident),
    },
  };
}

/** @returns a function that ends the attack and adds what it got to `statuses` */
function startAttack({ port }, attack, token) {
  const child = fork(path.join(__dirname, "../load/attacker.js"));
  const release = hold(() => child.kill("SIGKILL"));
  child.send({ port, attack, token });
  return async (statuses) => {
    const reply = once(child, "message");
    child.send("stop");
    const [message] = await reply;
    for (const [status, number] of Object.entries(message.statuses))
      statuses[status] = (statuses[status] ?? 0) + number;
    release();
  };
}

/** Some events by requests, then copies of them. */
async function fillHostileLog(database, events) {
  const server = await startServer(database);
  const client = new Client(server, { org: "hostile" });
  await inParallel(200, 8, (index) => client.send(webfinger(`joe${index}@hostile.example`)));
  client.close();
  await server.stop();
  const run =
    database.engine === "sqlite"
      ? (statements) => runSqlite(database, statements)
      : (statements) => runPostgres(database, statements);
  const [[{ id }]] = await run(["select id from orgs where subdomain = 'hostile'"]);
  await fillLog({ engine: database.engine, run }, { orgId: id, count: events });
}

async function runSqlite({ dataFolder }, statements) {
  const Database = require("libsql");
  const connection = new Database(path.join(dataFolder, "etiquette.db"));
  try {
    return statements.map((statement) => {
      const prepared = connection.prepare(statement);
      return prepared.reader ? prepared.all() : prepared.run();
    });
  } finally {
    connection.close();
  }
}

async function runPostgres({ name }, statements) {
  const cluster = await sharedCluster();
  const results = [];
  for (const statement of statements) results.push(await cluster.query(statement, name));
  return results;
}

module.exports = {
  name: "neighbour",
  claim: `A hostile tenant at full speed beside a quiet one, who sends 50 requests a second: \`filters\` of 200 terms that no index
serves, over ${EVENTS.toLocaleString("en-US")} events; 24 \`rules\` of 1,000 patterns, changed again and again; anonymous \`noise\` with
paths of 15 KB from many addresses. Held: the quiet tenant gets 200 every time, and its p99 is at most ${MAX_RATIO} times its p99 alone
(medians of ${ROUNDS} rounds in turns). The server has its default settings.`,
  runs: ENGINES.flatMap((engine) =>
    ATTACKS.map((attack) => ({
      name: `${engine}-${attack}`,
      unit: "requests of the quiet tenant",
      total: 0,
      run: (context) => run(engine, attack, context),
    })),
  ),
};
