import { createTokenRights } from "../../src/resources/token-rights.js";
import type { Caller } from "../../src/access/caller.js";
const UNKNOWN_ID = "0".repeat(20);

describe("the lifetime of a token", () => {
  const now = "2026-01-01T00:00:00.000Z";
  const caller = (expiresAt: string | null): Caller => ({
    type: "ApiToken",
    id: UNKNOWN_ID,
    scopes: new Set(),
    addresses: [],
    expiresAt,
  });
  const rights = (tokenLifetime: number, tokenMaxLifetime: number) =>
    createTokenRights({ namespace: "svc", tokenLifetime, tokenMaxLifetime });
  const grant = (own: string | null, wanted?: string) =>
    rights(60_000, 3_600_000).grantExpiry(caller(own), wanted, now);

  it.each([
    [null, "2026-01-01T00:01:00.000Z"],
    ["2026-01-01T00:01:00.001Z", "2026-01-01T00:01:00.000Z"],
    ["2026-01-01T00:00:59.999Z", "2026-01-01T00:00:59.999Z"],
  ])("A4 of a maker that ends at %s is at most that one's, if none is asked for", (own, expected) => {
    expect(grant(own)).toBe(expected);
  });

  it("A4 has no end only where none is set, and the maker has none", () => {
    expect(rights(Infinity, Infinity).grantExpiry(caller(null), undefined, now)).toBeNull();
    expect(rights(Infinity, Infinity).grantExpiry(caller("2027-01-01T00:00:00.000Z"), undefined, now)).toBe(
      "2027-01-01T00:00:00.000Z",
    );
  });

  it.each([
    [null, "2026-01-01T00:59:59.999Z"],
    [null, "2026-01-01T01:00:00.000Z"],
    ["2026-01-01T00:30:00.000Z", "2026-01-01T00:29:59.999Z"],
    ["2026-01-01T00:30:00.000Z", "2026-01-01T00:30:00.000Z"],
    [null, "2026-01-01T00:00:00.001Z"],
  ])("A4 of a maker that ends at %s may end at %s", (own, wanted) => {
    expect(grant(own, wanted)).toBe(wanted);
  });

  it.each([
    [null, now, "expiresAt: must be in the future"],
    [
      null,
      "2026-01-01T01:00:00.001Z",
      "expiresAt: must not be after 2026-01-01T01:00:00.000Z: tokens of this server don't live longer",
    ],
    [
      "2026-01-01T00:30:00.000Z",
      "2026-01-01T00:30:00.001Z",
      "expiresAt: must not be after 2026-01-01T00:30:00.000Z, when the token of this request expires",
    ],
  ])("A4 of a maker that ends at %s may not end at %s", (own, wanted, cause) => {
    expect(() => grant(own, wanted)).toThrow(
      expect.objectContaining({ status: 400, causes: [{ errorSummary: cause }] }),
    );
  });
});
