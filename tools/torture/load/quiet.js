"use strict";

const { setTimeout: sleep } = require("node:timers/promises");
const { webfinger } = require("../servers/client.js");
const { p99 } = require("../../kit/statistics.js");

/** In milliseconds: a quiet client sends a request so often, whether the one before has its response or not. */
const INTERVAL = 20;

/**
 * What an application and an administrator do all day, for some seconds, at a steady pace: sign people in, read and change
 * users.
 *
 * @returns `{ p99, tried, faults }`; every response must be 200
 */
async function beQuiet(client, seconds, { users }) {
  const end = Date.now() + seconds * 1_000;
  const durations = [];
  const faults = [];
  const pending = [];
  for (let number = 0; Date.now() < end; number++) {
    pending.push(ask(client, number, users, durations, faults));
    await sleep(INTERVAL);
  }
  await Promise.all(pending);
  return { p99: p99(durations), tried: durations.length + faults.length, faults };
}

async function ask(client, number, users, durations, faults) {
  const [path, call] = createRequest(number, users);
  try {
    const { status, text, duration } = await client.send(path, call);
    if (status === 200) durations.push(duration);
    else faults.push(`${path}: ${status} ${text.slice(0, 200)}`);
  } catch (error) {
    faults.push(`${path}: ${error.message}`);
  }
}

function createRequest(number, users) {
  const login = `user${number % users}@quiet.example`;
  if (number % 10 === 0)
    return [`/api/v1/users/${login}`, { method: "POST", body: { profile: { lastName: `Doe ${number}` } } }];
  if (number % 10 === 1) return ["/api/v1/users?limit=5"];
  if (number % 10 < 4) return [`/api/v1/users/${login}`];
  return [webfinger(login)];
}

module.exports = { beQuiet };
