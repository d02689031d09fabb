"use strict";

const { formatRow } = require("../rows.js");
const { median } = require("../statistics.js");
const { Fleet } = require("./fleet.js");

const ROUNDS = 5;

/** In seconds. */
const SAMPLE = 1;

/**
 * A case of whole requests: servers in processes of their own, under load from another process, in turns. Compared is the
 * processor time that a server takes for a request; beside it stands how many it answered in a second.
 *
 * @param comparisons `{ ours, peer, target }`: names of servers
 * @param resident the same, once, for the memory of the servers after the load
 * @param execPath the Node that runs the servers
 */
function wholeRequests({ name, workload, comparisons, resident, execPath = process.execPath }) {
  return { name, measure, release: () => Fleet.stop() };

  async function measure() {
    const names = [...new Set(comparisons.flatMap(({ ours, peer }) => [peer, ours]))];
    const samples = await sampleInTurns(names);
    const rows = comparisons.map((comparison) => ({
      ...compare(comparison, "cpu", "µs CPU", comparison.ours),
      throughput: { ours: rateOf(comparison.ours), peer: rateOf(comparison.peer) },
    }));
    return resident ? [...rows, compare(resident, "resident", "MB", "resident")] : rows;

    function compare({ ours, peer, target }, figure, unit, subject) {
      const figuresOf = (server) => samples[server].map((sample) => sample[figure]);
      return formatRow({
        name: `${name}/${subject}`,
        peerName: peer,
        unit,
        samples: { ours: figuresOf(ours), peer: figuresOf(peer) },
        target,
      });
    }

    function rateOf(server) {
      return median(samples[server].map(({ rate }) => rate));
    }
  }

  async function sampleInTurns(names) {
    const fleet = await Fleet.on(execPath);
    const samples = Object.fromEntries(names.map((server) => [server, []]));
    for (const server of names) await fleet.prepare(server, workload);
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of names) samples[server].push(await fleet.sample(server, workload, SAMPLE));
    }
    return samples;
  }
}

module.exports = { wholeRequests };
