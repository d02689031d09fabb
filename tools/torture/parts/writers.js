"use strict";

const { createDatabase, onEngines } = require("../servers/databases.js");
const { Client } = require("../servers/client.js");
const { org } = require("../servers/orgs.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");

const ROUNDS = 1_000;
const WRITERS = 50;

async function run(engine, { count }) {
  const database = await createDatabase(engine);
  await importDocument(database, { orgs: [org("demo", { users: 1 })] });
  const token = await createToken(database, "demo");
  const server = await startServer(database, { args: ifSupported("--rate-limits", "off") });
  const client = new Client(server, { org: "demo", token, connections: WRITERS });
  const rounds = count(ROUNDS);
  const faults = [];
  let held = 0;
  for (let round = 0; round < rounds; round++) {
    const fault = await race(client, round);
    if (fault === undefined) held += 1;
    else faults.push(`round ${round}: ${fault}`);
  }
  client.close();
  await server.stop();
  await database.remove();
  return {
    tried: rounds,
    survived: held,
    faults,
    versions: database.versions,
    figures: { "writers in each round": String(WRITERS) },
  };
}

/** All writers send the tag that they read; the one who wins must be the one whose value is there. */
async function race(client, round) {
  const path = "/api/v1/users/user0@demo.example";
  const { headers } = await client.send(path);
  const responses = await Promise.all(
    Array.from({ length: WRITERS }, (_, writer) => {
      const body = { profile: { lastName: `Writer ${round} ${writer}` } };
      return client.send(path, { method: "POST", body, headers: { "If-Match": headers.etag } });
    }),
  );
  const winners = responses.filter(({ status }) => status === 200);
  const others = responses.filter(({ status }) => status !== 200 && status !== 412);
  if (others.length > 0) return `a writer got ${others[0].status} ${others[0].text}`;
  if (winners.length !== 1) return `${winners.length} writers won`;
  const { body } = await client.send(path);
  const expected = winners[0].body.profile.lastName;
  return body.profile.lastName === expected ? undefined : `${expected} won, but ${body.profile.lastName} is there`;
}

module.exports = {
  name: "writers",
  claim: `${ROUNDS.toLocaleString("en-US")} rounds in which ${WRITERS} writers change the same user with the same \`If-Match\`. Held:
one of them wins, all others get 412, and the user has what the winner wrote.`,
  runs: onEngines({ unit: "rounds", total: ROUNDS, run }),
};
