"use strict";

const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { webfinger } = require("../servers/client.js");
const { runCommand } = require("../servers/server.js");
const { requestIdOf, valueOf } = require("./answers.js");
const { GONE } = require("./model.js");
const { nameOf } = require("./orgs.js");

/** In milliseconds: the pause between two questions whether a node has seen a change, and how long one waits for it. */
const POLL = 20;
const MAX_WATCH = 5_000;

/** Selects another provider in the first rule of an org, one write after the other, each with `If-Match`. */
class RuleChanger {
  /** The ids of requests that were acknowledged: each has an event. */
  acknowledged = [];
  #org;
  #timeline;
  #watch;
  #number = 0;
  #path;
  #idps;
  #tag;
  #pending = [];

  /** @param watch measures how soon all nodes see a value */
  constructor(org, { timeline, watch }) {
    this.#org = org;
    this.#timeline = timeline;
    this.#watch = watch;
  }

  async prepare(client) {
    const { body: policies } = await client.send("/api/v1/policies?type=IDP_DISCOVERY");
    const rules = `/api/v1/policies/${policies[0].id}/rules`;
    const { body: found } = await client.send(rules);
    this.#path = `${rules}/${found.find(({ name }) => name === "First").id}`;
    const { body: idps } = await client.send("/api/v1/idps?limit=200");
    this.#idps = new Map(idps.map(({ id, name }) => [name, id]));
  }

  /** The path of the sign-on with a provider that never changes. */
  get signOn() {
    return `/sso/idps/${this.#idps.get(nameOf(0))}`;
  }

  /** Reads the rule if nobody knows what it is, else changes it: `{ response, isRight }`. A gap rejects. */
  async step(send) {
    if (this.#tag === undefined) return this.#read(send);
    const tag = this.#tag;
    const value = nameOf(++this.#number);
    const write = this.#timeline.write(value, performance.now());
    this.#tag = undefined;
    this.#pending.push(write);
    const body = { ...this.body, actions: { idp: { providers: [{ type: "OIDC", id: this.#idps.get(value) }] } } };
    const response = await send(this.#path, { method: "PUT", body, headers: { "If-Match": tag } });
    if (response.status === 412) {
      this.#pending.splice(this.#pending.indexOf(write), 1);
      write.withdraw();
      return { response, isRight: this.#pending.length > 0 }; // a write that nobody acknowledged has come before
    }
    if (response.status !== 200) return { response, isRight: false };
    write.acknowledge(performance.now());
    this.acknowledged.push(requestIdOf(response));
    this.#pending = [];
    this.#tag = response.headers.etag;
    await this.#watch(this.#org, value);
    return { response, isRight: true };
  }

  async #read(send) {
    const response = await send(this.#path);
    if (response.status !== 200) return { response, isRight: false };
    const { name, conditions, actions } = response.body;
    this.body = { name, conditions };
    const isCurrent = (write) => this.#idps.get(write.value) === actions.idp.providers[0].id;
    this.#pending.find(isCurrent)?.acknowledge(performance.now());
    this.#tag = response.headers.etag;
    return { response, isRight: true };
  }
}

/** Suspends an org, or serves it again, by the command line. A command that fails is repeated until one succeeds. */
class Suspender {
  #org;
  #timeline;
  #watch;
  #isSuspended = false;

  constructor(org, { timeline, watch }) {
    this.#org = org;
    this.#timeline = timeline;
    this.#watch = watch;
  }

  /** @returns whether the command succeeded */
  async step(database) {
    const value = this.#isSuspended ? nameOf(0) : GONE;
    const write = this.#timeline.write(value, performance.now());
    try {
      await runCommand(database, ["org", this.#isSuspended ? "activate" : "suspend", this.#org]);
    } catch {
      return false;
    }
    write.acknowledge(performance.now());
    this.#isSuspended = !this.#isSuspended;
    await this.#watch(this.#org, value);
    return true;
  }
}

/**
 * Measures how soon each node answers with a new value, while all run and none is in trouble.
 *
 * @param clientsOf the clients of an org, one for each node
 * @param isCalm whether all nodes run, and none is in trouble
 */
function createWatch({ clientsOf, isCalm, times }) {
  return async function watch(org, value) {
    if (!isCalm()) return;
    const start = performance.now();
    const seen = await Promise.all(clientsOf(org).map((client) => see(client, { org, value, start, isCalm })));
    if (seen.every((time) => time !== undefined)) times.push(Math.max(...seen));
  };
}

/** In milliseconds; `undefined` when a fault began meanwhile. */
async function see(client, { org, value, start, isCalm }) {
  for (;;) {
    const response = await client
      .send(webfinger(`watch@${org}.example`), { timeout: MAX_WATCH })
      .catch(() => undefined);
    const time = performance.now() - start;
    if (!isCalm() || response === undefined) return undefined;
    if (valueOf(response) === value || time > MAX_WATCH) return time;
    await sleep(POLL);
  }
}

module.exports = { createWatch, RuleChanger, Suspender };
