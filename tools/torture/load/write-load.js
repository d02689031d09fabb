"use strict";

const { profile } = require("../servers/orgs.js");

const LANES = 12;

/** One of so many writes of a lane creates a user, the others count one up. */
const CREATES = 2;

/**
 * Clients that create users and change them until they are stopped, and note what the server acknowledged. Every write says
 * in its data which one it is.
 */
class WriteLoad {
  /** `{ id, login, request }` of users that were created, `request` being the id of the request. */
  created = [];
  /** The ids of requests that changed a user. */
  updates = [];
  /** Responses that are neither a success nor 503. */
  faults = [];
  #counters;
  #client;
  #name;
  #isStopped = false;
  #lanes;

  constructor(client, name) {
    this.#client = client;
    this.#name = name;
    this.#counters = Array.from({ length: LANES }, () => ({ acknowledged: 0, sent: 0 }));
  }

  /** Each lane counts in a user of its own. */
  async prepare() {
    await Promise.all(
      this.#counters.map(async (_, lane) => {
        const { status, text } = await this.#client.send("/api/v1/users", {
          method: "POST",
          body: { profile: profile(this.#counterOf(lane)) },
        });
        if (status !== 200) throw new Error(`no user for the lane: ${status} ${text}`);
      }),
    );
  }

  start() {
    this.#lanes = this.#counters.map((counter, lane) => this.#write(counter, lane));
  }

  get acknowledged() {
    return this.created.length + this.updates.length;
  }

  /** Wait for the writes in flight, of which some may fail. */
  async stop() {
    this.#isStopped = true;
    await Promise.all(this.#lanes);
  }

  /**
   * Whether everything that was acknowledged is there: the faults.
   *
   * @param client of the server as it is now
   */
  async check(client) {
    const faults = [];
    for (const { id, login } of this.created) {
      const { status } = await client.send(`/api/v1/users/${id}`);
      if (status !== 200) faults.push(`${login} was acknowledged, and is ${status}`);
    }
    for (const [lane, { acknowledged, sent }] of this.#counters.entries()) {
      const { status, body } = await client.send(`/api/v1/users/${this.#counterOf(lane)}`);
      const value = Number(body?.profile?.count ?? 0);
      if (status === 200 && value >= acknowledged && value <= sent) continue;
      faults.push(`${acknowledged} was acknowledged, and ${status === 200 ? value : status} is there`);
    }
    return faults;
  }

  async #write(counter, lane) {
    for (let number = 1; !this.#isStopped; number++) {
      await this.#writeOne(counter, lane, number).catch(() => {
        this.#isStopped = true; // the connection broke
      });
    }
  }

  async #writeOne(counter, lane, number) {
    const creates = number % CREATES === 0;
    const login = creates ? `${this.#name}-${lane}-${number}@demo.example` : this.#counterOf(lane);
    if (!creates) counter.sent += 1;
    const { status, text, body, headers } = await (creates
      ? this.#client.send("/api/v1/users", { method: "POST", body: { profile: profile(login) } })
      : this.#client.send(`/api/v1/users/${login}`, { method: "POST", body: { profile: { count: counter.sent } } }));
    const request = headers["x-svc-request-id"];
    if (status === 503) return;
    if (status !== 200) this.faults.push(`a write got ${status} ${text}`);
    else if (creates) this.created.push({ id: body.id, login, request });
    else this.updates.push(request);
    if (status === 200 && !creates) counter.acknowledged = counter.sent;
  }

  #counterOf(lane) {
    return `${this.#name}-counter-${lane}@demo.example`;
  }
}

module.exports = { WriteLoad };
