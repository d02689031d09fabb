"use strict";

const { readFileSync } = require("node:fs");
const path = require("node:path");
const { CONTENTS } = require("./contents.js");
const { createForm, createPatch, FORMS, PATCHES } = require("./forms.js");
const { rule } = require("../servers/orgs.js");
const { LOGIN } = require("./known.js");
const { listFields, ValueMaker } = require("./shapes.js");

const DOCS = path.join(__dirname, "../../../docs");

/** In bytes: the longest body, of an operation that has no limit of its own. */
const BODY_BYTES = 1_048_576;
const LIMITS = { signIn: 16_384 };

/** In characters: a query or a field. Node takes 16 KB for a whole head. */
const TEXT_LENGTH = 14_000;

/** How many operations a JSON Patch has beside the first. */
const MAX_OPERATIONS = 99;

const JSON_PATCH = "application/json-patch+json";
const text = { type: "string" };
const query = (name, required = false) => ({ name, in: "query", required, schema: text });

/** What the description doesn't tell of, by the path under which `app.ts` mounts it. */
const OTHERS = [
  {
    id: "signOn",
    mount: "/sso",
    method: "GET",
    path: "/sso/idps/SVC",
    parameters: [query("login_hint"), query("domain_hint"), query("resource")],
  },
  {
    id: "signOnWith",
    mount: "/sso",
    method: "GET",
    path: "/sso/idps/{idpId}",
    parameters: [pathPart("idpId"), query("login_hint"), query("hd")],
  },
  {
    id: "initiateLogin",
    mount: "/sso",
    method: "GET",
    path: "/sso",
    parameters: [query("iss"), query("login_hint"), query("target_link_uri")],
  },
  {
    id: "signIn",
    mount: "/console",
    method: "POST",
    path: "/console/session",
    bodies: {
      "application/json": { type: "object", properties: { code: { ...text, maxLength: 8_192 } }, required: ["code"] },
    },
    isOwnPage: true,
  },
  { id: "showSession", mount: "/console", method: "GET", path: "/console/session", parameters: [header("Cookie")] },
  { id: "signOut", mount: "/console", method: "DELETE", path: "/console/session", parameters: [header("Cookie")] },
  { id: "consolePage", mount: "/console", method: "GET", path: "/console/{file}", parameters: [pathPart("file")] },
  { id: "documentation", mount: "/api", method: "GET", path: "/api/docs", parameters: [header("Accept")] },
  { id: "preflight", mount: "/api", method: "OPTIONS", path: "/api/v1/users", parameters: [header("Origin")] },
  {
    id: "nothing",
    mount: "/",
    method: "GET",
    path: "/{file}",
    parameters: [pathPart("file"), header("Accept"), header("User-Agent"), header("X-Forwarded-For")],
  },
];

function header(name) {
  return { name, in: "header", schema: text };
}

function pathPart(name) {
  return { name, in: "path", schema: text, isFree: true };
}

/** What goes with every body of an operation, beside what it must have. */
const COMPLETIONS = {
  revokeApiTokens: (body) => ({ unusedSince: "2000-01-01T00:00:00.000Z", ...body }),
  replaceRule: (body) => ({ name: "First", ...body }),
  replaceIdentityProvider: (body) => ({ ...body, type: "OIDC", protocol: { ...body.protocol, type: "OIDC" } }),
  previewRuleChange: (body) => ({
    rule: { ...rule("New", "nowhere.example"), actions: { idp: { providers: [{ type: "SVC" }] } } },
    ...body,
  }),
};

/** Every operation: `{ id, method, path, parameters, bodies, headers, bytes }`, the bodies by their media type. */
function listOperations(descriptions = readDescriptions()) {
  const described = descriptions.flatMap((description) =>
    Object.entries(description.paths).flatMap(([route, item]) =>
      ["get", "post", "put", "patch", "delete"]
        .filter((method) => item[method])
        .map((method) => describe(description, route, method)),
    ),
  );
  return [...described, ...OTHERS].map((one) => ({
    parameters: [],
    bodies: {},
    bytes: LIMITS[one.id] ?? BODY_BYTES,
    ...one,
  }));
}

function readDescriptions() {
  return ["openapi.json", "openapi-v2.json"].map((file) => JSON.parse(readFileSync(path.join(DOCS, file), "utf8")));
}

function describe(description, route, method) {
  const { operationId, parameters = [], requestBody } = description.paths[route][method];
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
    type,
    resolve(schema, description),
  ]);
  return {
    id: operationId,
    method: method.toUpperCase(),
    path: route,
    parameters: parameters.map((one) => resolve(one, description)),
    bodies: Object.fromEntries(bodies),
  };
}

/** A schema without references. */
function resolve(value, description) {
  if (Array.isArray(value)) return value.map((element) => resolve(element, description));
  if (typeof value !== "object" || value === null) return value;
  if (value.$ref)
    return resolve(
      value.$ref
        .split("/")
        .slice(1)
        .reduce((at, name) => at[name], description),
      description,
    );
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, description)]));
}

