"use strict";

const { linkOf } = require("../servers/client.js");
const { profile } = require("../servers/orgs.js");
const { requestIdOf } = require("./answers.js");

/** Creates, reads and deletes users of one org, and knows what must be there. */
class Users {
  /** The ids of requests that were acknowledged: each has an event. */
  acknowledged = [];
  #present = new Map();
  #gone = new Set();
  #next = 0;
  #name;

  constructor(name) {
    this.#name = name;
  }

  get count() {
    return this.#present.size;
  }

  /** Each returns whether the response was one of those that are right; a gap rejects. */
  async create(send) {
    const login = `${this.#name}-${this.#next++}@demo.example`;
    const response = await send("/api/v1/users", { method: "POST", body: { profile: profile(login) } });
    if (response.status !== 200) return { response, isRight: false };
    this.acknowledged.push(requestIdOf(response));
    this.#present.set(response.body.id, login);
    return { response, isRight: response.body.profile.login === login };
  }

  async read(send, random) {
    const id = this.#pick(random);
    if (id === undefined) return this.create(send);
    const login = this.#present.get(id);
    const response = await send(`/api/v1/users/${id}`);
    const mayBeGone = !this.#present.has(id); // deleted meanwhile
    return { response, isRight: response.body?.profile?.login === login || (mayBeGone && response.status === 404) };
  }

  /** Deactivates the user, then deletes it: the second request counts. */
  async delete(send, random) {
    const id = this.#pick(random);
    if (id === undefined) return this.create(send);
    this.#present.delete(id); // whether it is there is open from now on
    const first = await send(`/api/v1/users/${id}`, { method: "DELETE" });
    if (first.status !== 204) return { response: first, isRight: false };
    this.acknowledged.push(requestIdOf(first));
    const second = await send(`/api/v1/users/${id}`, { method: "DELETE" });
    if (second.status !== 204) return { response: second, isRight: false };
    this.acknowledged.push(requestIdOf(second));
    this.#gone.add(id);
    return { response: second, isRight: true };
  }

  /** What differs from what was acknowledged, when all requests have ended. */
  async check(client) {
    const found = new Map();
    for (let path = "/api/v1/users?limit=200"; path !== undefined;) {
      const response = await client.send(path);
      if (response.status !== 200) throw new Error(`the users are ${response.status}: ${response.text}`);
      for (const {
        id,
        profile: { login },
      } of response.body)
        found.set(id, login);
      path = linkOf(response, "next");
    }
    return [
      ...[...this.#present].filter(([id, login]) => found.get(id) !== login).map(([id]) => `the user ${id} is lost`),
      ...[...this.#gone].filter((id) => found.has(id)).map((id) => `the user ${id} was deleted, and is there`),
    ];
  }

  #pick(random) {
    const ids = [...this.#present.keys()];
    return ids.length === 0 ? undefined : random.pick(ids);
  }
}

module.exports = { Users };
