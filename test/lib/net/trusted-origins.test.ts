import { compileTrustedOrigins, type OriginOption } from "../../../lib/net/trusted-origins.js";

const APP = "https://app.example.com";

/** Origins of pages that have something in common with {@link APP}. */
const OTHERS = [
  "http://app.example.com",
  "https://app.example.com:8443",
  "https://example.com",
  "https://evilapp.example.com",
  "https://x.app.example.com",
  "https://app.example.com.evil.example",
  "https://APP.example.com",
  "https://app.example.com/",
  "https://app.example.com, https://app.example.com",
  "https://app.example.com https://evil.example",
  "null",
  "*",
  "",
];

describe("compileTrustedOrigins", () => {
  const req = { org: "acme" };

  describe("with a list", () => {
    const isTrusted = compileTrustedOrigins("f", [APP, "http://localhost:3000"]);

    it("O2 trusts what is equal", () => {
      expect(isTrusted(APP, req)).toBe(true);
      expect(isTrusted("http://localhost:3000", req)).toBe(true);
    });

    it.each([...OTHERS, undefined])("O2 does not trust %j", (origin) => {
      expect(isTrusted(origin, req)).toBe(false);
    });

    it("O2 trusts nobody when it is empty", () => {
      expect(compileTrustedOrigins("f", [])(APP, req)).toBe(false);
    });

    it("keeps a copy", () => {
      const list = [APP];
      const compiled = compileTrustedOrigins("f", list);
      list.push("https://late.example");
      expect(compiled("https://late.example", req)).toBe(false);
    });
  });

  describe("with a function", () => {
    it("O2 asks it about the request, for a list or the promise of one", async () => {
      const lists: Record<string, string[]> = { acme: [APP], other: ["https://other.example"] };
      const listOf = ({ org }: { org: string }) => lists[org] ?? [];
      for (const option of [listOf, (r: { org: string }) => Promise.resolve(listOf(r))]) {
        const isTrusted = compileTrustedOrigins("f", option);
        expect(await isTrusted(APP, { org: "acme" })).toBe(true);
        expect(await isTrusted(APP, { org: "other" })).toBe(false);
        expect(await isTrusted(APP, { org: "none" })).toBe(false);
      }
    });

    it.each(OTHERS)("O2 does not trust %j", async (origin) => {
      expect(await compileTrustedOrigins("f", () => [APP])(origin, req)).toBe(false);
    });

    it.each(["null", "*", "https://*.example.com", "https://A.example", undefined])(
      "O2 does not trust %j although the list has it, and does not ask",
      (origin) => {
        let asked = 0;
        const isTrusted = compileTrustedOrigins("f", () => {
          asked += 1;
          return [String(origin)];
        });
        expect(isTrusted(origin, req)).toBe(false);
        expect(asked).toBe(0);
      },
    );

    it.each<[string, () => unknown]>([
      [
        "throws",
        () => {
          throw new Error("down");
        },
      ],
      ["rejects", () => Promise.reject(new Error("down"))],
    ])("rejects when it %s", async (_how, option) => {
      await expect(compileTrustedOrigins("f", option as never)(APP, req)).rejects.toThrow("down");
    });

    it.each([[`${APP}/x`], [undefined], [null], [true], [new Set([APP])], [/app/]])(
      "rejects when it returns %p, which is no array",
      async (value) => {
        await expect(compileTrustedOrigins("f", (() => value) as never)(APP, req)).rejects.toThrow(
          new TypeError("f: `origin` must return an array of origins"),
        );
      },
    );
  });

  it('O4 trusts everyone with "*", also `null` and a request without the field', () => {
    const isTrusted = compileTrustedOrigins("f", "*");
    expect([APP, "null", undefined].map((origin) => isTrusted(origin, req))).toEqual([true, true, true]);
  });

  describe("refuses", () => {
    const form =
      'f: option `origin` must be an array of origins as browsers send them, such as "https://app.example.com"';

    it.each([
      ["HTTPS://App.example.com:443/", APP],
      [`${APP}/`, APP],
      ["http://localhost:80", "http://localhost"],
      ["https://bücher.example", "https://xn--bcher-kva.example"],
    ])("%s, and gives what to write", (entry, meant) => {
      expect(() => compileTrustedOrigins("f", [APP, entry])).toThrow(
        new TypeError(`${form}; write "${meant}" for "${entry}"`),
      );
    });

    it.each([["null"], ["*"], ["https://*.example.com"], ["app.example.com"], [""], [/example\.com$/], [7], [null]])(
      "%p in a list",
      (entry) => {
        expect(() => compileTrustedOrigins("f", [entry] as never)).toThrow(
          new TypeError(`${form}; ${String(entry)} is none`),
        );
      },
    );

    it.each([[undefined], [null], [APP], [true], [/example/], [{}]])("%p in place of a list", (option) => {
      expect(() => compileTrustedOrigins("f", option as OriginOption<object>)).toThrow(
        new TypeError(`${form}, a function that returns one, or "*"`),
      );
    });
  });
});
