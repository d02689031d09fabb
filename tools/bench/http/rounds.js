"use strict";

const { formatRow } = require("../rows.js");
const { isSteady, median } = require("../../kit/statistics.js");

/** A comparison is repeated until it is steady; after the last round it is noisy. */
const MIN_ROUNDS = 5;
const MAX_ROUNDS = 15;

/**
 * Sample servers in turns, A B A B …, each as long as one of its comparisons isn't steady.
 *
 * @param comparisons `{ ours, peer }`: names of servers
 * @param figure of a sample, by which a comparison is judged
 * @param sample promises the figures of the server of that name
 * @param effort below 1 for fewer rounds
 * @returns for each comparison the samples of both: `{ ours, peer }`
 */
async function sampleInTurns(comparisons, figure, sample, effort = 1) {
  const last = Math.max(MIN_ROUNDS, MAX_ROUNDS * effort);
  const results = comparisons.map((servers) => ({ servers, ours: [], peer: [] }));
  let open = results;
  for (let round = 1; round <= last && open.length > 0; round++) {
    const samples = {};
    for (const name of serversOf(open.map(({ servers }) => servers))) samples[name] = await sample(name);
    for (const { servers, ours, peer } of open) {
      ours.push(samples[servers.ours]);
      peer.push(samples[servers.peer]);
    }
    if (round >= MIN_ROUNDS) open = open.filter(({ ours, peer }) => !isSteady(ratiosOf(ours, peer)));
  }
  return results;

  function ratiosOf(ours, peer) {
    return peer.map((of, round) => of[figure] / ours[round][figure]);
  }
}

/** The names of all servers in `comparisons`, each once. */
function serversOf(comparisons) {
  return [...new Set(comparisons.flatMap(({ ours, peer }) => [peer, ours]))];
}

/** A row for the processor time of a request, with the requests that each server answered in a second. */
function formatRequestRow({ name, peerName, ours, peer }) {
  const rates = [ours, peer].map((samples) => median(samples.map(({ rate }) => rate)));
  return {
    ...formatFigureRow({ name, peerName, unit: "µs CPU", figure: "cpu", ours, peer }),
    throughput: { ours: rates[0], peer: rates[1] },
  };
}

/** A row for one figure of the samples. */
function formatFigureRow({ name, peerName, unit, figure, ours, peer }) {
  const [own, other] = [ours, peer].map((samples) => samples.map((sample) => sample[figure]));
  return formatRow({ name, peerName, unit, samples: { ours: own, peer: other } });
}

module.exports = { formatFigureRow, formatRequestRow, sampleInTurns, serversOf };
