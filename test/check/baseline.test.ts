import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { MAX_BASELINE_LENGTH } from "../../check/baseline.js";
import { createScriptedServer, type Script } from "./support/scripted-server.js";
import { type CommandResult, run } from "./support/terminal.js";

const NOSNIFF = { "X-Content-Type-Options": "nosniff" };

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "etiquette-baseline-"));
  file = path.join(folder, "baseline.json");
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function check(script: Script, args: string[], target = "/v1/items"): Promise<CommandResult> {
  const server = createScriptedServer(script);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const url = `http://127.0.0.1:${port}${target}`;
    return await run(["check", url, "--rate", "1000", "--baseline", file, ...args]);
  } finally {
    server.close();
  }
}

const RULES = ["--rules", "nosniff,not-found,walk"];

describe("--update-baseline", () => {
  it("writes what was found, sorted, and the run has found nothing new", async () => {
    const { code } = await check(() => ({}), [...RULES, "--update-baseline"]);
    expect([code, readFileSync(file, "utf8")]).toEqual([
      0,
      `{
  "version": 1,
  "findings": {
    "/v1/items": [
      "nosniff",
      "not-found"
    ]
  }
}
`,
    ]);
  });

  it("keeps what the run could not check, and other paths; it leaves out what is mended", async () => {
    const findings = { "/v1/items": ["walk", "nosniff"], "/v1/users": ["nosniff"] };
    writeFileSync(file, JSON.stringify({ version: 1, findings }));
    await check(() => ({ headers: NOSNIFF }), [...RULES, "--update-baseline"]);
    expect(JSON.parse(readFileSync(file, "utf8")).findings).toEqual({
      "/v1/items": ["not-found", "walk"],
      "/v1/users": ["nosniff"],
    });
  });

  it("says so when the file can't be written", async () => {
    file = path.join(folder, "nowhere", "baseline.json");
    const { code, error } = await check(() => ({}), [...RULES, "--update-baseline"]);
    expect([code, error]).toEqual([2, expect.stringContaining("can't be written (ENOENT).")]);
  });
});

describe("--baseline", () => {
  const write = (findings: unknown) => {
    writeFileSync(file, JSON.stringify({ version: 1, findings }));
  };

  it("counts only what is new", async () => {
    write({ "/v1/items": ["nosniff", "not-found"] });
    const { code, out } = await check(() => ({}), [...RULES, "--verbose"]);
    expect([code, out]).toEqual([0, expect.stringContaining("0 passed, 0 found, 2 known, 1 not checked")]);
    expect(out).toContain("✗ security, known: nosniff");
    const short = await check(() => ({}), RULES);
    expect(short.out).not.toContain("✗");
    write({ "/v1/items": ["nosniff"] });
    expect((await check(() => ({}), RULES)).code).toBe(3);
  });

  it("is of a path: the same finding of another one is new", async () => {
    write({ "/v1/items": ["nosniff", "not-found"] });
    expect((await check(() => ({}), RULES, "/v1/users")).code).toBe(4);
  });

  it("names what is not found any more", async () => {
    write({ "/v1/items": ["nosniff", "not-found"] });
    const { code, out } = await check(() => ({ headers: NOSNIFF }), RULES);
    expect([code, out]).toEqual([0, expect.stringContaining("The baseline has what is not found any more: nosniff.")]);
  });

  it.each(["", "[]", "{}", '{"version":2,"findings":{}}', '{"version":1,"findings":[]}'])(
    "refuses the file %j",
    async (text) => {
      writeFileSync(file, text);
      const { code, error } = await check(() => ({}), RULES);
      expect([code, error]).toEqual([2, expect.stringContaining("is no baseline of version 1.")]);
    },
  );

  it("takes names that objects have for those of nothing", async () => {
    writeFileSync(file, '{"version":1,"findings":{"__proto__":["nosniff"],"constructor":1}}');
    expect((await check(() => ({}), RULES)).code).toBe(4);
  });

  it("has a bound for its length", async () => {
    for (const length of [MAX_BASELINE_LENGTH - 1, MAX_BASELINE_LENGTH, MAX_BASELINE_LENGTH + 1]) {
      write({ "/v1/items": ["nosniff", "not-found"] });
      const text = readFileSync(file, "utf8");
      writeFileSync(file, text.padEnd(length));
      const { code, error } = await check(() => ({}), RULES);
      expect([length, code, error.includes("is longer than")]).toEqual([
        length,
        length > MAX_BASELINE_LENGTH ? 2 : 0,
        length > MAX_BASELINE_LENGTH,
      ]);
      truncateSync(file);
    }
  });
});
