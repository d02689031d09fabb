import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

interface Row {
  readonly key: string;
  readonly case: string;
  readonly ours: number;
  readonly ratio: number | null;
  readonly spread: readonly [number, number];
}

const { keep, readRows, writeRows } = jest.requireActual<{
  keep: (row: object, facts: object) => Row;
  readRows: (file: string) => Row[];
  writeRows: (file: string, rows: readonly Row[], isWhole: boolean) => void;
}>("../tools/bench/results.js");
const { findCase, nameOnNode } = jest.requireActual<{
  findCase: (rowName: string) => string | undefined;
  nameOnNode: (caseName: string, rowName: string) => string;
}>("../tools/bench/cases.js");
const { formatComparison } = jest.requireActual<{
  formatComparison: (rows: readonly Row[], before: readonly Row[]) => string;
}>("../tools/bench/against.js");
const { Program } = jest.requireActual<{
  Program: new (file: string) => {
    ask: (message: object) => Promise<object>;
    stop: () => Promise<void>;
  };
}>("../tools/kit/program.js");
const { drawClients } = jest.requireActual<{ drawClients: () => Generator<Record<string, string>, never> }>(
  "../tools/bench/traffic.js",
);

const FACTS = { date: "2026-11-27", machine: "a machine" };

function createRow(name: string, peerName: string | null, ratio: number | null = 2): Row {
  return keep({ case: name, peerName, ours: 1.23456, unit: "µs", ratio, spread: [1, 3] }, FACTS);
}

describe("the key of a row", () => {
  it.each([
    [
      "server/webfinger/postgresql",
      "bare Express, createServer",
      "server/webfinger/postgresql.bare-express-createserver",
    ],
    ["request-id", "hyperid (guessable)", "request-id.hyperid-guessable"],
    ["scale/nodes/time/two nodes of Citus", "PostgreSQL", "scale/nodes/time/two-nodes-of-Citus.postgresql"],
    ["growth/start/time", null, "growth/start/time.alone"],
  ])("is of %s against %s: %s", (name, peerName, key) => {
    expect(createRow(name, peerName).key).toBe(key);
  });

  it("has the version of Node where it is measured on several", () => {
    const [major = ""] = process.versions.node.split(".");
    expect(nameOnNode("get", "get/create-server")).toBe(`node-${major}/get/create-server`);
    expect(nameOnNode("cursor/encode", "cursor/encode")).toBe("cursor/encode");
  });

  it.each([
    ["get/create-server", "get"],
    ["get/only-node-20-and-22/express-5-shapes", "get/only-node-20-and-22"],
    ["growth/requests/heap", "growth/requests"],
    ["no/such/case", undefined],
  ])("%s is from the case %s", (rowName, caseName) => {
    expect(findCase(rowName)).toBe(caseName);
  });
});

