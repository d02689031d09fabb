"use strict";

const { execFileSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const { once } = require("node:events");
const { existsSync } = require("node:fs");
const path = require("node:path");
const tls = require("node:tls");
const { URL } = require("node:url");
const { compiledPath } = require("../../kit/compiled.js");
const { withoutSettings } = require("../../kit/program.js");
const { Unavailable } = require("../../kit/unavailable.js");
const { formatRow } = require("../rows.js");
const { createDatabase } = require("../stores/databases.js");
const { startServer } = require("../stores/program.js");

/* How long the first page of the console takes on a slow phone with nothing in its cache, and whether what one sees moves. */

const CONSOLE = path.join(__dirname, "../../../example-app/console");

/** The shell is the same browser without windows. */
const CHROMIUM = [process.env.CHROMIUM_PATH, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** A slow mobile network, as Lighthouse has it: the latency in milliseconds, bytes a second. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** So many times slower than this machine. */
const CPU = { rate: 4 };

const SIZE = { width: 1280, height: 860 };

const ROUNDS = 5;

/** In milliseconds: until what comes late has moved what is there. */
const SETTLING = 1_000;

/** In the page: when it was painted, in milliseconds since the address was opened, and how far what one saw has moved. */
const READ = `new Promise((resolve) => {
  const seen = { first: NaN, largest: NaN, shift: 0 };
  const observe = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe("paint", ({ name, startTime }) => { if (name === "first-contentful-paint") seen.first = startTime; });
  observe("largest-contentful-paint", ({ startTime }) => { seen.largest = startTime; });
  observe("layout-shift", ({ value, hadRecentInput }) => { if (!hadRecentInput) seen.shift += value; });
  setTimeout(() => resolve(seen), 200);
})`;

module.exports = [{ name: "console", measure }];

async function measure({ effort = 1 } = {}) {
  if (!existsSync(path.join(CONSOLE, "dist/index.html"))) {
    throw new Unavailable("the console is not built (npm run build:console)");
  }
  const database = await createDatabase("sqlite");
  let server, browser;
  try {
    runCommand("import", path.join(CONSOLE, "screenshots-data.json"), "--data", database.options.dataFolder);
    server = startServer(database, { tls: true });
    const url = await server.listening();
    browser = await launchChromium(await hashKey(url));
    const visitors = { "signed-out": undefined, "signed-in": await signIn(browser, makeLink(database, url)) };
    const rows = [];
    for (const [name, cookies] of Object.entries(visitors)) {
      rows.push(...(await measureVisits(name, Math.ceil(ROUNDS * effort), () => visit(browser, url, cookies))));
    }
    return rows;
  } finally {
    await browser?.close();
    await server?.stop();
    await database.drop();
  }
}

/** The hash by which Chromium knows the server's key: a visit that ignores its faults restarts requests, and loses some. */
async function hashKey(url) {
  const { hostname, port } = new URL(url);
  const socket = tls.connect({ host: hostname, port, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect");
    const key = socket.getPeerX509Certificate().publicKey.export({ type: "spki", format: "der" });
    return createHash("sha256").update(key).digest("base64");
  } finally {
    socket.destroy();
  }
}

async function launchChromium(trustedKey) {
  const { chromium } = require("playwright-core");
  const executablePath = CHROMIUM.find((file) => file !== undefined && existsSync(file));
  if (executablePath === undefined) throw new Unavailable("there is no Chromium; CHROMIUM_PATH names one");
  const trust = `--ignore-certificate-errors-spki-list=${trustedKey}`;
  return chromium.launch({
    executablePath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", trust],
  });
}

function runCommand(...args) {
  return execFileSync(process.execPath, [compiledPath("main.js"), ...args], {
    encoding: "utf8",
    env: withoutSettings(process.env),
  });
}

function makeLink({ options: { dataFolder } }, url) {
  const text = runCommand("console", "--org", "demo", "--data", dataFolder, "--port", new URL(url).port);
  return /https:\S+#code=\S+/.exec(text)[0];
}

/** @returns the cookies of a session */
async function signIn(browser, link) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(link);
    await page.locator("nav").waitFor({ state: "attached" });
    return await context.cookies();
  } finally {
    await context.close();
  }
}

async function measureVisits(name, rounds, visitOnce) {
  await visitOnce(); // the first one also compiles the server's code
  const visits = [];
  while (visits.length < rounds) visits.push(await visitOnce());
  return [row("first-paint", "first", "ms"), row("largest-paint", "largest", "ms"), row("shift", "shift", "score")];

  function row(figure, member, unit) {
    const samples = { ours: visits.map((one) => one[member]) };
    return formatRow({ name: `console/${name}/${figure}`, unit, samples });
  }
}

/** Each context has a cache and connections of its own. */
async function visit(browser, url, cookies = []) {
  const context = await browser.newContext({ viewport: SIZE });
  try {
    await context.addCookies(cookies);
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.emulateNetworkConditions", NETWORK);
    await client.send("Emulation.setCPUThrottlingRate", CPU);
    await page.goto(`${url}/console/`);
    await page.locator("h1").first().waitFor();
    await page.waitForLoadState("networkidle");
    await page.waitForTimeout(SETTLING);
    return await page.evaluate(READ);
  } finally {
    await context.close();
  }
}
