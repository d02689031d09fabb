"use strict";

const { median, spread } = require("../kit/statistics.js");
const { targetOf } = require("./targets.js");

/**
 * One line of the result, from the samples of each round, with its target.
 *
 * @param samples `{ ours, peer }`: figures of the same length, taken in turns; `peer` is left out when ours is held
 *   against an absolute target
 * @param unit of both figures; less is better
 * @returns `throughput` is for cases of whole requests to fill in
 */
function formatRow({ name, peerName = null, unit, samples: { ours, peer } }) {
  const target = targetOf(name, peerName);
  const ratios = peer?.map((figure, round) => figure / ours[round]);
  const row = {
    case: name,
    ours: median(ours),
    peer: peer ? median(peer) : null,
    peerName,
    unit,
    ratio: ratios ? median(ratios) : null,
    spread: spread(ratios ?? ours),
    target: target?.text ?? null,
    throughput: null,
  };
  return { ...row, reached: target ? target.isReached(row) : null };
}

module.exports = { formatRow };
