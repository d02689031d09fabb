"use strict";

const { compare } = require("./compare.js");
const { formatRow } = require("./rows.js");
const { targetsOf } = require("./targets.js");

/**
 * A case that holds one function against others of equal work, in one process.
 *
 * @param prepare returns `{ ours, peers }`: a function of the number of the operation, and others by name. Called when the
 *   case is run; throw `Unavailable` when it can't be
 */
function piece({ name, prepare }) {
  return { name, measure };

  async function measure({ effort } = {}) {
    const { ours, peers = {} } = await prepare();
    const { limit, ...targets } = targetsOf(name);
    for (const peerName of Object.keys(targets)) {
      if (!Object.hasOwn(peers, peerName)) throw new Error(`${name}: there is no peer ${peerName} for this target`);
    }
    const { "": own, ...others } = await compare({ "": ours, ...peers }, effort);
    const rows = Object.entries(others).map(([peerName, peer]) =>
      formatRow({ name, peerName, unit: "µs", samples: { ours: own, peer } }),
    );
    if (limit || rows.length === 0) rows.push(formatRow({ name, unit: "µs", samples: { ours: own } }));
    return rows;
  }
}

module.exports = { piece };
