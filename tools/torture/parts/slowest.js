"use strict";

const { formatBytes, formatDuration } = require("../format.js");
const { mixSeed, Random } = require("../random.js");
const { ENGINES } = require("../servers/databases.js");
const { Climb } = require("../slowest/climb.js");
const { CONTENTS } = require("../slowest/contents.js");
const { MAX_MEMORY, MAX_WAIT } = require("../slowest/judge.js");
const { listInputs, listOperations } = require("../slowest/operations.js");
const { openStage } = require("../slowest/stage.js");
const { listStates } = require("../slowest/states.js");

/** In seconds: about how long each run searches. */
const BUDGET = 1_200;

/** How much of its quotas an org uses, and how many states go on to the next level. */
const LEVELS = [
  { level: 1 / 64, kept: 32 },
  { level: 1 / 8, kept: 6 },
  { level: 1, kept: 0 },
];
const KEPT_OF_FIELD = 2;

/** The parts of the time for the states of a level, when they are there, for requests with large inputs, and for random ones. */
const SHARES = { states: 0.15, requests: 0.25, random: 0.1 };

/** What refuses many requests would end the search. What a neighbour waits is not about their number. */
const ARGS = ["--rate-limits", "off", "--overload-lag", "off"];

/** Requests that change little: they are sent to each org. */
const isProbe = ({ id, method, path }) =>
  method === "GET" || id === "previewRuleChange" || (method === "POST" && !/\{id\}|apiTokens|session/.test(path));

async function run({ name, engine, args }, { seed, scale, say }) {
  const start = Date.now();
  const elapsed = () => (Date.now() - start) / 1_000 / (BUDGET * scale);
  const operations = listOperations();
  const schema = operations.find(({ id }) => id === "importOrg").bodies["application/json"].properties.orgs.items;
  const climb = new Climb({ run: name, elapsed, say });
  const random = new Random(mixSeed(seed, name));
  const [small, ...others] = listStates(schema);
  let states = [small, ...shuffle(others, random)]; // so that a search that is cut short has seen some of each kind
  let versions = {};
  let refused = 0;
  const total = states.length;
  for (const { level, kept } of LEVELS) {
    const stage = { ...(await openStage(engine, states, { level, schema, args: [...ARGS, ...args] })), level };
    stage.watched.watch(false);
    ({ versions } = stage);
    refused += stage.refused;
    say(`${stage.places.length} states at ${level}`);
    const found = await climb.probe(stage, operations.filter(isProbe), elapsed() + SHARES.states);
    if (kept === 0) {
      await climb.climb(stage, stage.places[0], operations, elapsed() + SHARES.requests);
      const end = Math.max(1, elapsed() + SHARES.random);
      await searchAtRandom({ climb, stage, operations, random, isOver: () => elapsed() > end });
    }
    await stage.close();
    states = [small, ...keepStates(found, kept)];
  }
  return judge(climb, { versions, total, refused });
}

function shuffle(list, random) {
  return list
    .map((one) => [random.fraction(), one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}

/** Whatever comes to mind, and changes of what was expensive. */
async function searchAtRandom({ climb, stage, operations, random, isOver }) {
  const best = [];
  while (!isOver()) {
    const one =
      best.length > 0 && random.isLikely(0.5) ? change(random.pick(best), random) : create(stage, operations, random);
    const cost = await climb.try(stage, one.place, one.input);
    best.push({ ...one, score: cost.score });
    best.sort((a, b) => b.score - a.score);
    best.splice(16);
  }
}

function create({ places }, operations, random) {
  const operation = random.pick(operations);
  const input = random.pick([undefined, ...listInputs(operation)]);
  return { place: random.pick(places), input: { operation, input, ...sizeOf(random) } };
}

function change({ place, input }, random) {
  return { place, input: { ...input, ...sizeOf(random) } };
}

function sizeOf(random) {
  return {
    fill: random.pick([1 / 8, 1 / 2, 1, 2]),
    content: random.pick(Object.keys(CONTENTS)),
    share: random.fraction(),
  };
}

/** The most expensive ones, but not only those of one field. */
function keepStates(found, number) {
  const counts = new Map();
  return found
    .filter(({ state }) => state.kind !== undefined)
    .filter(({ state: { kind, field } }) => {
      const key = `${kind} ${field}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return counts.get(key) <= KEPT_OF_FIELD;
    })
    .slice(0, number)
    .map(({ state }) => state);
}

function judge({ tried, faults, judged, longest, slow }, { versions, total, refused }) {
  const worst = (member) => judged.reduce((most, one) => (one[member] > (most?.[member] ?? 0) ? one : most), undefined);
  const describe = (member, format) => {
    const found = worst(member);
    return found === undefined ? "nothing was suspect" : `${format(found[member])} (${found.label})`;
  };
  return {
    tried,
    survived: tried - faults.length,
    faults,
    versions,
    figures: {
      "states of an org": `${total.toLocaleString("en-US")}, of which the server refused ${refused}`,
      "a neighbour's slowest WebFinger, more than without the input": describe("webfinger", formatDuration),
      "its slowest write": describe("write", formatDuration),
      "most memory above rest": describe("memory", formatBytes),
      "longest turn of the event loop": `${formatDuration(longest.turn)} (${longest.label})`,
      "inputs with a turn over 20 ms": slow.toLocaleString("en-US"),
    },
  };
}

/** SQLite is for one process. */
const RUNS = [
  ...ENGINES.map((engine) => ({ name: engine, engine, args: [] })),
  { name: "postgresql-workers", engine: "postgresql", args: ["--workers", "2"] },
];

module.exports = {
  name: "slowest",
  claim: `A search for the slowest input. From the API's description it fills every field, list, pattern and body to its limit and
beyond, with texts of ${Object.keys(CONTENTS).length} families, on every route and method, in orgs that store as much of each kind as they may; it begins
with a 64th of each limit, goes on with what is most expensive, and ends with random changes of that. A suspect is sent again
alone. Held: a neighbour's slowest response takes at most ${MAX_WAIT} ms more than without it, the server at most ${formatBytes(MAX_MEMORY)} above
rest. The inputs of faults are in \`reports/slowest\`. There are no rate limits.`,
  runs: RUNS.map((one) => ({ name: one.name, unit: "inputs", total: 0, run: (context) => run(one, context) })),
};
