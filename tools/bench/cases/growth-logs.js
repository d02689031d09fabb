"use strict";

const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { URL } = require("node:url");
const { formatRow } = require("../rows.js");
const { requireCompiled } = require("../../kit/compiled.js");
const { createDatabase } = require("../stores/databases.js");
const { createRequests, fillLog } = require("../../kit/events.js");
const { startServer } = require("../stores/program.js");
const { addRoutedOrg, ask, SUBDOMAIN } = require("../stores/questions.js");

/** In milliseconds; so many events arrive in one, as the server writes those of its requests. */
const INTERVAL = 500;
const ARRIVING = 500;

/** Polls of the log when it is short, and again when it is long. */
const POLLS = 12;

/** What is in the log that is long. */
const EVENTS = 500_000;

/** Transactions of one event each, as changes make them, by all writers together. */
const CHANGES = 400;
const WRITERS = 16;

module.exports = ["sqlite", "postgresql"].flatMap((engine) => [polling(engine), appending(engine)]);

/** A client follows the log while 1,000 events a second arrive; it costs the same whatever is in the log. */
function polling(engine) {
  const name = `growth/logs/${engine}`;
  return { name, measure: () => withDatabase(engine, measure) };

  async function measure({ database, store, orgId }) {
    const server = startServer(database);
    try {
      const poll = await startPolling(await server.listening(), await createToken(store));
      const short = await follow(poll, { store, orgId });
      await fillLog(database, { orgId, count: EVENTS });
      const long = await follow(poll, { store, orgId });
      return [
        formatRow({
          name: `${name}/after-${EVENTS}`,
          peerName: "at the start",
          unit: "µs",
          samples: { ours: long, peer: short },
        }),
      ];
    } finally {
      await server.stop();
    }
  }
}

/** How long each of the polls took, in µs. */
async function follow(poll, { store, orgId }) {
  const { appendRows, toRequestRow } = requireCompiled("store/log/events.js");
  while ((await poll()).count > 0); // what came before
  const samples = [];
  let missing = 0;
  const arrivals = (async () => {
    for (let batch = 0; batch < POLLS; batch++) {
      const wait = sleep(INTERVAL);
      missing += ARRIVING;
      await store.write((transaction) => appendRows(transaction, orgId, createRequests(ARRIVING).map(toRequestRow)));
      await wait;
    }
  })();
  await sleep(INTERVAL / 2);
  for (let round = 0; round < POLLS; round++) {
    const wait = sleep(INTERVAL);
    const { count, elapsed } = await poll();
    missing -= count;
    samples.push(elapsed);
    await wait;
  }
  await arrivals;
  for (let count = 1; count > 0; missing -= count) ({ count } = await poll());
  if (missing !== 0) throw new Error(`${missing} of the events that arrived were not seen`);
  return samples;
}

/** A function that asks for what is new in the log, and tells how many events came and how long it took. */
async function startPolling(url, token) {
  const headers = { Host: `${SUBDOMAIN}.localhost`, "X-Forwarded-Proto": "https", Authorization: `SVC ${token}` };
  let path = "/api/v1/logs?limit=1000";
  return async () => {
    const start = performance.now();
    const { status, text, links } = await ask(url, { path, headers });
    const elapsed = (performance.now() - start) * 1_000;
    if (status !== 200) throw new Error(`the log answers ${status}: ${text}`);
    const { pathname, search } = new URL(links.next);
    path = pathname + search;
    // the polls themselves are events of the log too
    const count = JSON.parse(text).filter(({ eventType }) => eventType === "system.webfinger.query").length;
    return { count, elapsed };
  };
}

async function createToken(store) {
  const { createToken: create } = requireCompiled("program/operations/tokens.js");
  return create(store, { org: SUBDOMAIN, name: "Benchmark", scopes: ["logs.read"], lifetime: Infinity, addresses: [] });
}

/** What the log of an org takes: one writer after the other holds its head. */
function appending(engine) {
  const name = `growth/log-writers/${engine}`;
  return { name, measure: () => withDatabase(engine, measure) };

  async function measure({ store, orgId }) {
    const { appendRows, toRequestRow } = requireCompiled("store/log/events.js");
    const append = (count) =>
      store.write((transaction) => appendRows(transaction, orgId, createRequests(count).map(toRequestRow)));
    const samples = { one: [], many: [], batch: [] };
    for (let round = 0; round < 4; round++) {
      samples.one.push(
        await timePerEvent(CHANGES, async () => {
          for (let change = 0; change < CHANGES; change++) await append(1);
        }),
      );
      samples.many.push(
        await timePerEvent(CHANGES, () =>
          Promise.all(
            Array.from({ length: WRITERS }, async () => {
              for (let change = 0; change < CHANGES / WRITERS; change++) await append(1);
            }),
          ),
        ),
      );
      samples.batch.push(await timePerEvent(ARRIVING, () => append(ARRIVING)));
    }
    const { one, many, batch } = samples;
    return [
      formatRow({
        name: `${name}/${WRITERS}`,
        peerName: "one writer",
        unit: "µs/event",
        samples: { ours: many, peer: one },
      }),
      formatRow({
        name: `${name}/batch`,
        peerName: "one writer",
        unit: "µs/event",
        samples: { ours: batch, peer: one },
      }),
    ];
  }
}

async function timePerEvent(count, work) {
  const start = performance.now();
  await work();
  return ((performance.now() - start) * 1_000) / count;
}

async function withDatabase(engine, work) {
  const database = await createDatabase(engine);
  try {
    const orgId = await addRoutedOrg(database);
    return await work({ database, orgId, store: await database.open() });
  } finally {
    await database.drop();
  }
}
