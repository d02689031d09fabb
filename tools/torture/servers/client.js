"use strict";

const http = require("node:http");
const { performance } = require("node:perf_hooks");
const { URL } = require("node:url");
const { Buffer } = require("node:buffer");

/** In milliseconds: what no response may take, unless a part expects it. */
const MAX_WAIT = 60_000;

/** Sends requests to one org of a server, each of which says that it came by HTTPS, from an address of its own. */
class Client {
  #agent;
  #server;
  #headers;

  /** @param server anything with a `port`; its `host` is 127.0.0.1 if it says no other */
  constructor(server, { org, token, address = "192.0.2.1", connections = 64 } = {}) {
    this.#server = server;
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections });
    this.#headers = {
      ...(org !== undefined && { Host: `${org}.localhost` }),
      ...(token !== undefined && { Authorization: `SVC ${token}` }),
      "X-Forwarded-Proto": "https",
      "X-Forwarded-For": address,
    };
  }

  /**
   * Send a request and wait for the whole response: `{ status, headers, text, body, duration }`. Rejects when there is
   * none.
   */
  send(path, { method = "GET", body, headers = {}, timeout = MAX_WAIT } = {}) {
    const content = body === undefined || typeof body === "string" ? (body ?? "") : JSON.stringify(body);
    const framing = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(content) };
    const start = performance.now();
    return new Promise((resolve, reject) => {
      const request = http.request({
        host: this.#server.host ?? "127.0.0.1",
        port: this.#server.port,
        method,
        path,
        agent: this.#agent,
        headers: { ...this.#headers, ...(method !== "GET" && method !== "HEAD" && framing), ...headers },
      });
      request.setTimeout(timeout, () =>
        request.destroy(new Error(`no response to ${method} ${path} within ${timeout} ms`)),
      );
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("close", () => {
          if (!response.complete) return reject(new Error(`the response to ${method} ${path} was cut off`));
          resolve(describe(response, Buffer.concat(chunks).toString(), performance.now() - start));
        });
      });
      request.end(content);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

function describe({ statusCode: status, headers }, text, duration) {
  const isJson = /json/.test(headers["content-type"] ?? "") && text !== "";
  return { status, headers, text, body: isJson ? JSON.parse(text) : undefined, duration };
}

/** Run `work(index)` for 0 to `total` - 1, `width` at a time. */
async function inParallel(total, width, work) {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < total; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: Math.min(width, total) }, lane));
}

/** The path of a WebFinger query for `login`. */
function webfinger(login) {
  return `/.well-known/webfinger?resource=svc:acct:${encodeURIComponent(login)}`;
}

/** The page that `Link` names, as a path. */
function linkOf({ headers }, relation) {
  const [, url] = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(headers.link ?? "") ?? [];
  if (url === undefined) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

module.exports = { Client, inParallel, linkOf, webfinger };
