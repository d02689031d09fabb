import fc from "fast-check";
import { runAtOnce } from "../../../src/pace/steps.js";
import type { AskedLogin } from "../../../src/resources/replay/asked-logins.js";
import { createLoginSample, type SampleLimits } from "../../../src/resources/replay/sample.js";

const asked = (login: string, clientIp?: string): AskedLogin => ({
  login,
  clientIp,
  platform: { type: "OTHER", os: "OTHER" },
});

const loginsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `joe${10_000 + i}@example.com`);

function sampleOf(logins: readonly string[], limits: Partial<SampleLimits>) {
  const sample = createLoginSample({ logins: Infinity, bytes: Infinity, ...limits });
  for (const login of logins) runAtOnce(sample.add(asked(login)));
  return { kept: [...sample.logins()].map(({ login }) => login), isPart: sample.isPart() };
}

describe("createLoginSample", () => {
  it.each([
    ["logins", { logins: 100 }, 100],
    ["bytes", { bytes: 100 * (256 + 4 * "joe10000@example.com".length) }, 100],
  ])("S9 keeps all logins up to its limit of %s, and about half of more", (_what, limits, limit) => {
    const logins = loginsOf(limit + 1);
    expect(sampleOf(logins.slice(0, limit - 1), limits)).toEqual({ kept: logins.slice(0, limit - 1), isPart: false });
    expect(sampleOf(logins.slice(0, limit), limits)).toEqual({ kept: logins.slice(0, limit), isPart: false });
    const { kept, isPart } = sampleOf(logins.slice(0, limit + 1), limits);
    expect(isPart).toBe(true);
    expect(kept.length).toBeGreaterThan(limit / 4);
    expect(kept.length).toBeLessThan((3 * limit) / 4);
  });

  it("keeps each login once, as it was added first", () => {
    const sample = createLoginSample({ logins: 10, bytes: 10_000 });
    for (const [login, ip] of [
      ["Joe@BÜCHER.example", "192.0.2.1"],
      ["joe@xn--bcher-kva.example", "192.0.2.2"],
      ["ann@example.com", "192.0.2.3"],
    ] as const) {
      runAtOnce(sample.add(asked(login, ip)));
    }
    expect([...sample.logins()].map(({ login, clientIp }) => [login, clientIp])).toEqual([
      ["Joe@BÜCHER.example", "192.0.2.1"],
      ["ann@example.com", "192.0.2.3"],
    ]);
  });

  it("keeps the same logins in any order", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(loginsOf(60), { minLength: 1 }),
        fc.integer({ min: 1, max: 30 }),
        (logins, most) => {
          const { kept } = sampleOf(logins, { logins: most });
          expect(kept.length).toBeLessThanOrEqual(most);
          expect(new Set(kept)).toEqual(new Set(sampleOf(logins.toSorted(), { logins: most }).kept));
        },
      ),
    );
  });

  it("is uniform: no group of logins has more of it than its part", () => {
    const { kept } = sampleOf(loginsOf(8_000), { logins: 4_000 });
    const inGroup = (digit: number) => kept.filter((login) => login.includes(`${digit}@`)).length;
    for (let digit = 0; digit < 10; digit++) {
      expect(inGroup(digit) / kept.length).toBeGreaterThan(0.08);
      expect(inGroup(digit) / kept.length).toBeLessThan(0.12);
    }
  });
});
