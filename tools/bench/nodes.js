"use strict";

const { versionOf } = require("../kit/machine.js");
const { requireNode } = require("../kit/versions.js");

/** The versions of Node that whole requests are measured on. */
const VERSIONS = ["20", "22", "24", "26"];

/** That of the Node which runs the benchmark, and the load. */
const OWN_VERSION = process.versions.node.split(".")[0];

/** The path of a Node of this version. */
function findNode(version) {
  return version === OWN_VERSION ? process.execPath : requireNode(version);
}

/** The whole version of the Node that a row named `node-24/…` is of; other rows are of the own. */
function nodeOf(rowName) {
  const [, version = OWN_VERSION] = /^node-(\d+)\//.exec(rowName) ?? [];
  return version === OWN_VERSION ? process.versions.node : versionOf(findNode(version));
}

module.exports = { findNode, nodeOf, OWN_VERSION, VERSIONS };
