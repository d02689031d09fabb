import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { generateApiToken, hashApiToken, isApiToken, matchHash } from "../../../lib/auth/api-token.js";

const HASH = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

describe("hashApiToken", () => {
  it("A2 is SHA-256 in hexadecimal (FIPS 180-4, the example abc)", () => {
    expect(hashApiToken("abc")).toBe(HASH);
  });
});

describe("generateApiToken", () => {
  const refuse = (): never => {
    throw new Error("is not asked");
  };

  it("A2 makes a token of 20 random bytes with a prefix and a checksum, and its hash", () => {
    const sizes: number[] = [];
    const random = (size: number) => {
      sizes.push(size);
      return Buffer.from(Array.from({ length: size }, (_, index) => index));
    };
    const { token, hash } = generateApiToken({ random }, refuse);
    expect(sizes).toEqual([20]);
    expect(token).toMatch(/^etq_[0-9A-Za-z]{33}$/);
    expect(valueOf(token.slice(4, 31))).toBe(0x000102030405060708090a0b0c0d0e0f10111213n);
    expect(valueOf(token.slice(31))).toBe(BigInt(crc32(token.slice(0, 31))));
    expect(hash).toBe(hashApiToken(token));
  });

  it.each([0x00, 0xff])("A2 makes tokens of one length, also of bytes that are all %i", (byte) => {
    const { token } = generateApiToken({ prefix: "acme2", random: (size) => Buffer.alloc(size, byte) }, refuse);
    expect(token).toMatch(/^acme2_[0-9A-Za-z]{33}$/);
    expect(isApiToken(token)).toBe(true);
  });

  it("repeats no token", () => {
    const tokens = Array.from({ length: 1_000 }, () => generateApiToken({}, randomBytes).token);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens.filter((token) => !isApiToken(token))).toEqual([]);
  });

  it.each(["", "a", "A1", "1a", "a_b", "a".repeat(17), 7, null])("refuses the prefix %j", (prefix) => {
    expect(() => generateApiToken({ prefix: prefix as never }, randomBytes)).toThrow(
      "createApiToken: option `prefix` must be 2 to 16 lower-case letters and digits, a letter first",
    );
  });

  it.each(["aa", "a".repeat(16), "a1"])("takes the prefix %j", (prefix) => {
    expect(generateApiToken({ prefix }, randomBytes).token).toMatch(new RegExp(`^${prefix}_`));
  });

  it("refuses unknown options, and the source of randomness in place of options", () => {
    expect(() => generateApiToken({ Prefix: "x" } as never, randomBytes)).toThrow("option `Prefix` is unknown");
    expect(() => generateApiToken(randomBytes as never, randomBytes)).toThrow("options must be an object");
  });
});

describe("isApiToken", () => {
  const { token } = generateApiToken({}, randomBytes);

  it("takes no token with a single character changed", () => {
    expect(isApiToken(token)).toBe(true);
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === "a" ? "b" : "a";
      expect([i, isApiToken(token.slice(0, i) + other + token.slice(i + 1))]).toEqual([i, false]);
    }
  });

  it.each(["", "etq_", token.slice(1), ` ${token}`, `${token}\n`, `${token}0`, "0".repeat(40)])(
    "refuses %j",
    (text) => {
      expect(isApiToken(text)).toBe(false);
    },
  );
});

/** The value of digits of base62. */
function valueOf(text: string): bigint {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return Array.from(text).reduce((value, digit) => value * 62n + BigInt(digits.indexOf(digit)), 0n);
}

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
