"use strict";

const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { cases, findCase } = require("./cases.js");
const { nodeOf } = require("./nodes.js");

/** A row as files keep it: by its key, and with what it was measured on. */
function keep(row, { date, machine }) {
  return { key: keyOf(row), ...row, node: nodeOf(row.case), date, machine };
}

/** The case and the peer: `node-24/get/create-server.express-5`; `alone` without a peer. */
function keyOf({ case: name, peerName }) {
  const words = (peerName ?? "alone").toLowerCase().match(/[a-z0-9]+/g);
  return `${name.replaceAll(" ", "-")}.${words.join("-")}`;
}

function readRows(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/**
 * Write rows, one a line. Those of cases that didn't run stay; those of cases that are no more go.
 *
 * @param isWhole whether rows that a case didn't measure now go, too
 */
function writeRows(file, rows, isWhole) {
  const [ran, keys] = [new Set(rows.map((row) => findCase(row.case))), new Set(rows.map(({ key }) => key))];
  const isReplaced = (row) => (isWhole ? ran.has(findCase(row.case)) : keys.has(row.key));
  const kept = existsSync(file) ? readRows(file).filter((row) => !isReplaced(row)) : [];
  const order = cases.map(({ name }) => name);
  const placeOf = (row) => order.indexOf(findCase(row.case));
  const all = [...kept, ...rows].filter((row) => placeOf(row) !== -1).sort((a, b) => placeOf(a) - placeOf(b));
  writeFileSync(file, `[\n${all.map((row) => `  ${JSON.stringify(row, round)}`).join(",\n")}\n]\n`);
}

/** Four digits that count are more than any measurement is good for. */
function round(_name, value) {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}

module.exports = { keep, readRows, writeRows };
