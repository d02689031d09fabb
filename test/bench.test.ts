import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const BENCH = path.join(__dirname, "../tools/bench/main.js");

/** Other than that of the process, whose cases have no prefix. */
const VERSIONS = ["20", "22", "24", "26"].filter((version) => version !== process.versions.node.split(".")[0]);

/** What is to be measured, by the names of the cases that do. */
const CASES: readonly (readonly [what: string, ...names: string[]])[] = [
  ["whole requests", "get", "get-behind-100", "get/only-node-20-and-22", "post-1k", "post-64k"],
  [
    "whole requests on other versions of Node",
    ...VERSIONS.flatMap((version) =>
      ["get", "get-behind-100", "post-1k", "post-64k", "server/webfinger/sqlite", "server/users/sqlite"].map(
        (name) => `node-${version}/${name}`,
      ),
    ),
  ],
  [
    "requests without the kernel, on each version of Node",
    ...["", ...VERSIONS.map((version) => `node-${version}/`)].flatMap((prefix) =>
      ["get", "list", "page", "webfinger", "not-found", "invalid", "not-modified", "preflight"].map(
        (name) => `${prefix}without-kernel/${name}`,
      ),
    ),
  ],
  [
    "what a GET allocates and where the time of requests goes, on each version of Node",
    ...["", ...VERSIONS.map((version) => `node-${version}/`)].flatMap((prefix) =>
      ["profile/get", "profile/preflight", "profile/load", "profile/server"].map((name) => prefix + name),
    ),
    "allocated/get",
  ],
  ["all conventions on one GET, without Express", "all-conventions"],
  ["content type and accept", "content-type", "accept/hostile-9k", "accept/linear"],
  [
    "the UTF-8 guard by size and script",
    ...["150b", "1k", "64k"].flatMap((size) =>
      ["ascii", "greek", "cyrillic", "cjk", "escapes", "with-depth"].map((script) => `utf8/${size}/${script}`),
    ),
  ],
  [
    "trusted proxies",
    ...["ipv4", "ipv6"].flatMap((version) =>
      ["1", "10", "1000", "10000", "flat"].map((count) => `trusted-proxies/${version}/${count}`),
    ),
  ],
  ["the client's address", "client-address"],
  ["user agents", "user-agent/mixed", "user-agent/never-seen", "user-agent/hostile-8k"],
  ["request ids", "request-id"],
  ["the CORS decision", "cors/answer", "cors/preflight"],
  ["parsing filters", "filter/parse/3", "filter/parse/50"],
  ["evaluating filters", "filter/evaluate/3", "filter/evaluate/50"],
  ["entity tags over fields", "entity-tag/300b/fields", "entity-tag/4k/fields"],
  ["entity tags where the store keeps a version", "entity-tag/300b/revision", "entity-tag/4k/revision"],
  ["cursors", "cursor/encode", "cursor/decode"],
  ["Link lines", "link/format", "link/page", "link/parse", "link/parse-spaces-50k"],
  ["errors", "error-object"],
  ["routing by domain", "routing/10", "routing/1000", "routing/100000", "routing/flat/1000", "routing/flat/100000"],
  ["patches", "json-patch", "merge-patch"],
  ["a list of 200 users with links", "list-of-200"],
  [
    "growth",
    "growth/users/sqlite",
    "growth/users/postgresql",
    "growth/logs/sqlite",
    "growth/logs/postgresql",
    "growth/requests",
    "growth/memory",
    "growth/start",
  ],
  ["the server", "server/webfinger/sqlite", "server/webfinger/postgresql", "server/users/sqlite", "server/processes"],
  ["the console on a slow phone", "console"],
  ["AsyncLocalStorage, for information", "async-storage/ten-awaits"],
];

const MEMBERS = [
  "case",
  "date",
  "key",
  "machine",
  "node",
  "ours",
  "peer",
  "peerName",
  "ratio",
  "reached",
  "spread",
  "target",
  "throughput",
  "unit",
];

