"use strict";

const { Buffer } = require("node:buffer");
const { compileCursorCodec } = require("etiquette/cursors");
const { drawClients } = require("../traffic.js");
const { createUser, ORIGINS } = require("../samples.js");
const { GET_URL } = require("../http/workloads.js");
const { RESOURCE, SECRET } = require("../stacks.js");

const codec = compileCursorCodec([SECRET]);

const FILTER = 'status eq "ACTIVE"';

/** As `pagination()` binds a cursor to the parameters of the list. */
const PAGE_CONTEXT = { resource: RESOURCE, filter: JSON.stringify([["filter", FILTER]]) };

/** How many texts of requests are made before they are sent: a repeated one comes from these clients in turns. */
const CLIENTS = 256;

const LIST = (number) => `/users?filter=profile.email%20ne%20%22joe.${number}%40example.com%22&limit=20`;

/** The target of a request, by the workload and a number, which differs in each request that no one has seen before. */
const TARGETS = {
  get: (number) => GET_URL.replace("joe.1%40", `joe.${number}%40`),
  list: LIST,
  page: (number) => {
    const after = codec.encode({ direction: "after", keys: [`00u${number}`] }, PAGE_CONTEXT);
    return `/users?filter=${encodeURIComponent(FILTER)}&limit=20&after=${after}`;
  },
  webfinger: (number) => `/.well-known/webfinger?resource=acct%3Ajoe.${number}%40tenant-${number % 1_000}.example.com`,
  "not-found": (number) => `/people/${number}`,
  invalid: (number) => `/users?filter=profile.email%20eq%20joe.${number}&limit=20`,
  "not-modified": LIST,
  preflight: LIST,
};

/** Those that are not a GET that succeeds: `{ method, status, headers }`. */
const OTHERS = {
  "not-found": { status: 404 },
  invalid: { status: 400 },
  "not-modified": { status: 304 },
  preflight: {
    method: "OPTIONS",
    status: 204,
    headers: { Origin: ORIGINS[0], "Access-Control-Request-Method": "GET" },
  },
};

/** How many rows the list of a workload has; the last of 21 makes a next page. */
const ROWS = { list: 20, page: 21, "not-modified": 20 };

function createRows(workload) {
  return Array.from({ length: ROWS[workload] ?? 1 }, (_, index) => createUser(index + 1));
}

/**
 * A function that makes so many requests, as bytes. `repeated` asks for the same again and again, `unseen` for something else
 * each time; the clients are the same.
 *
 * @param tags the entity tags that `not-modified` sends, of all servers
 */
function createRequests(workload, variant, tags = []) {
  const targetOf = TARGETS[workload];
  const { method = "GET", headers } = OTHERS[workload] ?? {};
  const own = { ...headers, ...(tags.length > 0 && { "If-None-Match": tags.join(", ") }) };
  const clients = drawClients();
  const write = (target) => {
    const { value } = clients.next();
    const lines = Object.entries({ ...value, ...own }).map(([name, text]) => `${name}: ${text}\r\n`);
    return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}Connection: keep-alive\r\n\r\n`);
  };
  if (variant === "unseen") {
    let number = 1;
    return (count) => Array.from({ length: count }, () => write(targetOf(number++)));
  }
  const texts = Array.from({ length: CLIENTS }, () => write(targetOf(1)));
  return (count) => Array.from({ length: count }, (_, index) => texts[index % CLIENTS]);
}

/** The status of the responses to a workload. */
function statusOf(workload) {
  return OTHERS[workload]?.status ?? 200;
}

module.exports = { createRequests, createRows, statusOf, TARGETS };
