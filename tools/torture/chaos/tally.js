"use strict";

const { p99 } = require("../../kit/statistics.js");

/** The name of the time in which nothing is wrong. */
const CALM = "without a fault";

/** The name of two faults at once. */
const TWO = "two faults at once";

/** The most faults of one run that are described. */
const MAX_FAULTS = 20;

/** Counts how requests of a class ended: `right`, `stale` (right for a node in trouble), `refused`, `gap` (no response) or `wrong`. */
class Availability {
  #counts = { right: 0, stale: 0, refused: 0, gap: 0, wrong: 0 };
  #lastServed;
  #hasFailed = false;
  #longest = 0;

  note(outcome, now) {
    this.#counts[outcome] += 1;
    if (outcome !== "right" && outcome !== "stale") {
      this.#hasFailed = true;
      return;
    }
    if (this.#hasFailed) this.#longest = Math.max(this.#longest, now - this.#lastServed);
    this.#hasFailed = false;
    this.#lastServed = now;
  }

  get total() {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
  }

  get served() {
    return this.#counts.right + this.#counts.stale;
  }

  get counts() {
    return this.#counts;
  }

  /** In milliseconds: the longest time in which some failed and none was served. */
  get longestGap() {
    return this.#longest;
  }
}

/** What a run saw: of all requests, and while each fault lasted. */
class Tally {
  faults = [];
  details = CALM;
  #now = CALM;
  #classes = { discovery: new Availability(), api: new Availability() };
  #kinds = new Map();

  /** Which fault lasts from now on; without one it is calm. `details` are for people. */
  begin(name = CALM, details = name) {
    this.#now = name;
    this.details = details;
  }

  get kind() {
    return this.#now;
  }

  /** @param of `discovery` or `api`; `kind` is the fault when it was sent */
  note({ of, kind, outcome, sent, received }) {
    this.#classes[of].note(outcome, received);
    const entry = this.#entry(kind === CALM ? this.#now : kind);
    entry[of].note(outcome, received);
    if (of === "discovery" && outcome !== "gap") entry.durations.push(received - sent);
  }

  /** How long it took until all nodes were ready again, in milliseconds. */
  noteReady(kind, duration) {
    this.#entry(kind).ready.push(duration);
  }

  fail(text) {
    if (this.faults.length < MAX_FAULTS) this.faults.push(text);
  }

  get discovery() {
    return this.#classes.discovery;
  }

  get api() {
    return this.#classes.api;
  }

  /** `{ name, times, p99, discovery, api, ready }` of each kind of fault; `ready` is the longest time, or `undefined`. */
  kinds() {
    return Array.from(this.#kinds, ([name, { durations, ready, discovery, api }]) => ({
      name,
      times: ready.length,
      p99: durations.length === 0 ? undefined : p99(durations),
      ready: ready.length === 0 ? undefined : Math.max(...ready),
      discovery,
      api,
    }));
  }

  #entry(kind) {
    let entry = this.#kinds.get(kind);
    if (entry === undefined) {
      entry = { durations: [], ready: [], discovery: new Availability(), api: new Availability() };
      this.#kinds.set(kind, entry);
    }
    return entry;
  }
}

module.exports = { CALM, Tally, TWO };