/** What can be large in a request: `{ kind, name, type }`. */
function listInputs({ parameters, bodies }) {
  const inParameters = parameters
    .filter((one) => (one.schema.type === "string" && one.schema.enum === undefined) || one.schema.type === "array")
    .filter((one) => one.in !== "path" || one.isFree || one.name !== "policyId")
    .map((one) => ({ kind: one.in, name: one.name }));
  const inBodies = Object.entries(bodies).flatMap(([type, schema]) => [
    ...[undefined, ...listFields(schema)].map((name) => ({ kind: "body", type, name })),
    ...Object.keys(FORMS).map((name) => ({ kind: "form", type, name })),
    ...Object.keys(schema.properties ?? {}).flatMap((member) =>
      ["objects", "names"].map((name) => ({ kind: "form", type, name, member })),
    ),
    ...(type === JSON_PATCH ? PATCHES.map((name) => ({ kind: "patch", type, name })) : []),
  ]);
  return [...inParameters, ...inBodies];
}

/**
 * A request of an operation: `{ method, path, headers, body }`.
 *
 * @param input which of {@link listInputs} is large; without one nothing is
 * @param place what the org has: `{ ids, names }`, the ids by the word in the path
 */
function createRequest(operation, { input, fill = 0, content = "prefixes", choices, share, salt, place }) {
  const { method, path: route, parameters, bodies, bytes } = operation;
  const complete = COMPLETIONS[operation.id] ?? ((value) => value);
  const headers = operation.isOwnPage ? { Origin: `https://${place.names.subdomain}.localhost` } : {};
  const search = [];
  let target = route;
  for (const parameter of parameters) {
    const { name } = parameter;
    const isLarge = input?.kind === parameter.in && input.name === name;
    if (parameter.in === "path") {
      const value = isLarge ? encode(CONTENTS[content](lengthOf(parameter, fill), 0)) : findId(route, name, place);
      target = target.replace(`{${name}}`, value);
    } else if (parameter.in === "header") {
      if (isLarge) headers[name] = CONTENTS[content](lengthOf(parameter, fill), 0).replace(/[^\x20-\x7e]/g, "x");
    } else if (isLarge || parameter.required || name === "limit" || name === "type") {
      search.push(...createQuery(parameter, { isLarge, fill, content, place }));
    }
  }
  if (search.length > 0) target += `?${search.join("&")}`.slice(0, fill > 1 ? Infinity : TEXT_LENGTH);
  const type = input?.type ?? Object.keys(bodies)[0];
  if (type === undefined) return { method, path: target, headers };
  const body = createBody(bodies[type], { input, fill, content, choices, share, salt, place, bytes, complete });
  return { method, path: target, headers: { ...headers, "Content-Type": type }, body };
}

function createQuery({ name, schema }, { isLarge, fill, content, place }) {
  if (schema.type === "array") {
    const count = isLarge ? Math.max(1, Math.floor(Math.min(fill, 1) * 1_000)) : 1;
    return Array.from({ length: count }, (_, index) => `${name}=${encode(CONTENTS[content](10, index))}`);
  }
  const fillOfThis = name === "limit" ? Math.min(1, Math.max(fill, 1)) : fill;
  const maker = new ValueMaker({
    fill: fillOfThis,
    focus: isLarge || name === "limit" ? name : "nothing",
    content,
    bytes: TEXT_LENGTH / 2,
    names: place.names,
  });
  return [`${name}=${encode(String(maker.make(schema, name)))}`.slice(0, TEXT_LENGTH)];
}

function createBody(schema, { input, fill, content, choices, share, salt, place, bytes, complete }) {
  const room = fill > 1 ? bytes + 1 : (bytes - 2_000) * fill;
  if (input?.kind === "form")
    return createForm(input.name, input.member ? room - 100 : room, input.member).slice(0, fill > 1 ? Infinity : bytes);
  if (input?.kind === "patch")
    return createPatch(room * 0.9, { op: input.name, share, most: MAX_OPERATIONS * Math.min(fill, 1) });
  const focus = input?.kind === "body" ? input.name : "nothing";
  const maker = new ValueMaker({ fill, focus, content, choices, bytes: bytes * 0.9, salt, names: place.names });
  return JSON.stringify(complete(maker.make(schema)));
}

function lengthOf({ schema }, fill) {
  const limit = schema.maxLength ?? TEXT_LENGTH / 3;
  return Math.max(1, fill > 1 ? limit + 1 : Math.floor(limit * fill));
}

/** `/api/v1/users/{id}` has an id of `users`. */
function findId(route, name, { ids }) {
  const kind =
    name === "id"
      ? /\/api\/v\d+\/(\w+)/.exec(route)?.[1]
      : `${name.replace(/Id$/, "")}s`.replace("policys", "policies");
  return ids[kind] ?? LOGIN;
}

/** Half of a surrogate pair has no form in a URL. */
function encode(value) {
  return encodeURIComponent(value.replace(/[\ud800-\udfff]/g, "x"));
}

module.exports = { createRequest, listInputs, listOperations, OTHERS };
