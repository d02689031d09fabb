"use strict";

const { Client } = require("../servers/client.js");
const { findFreePort } = require("../servers/free-port.js");
const { createToken, importDocument } = require("../servers/server.js");
const { Balancer } = require("./balancer.js");
const { createWatch, RuleChanger, Suspender } = require("./changes.js");
const { ReplicatedDatabase } = require("./database.js");
const { Node } = require("./fleet.js");
const { Timeline, Troubles } = require("./model.js");
const { CHANGING, createDocument, nameOf, ORGS, SUSPENDED } = require("./orgs.js");
const { Tally } = require("./tally.js");
const { Users } = require("./users.js");

const NODES = 3;

/** The connections of a client: all that wait while nothing answers. */
const CONNECTIONS = 4_000;

/** Everything that takes part: nodes behind HAProxy, their database, and what is known of them. */
async function createWorld() {
  const port = await findFreePort();
  const database = await ReplicatedDatabase.create(NODES + 1); // the last one is for commands
  const commands = database.of(NODES);
  await importDocument(commands, createDocument());
  const tokens = {};
  for (const org of Object.keys(CHANGING)) tokens[org] = await createToken(commands, org);
  const nodes = [];
  for (let index = 0; index < NODES; index++) nodes.push(await Node.prepare(`node${index + 1}`, database.of(index)));
  await Promise.all(nodes.map((node) => node.start()));
  const balancer = await Balancer.start(nodes, port);
  const clients = byOrg((org) => new Client(balancer, { org, token: tokens[org], connections: CONNECTIONS }));
  const direct = byOrg((org) => nodes.map((node) => new Client(node, { org })));
  const world = {
    database,
    commands,
    nodes,
    balancer,
    clients,
    main: undefined,
    timelines: byOrg(() => new Timeline(nameOf(0))),
    troubles: new Troubles(),
    told: new Troubles(),
    stalls: new Troubles(),
    tally: new Tally(),
    users: new Users("chaos"),
    seen: [],
  };
  const isCalm = () => world.troubles.areOver && nodes.every((node) => node.isRunning);
  const watch = createWatch({ clientsOf: (org) => direct[org], isCalm, times: world.seen });
  const optionsOf = (org) => ({ timeline: world.timelines[org], watch });
  world.changers = Object.keys(CHANGING).map((org) => [org, new RuleChanger(org, optionsOf(org))]);
  world.suspenders = SUSPENDED.map((org) => new Suspender(org, optionsOf(org)));
  world.versions = { ...database.versions, HAProxy: balancer.version };
  world.remove = async () => {
    for (const client of [...Object.values(clients), ...Object.values(direct).flat()]) client.close();
    for (const node of nodes) await node.remove();
    await balancer.close();
    await database.remove();
  };
  return world;
}

function byOrg(make) {
  return Object.fromEntries(ORGS.map((org) => [org, make(org)]));
}

module.exports = { createWorld };
