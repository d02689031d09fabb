"use strict";

const assert = require("node:assert/strict");
const { execFile, spawn } = require("node:child_process");
const { once } = require("node:events");
const { readFileSync } = require("node:fs");
const https = require("node:https");
const path = require("node:path");
const { performance } = require("node:perf_hooks");
const { createInterface } = require("node:readline");
const { text } = require("node:stream/consumers");
const { promisify } = require("node:util");
const { withoutSettings } = require("../kit/program.js");

const run = promisify(execFile);

const LOGIN = "/.well-known/webfinger?resource=svc:acct:joe@example.com";

/** What must be there for a person who opens it. */
const PAGES = ["/console", "/api/docs", "/api/docs/swagger-ui.css"];

/**
 * Does what the README of the server shows with the packages that are installed in a folder: starts the server, asks it,
 * opens its pages, and runs commands and `etiquette check` beside it.
 *
 * @param home where the packages are installed
 * @param node the program that runs them
 * @throws when something is not as the README says
 * @returns {Promise<number>} the milliseconds from the start to the first answer
 */
async function walk(home, node = process.execPath) {
  const bin = path.join(home, "node_modules/.bin");
  const env = { ...withoutSettings(process.env), NODE_NO_WARNINGS: "1", ETIQUETTE_DEMO: "true" };
  delete env.npm_lifecycle_event; // whoever runs this may do that with npx
  env.PATH = [path.dirname(node), bin, env.PATH].join(path.delimiter);
  env.NODE_EXTRA_CA_CERTS = path.join(home, "data/tls.crt");
  const command = async (name, ...args) => (await run(name, args, { cwd: home, env })).stdout;

  assert.match(await command("etiquette-server", "--help"), /^Usage: etiquette-server \[settings\]/);
  const asNpx = { ...env, npm_lifecycle_event: "npx" };
  const refused = run("etiquette-server", ["import"], { cwd: home, env: asNpx });
  await assert.rejects(refused, { code: 2, stderr: /: npx etiquette-server import FILE\.json\n$/ });
  const server = await start({ cwd: home, env });
  try {
    const { origin, elapsed } = server;
    const ca = readFileSync(env.NODE_EXTRA_CA_CERTS);
    for (const page of PAGES) assert.equal((await get(`${origin}${page}`, { ca })).statusCode, 200, page);
    const script = /src="([^"]+\.js)"/.exec((await get(`${origin}/console`, { ca })).text)?.[1];
    assert.equal((await get(`${origin}${script}`, { ca })).statusCode, 200, "the script of the console");

    const token = (await command("etiquette-server", "token", "create", "--org", "demo")).trim();
    const users = await get(`${origin}/api/v1/users`, { ca, headers: { Authorization: `SVC ${token}` } });
    assert.equal(users.statusCode, 200, "the API");
    assert.match(
      await command("etiquette-server", "doctor", "--port", new URL(origin).port),
      /ok +ports +a server runs/,
    );
    const checked = await command("etiquette", "check", `${origin}/`, "--resource", LOGIN, "--rules", "nosniff");
    assert.match(checked, /^1 passed, 0 found/m);
    return elapsed;
  } finally {
    server.child.kill();
    const [code] = await once(server.child, "exit");
    assert.equal(code, 0, "the end of the server");
  }
}

/** Starts the server and asks it until it has answered once. */
async function start({ cwd, env }) {
  const begin = performance.now();
  const child = spawn("etiquette-server", ["--port", "0"], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface(child.stdout)) {
    const origin = /^etiquette listening on (\S+)$/.exec(line)?.[1];
    if (origin === undefined) continue;
    const { statusCode, text } = await get(`${origin}${LOGIN}`, { ca: readFileSync(env.NODE_EXTRA_CA_CERTS) });
    const elapsed = performance.now() - begin;
    assert.equal(statusCode, 200);
    assert.ok(JSON.parse(text).links.length > 0, "who signs the person in");
    return { child, origin, elapsed };
  }
  throw new Error("the server did not start");
}

async function get(url, options) {
  const request = https.get(url, { ...options, agent: false });
  const [response] = await once(request, "response");
  return { statusCode: response.statusCode, text: await text(response) };
}

module.exports = { walk };
