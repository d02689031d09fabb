"use strict";

const { CONTENTS } = require("./contents.js");
const { confirm, describeFault, isSuspect } = require("./judge.js");
const { createRequest, listInputs } = require("./operations.js");

/** How much of a limit is tried: of what is cheapest there, the rest isn't. What is beyond a limit is one more. */
const FILLS = [1 / 64, 1 / 8, 1];
const BEYOND = 2;

/** A body of a form or a patch costs nothing as long as it is so small: they begin with more. */
const FORM_FILL = 1 / 8;

/** How many of the inputs go on to the next fill, and at most of one operation and of one input of it. */
const KEPT = [400, 120];
const KEPT_OF = { operation: 24, input: 3 };

/** In milliseconds: a response that takes longer is one. */
const PATIENCE = 120_000;

/** Tries inputs, remembers what they cost, and judges the suspects, each kind once. */
class Climb {
  tried = 0;
  faults = [];
  /** The slowest inputs that were judged, and those with the longest turns. */
  judged = [];
  longest = { turn: 0, label: "none" };
  slow = 0;
  #known = new Set();
  #run;
  #elapsed;
  #say;
  #salt = 0;

  /** @param elapsed the part of the time that has passed */
  constructor({ run, elapsed, say }) {
    this.#run = run;
    this.#elapsed = elapsed;
    this.#say = say;
  }

  /**
   * Send one and note its cost.
   *
   * @param input `{ operation, input, fill, content, choices, share }`
   */
  async try(stage, place, input) {
    const request = createRequest(input.operation, { ...input, salt: ++this.#salt, place });
    const send = () => this.#send(place, request);
    const cost = await stage.watched.cost(send);
    this.tried += 1;
    const label = labelOf(input);
    if (cost.turn > this.longest.turn) this.longest = { turn: cost.turn, label: `${label}, ${place.state.key}` };
    if (cost.turn > 20) this.slow += 1;
    if (isSuspect(cost)) await this.#judge(stage, place, { input, request, send });
    return { ...cost, input, score: cost.processor + cost.turn + cost.memory / 2 ** 20 };
  }

  /** Climb with all inputs of all operations in one place, until this part of the time has passed. */
  async climb(stage, place, operations, until) {
    let candidates = inOrder(operations).flatMap((operation) =>
      [undefined, ...listInputs(operation)].flatMap((input) =>
        contentsOf(input).map((content) => ({ operation, input, content })),
      ),
    );
    for (const [step, fill] of FILLS.entries()) {
      const found = [];
      for (const candidate of candidates) {
        if (this.#elapsed() > until) return;
        const least = isForm(candidate.input) ? FORM_FILL : 0;
        found.push(await this.try(stage, place, { ...candidate, fill: Math.max(fill, least) }));
      }
      this.#say(`${this.tried} inputs, ${fill} of the limits`);
      candidates = step < KEPT.length ? keep(found, KEPT[step]).map(({ input }) => input) : candidates;
    }
    for (const candidate of candidates.slice(0, KEPT[1] / 2))
      await this.try(stage, place, { ...candidate, fill: BEYOND });
  }

  /** The same small requests in every place; the places by what they cost, the most first. */
  async probe(stage, operations, until) {
    const rest = new Map();
    const found = [];
    for (const place of stage.places) {
      let score = 0;
      for (const operation of operations) {
        if (this.#elapsed() > until) break;
        const cost = await this.try(stage, place, { operation, fill: 0 });
        if (place.state.kind === undefined) rest.set(operation.id, cost.score);
        score = Math.max(score, cost.score - (rest.get(operation.id) ?? 0));
      }
      found.push({ state: place.state, score });
    }
    return found.sort((a, b) => b.score - a.score);
  }

  async #send({ client, subdomain }, { method, path, headers, body }) {
    const found = await client
      .send(path, { method, body, headers, timeout: PATIENCE, host: subdomain })
      .catch((error) => ({ status: error.message, text: "" }));
    if (found.status === 500) this.faults.push(`${method} ${path.slice(0, 200)}: 500`);
    return { status: found.status, length: found.text.length };
  }

  async #judge(stage, place, { input, request, send }) {
    const kind = `${input.operation.id} ${input.input?.kind} ${input.input?.name} ${place.state.kind} ${place.state.field}`;
    if (this.#known.has(kind)) return;
    this.#known.add(kind);
    const found = await confirm(stage.watched, send);
    const label = labelOf(input);
    this.judged.push({ ...found, label });
    if (found.excess.length === 0) return;
    const { state } = place;
    const number = this.faults.length + 1;
    const fault = describeFault({
      run: this.#run,
      number,
      state: state.key,
      level: stage.level,
      label,
      request,
      found,
    });
    this.faults.push(fault);
    this.#say(`\n  ${fault.slice(0, 300)}\n `);
  }
}

/** What removes a record comes last. */
function inOrder(operations) {
  const rank = ({ method, path }) => (method === "DELETE" ? 2 : /lifecycle/.test(path) ? 1 : 0);
  return [...operations].sort((a, b) => rank(a) - rank(b));
}

function isForm(input) {
  return input?.kind === "form" || input?.kind === "patch";
}

/** The texts that a field is filled with; a form has none. */
function contentsOf(input) {
  if (input === undefined || isForm(input)) return ["prefixes"];
  return Object.keys(CONTENTS);
}

function labelOf({ operation: { method, path }, input, content = "", fill = 0 }) {
  if (input === undefined) return `${method} ${path}`;
  const name =
    input.kind === "form"
      ? `a body of ${input.name}${input.member ? ` in ${input.member}` : ""}`
      : `${input.kind} ${input.name ?? "whole"}`;
  const size = fill > 1 ? "beyond its limit" : `at ${fill} of its limit`;
  return `${method} ${path} with ${name} (${content}) ${size}`;
}

/** The most expensive ones, but not only those of one operation or input. */
function keep(found, number) {
  const counts = new Map();
  const kept = [];
  const isRoom = (key, most) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key) <= most;
  };
  for (const one of found.sort((a, b) => b.score - a.score)) {
    const { operation, input } = one.input;
    const own = `${operation.id} ${operation.path} ${input?.kind} ${input?.name}`;
    if (isRoom(own, KEPT_OF.input) && isRoom(`${operation.id} ${operation.path}`, KEPT_OF.operation)) kept.push(one);
    if (kept.length === number) break;
  }
  return kept;
}

module.exports = { Climb };
