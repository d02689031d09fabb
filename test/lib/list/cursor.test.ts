import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import fc from "fast-check";
import {
  compileCursorCodec,
  CursorError,
  MAX_CURSOR_KEYS,
  MAX_CURSOR_LENGTH,
  type Cursor,
  type CursorContext,
  type CursorDirection,
  type CursorKey,
  secretsOption,
} from "../../../lib/list/cursor.js";

const SECRET = "0123456789abcdef0123456789abcdef";
const codec = compileCursorCodec([SECRET]);
const context: CursorContext = { resource: "users", org: "acme", filter: 'status eq "ACTIVE"', sort: "created desc" };
const cursor: Cursor = { direction: "after", keys: ["2024-01-01T00:00:00.000Z", "00u1"] };

function reasonOf(decode: () => unknown): string {
  try {
    decode();
  } catch (error) {
    expect(error).toBeInstanceOf(CursorError);
    return (error as CursorError).reason;
  }
  return "none";
}

const CONTEXT_TEXT = JSON.stringify(["users", "acme", 'status eq "ACTIVE"', "created desc"]);

const deriveKey = (info: string, secret = SECRET) => Buffer.from(hkdfSync("sha256", secret, "", info, 32));

/** A cursor with this body, sealed as its grammar says. */
function forge(body: string, info = "etiquette cursor 2"): string {
  const nonce = createHmac("sha256", deriveKey(`${info} nonce`))
    .update(CONTEXT_TEXT + body)
    .digest()
    .subarray(0, 12);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(info), nonce).setAAD(Buffer.from(CONTEXT_TEXT));
  const sealed = Buffer.concat([cipher.update(body), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** A cursor of version 1, which was signed and not encrypted. */
function forgeVersion1(): string {
  const body = '1>["a"]';
  const tag = createHmac("sha256", deriveKey("etiquette cursor 1"))
    .update(CONTEXT_TEXT + body)
    .digest();
  return Buffer.concat([tag.subarray(0, 18), Buffer.from(body)]).toString("base64url");
}

const keyValue: fc.Arbitrary<CursorKey> = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.boolean(),
  fc.constant(null),
);
const keyValues = fc.array(keyValue, { minLength: 1, maxLength: MAX_CURSOR_KEYS });
const direction = fc.constantFrom<CursorDirection>("after", "before");
const text = fc.option(fc.string({ unit: "binary", maxLength: 20 }), { nil: undefined });
const anyContext = fc.record({ resource: fc.string(), org: text, filter: text, sort: text });

describe("compileCursorCodec", () => {
  it("P1 gives back what it was given", () => {
    fc.assert(
      fc.property(keyValues, direction, anyContext, (keys, towards, bound) => {
        const encoded = codec.encode({ direction: towards, keys }, bound);
        expect(encoded).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(codec.decode(encoded, towards, bound)).toEqual({ direction: towards, keys });
      }),
      { numRuns: 500 },
    );
  });

  it("P1 writes what its grammar says", () => {
    expect(codec.encode(cursor, context)).toBe(forge('>["2024-01-01T00:00:00.000Z","00u1"]'));
    expect(codec.encode({ direction: "before", keys: [null, true, -1.5] }, context)).toBe(forge("<[null,true,-1.5]"));
  });

  it("P1 refuses each bit flipped, each character replaced, left out or added", () => {
    const encoded = codec.encode(cursor, context);
    const bytes = Buffer.from(encoded, "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(reasonOf(() => codec.decode(altered.toString("base64url"), "after", context))).toBe("signature");
    }
    for (let index = 0; index < encoded.length; index++) {
      const before = encoded.slice(0, index);
      for (const other of "A_-z0=+/. \n\0é") {
        if (encoded[index] !== other) {
          expect(reasonOf(() => codec.decode(before + other + encoded.slice(index + 1), "after", context))).not.toBe(
            "none",
          );
        }
        expect(reasonOf(() => codec.decode(before + other + encoded.slice(index), "after", context))).not.toBe("none");
      }
      expect(reasonOf(() => codec.decode(before, "after", context))).not.toBe("none");
    }
  });

  it("P1 knows one text for a cursor: no padding, no other alphabet, no spare bits, no other UTF-8", () => {
    const keys = ["\ufffd>>???"];
    const encoded = codec.encode({ direction: "after", keys }, context);
    const bytes = Buffer.from(encoded, "base64url");
    const last = encoded.slice(0, -1) + String.fromCharCode(encoded.charCodeAt(encoded.length - 1) + 1);
    expect(Buffer.from(last, "base64url")).toEqual(bytes); // the same bytes, with spare bits set
    for (const other of [last, `${encoded}=`, `${encoded}==`, bytes.toString("base64"), ` ${encoded}`, `${encoded}!`]) {
      expect(other).not.toBe(encoded);
      expect(reasonOf(() => codec.decode(other, "after", context))).toBe("encoding");
    }
  });

  it("P1 hides what it holds: no key, no part of one, and nothing that two cursors share", () => {
    const at = (email: string) => codec.encode({ direction: "after", keys: [email, "00u1"] }, context);
    const [one, two] = [at("ann@example.com"), at("anna@example.com")];
    const bytes = Buffer.from(one, "base64url").toString("latin1");
    for (const part of ["ann", "example", "00u1", '["', "users", "acme"]) expect(bytes).not.toContain(part);
    for (let length = 4, index = 0; index + length <= one.length; index++) {
      expect(two).not.toContain(one.slice(index, index + length));
    }
  });

  it("P1 gives the same place the same cursor, and each key, direction and context another nonce", () => {
    const nonceOf = (encoded: string) => encoded.slice(0, 16);
    const first = codec.encode(cursor, context);
    expect(codec.encode(cursor, context)).toBe(first);
    const others = [
      codec.encode({ ...cursor, direction: "before" }, context),
      codec.encode({ ...cursor, keys: ["00u1"] }, context),
      codec.encode(cursor, { ...context, org: "other" }),
      compileCursorCodec([randomBytes(32)]).encode(cursor, context),
    ];
    expect(new Set([first, ...others].map(nonceOf)).size).toBe(5);
  });

  it("P1 is AES-256-GCM, so an independent implementation opens it", () => {
    const bytes = Buffer.from(codec.encode(cursor, context), "base64url");
    const decipher = createDecipheriv("aes-256-gcm", deriveKey("etiquette cursor 2"), bytes.subarray(0, 12))
      .setAAD(Buffer.from(CONTEXT_TEXT))
      .setAuthTag(bytes.subarray(12, 28));
    const body = decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
    expect(body).toBe(`>${JSON.stringify(cursor.keys)}`);
  });

  it.each<[string, CursorContext]>([
    ["resource", { ...context, resource: "groups" }],
    ["org", { ...context, org: "other" }],
    ["filter", { ...context, filter: "" }],
    ["sort", { ...context, sort: "created asc" }],
    ["org, absent", { ...context, org: undefined }],
    ["org and resource, exchanged", { ...context, resource: "acme", org: "users" }],
    ["filter and sort, joined", { ...context, filter: `${context.filter ?? ""}","created desc`, sort: undefined }],
  ])("P1 refuses another %s", (_title, other) => {
    const encoded = codec.encode(cursor, context);
    expect(codec.decode(encoded, "after", context)).toEqual(cursor);
    expect(reasonOf(() => codec.decode(encoded, "after", other))).toBe("signature");
  });

  it("P1 takes an absent member, undefined and null for the same, and the empty text for another", () => {
    const encoded = codec.encode(cursor, { resource: "users" });
    expect(codec.decode(encoded, "after", { resource: "users", org: null, filter: undefined, sort: null })).toEqual(
      cursor,
    );
    expect(reasonOf(() => codec.decode(encoded, "after", { resource: "users", org: "" }))).toBe("signature");
  });

  it("P1 refuses a cursor for the other direction", () => {
    expect(reasonOf(() => codec.decode(codec.encode(cursor, context), "before", context))).toBe("direction");
  });

  it("P1 refuses a cursor of version 1, and one of another purpose", () => {
    expect(reasonOf(() => codec.decode(forge('>["a"]'), "after", context))).toBe("none");
    expect(reasonOf(() => codec.decode(forgeVersion1(), "after", context))).toBe("encoding");
    expect(reasonOf(() => codec.decode(forge('>["a"]', ""), "after", context))).toBe("signature");
  });

  it.each(["", "A", "AAAA", "A".repeat(37), "not a cursor", "é", "\0"])("P1 refuses %j", (value) => {
    expect(reasonOf(() => codec.decode(value, "after", context))).toBe("encoding");
  });

  it("P1 refuses whatever else it is given", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.uint8Array().map((b) => Buffer.from(b).toString("base64url")),
        ),
        (value) => {
          expect(reasonOf(() => codec.decode(value, "after", context))).toMatch(/^(?:encoding|signature)$/);
        },
      ),
    );
  });

  it("P1 opens with every secret, and seals with the first", () => {
    const old = compileCursorCodec([SECRET]);
    const next = randomBytes(32);
    const both = compileCursorCodec([next, SECRET]);
    const fresh = compileCursorCodec([next]);
    const renewed = both.encode(cursor, context);
    expect(both.decode(old.encode(cursor, context), "after", context)).toEqual(cursor);
    expect(fresh.decode(renewed, "after", context)).toEqual(cursor);
    expect(reasonOf(() => old.decode(renewed, "after", context))).toBe("signature");
    expect(reasonOf(() => fresh.decode(old.encode(cursor, context), "after", context))).toBe("signature");
  });

  it(`keeps to ${MAX_CURSOR_LENGTH} characters both ways`, () => {
    const longest = "x".repeat((MAX_CURSOR_LENGTH * 3) / 4 - 28 - '>[""]'.length);
    const encoded = codec.encode({ direction: "after", keys: [longest] }, context);
    expect(encoded).toHaveLength(MAX_CURSOR_LENGTH);
    expect(codec.decode(encoded, "after", context).keys).toEqual([longest]);
    expect(codec.encode({ direction: "after", keys: [longest.slice(1)] }, context)).toHaveLength(MAX_CURSOR_LENGTH - 1);
    expect(reasonOf(() => codec.encode({ direction: "after", keys: [`${longest}x`] }, context))).toBe("length");
    expect(reasonOf(() => codec.decode("A".repeat(MAX_CURSOR_LENGTH + 1), "after", context))).toBe("length");
    expect(reasonOf(() => codec.decode("A".repeat(MAX_CURSOR_LENGTH), "after", context))).toBe("signature");
  });

  it.each<[unknown, string]>([
    [[], "the keys of a row must be an array of 1 to 8 values"],
    ["ab", "the keys of a row must be an array of 1 to 8 values"],
    [undefined, "the keys of a row must be an array of 1 to 8 values"],
    [Array.from({ length: 9 }, () => 1), "the keys of a row must be an array of 1 to 8 values"],
    [["a", undefined], "key 1 must be a string, a finite number, a boolean or null"],
    [[NaN], "key 0 must be a string, a finite number, a boolean or null"],
    [[Infinity], "key 0 must be a string, a finite number, a boolean or null"],
    [[1n], "key 0 must be a string, a finite number, a boolean or null"],
    [[{}], "key 0 must be a string, a finite number, a boolean or null"],
    [[new Date(0)], "key 0 is a Date, which has milliseconds; give the text that the store compares"],
  ])("refuses the keys %p", (keys, message) => {
    expect(() => codec.encode({ direction: "after", keys: keys as CursorKey[] }, context)).toThrow(
      new TypeError(message),
    );
  });

  it("refuses no secret, and a short one", () => {
    for (const secret of [undefined, SECRET, {}]) {
      expect(() => compileCursorCodec(secret as never)).toThrow(TypeError);
      expect(() => compileCursorCodec(secret as never)).toThrow("secrets must be an array");
    }
    expect(() => compileCursorCodec([])).toThrow("there must be a secret");
    expect(() => compileCursorCodec([SECRET, SECRET.slice(1)])).toThrow(
      "secrets must be an array of strings or bytes of 32 bytes or more",
    );
  });
});

describe("secretsOption", () => {
  const read = (value: unknown) => secretsOption("factory", value);

  it.each<[unknown]>([[SECRET], ["é".repeat(16)], [randomBytes(32)]])("takes %p, alone and in an array", (value) => {
    expect(read(value)).toEqual([value]);
    expect(read([SECRET, value])).toEqual([SECRET, value]);
  });

  it.each<[unknown]>([[SECRET.slice(1)], [new Uint8Array(31)], [undefined], [32], [[]], [[SECRET, SECRET.slice(1)]]])(
    "refuses %p",
    (value) => {
      expect(() => read(value)).toThrow(
        new TypeError("factory: option `secret` must be a string or bytes of 32 bytes or more, or an array of these"),
      );
    },
  );
});
