"use strict";

const { requireCompiled } = require("../../kit/compiled.js");
const { Client } = require("../servers/client.js");
const { createDatabase } = require("../servers/databases.js");
const { idp, org, rule } = require("../servers/orgs.js");
const { pastServer } = require("../servers/rows.js");
const { createToken, importDocument } = require("../servers/server.js");
const { WatchedServer } = require("../servers/watched.js");
const { LOGIN } = require("./known.js");
const { CERTIFICATE, createOrg, ELEMENTS } = require("./states.js");

/** How often an import is tried again, with less in the orgs that were refused. */
const MAX_IMPORTS = 10;

/** By the word in the path of a record. */
const TABLES = {
  users: "users",
  idps: "idps",
  zones: "zones",
  trustedOrigins: "trusted_origins",
  apiTokens: "api_tokens",
  rules: "rules",
};

/** The user who is asked for and the default rule are not changed. */
const OTHERS = { users: `and login <> '${LOGIN}'`, rules: "and system = 0" };

/**
 * A server whose orgs are each in one of the states, and a neighbour.
 *
 * @returns `{ watched, places, refused, versions, close }`; a place is `{ state, client, ids, names }`, and there is none for
 *   a state that the server refuses
 */
async function openStage(engine, states, { level, schema, args = [] }) {
  const database = await createDatabase(engine);
  const quiet = org("quiet", { users: 1 });
  const base = { ...org("base"), idps: [idp("Login")], rules: [rule("First", "nowhere.example")] };
  await importDocument(database, { orgs: [quiet, base] });
  const quietToken = await createToken(database, "quiet");
  const token = await createToken(database, "base");
  const imported = await importStates(database, states, { level, schema });
  await copyToken(database);
  const idsOf = await findIds(database, imported.keys());
  const watched = await WatchedServer.start(database, { neighbour: { org: "quiet", token: quietToken }, args });
  const places = [];
  for (const [subdomain, state] of imported) {
    const names = { zones: ["ALL_ZONES"], idps: ["Login"], subdomain, certificate: CERTIFICATE };
    places.push({
      state,
      subdomain,
      client: new Client(watched.server, { org: subdomain, token }),
      ids: idsOf.get(subdomain),
      names,
    });
  }
  return { watched, places, token, versions: database.versions, refused: states.length - places.length, close };

  async function close() {
    for (const { client } of places) client.close();
    await watched.stop();
    await database.remove();
  }
}

/**
 * Import what the server accepts of each state: less where a quota refuses it, nothing where something else does.
 *
 * @returns the states that are there, by subdomain
 */
async function importStates({ dataFolder, databaseUrl }, states, { level, schema }) {
  const { openStore } = requireCompiled("store/store.js");
  const { importText } = requireCompiled("transfer/import.js");
  const store = await openStore({ dataFolder, ...(databaseUrl && { databaseUrl }) });
  const attempt = (document) =>
    importText(store, JSON.stringify({ orgs: [document] })).then(() => undefined, messageOf);
  const imported = new Map();
  let elements = ELEMENTS; // as many as a profile may have
  for (const [index, state] of states.entries()) {
    const subdomain = `s${index}`;
    let most = Infinity;
    for (let tries = 0; tries < MAX_IMPORTS && most >= 1; tries++) {
      const document = createOrg(state, { subdomain, level, elements, schema, most });
      const fault = await attempt(document);
      if (fault === undefined) imported.set(subdomain, state);
      if (fault === undefined || elements < 1) break;
      if (/users\[1\]/.test(fault)) elements = Math.floor(elements / 2);
      else if (/quota/.test(fault)) most = Math.floor(document[state.kind].length / 2);
      else break;
    }
  }
  await store.close();
  return imported;
}

function messageOf(error) {
  if (error.name !== "ImportError") throw error;
  return `${error.message} ${JSON.stringify(error.faults ?? [])}`;
}

/** One token is that of each org. */
function copyToken(database) {
  return pastServer(database, async (query) => {
    const [row] = await query("select * from api_tokens where org_id = (select id from orgs where subdomain = ?)", [
      "base",
    ]);
    const columns = Object.keys(row);
    const insert = `insert into api_tokens (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
    for (const { id } of await query("select id from orgs where subdomain not in ('quiet', 'base')")) {
      await query(
        insert,
        columns.map((column) => (column === "org_id" ? id : row[column])),
      );
      await query(
        insert,
        columns.map(
          (column) =>
            ({ ...row, org_id: id, id: "0".repeat(20), name: "Other", hash: `${row.hash.slice(0, 60)}0000` })[column],
        ),
      );
    }
  });
}

/** One id of each kind, by subdomain. */
function findIds(database, subdomains) {
  return pastServer(database, async (query) => {
    const idsOf = new Map();
    for (const subdomain of subdomains) {
      const [{ id, policy_id: policies }] = await query("select id, policy_id from orgs where subdomain = ?", [
        subdomain,
      ]);
      const ids = { policies };
      for (const [kind, table] of Object.entries(TABLES)) {
        const other = OTHERS[kind] ?? "";
        const [found] = await query(`select min(id) as id from ${table} where org_id = ? ${other}`, [id]);
        if (found?.id) ids[kind] = found.id;
      }
      idsOf.set(subdomain, ids);
    }
    return idsOf;
  });
}

module.exports = { openStage };
