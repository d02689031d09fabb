"use strict";

const { p99 } = require("../../kit/statistics.js");
const { formatTime } = require("../format.js");
const { FAULTS } = require("./faults.js");
const { GRACE } = require("./model.js");
const { CALM } = require("./tally.js");

/** In milliseconds: what 99 of 100 responses of discovery may take, without a fault and while one lasts. */
const MAX_CALM = 100;
const MAX_FAULT = 2_500;

/** In percent: how many requests of the API are served while one of three nodes fails. */
const MIN_API = 66;

/** In milliseconds: so soon after the end of a fault all nodes are ready. */
const MAX_READY = 5_000;

/** What the report tells of a run. */
function describeFigures({ tally, writes, seen, stall }) {
  const { discovery, api } = tally;
  return {
    discovery: describeAvailability(discovery),
    "the API": describeAvailability(api),
    "acknowledged writes": writes.toLocaleString("en-US"),
    "changes until all nodes saw them": describeSeen(seen),
    "the tool stood still for at most": formatTime(stall),
    ...Object.fromEntries(tally.kinds().map((kind) => [kind.name, describeKind(kind)])),
  };
}

function describeAvailability({ total, served, counts, longestGap }) {
  const { stale, refused, gap, wrong } = counts;
  return `${percent(served, total)} of ${total.toLocaleString("en-US")} served (${stale} stale), ${refused} refused with 503, ${gap} without a response, ${wrong} wrong; longest time without a success ${formatTime(longestGap)}`;
}

function describeSeen(seen) {
  if (seen.length === 0) return "none was measured";
  return `${formatTime(Math.max(...seen))} at most, p99 ${formatTime(p99(seen))}, of ${seen.length}`;
}

function describeKind({ times, p99: slow, discovery, api, ready }) {
  const share = ({ served, total }) => (total === 0 ? "none" : percent(served, total));
  return [
    ...(times > 0 ? [`${times} ×`] : []),
    `discovery ${share(discovery)}, p99 ${slow === undefined ? "none" : formatTime(slow)}`,
    `API ${share(api)}`,
    ...(ready === undefined ? [] : [`ready after ${formatTime(ready)} at most`]),
  ].join("; ");
}

/** The service levels that a run measures: `{ level, target, measured, isMet }`. */
function describeLevels({ tally, seen }) {
  const { discovery, api } = tally;
  const wrong = discovery.counts.wrong + api.counts.wrong;
  const slowest = Math.max(0, ...seen);
  const kinds = tally.kinds();
  const ofNodes = FAULTS.filter(({ of }) => of === "node").map(({ name }) => name);
  const apis = kinds.filter(({ name }) => ofNodes.includes(name)).map((kind) => kind.api);
  const [served, total] = [sum(apis, "served"), sum(apis, "total")];
  const ready = Math.max(0, ...kinds.map((kind) => kind.ready ?? 0));
  return [
    level("wrong answers", "none", String(wrong), wrong === 0),
    level(
      "discovery served while faults happen",
      "100 %",
      percent(discovery.served, discovery.total),
      discovery.served === discovery.total,
    ),
    level(
      "the API served while one of three nodes fails",
      `≥ ${MIN_API} %`,
      percent(served, total),
      served >= (MIN_API / 100) * total,
    ),
    level("a change is seen by all nodes", `≤ ${formatTime(GRACE)}`, formatTime(slowest), slowest <= GRACE),
    level("ready after the end of a fault", `≤ ${formatTime(MAX_READY)}`, formatTime(ready), ready <= MAX_READY),
    ...kinds.filter((kind) => kind.p99 !== undefined).map(levelOfKind),
  ];
}

function levelOfKind({ name, p99: measured }) {
  const limit = name === CALM ? MAX_CALM : MAX_FAULT;
  return level(`p99 of discovery: ${name}`, `≤ ${formatTime(limit)}`, formatTime(measured), measured <= limit);
}

const sum = (list, member) => list.reduce((total, one) => total + one[member], 0);

function level(name, target, measured, isMet) {
  return { level: name, target, measured, isMet };
}

/** Never 100 % unless all are. */
function percent(part, total) {
  const share = total === 0 ? 1 : part / total;
  return `${share === 1 ? 100 : (Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}

module.exports = { describeFigures, describeLevels };
