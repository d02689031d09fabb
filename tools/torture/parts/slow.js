"use strict";

const { fork } = require("node:child_process");
const { once } = require("node:events");
const path = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");
const { formatDuration } = require("../format.js");
const { beQuiet } = require("../load/quiet.js");
const { formatBytes } = require("../format.js");
const { hold } = require("../servers/children.js");
const { Client } = require("../servers/client.js");
const { createDatabase } = require("../servers/databases.js");
const { createEthernetAddress } = require("../servers/ethernet-address.js");
const { org } = require("../servers/orgs.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");

const MANNERS = ["headers", "bodies", "readers"];

const CLIENTS = 1_000;

/** In seconds. */
const WATCH = 20;
const PATIENCE = 120;

/** In seconds: what is shorter has too few requests for a p99. */
const MIN_WATCH = 5;

const MAX_RATIO = 2;
const USERS = 50;

async function run(manner, { count }) {
  const { address: host, remove } = manner === "readers" ? createEthernetAddress() : {};
  const database = await createDatabase("sqlite");
  await importDocument(database, { orgs: [org("quiet", { users: USERS }), org("slow")] });
  const token = await createToken(database, "quiet");
  const slowToken = await createToken(database, "slow");
  const server = await startServer(database, { host, args: ifSupported("--rate-limits", "off") });
  const client = new Client(server, { org: "quiet", token });
  const seconds = count(WATCH);
  await beQuiet(client, Math.min(3, seconds), { users: USERS }); // until the code is warm
  const alone = await beQuiet(client, seconds, { users: USERS });

  const clients = count(CLIENTS);
  const child = fork(path.join(__dirname, "../load/slow-clients.js"));
  const release = hold(() => child.kill("SIGKILL"));
  const opened = once(child, "message").then(() => Date.now());
  child.send({ host: server.host, port: server.port, manner, count: clients, token: slowToken });
  const beside = await beQuiet(client, seconds, { users: USERS });
  const start = await opened;
  client.close();
  const { resident, connections } = await server.usage();
  let open = clients;
  while (open > 0 && Date.now() - start < PATIENCE * 1_000) {
    await sleep(500);
    open = (await server.usage()).connections;
  }
  const gone = (Date.now() - start) / 1_000;
  release();
  await server.stop();
  await database.remove();
  remove?.();

  const ratio = beside.p99 / alone.p99;
  const faults = [...alone.faults, ...beside.faults];
  if (open > 0) faults.push(`${open} of ${clients} were still connected after ${PATIENCE} s`);
  if (seconds >= MIN_WATCH && ratio > MAX_RATIO)
    faults.push(`the p99 of the normal client was ${ratio.toFixed(1)} times its p99 alone`);
  return {
    tried: clients,
    survived: clients - open,
    faults,
    versions: database.versions,
    figures: {
      "p99 of the normal client alone, and beside them": `${formatDuration(alone.p99)} and ${formatDuration(beside.p99)}, ${ratio.toFixed(2)} times`,
      "connected at the end of that time": String(connections),
      "the last one was gone": open > 0 ? "never" : `after ${gone.toFixed(0)} s`,
      "resident memory beside them": formatBytes(resident),
    },
  };
}

module.exports = {
  name: "slow",
  claim: `${CLIENTS.toLocaleString("en-US")} clients that send a header byte by byte, as many that send a body so, and as many that
ask for 1.7 MB every two seconds and read nothing, beside a normal client. They belong to another org. Held: all of them are gone
within two minutes, the normal client gets 200 every time, and its p99 is at most ${MAX_RATIO} times its p99 alone. The server has
its default settings, but no rate limits, which would refuse most of them at once.`,
  runs: MANNERS.map((manner) => ({
    name: manner,
    unit: "slow clients",
    total: CLIENTS,
    run: (context) => run(manner, context),
  })),
};
