import { randomBytes } from "node:crypto";
import { createIdGenerator, isRequestId } from "../../../lib/http/random-id.js";

describe("createIdGenerator", () => {
  it("makes ids of 22 characters of base64url", () => {
    const generateId = createIdGenerator(randomBytes);
    for (let i = 0; i < 2_500; i++) expect(generateId()).toMatch(/^[A-Za-z0-9_-]{22}$/);
  });

  it("D1 repeats no id, also across the ends of its pool", () => {
    const generateId = createIdGenerator(randomBytes);
    const ids = Array.from({ length: 10_000 }, generateId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("uses each byte of its source once, in order", () => {
    let next = 0;
    const given: string[] = [];
    const generateId = createIdGenerator((size) => {
      const bytes = Buffer.from(Array.from({ length: size }, () => next++ % 251));
      given.push(bytes.toString("base64url"));
      return bytes;
    });
    const ids = Array.from({ length: 2_048 }, generateId);
    expect(given).toHaveLength(2);
    expect(ids.join("")).toBe(given.join(""));
  });

  it("asks again when its source failed once", () => {
    const source = jest
      .fn((size: number): Buffer => randomBytes(size))
      .mockImplementationOnce(() => {
        throw new Error("no entropy");
      });
    const generateId = createIdGenerator(source);
    expect(generateId).toThrow("no entropy");
    expect(isRequestId(generateId())).toBe(true);
  });
});

describe("isRequestId", () => {
  it.each(["a", "0123456789abcdef", "A-Z.a_z~0", "x".repeat(127), "x".repeat(128)])("takes %s", (id) => {
    expect(isRequestId(id)).toBe(true);
  });

  it.each([[""], ["x".repeat(129)], ["a b"], ["a\n"], ["a,b"], ["é"], ["<b>"], [12], [undefined], [null], [["a"]]])(
    "refuses %p",
    (id) => {
      expect(isRequestId(id)).toBe(false);
    },
  );
});
