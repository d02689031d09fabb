import { readFileSync } from "node:fs";
import path from "node:path";

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

const { findGrowth } = jest.requireActual<{ findGrowth: (known: Counts, found: Counts) => string[] }>(
  "../tools/bench/growth-of-counts.js",
);

const ROOT = path.join(__dirname, "..");

const file = JSON.parse(readFileSync(path.join(ROOT, "test/counts.json"), "utf8")) as { node: string; cases: Counts };

describe("npm run counts", () => {
  it.each([
    ["as much as before", 1_000, []],
    ["5 % more", 1_050, []],
    ["more than 5 % more", 1_051, ["get takes 1051 bytes, and 1000 in test/counts.json"]],
    ["less", 10, []],
  ])("with %s finds %j: %j", (_title, bytes, faults) => {
    expect(findGrowth({ get: { bytes: 1_000, steps: 5 } }, { get: { bytes, steps: 5 } })).toEqual(faults);
  });

  it("finds what the file lacks", () => {
    expect(findGrowth({}, { get: { bytes: 1 } })).toEqual(["get takes 1 bytes, and nothing in test/counts.json"]);
  });

  it("has counts of the main version of Node in the file", () => {
    const versions = readFileSync(path.join(ROOT, ".ci/versions"), "utf8");
    expect(versions).toContain(`\nmain=${file.node}\n`);
    for (const counts of Object.values(file.cases)) {
      expect(counts).toEqual({ bytes: expect.any(Number) as number, steps: expect.any(Number) as number });
    }
  });
});
