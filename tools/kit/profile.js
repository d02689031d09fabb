"use strict";

const path = require("node:path");
const { fileURLToPath } = require("node:url");
const { openInspector } = require("./inspector.js");

const ROOT = path.join(__dirname, "../..");

/** The part of a folder of the project or of a package, the first that fits; undefined: it is not counted. */
const FOLDERS = [
  ["dist", "suite"],
  ["example-app", "server"],
  ["tools", undefined],
  ["node_modules/libsql", "database"],
  ["node_modules/kysely", "database"],
  ["node_modules/pino", "log"],
  ["node_modules/sonic-boom", "log"],
  ["node_modules", "packages"],
];

/** In microseconds. */
const INTERVAL = 500;

/**
 * Says where this process spends its time, without that of other threads. Make it first: V8 knows too little of code that was
 * there before. What counts is between `mark()` and the next `mark()`. `stop()` returns microseconds by the part for each of
 * these spans: `node`, `writes` to sockets, `garbage` and those of the folders above.
 */
function createProfiler() {
  const marks = [];
  const post = openInspector();
  post("Profiler.enable");
  post("Profiler.setSamplingInterval", { interval: INTERVAL });
  post("Profiler.start");
  return {
    mark() {
      marks.push(Number(process.hrtime.bigint() / 1_000n)); // as the profile tells times
    },
    stop: () => sumByPart(post("Profiler.stop").profile, marks),
  };
}

function sumByPart({ nodes, samples, timeDeltas, startTime }, marks) {
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const spans = Array.from({ length: marks.length / 2 }, () => ({}));
  let [time, next] = [startTime, 0];
  samples.forEach((id, index) => {
    time += timeDeltas[index];
    while (next < marks.length && time >= marks[next]) next += 1;
    const part = parts.get(id);
    if (next % 2 === 0 || part === undefined) return;
    const times = spans[(next - 1) / 2];
    times[part] = (times[part] ?? 0) + timeDeltas[index];
  });
  return spans;
}

function partOf({ functionName, url }) {
  if (functionName === "(idle)" || functionName === "(program)") return undefined; // both are also what waits
  if (functionName === "(garbage collector)") return "garbage";
  if (url === "") return functionName.startsWith("write") ? "writes" : "node";
  if (url.startsWith("node:")) return "node";
  const file = path.relative(ROOT, url.startsWith("file:") ? fileURLToPath(url) : url);
  return FOLDERS.find(([folder]) => file.startsWith(`${folder}/`))?.[1];
}

module.exports = { createProfiler };
