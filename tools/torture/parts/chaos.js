"use strict";

const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { drawFaults, troubledBy } = require("../chaos/faults.js");
const { describeFigures, describeLevels } = require("../chaos/figures.js");
const { watchStaleness, watchStalls } = require("../chaos/monitor.js");
const { TWO } = require("../chaos/tally.js");
const { Traffic } = require("../chaos/traffic.js");
const { createWorld } = require("../chaos/world.js");
const { mixSeed, Random } = require("../random.js");
const { readChanges } = require("../servers/events.js");

const SECONDS = 3_600;

/** In milliseconds: the time without a fault between two. */
const CALM_TIME = 3_000;

/** In milliseconds: so soon after the end of a fault all nodes must be ready. */
const MAX_RECOVERY = 15_000;

/** In milliseconds: the pause between two changes of a rule, and between two suspensions. */
const CHANGE_PAUSE = 1_500;
const SUSPEND_PAUSE = 15_000;

/** The events of writes that were acknowledged. */
const EVENTS = [
  "user.lifecycle.create",
  "user.lifecycle.deactivate",
  "user.lifecycle.delete.completed",
  "policy.rule.update",
];

async function run({ count, seed }) {
  const random = new Random(mixSeed(seed, "chaos"));
  const world = await createWorld();
  const begin = new Date(Date.now() - 600_000); // clocks are wrong
  for (const node of world.nodes) await node.ready(MAX_RECOVERY);
  for (const [org, changer] of world.changers) await changer.prepare(world.clients[org]);
  world.signOn = world.changers[0][1].signOn;
  const traffic = new Traffic(world, new Random(mixSeed(seed, "traffic")));
  const stopWatch = watchStaleness(world.nodes, world.told);
  const stopStalls = watchStalls(world.nodes, world.stalls);
  traffic.start();
  const stopChanges = startChanges(world, traffic);
  await wreak(world, random, performance.now() + 1_000 * count(SECONDS));
  await stopChanges();
  await traffic.stop();
  await stopWatch();
  world.stall = stopStalls();
  await check(world, begin);
  await world.remove();
  return describe(world);
}

/** Let one fault after the other happen until `end`. */
async function wreak(world, random, end) {
  const { tally } = world;
  for (const chosen of drawFaults(random, world.nodes)) {
    await sleep(CALM_TIME);
    if (performance.now() > end) return;
    const { faults } = chosen;
    const name = faults.length === 1 ? faults[0].name : TWO;
    const troubled = new Set(faults.flatMap((fault) => troubledBy(fault, world.nodes)));
    tally.begin(name, faults.map(describeFault).join(" + "));
    for (const { name: node } of troubled) world.troubles.begin(node, performance.now());
    await perform(chosen, world, random);
    tally.noteReady(name, await recover(world));
    for (const { mend } of faults) await mend?.(world);
    tally.begin();
  }
}

function describeFault({ name, node }) {
  return node === undefined ? name : `${name} (${node.name})`;
}

async function perform({ faults, duration }, world, random) {
  for (const { begin, node } of faults) await begin(world, node, random);
  if (!faults.every(({ isInstant }) => isInstant)) await sleep(duration);
  world.recovering = performance.now();
  for (const { end, node } of faults) await end?.(world, node);
}

/** Wait until all nodes are ready; returns how long it took. */
async function recover({ nodes, troubles, tally, recovering }) {
  const times = await Promise.all(
    nodes.map(async (node) => {
      const { time, before } = await node.ready(60_000);
      troubles.end(node.name, time);
      const duration = time - recovering;
      if (duration > MAX_RECOVERY) {
        tally.fail(
          `${tally.details}: ${node.name} was ready only after ${duration.toFixed(0)} ms, before that ${before}`,
        );
      }
      return duration;
    }),
  );
  return Math.max(...times);
}

/** Change rules, and suspend orgs, until the result is called. */
function startChanges({ changers, suspenders, commands }, traffic) {
  let isStopped = false;
  async function repeat(step, pause) {
    while (!isStopped) {
      await step();
      await sleep(pause);
    }
  }
  const loops = [
    ...changers.map(([org, changer]) => repeat(() => traffic.call(org, (send) => changer.step(send)), CHANGE_PAUSE)),
    ...suspenders.map((suspender) => repeat(() => suspender.step(commands), SUSPEND_PAUSE)),
  ];
  return async () => {
    isStopped = true;
    await Promise.all(loops);
  };
}

/** Everything that was acknowledged is there, with its event. */
async function check({ clients, users, changers, nodes, tally }, begin) {
  for (const fault of await users.check(clients.demo)) tally.fail(fault);
  for (const [org, { acknowledged }] of changers) {
    const requests = org === "demo" ? [...acknowledged, ...users.acknowledged] : acknowledged;
    const events = new Set((await readChanges(clients[org], begin, EVENTS)).map(({ request }) => request));
    for (const id of requests) if (!events.has(id)) tally.fail(`no event of the request ${id} to ${org}`);
  }
  for (const node of nodes) if (!node.isRunning) tally.fail(`${node.name} has ended`);
}

function describe({ tally, users, changers, seen, stall, versions }) {
  const { discovery, api } = tally;
  const tried = discovery.total + api.total;
  const writes = changers.reduce((sum, [, { acknowledged }]) => sum + acknowledged.length, users.acknowledged.length);
  return {
    tried,
    survived: tried - discovery.counts.wrong - api.counts.wrong,
    faults: tally.faults,
    versions,
    figures: describeFigures({ tally, writes, seen, stall }),
    levels: describeLevels({ tally, seen }),
  };
}

module.exports = {
  name: "chaos",
  claim: `Three nodes behind HAProxy, on PostgreSQL with a standby, for an hour, in a random order, one or two at a time: a node is
killed, paused, cut off from the database, has a full disk, has a clock that is wrong; the database is away, hangs, has a full disk,
fails over; all nodes are restarted, one by one (with \`TORTURE_PREVIOUS=FOLDER\` to another version, which is built there, and back).
Clients that repeat nothing send 100 requests a second: WebFinger, sign-on, reads, writes, while rules change and orgs are suspended.
Held: no answer of WebFinger is older than a second, or, from a node without its database (which its metrics tell), than its outage; a node that says \`ok\`
again has caught up; each response is right or 503 with \`Retry-After\`; what was acknowledged is there, with its event.`,
  runs: [{ name: "fleet", unit: "requests", total: 0, run }],
};
