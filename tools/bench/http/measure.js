"use strict";

const { Fleet } = require("./fleet.js");
const { targetsOf } = require("../targets.js");
const { formatFigureRow, formatRequestRow, sampleInTurns, serversOf } = require("./rounds.js");

/** In seconds. */
const SAMPLE = 0.5;

/**
 * A case of whole requests: servers in processes of their own, under load from another process, in turns. Compared is the
 * processor time that a server takes for a request; beside it stands how many it answered in a second.
 *
 * @param comparisons `{ ours, peer, resident }`: names of servers, and whether their memory after the load is compared, too
 * @param suffix is added to the names of the servers
 * @param findNode returns the path of the Node that runs the servers
 */
function wholeRequests({ name, workload, comparisons, suffix = "", findNode = () => process.execPath }) {
  return { name, measure, release: () => Fleet.stop() };

  async function measure({ effort = 1 } = {}) {
    const compared = effort < 1 ? comparisons.filter((servers) => matters(name, servers)) : comparisons;
    const fleet = await Fleet.on(findNode());
    for (const server of serversOf(compared)) await fleet.prepare(server + suffix, workload, effort);
    const results = await sampleInTurns(
      compared,
      "cpu",
      (server) => fleet.sample(server + suffix, workload, SAMPLE),
      effort,
    );
    return results.flatMap(({ servers, ...samples }) => {
      const row = { peerName: servers.peer, ...samples };
      const request = formatRequestRow({ ...row, name: `${name}/${servers.ours}` });
      if (!servers.resident) return [request];
      return [request, formatFigureRow({ ...row, name: `${name}/resident`, unit: "MB", figure: "resident" })];
    });
  }
}

/** Whether a comparison on Express 5 has a target. */
function matters(name, { ours, peer }) {
  return !ours.endsWith("-4") && targetsOf(`${name}/${ours}`)[peer] !== undefined;
}

module.exports = { matters, wholeRequests };
