"use strict";

const { createDatabase, onEngines } = require("../servers/databases.js");
const { Client, linkOf } = require("../servers/client.js");
const { idp, org, profile } = require("../servers/orgs.js");
const { createToken, ifSupported, importDocument, startServer } = require("../servers/server.js");
const { listRoutes } = require("../servers/routes.js");

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The lists of an org, by the word in the path of a record. */
const LISTS = {
  apiTokens: "/api/v1/apiTokens",
  idps: "/api/v1/idps",
  policies: "/api/v1/policies?type=IDP_DISCOVERY",
  trustedOrigins: "/api/v1/trustedOrigins",
  users: "/api/v1/users",
  zones: "/api/v1/zones",
};

/** What everyone may read who knows the host of an org. */
const PUBLIC = /\/(?:metadata\.xml|openapi\.json)$/;

const BODIES = {
  idps: idp("Login"),
  policies: { name: "New", actions: { idp: { providers: [{ type: "SVC" }] } } },
  trustedOrigins: { name: "Page", origin: "https://page.example", scopes: [{ type: "CORS" }] },
  users: { profile: profile("new@example.com") },
  zones: { name: "New", gateways: [{ type: "CIDR", value: "203.0.113.0/24" }] },
};

const fullOrg = (subdomain) => ({
  ...org(subdomain, { users: 3 }),
  zones: [{ name: "One", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] }, { name: "Two" }],
  trustedOrigins: ["one", "two"].map((name) => ({
    name,
    origin: `https://${name}.example`,
    scopes: [{ type: "CORS" }],
  })),
});

async function run(engine) {
  const database = await createDatabase(engine);
  await importDocument(database, { orgs: [fullOrg("victim"), fullOrg("intruder")] });
  const tokens = { victim: await createToken(database, "victim"), intruder: await createToken(database, "intruder") };
  const server = await startServer(database, { args: ifSupported("--rate-limits", "off") });
  const victim = new Client(server, { org: "victim", token: tokens.victim });
  const intruder = new Client(server, { org: "intruder", token: tokens.intruder });
  const stranger = new Client(server, { org: "victim", token: tokens.intruder });
  const lost = new Client(server, { org: "nobody", token: tokens.intruder });
  const tally = { tried: 0, held: 0, faults: [] };

  const ids = await readIds(victim);
  const before = await readAll(victim, ids);
  const routes = listRoutes();
  for (const route of routes) {
    for (const method of METHODS) {
      if (/:\w+/.test(route))
        await expectRefusal(tally, intruder, {
          method,
          path: fill(route, ids),
          body: bodyOf(route),
          allowed: [404, 405],
        });
      const own = { method, path: fill(route, ids), body: bodyOf(route) };
      if (!PUBLIC.test(route)) await expectRefusal(tally, stranger, { ...own, allowed: [401, 405] });
      await expectRefusal(tally, lost, { ...own, allowed: [404] });
    }
  }
  await tryCursors(tally, victim, intruder, ids);
  tally.tried += 1;
  if ((await readAll(victim, ids)) === before) tally.held += 1;
  else tally.faults.push("the records of the other org changed");
  for (const client of [victim, intruder, stranger, lost]) client.close();
  await server.stop();
  await database.remove();
  return {
    tried: tally.tried,
    survived: tally.held,
    faults: tally.faults,
    versions: database.versions,
    figures: { routes: String(routes.length) },
  };
}

/** 204 and 403 for OPTIONS, which are for browsers and tell nothing, are fine. */
async function expectRefusal(tally, client, { method, path, body, allowed }) {
  const accepted = method === "OPTIONS" ? [...allowed, 204, 403] : allowed;
  const hasBody = ["POST", "PUT", "PATCH"].includes(method);
  const headers = method === "PATCH" ? { "Content-Type": "application/merge-patch+json" } : {};
  const { status, text } = await client.send(path, { method, ...(hasBody && { body }), headers });
  tally.tried += 1;
  if (accepted.includes(status)) tally.held += 1;
  else tally.faults.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
}

/** A cursor of another org is refused as if it were forged. */
async function tryCursors(tally, victim, intruder, ids) {
  for (const list of [...Object.values(LISTS), `/api/v1/policies/${ids.policies}/rules`, "/api/v1/logs"]) {
    const next = linkOf(await victim.send(`${list}${list.includes("?") ? "&" : "?"}limit=1`), "next");
    if (next === undefined || next.includes(ids.policies)) continue;
    const { status, text } = await intruder.send(next);
    tally.tried += 1;
    if (status === 400 && text.includes("E0000029")) tally.held += 1;
    else tally.faults.push(`GET ${next}: ${status} ${text.slice(0, 200)}`);
  }
}

async function readIds(client) {
  const first = async (path) => (await client.send(path)).body[0].id;
  const ids = {};
  for (const [kind, path] of Object.entries(LISTS)) ids[kind] = await first(path);
  ids.rules = await first(`/api/v1/policies/${ids.policies}/rules`);
  return ids;
}

/** All records of an org as one text; without what a token remembers of its use. */
async function readAll(client, ids) {
  const paths = [
    ...Object.values(LISTS).filter((path) => !path.includes("apiTokens")),
    `/api/v1/policies/${ids.policies}/rules`,
  ];
  return JSON.stringify(await Promise.all(paths.map(async (path) => (await client.send(path)).body)));
}

function fill(route, ids) {
  const kind = /\/api\/v\d+\/(\w+)/.exec(route)?.[1];
  return route
    .replace(":policyId", ids.policies)
    .replace(":ruleId", ids.rules)
    .replace(/:\w+/, ids[kind] ?? ids.users);
}

function bodyOf(route) {
  if (route.startsWith("/api/v2/users"))
    return { login: "new@example.com", email: "a@b.example", name: { given: "A", family: "B" } };
  return BODIES[/\/api\/v\d+\/(\w+)/.exec(route)?.[1]] ?? {};
}

module.exports = {
  name: "tenants",
  claim: `Every route with every method: with the ids of another org, with the token of another org, and at a host of no org; and the
cursors of another org. Held: 404, 401, or 405 where there is no such method; 400 \`E0000029\` for a cursor; and the records of the
other org are what they were.`,
  runs: onEngines({ unit: "requests", total: 0, run }), // all of them at every scale
};
