"use strict";

const { parseArgs } = require("node:util");
const { onVersions, selectCases } = require("./cases.js");
const { findNode } = require("./nodes.js");

const USAGE = `npm run bench -- [NAME …] [--nodes VERSION,…] [--quick] [--json FILE] [--against FILE] [--list]

  NAME            run the cases of this name, and those whose name begins with it and a slash
  --nodes 22,24   run the cases that differ by Node on these versions only; NODE_22=PATH names a program
  --quick         run what matters most with fewer rounds, in less than three minutes
  --json FILE     write the rows to a file as well; it keeps those of cases that didn't run
  --against FILE  compare with the rows of such a file
  --list          print the names of the cases and run none`;

/** What --quick runs, and how much of the usual rounds. */
const QUICK = {
  names: [
    ...["get", "list", "page", "webfinger"].map((name) => `without-kernel/${name}`),
    "get",
    "post-1k",
    "all-conventions",
    "content-type",
    "request-id",
    "filter",
    "cursor",
  ],
  effort: 0.25,
};

class UsageError extends Error {}

/** @returns `{ help, list, json, against, effort, selected }`: `selected` are cases */
function parseArguments(args) {
  const { values, positionals } = parse(args);
  const { nodes, quick = false, ...options } = values;
  const selected = select(positionals.length === 0 && quick ? QUICK.names : positionals);
  const versions = nodes?.split(",");
  versions?.forEach(checkVersion);
  return {
    ...options,
    selected: versions ? onVersions(selected, versions) : selected,
    effort: quick ? QUICK.effort : 1,
  };
}

function parse(args) {
  const [text, flag] = [{ type: "string" }, { type: "boolean" }];
  const options = { json: text, against: text, nodes: text, quick: flag, list: flag, help: flag };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${USAGE}`);
  }
}

function checkVersion(version) {
  try {
    findNode(version);
  } catch (error) {
    throw new UsageError(`--nodes ${version}: ${error.message}.`);
  }
}

function select(names) {
  if (names.length === 0) return selectCases();
  const selected = new Set();
  for (const name of names) {
    const found = selectCases(name);
    if (found.length === 0) throw new UsageError(`There is no case ${name}; --list names them all.`);
    for (const entry of found) selected.add(entry);
  }
  return [...selected];
}

module.exports = { parseArguments, USAGE, UsageError };
