"use strict";

const { fork } = require("node:child_process");
const os = require("node:os");
const path = require("node:path");
const { clearTimeout, setTimeout } = require("node:timers");
const { OTHER_VERSIONS, requireNode } = require("../../kit/versions.js");
const { mixSeed } = require("../random.js");
const { hold } = require("../servers/children.js");

const WORKER = path.join(__dirname, "../fuzz/worker.js");

const TOTAL = 10_000_000;

/** In milliseconds: after such a silence a process hangs. */
const MAX_SILENCE = 60_000;

function createRun(version, index) {
  const total = share(TOTAL, OTHER_VERSIONS.length, index);
  return { name: `node-${version}`, unit: "inputs", total, run };

  async function run({ seed, count }) {
    const execPath = requireNode(version);
    const inputs = count(total);
    const lanes = Math.min(inputs, os.availableParallelism());
    const results = await Promise.all(
      Array.from({ length: lanes }, (_, lane) => {
        return work({ execPath, seed: mixSeed(seed, version, lane), count: share(inputs, lanes, lane) });
      }),
    );
    const failed = results.reduce((sum, result) => sum + result.failed, 0);
    const [slowest] = results.map((result) => result.slowest).sort((a, b) => b.duration - a.duration);
    return {
      tried: inputs,
      survived: inputs - failed,
      faults: results.flatMap(({ faults }) => faults),
      versions: { Node: results.find((result) => result.version)?.version ?? version },
      figures: {
        "parsers and codecs": String(results[0].targets),
        processes: String(lanes),
        "longest call": `${slowest.duration.toFixed(0)} ms (${slowest.name})`,
      },
    };
  }
}

/** Try inputs in a process. One that hangs or dies is a fault, and all that it has not tried has not survived. */
function work({ execPath, seed, count }) {
  const child = fork(WORKER, [], { execPath });
  const release = hold(() => child.kill("SIGKILL"));
  return new Promise((resolve) => {
    let last = { index: 0 };
    let timer = setTimeout(onSilence, MAX_SILENCE);
    child.on("message", (message) => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, MAX_SILENCE);
      if (message.done) end(message.done);
      else last = message;
    });
    child.on("exit", (code, signal) => fail(`the process ended with ${code ?? signal}`));
    child.send({ seed, count });

    function onSilence() {
      fail(`no input was done for ${MAX_SILENCE / 1_000} s`);
    }

    function fail(problem) {
      const faults = [`${problem} after input ${last.index} of seed ${seed}`];
      end({ failed: count - last.index, faults, slowest: { duration: 0, name: "none" }, targets: last.names?.length });
    }

    function end(result) {
      clearTimeout(timer);
      release();
      resolve(result);
    }
  });
}

/** The number of one of `shares` as equal as they can be. */
function share(total, shares, index) {
  return Math.floor(total / shares) + (index < total % shares ? 1 : 0);
}

module.exports = {
  name: "fuzz",
  claim: `Generated inputs for every parser and codec of the package and the server, half of them by grammar, the others
edited or noise. Held: no error but those that are documented, no call over 1 s, what is written is read back the same, and an
index finds what a search finds. \`node tools/torture/fuzz/worker.js SEED NAME INDEX\`, as a fault names it, shows one input again.`,
  runs: OTHER_VERSIONS.map(createRun),
};
