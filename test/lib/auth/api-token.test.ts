import { randomBytes } from "node:crypto";
import { generateApiToken, hashApiToken, matchHash } from "../../../lib/auth/api-token.js";

const HASH = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

describe("hashApiToken", () => {
  it("A2 is SHA-256 in hexadecimal (FIPS 180-4, the example abc)", () => {
    expect(hashApiToken("abc")).toBe(HASH);
  });
});

describe("generateApiToken", () => {
  it("A2 makes 40 hexadecimal digits of 20 random bytes, and their hash", () => {
    const sizes: number[] = [];
    const { token, hash } = generateApiToken((size) => {
      sizes.push(size);
      return Buffer.from(Array.from({ length: size }, (_, index) => index));
    });
    expect(sizes).toEqual([20]);
    expect(token).toBe("000102030405060708090a0b0c0d0e0f10111213");
    expect(hash).toBe(hashApiToken(token));
  });

  it("repeats no token", () => {
    const tokens = Array.from({ length: 1_000 }, () => generateApiToken(randomBytes).token);
    expect(new Set(tokens).size).toBe(tokens.length);
  });
});

describe("matchHash", () => {
  it("takes equal hashes", () => {
    expect(matchHash(HASH, HASH)).toBe(true);
  });

  it.each([
    [HASH.replace(/^b/, "c")],
    [HASH.replace(/d$/, "c")],
    [HASH.slice(1)],
    [`${HASH}0`],
    [HASH.toUpperCase()],
    [`${HASH}\n`],
    [""],
  ])("refuses %j", (other) => {
    expect(matchHash(HASH, other)).toBe(false);
    expect(matchHash(other, HASH)).toBe(false);
  });

  it("takes what is no hash for equal to nothing, itself included", () => {
    expect(matchHash("", "")).toBe(false);
    expect(matchHash("x", "x")).toBe(false);
  });
});
