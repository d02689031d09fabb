"use strict";

const { requireCompiled } = require("../../kit/compiled.js");
const { idp, profile, rule } = require("../servers/orgs.js");
const { LOGIN } = require("./known.js");
const { listChoices, listFields, ValueMaker } = require("./shapes.js");

/** What an org stores before the requests: as many records of a kind as fit, of which a field is large, or none. */

const KINDS = ["idps", "zones", "trustedOrigins", "users", "rules"];

/** Families of texts that make a difference in what is stored. */
const STORED = ["prefixes", "labels", "accents"];

/** In bytes: the most that records of a state have as JSON. A tenant needs some minutes to store them. */
const MAX_BYTES = 33_554_432;

/** The most records of a state; a tenant may have a million users. */
const MAX_RECORDS = 10_000;

/** Elements of the attribute of {@link LOGIN}, and the characters of each. */
const ELEMENTS = 100;
const ELEMENT_LENGTH = 2_048;

/**
 * Every state: `{ kind, field, choices, content, isLarge, key }`, the first one without `kind`: a few small records.
 *
 * @param file the schema of the org in an import file
 */
function listStates(file) {
  const states = [{ key: "few small records" }];
  for (const kind of KINDS) {
    const { items } = file.properties[kind];
    const fields = listFields(items);
    const lists = fields.filter((name) => name.endsWith("[]"));
    const isPart = (name) => lists.some((list) => name.startsWith(`${list}.`)); // a full list is full of full elements
    for (const field of fields.filter((name) => !isPart(name))) {
      for (const choices of listChoices(items, field)) {
        states.push(create({ kind, field, choices, content: "prefixes", isLarge: false }));
        states.push(...STORED.map((content) => create({ kind, field, choices, content, isLarge: true })));
      }
    }
  }
  return states;
}

function create(state) {
  const chosen = Object.values(state.choices).join(" ");
  const size = state.isLarge ? `full of ${state.content}` : "small";
  return { ...state, key: `${state.kind} with ${state.field} ${size}${chosen && ` (${chosen})`}` };
}

/**
 * The org of a state in an import file.
 *
 * @param level the part of the limits that it uses
 * @param elements of the attribute of the user who is asked for
 */
function createOrg(
  { kind, field, choices, content, isLarge },
  { subdomain, level, elements, schema, most = Infinity },
) {
  const zones = Array.from({ length: kind === "zones" ? 1 : Math.max(2, Math.floor(100 * level)) }, (_, index) => ({
    name: `Zone ${index}`,
    gateways: [{ type: "CIDR", value: `198.51.${index}.0/24` }],
  }));
  const org = {
    subdomain,
    name: subdomain,
    idps: [idp("Login")],
    zones,
    trustedOrigins: [{ name: "Page", origin: "https://page.example", scopes: [{ type: "CORS" }] }],
    users: [
      { profile: profile("user1@hostile.example") },
      { profile: { ...profile(LOGIN), a0: Array.from({ length: elements }, () => "a".repeat(ELEMENT_LENGTH)) } },
    ],
    rules: [rule("First", "nowhere.example")],
  };
  if (kind === undefined) return org;
  const { [kind]: quota } = requireCompiled("model/quotas.js").DEFAULT_QUOTAS;
  const names = { zones: zones.map(({ name }) => name), idps: ["Login"], subdomain, certificate: CERTIFICATE };
  const make = (salt) =>
    new ValueMaker({ fill: isLarge ? 1 : 0, focus: field, content, choices, names, salt }).make(
      schema.properties[kind].items,
    );
  const size = JSON.stringify(make(1)).length;
  const count = Math.min(Math.min(quota, MAX_RECORDS) * level - 3, (MAX_BYTES * level) / size, most);
  for (let salt = 1; salt <= Math.max(1, count); salt++) org[kind].push(name(make(salt), salt, kind));
  return org;
}

/** Names are unique. */
function name(record, salt, kind) {
  if (kind === "users") {
    const { login } = record.profile;
    return { ...record, profile: { ...record.profile, login: `${salt}.${login}`.slice(0, 255) } };
  }
  return { ...record, name: `${record.name.slice(0, 110).trim()} ${salt}` };
}

/** A certificate of P-256, the smallest that there is. */
const CERTIFICATE = require("../../../example-app/demo.json").orgs.flatMap(({ idps = [] }) =>
  idps.flatMap(({ protocol }) => protocol.credentials?.trust?.certificate ?? []),
)[0];

module.exports = { CERTIFICATE, createOrg, ELEMENTS, listStates };
