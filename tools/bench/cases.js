"use strict";

const { readdirSync } = require("node:fs");
const path = require("node:path");
const { OWN_VERSION, VERSIONS } = require("./nodes.js");

const FOLDER = path.join(__dirname, "cases");

/**
 * Every case, from the files in `cases/`: each exports a list of `{ name, measure, release }`. `measure({ effort })` promises
 * rows as `formatRow()` makes them, or rejects with `Unavailable`; below 1, `effort` asks for fewer rounds. `release()`, which
 * may be left out, is called when all have run.
 */
const cases = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => require(path.join(FOLDER, file)));

const names = cases.map(({ name }) => name);

/** The cases whose name is `name` or begins with it and a slash; all of them without a name. */
function selectCases(name) {
  if (name === undefined) return cases.filter((entry) => !entry.name.startsWith(`node-${OWN_VERSION}/`));
  return cases.filter((entry) => entry.name === name || entry.name.startsWith(`${name}/`));
}

/** The cases that differ by Node, on these versions only. */
function onVersions(selected, versions) {
  const plain = selected
    .map(({ name }) => name)
    .filter((name) => VERSIONS.some((v) => names.includes(`node-${v}/${name}`)));
  return cases.filter(({ name }) =>
    versions.some((v) => plain.some((one) => name === (v === OWN_VERSION ? one : `node-${v}/${one}`))),
  );
}

/** The case that a row of this name is from. */
function findCase(rowName) {
  const found = names.filter((name) => rowName === name || rowName.startsWith(`${name}/`));
  return found.sort((a, b) => b.length - a.length)[0];
}

/** The name of a row, with the version of Node before it if the case is measured on several. */
function nameOnNode(caseName, rowName) {
  const isOnEach = names.includes(`node-${OWN_VERSION}/${caseName}`);
  return isOnEach ? `node-${OWN_VERSION}/${rowName}` : rowName;
}

module.exports = { cases, findCase, nameOnNode, onVersions, selectCases };
