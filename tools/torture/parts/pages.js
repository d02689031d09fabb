"use strict";

const { createDatabase, onEngines } = require("../servers/databases.js");
const { Client, linkOf } = require("../servers/client.js");
const { org, profile } = require("../servers/orgs.js");
const { mixSeed, Random } = require("../random.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");

const WALKS = 1_000;

/** Users who stay, and how many others come and go meanwhile. */
const RESIDENTS = 120;

/** Walks at the same time, and clients that insert and delete. */
const WALKERS = 8;
const CHANGERS = 4;

const LISTS = [
  "/api/v1/users?limit=7",
  "/api/v1/users?limit=13&sortBy=profile.login",
  "/api/v1/users?limit=20&sortBy=lastUpdated&sortOrder=desc",
  "/api/v1/users?limit=9&sortBy=profile.lastName&sortOrder=asc",
  `/api/v1/users?limit=11&search=${encodeURIComponent('profile.login sw "u"')}`,
  `/api/v1/users?limit=30&filter=${encodeURIComponent('status eq "ACTIVE"')}`,
];

async function run(engine, { count, seed }) {
  const database = await createDatabase(engine);
  await importDocument(database, { orgs: [org("demo", { users: RESIDENTS })] });
  const token = await createToken(database, "demo");
  const server = await startServer(database, { args: ifSupported("--rate-limits", "off") });
  const client = new Client(server, { org: "demo", token });
  const walks = count(WALKS);
  const tally = { held: 0, pages: 0, changes: 0, next: 0, faults: [], isOver: false };

  const changers = Array.from({ length: CHANGERS }, (_, lane) =>
    changeUsers(client, new Random(mixSeed(seed, lane)), lane, tally),
  );
  await Promise.all(Array.from({ length: WALKERS }, () => walkOften(client, walks, tally)));
  tally.isOver = true;
  await Promise.all(changers);
  client.close();
  await server.stop();
  await database.remove();
  return {
    tried: walks,
    survived: tally.held,
    faults: tally.faults,
    versions: database.versions,
    figures: { pages: String(tally.pages), "inserts and deletes meanwhile": String(tally.changes) },
  };
}

async function walkOften(client, walks, tally) {
  for (let walk = tally.next++; walk < walks; walk = tally.next++) {
    const list = LISTS[walk % LISTS.length];
    const fault = await walkThrough(client, list, tally).catch((error) => error.message);
    if (fault === undefined) tally.held += 1;
    else tally.faults.push(`walk ${walk}, ${list}: ${fault}`);
  }
}

/** From page to page to the end: each resident once, and nobody twice. */
async function walkThrough(client, list, tally) {
  const seen = new Set();
  let residents = 0;
  for (let path = list; path !== undefined;) {
    const response = await client.send(path);
    if (response.status !== 200) return `${response.status} ${response.text}`;
    tally.pages += 1;
    for (const {
      id,
      profile: { login },
    } of response.body) {
      if (seen.has(id)) return `${login} comes twice`;
      seen.add(id);
      if (login.startsWith("user")) residents += 1;
    }
    path = linkOf(response, "next");
  }
  return residents === RESIDENTS ? undefined : `${residents} of ${RESIDENTS} users who were there all the time`;
}

/** Users whose logins and names lie between those of the residents come and go. */
async function changeUsers(client, random, lane, tally) {
  const present = [];
  for (let number = 0; !tally.isOver; number++) {
    const removes = present.length > 30 || (present.length > 0 && random.isLikely(0.4));
    if (removes) {
      const [id] = present.splice(random.integer(present.length), 1);
      await client.send(`/api/v1/users/${id}`, { method: "DELETE" });
      await client.send(`/api/v1/users/${id}`, { method: "DELETE" }); // the first one deactivates
    } else {
      const login = `${random.pick(["a", "guest", "u", "usez", "z"])}-${lane}-${number}@demo.example`;
      const body = { profile: { ...profile(login), lastName: random.pick(["Aa", "Doe", "Zz"]) } };
      const { status, body: made } = await client.send("/api/v1/users", { method: "POST", body });
      if (status === 200) present.push(made.id);
    }
    tally.changes += 1;
  }
}

module.exports = {
  name: "pages",
  claim: `${WALKS.toLocaleString("en-US")} walks from page to page through lists of users in six orders, while other clients insert
and delete users. Held: every user who was there all the time comes once, and nobody comes twice.`,
  runs: onEngines({ unit: "walks", total: WALKS, run }),
};
