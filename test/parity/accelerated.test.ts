import "../support/silence-deprecations.js";
import { once } from "node:events";
import type { Server } from "node:http";
import { connect } from "node:net";
import { createServer } from "../../lib/server/index.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { generateApp } from "../support/generated-apps.js";
import { Random } from "../support/random.js";
import { listen } from "../support/raw-socket.js";

/** The same in every run; `ACCELERATED_SEED=$RANDOM npx jest test/parity/accelerated` tries other apps. */
const SEED = Number(process.env["ACCELERATED_SEED"] ?? 1);

/** 4,000 responses in CI, where each further version of Node adds 2,000 of other apps; 2,000 elsewhere. */
const APPS = Number(process.env["ACCELERATED_APPS"] ?? (process.env["CI"] ? 100 : 50));
const REQUESTS = 20;

/** Apps that are served at the same time. */
const PARALLEL = 8;

/** In milliseconds. A request that nothing responds to is over after it. */
const IDLE = 2_000;

const TARGETS = [
  ...[
    "/a",
    "/a/",
    "/A",
    "/b/1",
    "/b/c",
    "/b/bad",
    "/b/%61",
    "/b/%ff",
    "/b/c/d",
    "/B/C/D",
    "/q",
    "/a-b",
    "/a.b",
    "/a-bc",
  ],
  ...["/users", "/users/", "/users/me", "/USERS/bad", "/users/7/items/8", "/users/7/items/8/", "/reed", "/x~y", "/"],
  ...["/list/1", "/%61", "/long/literal/path/here", "/long/literal/path", "/longer", "//a", "/a//b", "/a?x=1&y=%20"],
  ...["/router/a", "/router/b/1", "/router", "/child/a", "/child/b/1", "/child/", "/users/7/a", "/users/7/users/8"],
  ...[
    "/rewrite/a",
    "/rewrite/users/7",
    "/rewrite/router/a",
    "/o",
    "/o/1",
    "/ac",
    "/abc",
    "/aaa",
    "/esc",
    "/ec",
    "/w/1/2",
  ],
  ...["/us1s", "/n/12", "/n/x", "/none", "/x/z", "*", "http://localhost/a", "/a;b", "/a/b/c/d/e", "/a%2Fb"],
];

/** How many of them most apps have a route for. */
const COMMON = 20;

function generateRequest(random: Random, tags: readonly string[]): string {
  const method = random.pick(["GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]);
  const target = random.pick(random.isLikely(0.7) ? TARGETS.slice(0, COMMON) : TARGETS);
  const lines = [`${target === "*" ? "OPTIONS" : method} ${target} HTTP/1.1`, "Host: localhost"];
  if (method === "POST" || method === "PUT" || method === "PATCH") lines.push("Content-Length: 2");
  if (random.isLikely(0.35)) {
    lines.push(`If-None-Match: ${random.pick(["*", '"tag"', 'W/"tag"', '"own"', "own", ...tags, ...tags])}`);
  }
  if (random.isLikely(0.1)) lines.push("If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT");
  if (random.isLikely(0.1)) lines.push("Cache-Control: no-cache");
  if (random.isLikely(0.2)) lines.push(`Accept: ${random.pick(["application/json", "text/*", "image/png"])}`);
  lines.push("Connection: close");
  return `${lines.join("\r\n")}\r\n\r\n${lines[2]?.startsWith("Content-Length") ? "{}" : ""}`;
}

/** What comes back, as Latin-1, without the time. */
async function send(port: number, request: string): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1" });
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  socket.on("error", () => (text += "…RESET"));
  socket.setTimeout(IDLE, () => {
    text += "…OPEN";
    socket.destroy();
  });
  socket.write(request, "latin1");
  await once(socket, "close");
  return text.replace(/^Date: .*$/gm, "Date: …").replace(/Expires=[^;\r]*/g, "Expires=…");
}

interface Served {
  readonly journal: string[];
  readonly server: Server;
  readonly port: number;
}

async function serve(
  express: (typeof EXPRESS_VERSIONS)[0][1],
  major: 4 | 5,
  seed: number,
  accelerate: boolean,
): Promise<Served> {
  const journal: string[] = [];
  const { app, addLater } = generateApp(express, major, seed, (line) => journal.push(line));
  const server = createServer(app, { accelerate });
  const port = await listen(server);
  addLater();
  return { journal, server, port };
}

/** The statuses that were compared, for a look at what is covered. */
async function compareApps(express: (typeof EXPRESS_VERSIONS)[0][1], major: 4 | 5, seed: number): Promise<string[]> {
  const plain = await serve(express, major, seed, false);
  const fast = await serve(express, major, seed, true);
  const random = new Random(seed + 1);
  const tags: string[] = [];
  const statuses: string[] = [];
  try {
    for (let i = 0; i < REQUESTS; i++) {
      const request = generateRequest(random, tags);
      const [expected, actual] = await Promise.all([send(plain.port, request), send(fast.port, request)]);
      const plainly = { seed, i, request, response: expected, journal: plain.journal.join("\n") };
      const faster = { seed, i, request, response: actual, journal: fast.journal.join("\n") };
      if (actual !== expected || faster.journal !== plainly.journal) expect(faster).toEqual(plainly);
      const tag = /^ETag: (.*)$/im.exec(expected)?.[1];
      if (tag !== undefined) tags.push(tag.trim());
      statuses.push(/^HTTP\/1.1 (\d+)/.exec(expected)?.[1] ?? "none");
    }
  } finally {
    plain.server.close();
    fast.server.close();
  }
  return statuses;
}

describe.each(EXPRESS_VERSIONS)("%s on createServer, accelerated and plain", (version, express) => {
  const major = version === "Express 4" ? 4 : 5;
  beforeAll(() => jest.spyOn(console, "error").mockImplementation(() => undefined));
  afterAll(() => jest.restoreAllMocks());

  it(`send the same bytes from generated apps (seed ${SEED})`, async () => {
    const seeds = Array.from({ length: APPS }, (_, i) => SEED + 2 * i);
    const counts = new Map<string, number>();
    const work = async (): Promise<void> => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
        for (const status of await compareApps(express, major, seed)) counts.set(status, (counts.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    if (process.env["ACCELERATED_SEED"] && !process.env["CI"]) console.log(Object.fromEntries(counts));
    for (const status of ["200", "204", "304", "404", "500"]) expect(counts.get(status)).toBeGreaterThan(APPS / 50);
  }, 240_000);
});
