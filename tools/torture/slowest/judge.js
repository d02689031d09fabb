"use strict";

const { mkdirSync, writeFileSync } = require("node:fs");
const path = require("node:path");
const { setTimeout: sleep } = require("node:timers/promises");
const { median } = require("../../kit/statistics.js");
const { formatBytes, formatDuration } = require("../format.js");

/** Where the inputs go that did it, for who wants to repeat them. */
const FOLDER = path.join(__dirname, "../../../reports/slowest");

/** In milliseconds: what a neighbour may wait. In bytes: what the server may take above rest. */
const MAX_WAIT = 100;
const MAX_MEMORY = 100 * 2 ** 20;

/** What makes an input a suspect: a turn of the event loop, or so much memory. */
const SUSPECT_TURN = 50;
const SUSPECT_MEMORY = 80 * 2 ** 20;

const ROUNDS = 3;

/** What takes longer than this (in milliseconds) is not tried again: no noise is so loud. */
const ENOUGH = 1_000;

/** In milliseconds: how long the neighbour is watched alone. */
const ALONE = 500;

function isSuspect({ turn, memory }) {
  return turn > SUSPECT_TURN || memory > SUSPECT_MEMORY;
}

/**
 * Send it again, alone, with a neighbour.
 *
 * @returns `{ webfinger, write, turn, memory, excess }`: medians, without what the neighbour waits anyway; `excess` says what
 *   is too much, if anything is
 */
async function confirm(watched, send) {
  const alone = await watched.measure(() => sleep(ALONE));
  const rounds = [];
  while (rounds.length < ROUNDS && !rounds.some(({ webfinger }) => webfinger > ENOUGH))
    rounds.push(await watched.measure(send));
  watched.watch(false);
  const middle = (member) => median(rounds.map((round) => round[member]));
  const [turn, memory] = [middle("turn"), middle("memory")];
  const [webfinger, write] = ["webfinger", "write"].map((member) => Math.max(0, middle(member) - alone[member]));
  const excess = [
    ...(webfinger > MAX_WAIT ? [`a neighbour waited ${formatDuration(webfinger)} for WebFinger`] : []),
    ...(write > MAX_WAIT ? [`a neighbour waited ${formatDuration(write)} for a write`] : []),
    ...(memory > MAX_MEMORY ? [`the server took ${formatBytes(memory)} above rest`] : []),
  ];
  return { webfinger, write, turn, memory, excess };
}

/** Keep an input in a file, and describe it in a line. */
function describeFault({ run, number, state, level, label, request, found }) {
  mkdirSync(FOLDER, { recursive: true });
  const file = path.join(FOLDER, `${run}-${number}.json`);
  writeFileSync(file, `${JSON.stringify({ state, level, ...request, found }, undefined, 1)}\n`);
  const { body = "" } = request;
  const excerpt = body.length > 80 ? `${body.slice(0, 80)}… (${body.length} characters)` : body;
  return `${label}, in an org with ${state}${level < 1 ? ` at ${level} of its limits` : ""}: ${found.excess.join(", ")}; ${excerpt} · ${path.relative(process.cwd(), file)}`;
}

module.exports = { confirm, describeFault, isSuspect, MAX_MEMORY, MAX_WAIT };