describe("npm run bench", () => {
  it("is a script", () => {
    const { scripts } = JSON.parse(readFileSync(path.join(__dirname, "../package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(scripts["bench"]).toMatch(/ && node tools\/bench\/main\.js$/);
  });

  describe("--list", () => {
    let listed: string[];

    beforeAll(async () => {
      const { stdout } = await run(process.execPath, [BENCH, "--list"]);
      listed = stdout.trim().split("\n");
    });

    it.each(CASES)("names what measures %s", (_what, ...names) => {
      expect(listed).toEqual(expect.arrayContaining(names));
    });

    it("names each case once", () => {
      expect(new Set(listed).size).toBe(listed.length);
    });
  });

  it("runs one case, prints a table and writes its rows", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "bench-"));
    try {
      const file = path.join(folder, "rows.json");
      const options = ["--quick", "--json", file];
      const { stdout } = await run(process.execPath, [BENCH, "request-id", ...options]);
      const rows = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>[];

      expect(rows.map(({ peerName }) => peerName)).toContain("crypto.randomUUID");
      for (const row of rows) {
        expect(Object.keys(row).sort()).toEqual(MEMBERS);
        expect(row).toMatchObject({
          case: "request-id",
          key: expect.stringMatching(/^request-id\.[a-z0-9-]+$/),
          node: process.versions.node,
          date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          ours: expect.any(Number),
          peer: expect.any(Number),
          unit: "µs",
          ratio: expect.any(Number),
          spread: [expect.any(Number), expect.any(Number)],
        });
        expect(stdout).toContain(`| ${String(row["peerName"])} `);
      }
      expect(rows.find(({ peerName }) => peerName === "crypto.randomUUID")).toMatchObject({
        target: "≥ 5 ×",
        reached: expect.any(Boolean),
      });
      const again = await run(process.execPath, [BENCH, "request-id", ...options, "--against", file]);
      expect(again.stdout).toMatch(/^\| request-id\.crypto-randomuuid +\|.*× \(.*×.*\| (noise|\*\*)/m);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("--nodes lists the cases that differ by Node, on these versions", async () => {
    const env = { ...process.env, NODE_22: process.execPath, NODE_24: process.execPath };
    const { stdout } = await run(process.execPath, [BENCH, "post-1k", "cursor", "--nodes", "22,24", "--list"], { env });
    const expected = ["22", "24"].map((version) =>
      VERSIONS.includes(version) ? `node-${version}/post-1k` : "post-1k",
    );
    expect(stdout.trim().split("\n").sort()).toEqual(expected.sort());
  });

  it("runs the cases whose names begin with one that is given", async () => {
    const { stderr } = await run(process.execPath, [BENCH, "cursor"]);
    expect(stderr).toMatch(/^cursor\/encode … .*\ncursor\/decode … /);
  });

  it("fills the tables as the server has them now", async () => {
    const script = `
      const { createDatabase } = require("./tools/bench/stores/databases.js");
      const { seedUsers } = require("./tools/bench/stores/seed.js");
      createDatabase("sqlite").then(async (database) => {
        await seedUsers(database, 10);
        const [[{ count }]] = await database.run(["select count(*) as count from users"]);
        await database.drop();
        process.stdout.write(String(count));
      });`;
    const { stdout } = await run(process.execPath, ["-e", script], { cwd: path.join(__dirname, "..") });
    expect(stdout).toBe("10");
  });

  it.each([
    ["a case that is not there", ["request"], /There is no case request; --list names them all\./],
    ["a Node that no variable names", ["--nodes", "21"], /--nodes 21: NODE_21 does not name a Node 21\./],
    ["an option that is not there", ["--rounds", "3"], /'--rounds'[^]*npm run bench -- \[NAME …\]/],
  ])("refuses %s", async (_title, args, message) => {
    await expect(run(process.execPath, [BENCH, ...args])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message),
    });
  });
});
