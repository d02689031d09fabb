"use strict";

const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { formatRow } = require("../rows.js");
const { createDatabase } = require("../stores/databases.js");
const { startLoad, startServer } = require("../stores/program.js");
const { addRoutedOrg, fetchAnswer } = require("../stores/questions.js");
const { seedUsers } = require("../stores/seed.js");

/** Requests before memory is looked at first, and last. */
const FEW = 10_000;
const MANY = 100_000;

/** Of each connection in flight, to save time. */
const PIPELINING = 4;

/** In milliseconds: until the last events are written. */
const SETTLING = 2_500;

const STARTS = 5;

/** What the database of a server holds that starts. */
const USERS = 100_000;

module.exports = [
  { name: "growth/memory", measure: () => withDatabase(measureMemory) },
  { name: "growth/start", measure: () => withDatabase(measureStart) },
];

/** Of the server that has answered many requests, against that after few. */
async function measureMemory(database) {
  const [server, load] = [startServer(database, { execArgv: ["--expose-gc"] }), startLoad()];
  try {
    const url = await server.listening();
    await load.ask({ url, amount: FEW, pipelining: PIPELINING });
    const few = await settle(server);
    await load.ask({ url, amount: MANY - FEW, pipelining: PIPELINING });
    const many = await settle(server);
    return [row("heap"), row("resident")];

    function row(figure) {
      const samples = { ours: [many[figure]], peer: [few[figure]] };
      return formatRow({
        name: `growth/memory/${figure}`,
        peerName: `after ${FEW} requests`,
        unit: "MB",
        samples,
      });
    }
  } finally {
    await Promise.all([server.stop(), load.stop()]);
  }
}

/** Of the server, when it was started before and there are data. */
async function measureStart(database) {
  await seedUsers(database, USERS);
  await startOnce(database);
  const samples = [];
  for (let start = 0; start < STARTS; start++) samples.push(await startOnce(database));
  return [row("time", "ms"), row("resident", "MB")];

  function row(figure, unit) {
    return formatRow({
      name: `growth/start/${figure}`,
      unit,
      samples: { ours: samples.map((sample) => sample[figure]) },
    });
  }
}

/** Memory once the events that wait are written and what is not needed is gone. */
async function settle(server) {
  await sleep(SETTLING);
  await server.usage({ collect: true }); // what it collects the first time is gone the second
  const { heap, resident } = await server.usage({ collect: true });
  return { heap: heap / 2 ** 20, resident: resident / 2 ** 20 };
}

/** From the start of the process to the first answer: milliseconds, and MB then. */
async function startOnce(database) {
  const begin = performance.now();
  const server = startServer(database);
  try {
    await fetchAnswer(await server.listening());
    const time = performance.now() - begin;
    const { resident } = await server.usage();
    return { time, resident: resident / 2 ** 20 };
  } finally {
    await server.stop();
  }
}

async function withDatabase(work) {
  const database = await createDatabase("sqlite");
  try {
    await addRoutedOrg(database);
    return await work(database);
  } finally {
    await database.drop();
  }
}
