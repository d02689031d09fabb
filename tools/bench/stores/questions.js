"use strict";

const { Buffer } = require("node:buffer");
const http = require("node:http");
const { URL } = require("node:url");
const { createUser, USER_AGENTS } = require("../samples.js");
const { drawClients } = require("../traffic.js");
const { requireCompiled } = require("../../kit/compiled.js");

/** The domains of an org's people, each with a routing rule of its own. */
const DOMAINS = Array.from({ length: 1_000 }, (_, index) => `tenant-${index}.example.com`);

const SUBDOMAIN = "routed";

const PROTOCOL = {
  type: "OIDC",
  endpoints: { sso: { url: "https://accounts.example.com/authorize", binding: "HTTP-REDIRECT" } },
  credentials: { client: { clientId: "etiquette" } },
};

/** Different people, domains, clients and addresses, since a question that never changes is too easy. */
const QUESTIONS = USER_AGENTS.map((userAgent, index) => ({
  method: "GET",
  path: `/.well-known/webfinger?resource=svc:acct:joe.${index}@${DOMAINS[(index * 7_919) % DOMAINS.length]}`,
  headers: {
    Host: `${SUBDOMAIN}.localhost`,
    Accept: "*/*",
    "User-Agent": userAgent,
    "X-Forwarded-For": `203.0.113.${index}, 127.0.0.1`,
    "X-Forwarded-Proto": "https",
  },
}));

/** A function that returns a question about another person each time, from clients as a public API meets them. */
function createQuestioner() {
  const clients = drawClients();
  let number = 0;
  return () => {
    const { value } = clients.next();
    number += 1;
    return {
      method: "GET",
      path: `/.well-known/webfinger?resource=svc:acct:jane.${number}@${DOMAINS[(number * 7_919) % DOMAINS.length]}`,
      headers: { ...value, Host: `${SUBDOMAIN}.localhost`, "X-Forwarded-For": `203.0.113.${number % 256}, 127.0.0.1` },
    };
  };
}

/**
 * Add an org whose people are sent to an identity provider by a thousand rules.
 *
 * @returns its id
 */
async function addRoutedOrg({ open }) {
  const { importText } = requireCompiled("transfer/import.js");
  const store = await open();
  await importText(store, JSON.stringify({ orgs: [createOrg()] }));
  const { id } = await store.findOrgBySubdomain(SUBDOMAIN);
  await store.close();
  return id;
}

/**
 * Add an org with twenty users.
 *
 * @returns requests for their list, from different clients
 */
async function addListedOrg({ open }) {
  const { importText } = requireCompiled("transfer/import.js");
  const { createToken } = requireCompiled("program/operations/tokens.js");
  const store = await open();
  const users = Array.from({ length: 20 }, (_, index) => ({ profile: createUser(index + 1).profile }));
  await importText(store, JSON.stringify({ orgs: [{ subdomain: SUBDOMAIN, name: "Listed", users }] }));
  const options = { org: SUBDOMAIN, scopes: ["users.read"], lifetime: Infinity, addresses: [] };
  const token = await createToken(store, options);
  await store.close();
  return QUESTIONS.map(({ method, headers }) => ({
    ...{ method, path: "/api/v1/users?limit=20" },
    headers: { ...headers, Authorization: `SVC ${token}` },
  }));
}

function createOrg() {
  return {
    subdomain: SUBDOMAIN,
    name: "Routed",
    idps: [{ name: "Google", type: "GOOGLE", protocol: PROTOCOL }],
    rules: DOMAINS.map((domain) => ({
      name: domain,
      conditions: { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: `@${domain}` }] } },
      actions: { idp: { providers: [{ idp: "Google" }] } },
    })),
  };
}

/** What the server answers to the first of requests, and to which path: `{ type, text, path }`. */
async function fetchAnswer(url, [request] = QUESTIONS) {
  const { status, type, text } = await ask(url, request);
  if (status !== 200) throw new Error(`${request.path} is answered with ${status}: ${text}`);
  return { type, text, path: request.path.replace(/\?.*/, "") };
}

/** Send one request: `{ status, type, text, links }`, the links by relation. */
function ask(url, { method = "GET", path, headers }) {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = http.request({ hostname, port, method, path, headers, agent: false }, async (response) => {
      const chunks = await response.toArray();
      const { statusCode: status, headers: fields } = response;
      const text = Buffer.concat(chunks).toString();
      resolve({ status, type: fields["content-type"], text, links: parseLinks(fields.link) });
    });
    request.on("error", reject).end();
  });
}

function parseLinks(field = "") {
  return Object.fromEntries(Array.from(field.matchAll(/<([^>]*)>; rel="([^"]*)"/g), ([, url, rel]) => [rel, url]));
}

module.exports = { addListedOrg, addRoutedOrg, ask, createQuestioner, fetchAnswer, QUESTIONS, SUBDOMAIN };