describe("a file of rows", () => {
  it("keeps those of cases that didn't run, in the order of the cases, with four digits", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "bench-"));
    try {
      const file = path.join(folder, "rows.json");
      const first = [createRow("cursor/encode", "a"), createRow("request-id", "b"), createRow("no/such/case", "c")];
      writeRows(file, first, true);
      writeRows(file, [createRow("request-id", "d"), createRow("trusted-proxies/ipv4/1", "e")], true);
      const rows = readRows(file);
      expect(rows.map(({ key }) => key)).toEqual(["trusted-proxies/ipv4/1.e", "request-id.d", "cursor/encode.a"]);
      expect(rows[0]?.ours).toBe(1.235);
      expect(readFileSync(file, "utf8").split("\n")).toHaveLength(rows.length + 3); // one a line

      writeRows(file, [createRow("cursor/encode", "f")], false);
      expect(readRows(file).map(({ key }) => key)).toEqual([...rows.map(({ key }) => key), "cursor/encode.f"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("--against", () => {
  const verdictOf = (row: Partial<Row>, before: Partial<Row>): string | undefined => {
    const [now, then] = [row, before].map((part) => ({ ...createRow("request-id", "a"), ...part }));
    return formatComparison([now!], [then!]).split("\n")[2]?.split("|").at(-2)?.trim();
  };

  it.each([
    ["noise", [1.9, 2.1], [2.1, 2.3]],
    ["**worse**", [1.9, 2.09], [2.1, 2.3]],
    ["**better**", [2.4, 2.5], [2.1, 2.3]],
  ] as const)("says %s of a ratio within %j after one within %j", (verdict, now, then) => {
    expect(verdictOf({ spread: now }, { spread: then })).toBe(verdict);
  });

  it("says that less of a figure without a peer is better", () => {
    const alone = { ratio: null, spread: [1, 2] } as const;
    expect(verdictOf(alone, { ...alone, spread: [3, 4] })).toBe("**better**");
    expect(verdictOf({ ...alone, spread: [3, 4] }, alone)).toBe("**worse**");
  });

  it("leaves out what the other run didn't measure", () => {
    const table = formatComparison(
      [createRow("request-id", "a"), createRow("request-id", "b")],
      [createRow("request-id", "b")],
    );
    expect(table).not.toContain("request-id.a");
    expect(table).toContain("request-id.b");
  });
});

const LISTS = ["create-server", "listen", "bound", "express-5"];
const PACKAGES = ["create-server", "packages"];

/** What a process of the benchmark without the kernel says. */
async function ask<T extends object>(file: string, message: object): Promise<T> {
  const program = new Program(path.join(__dirname, "../tools/bench/without-kernel", file));
  try {
    return (await program.ask(message)) as T;
  } finally {
    await program.stop();
  }
}

describe.each([
  ["get", "a 200, and the bound the bytes of the suite", LISTS],
  ["list", "a 200, and the bound the bytes of the suite", LISTS],
  ["page", "a 200, and the bound the bytes of the suite", LISTS],
  ["webfinger", "a 200, and the bound the bytes of the suite", LISTS],
  ["not-found", "a 404", PACKAGES],
  ["invalid", "a 400", PACKAGES],
  ["not-modified", "a 304", PACKAGES],
  ["preflight", "a 204", PACKAGES],
])("without-kernel/%s", (workload, what, names) => {
  it(`is not measured unless every server sends ${what}`, async () => {
    const message = { workload, variant: "unseen", names, warmUp: 0, rounds: 1 };
    const { samples } = await ask<{ samples: object }>("run.js", message);
    expect(Object.keys(samples)).toEqual(names);
  });
});

describe("profile/get", () => {
  it("has the parts of the code that run, and not that of the benchmark", async () => {
    const message = { workload: "get", variant: "unseen", server: "create-server", warmUp: 0, rounds: 1 };
    const { samples } = await ask<{ samples: Record<string, number>[] }>("profile.js", message);
    expect(samples).toHaveLength(1);
    const parts = Object.keys(Object.assign({}, ...samples) as object);
    expect(parts).toEqual(expect.arrayContaining(["node", "packages", "suite"]));
    expect(parts.filter((part) => !["node", "packages", "suite", "garbage", "writes"].includes(part))).toEqual([]);
  });
});

describe("the clients of the workloads", () => {
  const take = (count: number): Record<string, string>[] => {
    const clients = drawClients();
    return Array.from({ length: count }, () => clients.next().value);
  };

  it("are the same in every run", () => {
    expect(take(50)).toEqual(take(50));
  });

  it("are browsers in three of five requests; only these have an origin", () => {
    const clients = take(2_000);
    const browsers = clients.filter((client) => client["User-Agent"]?.startsWith("Mozilla/"));
    expect(browsers.length / clients.length).toBeGreaterThan(0.57);
    expect(browsers.length / clients.length).toBeLessThan(0.63);
    const withOrigin = clients.filter((client) => client["Origin"] !== undefined);
    expect(withOrigin.every((client) => browsers.includes(client))).toBe(true);
    expect(withOrigin.length / browsers.length).toBeGreaterThan(0.78);
    expect(withOrigin.length / browsers.length).toBeLessThan(0.86);
  });

  it("send no field that is missing elsewhere as the text undefined", () => {
    expect(
      take(500)
        .flatMap((client) => Object.values(client))
        .filter((value) => /undefined|NaN/.test(value)),
    ).toEqual([]);
  });
});
