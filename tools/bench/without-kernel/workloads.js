"use strict";

const { Buffer } = require("node:buffer");
const { compileCursorCodec } = require("etiquette/cursors");
const { drawClients } = require("../traffic.js");
const { createUser } = require("../samples.js");
const { GET_URL } = require("../http/workloads.js");
const { RESOURCE, SECRET } = require("../stacks.js");

const codec = compileCursorCodec([SECRET]);

const FILTER = 'status eq "ACTIVE"';

/** As `pagination()` binds a cursor to the parameters of the list. */
const PAGE_CONTEXT = { resource: RESOURCE, filter: JSON.stringify([["filter", FILTER]]) };

/** How many texts of requests are made before they are sent: a repeated one comes from these clients in turns. */
const CLIENTS = 256;

/** The target of a request, by the workload and a number, which differs in each request that no one has seen before. */
const TARGETS = {
  get: (number) => GET_URL.replace("joe.1%40", `joe.${number}%40`),
  list: (number) => `/users?filter=profile.email%20ne%20%22joe.${number}%40example.com%22&limit=20`,
  page: (number) => {
    const after = codec.encode({ direction: "after", keys: [`00u${number}`] }, PAGE_CONTEXT);
    return `/users?filter=${encodeURIComponent(FILTER)}&limit=20&after=${after}`;
  },
  webfinger: (number) => `/.well-known/webfinger?resource=acct%3Ajoe.${number}%40tenant-${number % 1_000}.example.com`,
};

/** How many rows the list of a workload has; the last of 21 makes a next page. */
const ROWS = { get: 1, list: 20, page: 21, webfinger: 1 };

function createRows(workload) {
  return Array.from({ length: ROWS[workload] }, (_, index) => createUser(index + 1));
}

/**
 * A function that makes so many requests, as bytes. `repeated` asks for the same again and again, `unseen` for something else
 * each time; the clients are the same.
 */
function createRequests(workload, variant) {
  const targetOf = TARGETS[workload];
  const clients = drawClients();
  const write = (target) => {
    const { value } = clients.next();
    const lines = Object.entries(value).map(([name, text]) => `${name}: ${text}\r\n`);
    return Buffer.from(`GET ${target} HTTP/1.1\r\n${lines.join("")}Connection: keep-alive\r\n\r\n`);
  };
  if (variant === "unseen") {
    let number = 1;
    return (count) => Array.from({ length: count }, () => write(targetOf(number++)));
  }
  const texts = Array.from({ length: CLIENTS }, () => write(targetOf(1)));
  return (count) => Array.from({ length: count }, (_, index) => texts[index % CLIENTS]);
}

module.exports = { createRequests, createRows, TARGETS };
