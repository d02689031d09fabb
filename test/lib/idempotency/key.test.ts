import fc from "fast-check";
import { parseIdempotencyKey } from "../../../lib/idempotency/index.js";

describe("parseIdempotencyKey", () => {
  it.each([
    ['"abc"', "abc"],
    ['"a b"', "a b"],
    ['"a\\"\\\\b"', 'a"\\b'],
    ["abc", "abc"],
    ["8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"],
    ["req:1/2+3=", "req:1/2+3="],
  ])("reads %s", (sent, key) => {
    expect(parseIdempotencyKey(sent)).toBe(key);
  });

  it.each(["", '""', '"', '"a', 'a"', '"a"b', '"a";q=1', '"\\a"', '"\u00e9"', "a b", "a,b", "é", '"a\tb"'])(
    "finds no key in %j",
    (sent) => {
      expect(parseIdempotencyKey(sent)).toBeUndefined();
    },
  );

  it("reads every string of 1 to 255 printable characters that was formatted as RFC 9651 says", () => {
    const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit: printable, minLength: 0, maxLength: 260 }), (key) => {
        const sent = `"${key.replace(/["\\]/g, "\\$&")}"`;
        expect(parseIdempotencyKey(sent)).toBe(key.length >= 1 && key.length <= 255 ? key : undefined);
      }),
    );
  });

  it.each([254, 255, 256])("reads up to 255 characters that are all escaped: %d", (length) => {
    const key = '"'.repeat(length);
    expect(parseIdempotencyKey(`"${'\\"'.repeat(length)}"`)).toBe(length <= 255 ? key : undefined);
  });
});
