"use strict";

const { performance } = require("node:perf_hooks");
const { setTimeout } = require("node:timers");
const { setTimeout: sleep } = require("node:timers/promises");
const { webfinger } = require("../servers/client.js");
const { isFromBalancer, isRefusal, requestIdOf, valueOf } = require("./answers.js");
const { NODE_FIELD } = require("./balancer.js");
const { judgeAnswer } = require("./model.js");
const { PAUSE } = require("./monitor.js");
const { ORGS } = require("./orgs.js");

/** Requests a second, in all. */
const RATE = 100;

/** The most requests at a time: what the rate makes while nothing answers. */
const MAX_PENDING = 4_000;

/** In milliseconds: a client waits no longer. */
const PATIENCE = 35_000;

/** In milliseconds: until the log has a line about a request. */
const LOG_TIME = 500;

/** Different logins of an org. */
const LOGINS = 200;

/** How many users there are about. */
const USERS = 300;

/** The number of requests of 100 that ask for a provider, sign on, and read a user; the others create or delete one. */
const WEBFINGER = 66;
const SIGN_ON = 10;
const READ = 12;

/** Requests at a bounded rate from clients that repeat nothing; each response is judged. */
class Traffic {
  #world;
  #random;
  #pending = new Set();
  #isStopped = false;
  #done;

  /** @param world `{ nodes, clients, timelines, troubles, told, stalls, tally, users, signOn }`; `clients` by org, through the balancer */
  constructor(world, random) {
    this.#world = world;
    this.#random = random;
  }

  start() {
    this.#done = this.#run();
  }

  /** Waits for the requests under way. */
  async stop() {
    this.#isStopped = true;
    await this.#done;
    await Promise.all(this.#pending);
  }

  async #run() {
    const start = performance.now();
    for (let sent = 0; !this.#isStopped;) {
      for (const due = ((performance.now() - start) * RATE) / 1_000; sent < due; sent++) this.#sendOne();
      await sleep(5);
    }
  }

  #sendOne() {
    if (this.#pending.size >= MAX_PENDING) return;
    const request = this.#choose();
    this.#pending.add(request);
    void request.finally(() => this.#pending.delete(request));
  }

  #choose() {
    const dice = this.#random.integer(100);
    if (dice < WEBFINGER) return this.#askProvider();
    if (dice < WEBFINGER + SIGN_ON) return this.#signOn();
    const { users } = this.#world;
    if (dice < WEBFINGER + SIGN_ON + READ) return this.call("demo", (send) => users.read(send, this.#random));
    if (this.#random.integer(2 * USERS) >= users.count) return this.call("demo", (send) => users.create(send));
    return this.call("demo", (send) => users.delete(send, this.#random));
  }

  /** Call the API of an org: `work(send)` promises `{ response, isRight }`. */
  async call(org, work) {
    const { clients, tally } = this.#world;
    const [sent, kind] = [performance.now(), tally.kind];
    const send = (path, options) => clients[org].send(path, { timeout: PATIENCE, ...options });
    const { response, isRight = false } = await work(send).catch(() => ({}));
    const outcome = isRight ? "right" : outcomeOf(response);
    if (outcome === "wrong") this.#fail(`API of ${org}`, response);
    tally.note({ of: "api", kind, outcome, sent, received: performance.now() });
  }

  /** A log is written up to a tenth of a second later. */
  #fail(text, response) {
    const { nodes, tally } = this.#world;
    const { status, headers } = response;
    const { details } = tally;
    const node = nodes.find(({ name }) => name === headers[NODE_FIELD]);
    setTimeout(() => {
      const cause = node?.causeOf(requestIdOf(response)) ?? response.text.slice(0, 200);
      tally.fail(`${details}, ${text}: ${status}, Retry-After ${headers["retry-after"]}, ${node?.name}: ${cause}`);
    }, LOG_TIME).unref();
  }

  async #askProvider() {
    const org = this.#random.pick(ORGS);
    const login = `joe${this.#random.integer(LOGINS)}@${org}.example`;
    const { clients, timelines, troubles, told, stalls } = this.#world;
    await this.#discover(clients[org].send(webfinger(login), { timeout: PATIENCE }), (response, times) => {
      const node = response.headers[NODE_FIELD];
      const value = valueOf(response);
      const timeline = timelines[org];
      const text = `${node} says ${value} for ${org}, after ${timeline.describe(times.sent)}`;
      return { ...judgeAnswer({ timeline, troubles: [troubles, told, stalls], node, value, ...times }), text };
    });
  }

  async #signOn() {
    const { clients, signOn } = this.#world;
    await this.#discover(clients.demo.send(signOn, { timeout: PATIENCE }), ({ status, headers }) => ({
      isAllowed: status === 302 && headers.location === "https://idp.example.com/authorize",
      text: "sign-on",
    }));
  }

  async #discover(request, judge) {
    const { tally } = this.#world;
    const [sent, kind] = [performance.now(), tally.kind];
    const response = await request.catch(() => undefined);
    const received = performance.now();
    const refusal = outcomeOf(response);
    let verdict = response === undefined ? {} : judge(response, { sent, received });
    if (!verdict.isAllowed && refusal === "wrong") {
      await sleep(2 * PAUSE); // the next scrape may tell why
      verdict = judge(response, { sent, received });
    }
    if (refusal === "refused" && verdict.mayBeGone) return; // an org that is suspended misses nothing
    const outcome = verdict.isAllowed ? (verdict.isStale ? "stale" : "right") : refusal;
    if (outcome === "wrong") this.#fail(verdict.text, response);
    tally.note({ of: "discovery", kind, outcome, sent, received });
  }
}

/** What a response is that is not right. */
function outcomeOf(response) {
  if (response === undefined || isFromBalancer(response)) return "gap";
  return isRefusal(response) ? "refused" : "wrong";
}

module.exports = { Traffic };
