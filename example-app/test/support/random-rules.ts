import fc from "fast-check";
import type { RuleConditions } from "../../src/model/records.js";

/** @param text values of patterns */
export const randomPattern = (text: fc.Arbitrary<string>) =>
  fc.record({
    matchType: fc.constantFrom("SUFFIX" as const, "EQUALS" as const, "STARTS_WITH" as const, "CONTAINS" as const),
    value: text,
  });

/**
 * Conditions of rules for property tests.
 *
 * @param text values of patterns
 * @param zones ids that lists of zones may have
 */
export function randomConditions(text: fc.Arbitrary<string>, zones: string[]): fc.Arbitrary<RuleConditions> {
  const pattern = randomPattern(text);
  const zoneList = fc.subarray(zones);
  const platformList = fc.array(
    fc.record({
      type: fc.constantFrom("ANY", "DESKTOP", "MOBILE"),
      os: fc.record({ type: fc.constantFrom("ANY", "LINUX", "IOS") }),
    }),
    { maxLength: 2 },
  );
  return fc.record(
    {
      network: fc.record({ connection: fc.constantFrom("ANYWHERE", "ZONE"), include: zoneList, exclude: zoneList }),
      platform: fc.record({ include: platformList, exclude: platformList }),
      userIdentifier: fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({ type: fc.constant("IDENTIFIER"), patterns: fc.array(pattern, { maxLength: 4 }) }),
        },
        fc.record({
          type: fc.constant("ATTRIBUTE"),
          attribute: fc.constantFrom("x", "y"),
          patterns: fc.array(pattern, { minLength: 1, maxLength: 1 }),
        }),
      ),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<RuleConditions>;
}

/** What rules may ask of a person beside the login and the address. */
export function randomPerson(text: fc.Arbitrary<string>) {
  return {
    platform: fc.record({
      type: fc.constantFrom("DESKTOP" as const, "MOBILE" as const, "OTHER" as const),
      os: fc.constantFrom("LINUX" as const, "IOS" as const, "OTHER" as const),
    }),
    profile: fc.option(fc.record({ x: text, y: fc.array(text, { maxLength: 2 }) }, { requiredKeys: [] }), {
      nil: undefined,
    }),
  };
}
