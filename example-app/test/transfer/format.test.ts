import { runInSlices, SLICE_COST } from "../../src/pace/slices.js";
import { readInSteps } from "../../src/transfer/document.js";
import { FormatError, formatInSteps } from "../../src/transfer/format.js";
import { rule, user, zone } from "../support/documents.js";

const LIMITS = { bytes: 1_000_000, members: 100_000 };

describe("formatInSteps()", () => {
  const document = {
    orgs: [
      {
        subdomain: "demo",
        policyId: undefined,
        zones: [zone("a"), { name: "b\n", gateways: [] }],
        users: [],
        rules: [rule("r")],
      },
    ],
  };

  it("writes what JSON.stringify() writes", async () => {
    expect((await runInSlices(formatInSteps(document, LIMITS))).value).toBe(JSON.stringify(document, null, 2));
  });

  it("S9 ends at the first record beyond a limit", async () => {
    const bytes = Buffer.byteLength(JSON.stringify(document, null, 2));
    await expect(runInSlices(formatInSteps(document, { ...LIMITS, bytes }))).resolves.toBeDefined();
    await expect(runInSlices(formatInSteps(document, { ...LIMITS, bytes: bytes - 1 }))).rejects.toThrow(FormatError);
    await expect(runInSlices(formatInSteps(document, { ...LIMITS, members: 10 }))).rejects.toThrow("members");
  });
});

describe("readInSteps()", () => {
  it("S9 takes turns by the members of records", async () => {
    const many = { ...user("ann").profile, tags: Array.from({ length: 90 }, () => "x") };
    const users = Array.from({ length: 100 }, (_, i) => ({ profile: { ...many, login: `u${i}` } }));
    const { slices, longest } = await runInSlices(
      readInSteps({ orgs: [{ subdomain: "demo", name: "Demo", users }] }, "SVC", () => undefined),
    );
    expect(slices).toBeGreaterThan(4);
    expect(longest).toBeLessThan(SLICE_COST + 500);
  });

  it.each([
    [19, 19],
    [20, 20],
    [21, 20],
  ])("S9 of %i wrong patterns tells %i", async (wrong, told) => {
    const faults: unknown[] = [];
    const patterns = Array.from({ length: 30 }, (_, i) => ({ matchType: "EQUALS", value: i < wrong ? "" : "x" }));
    const rules = [{ ...rule("r"), conditions: { userIdentifier: { type: "IDENTIFIER", patterns } } }];
    const report = (path: unknown) => void faults.push(path);
    await runInSlices(readInSteps({ orgs: [{ subdomain: "demo", name: "Demo", rules }] }, "SVC", report));
    expect(faults).toHaveLength(told);
  });
});
