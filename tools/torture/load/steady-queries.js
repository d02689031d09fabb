"use strict";

const { performance } = require("node:perf_hooks");
const { setTimeout: sleep } = require("node:timers/promises");
const { Client } = require("pg");

/**
 * One connection that runs a statement again and again until it is stopped, and notes how long each took.
 *
 * @param pause in milliseconds, from the start of one to the start of the next
 */
class SteadyQueries {
  count = 0;
  /** In milliseconds. */
  longest = 0;
  /** How many took longer than the limit. */
  late = 0;
  faults = [];
  #client;
  #isStopped = false;
  #running;

  static async start(connectionString, statement, { pause, limit = Infinity }) {
    const queries = new SteadyQueries();
    queries.#client = new Client({ connectionString });
    queries.#client.on("error", () => undefined);
    await queries.#client.connect();
    queries.#running = queries.#run(statement, pause, limit);
    return queries;
  }

  async stop() {
    this.#isStopped = true;
    await this.#running;
    await this.#client.end();
  }

  async #run(statement, pause, limit) {
    while (!this.#isStopped) {
      const start = performance.now();
      try {
        await this.#client.query(typeof statement === "function" ? statement(this.count) : statement);
      } catch (error) {
        this.faults.push(error.message);
        return;
      }
      const duration = performance.now() - start;
      this.count += 1;
      this.longest = Math.max(this.longest, duration);
      if (duration > limit) this.late += 1;
      await sleep(Math.max(0, pause - duration));
    }
  }
}

module.exports = { SteadyQueries };
