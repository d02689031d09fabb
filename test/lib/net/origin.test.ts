import fc from "fast-check";
import { formatOrigin, isOrigin } from "../../../lib/net/origin.js";

describe("isOrigin", () => {
  it.each([
    ["https://app.example.com"],
    ["http://localhost:3000"],
    ["https://xn--bcher-kva.example"],
    ["https://my_app.example.com"],
    ["https://example.com."],
    ["http://127.0.0.1:8080"],
    ["https://[2001:db8::1]:8443"],
    ["https://a:1"],
    ["https://a:65535"],
    ["capacitor://localhost"],
    ["ionic://localhost"],
    ["chrome-extension://abcdefghijklmnopabcdefghijklmnop"],
  ])("knows %s", (text) => {
    expect(isOrigin(text)).toBe(true);
  });

  it.each([
    [""],
    ["null"],
    ["*"],
    ["https://*"],
    ["https://*.example.com"],
    ["https://app.example.com/"],
    ["https://app.example.com:443"],
    ["https://app.example.com:0443"],
    ["http://app.example.com:80"],
    ["https://app.example.com:"],
    ["https://app.example.com:65536"],
    ["https://App.example.com"],
    ["HTTPS://app.example.com"],
    ["https://bücher.example"],
    ["https://user@app.example.com"],
    ["https://app.example.com?"],
    ["https://app.example.com#"],
    ["https://a.example, https://b.example"],
    ["https://a.example https://b.example"],
    [" https://a.example"],
    ["https://a.example\n"],
    ["https://127.1"],
    ["https://0x7f.0.0.1"],
    ["https://[2001:DB8::1]"],
    ["https://[2001:db8:0:0::1]"],
    ["https://[::1"],
    ["https:app.example.com"],
    ["https://"],
    ["app.example.com"],
    ["localhost:3000"],
    ["//app.example.com"],
    ["file://"],
    ["data:text/html,x"],
  ])("refuses %j", (text) => {
    expect(isOrigin(text)).toBe(false);
  });
});

describe("formatOrigin", () => {
  it.each([
    ["HTTPS://App.Example.COM:443/login?x=1#y", "https://app.example.com"],
    ["http://app.example.com:80", "http://app.example.com"],
    ["https://app.example.com:8443/", "https://app.example.com:8443"],
    ["https://user:secret@app.example.com", "https://app.example.com"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
    ["https://127.1", "https://127.0.0.1"],
    ["https://[2001:DB8:0:0::1]", "https://[2001:db8::1]"],
    ["Capacitor://LocalHost", "capacitor://localhost"],
  ])("makes of %s what browsers send", (url, origin) => {
    expect(formatOrigin(url)).toBe(origin);
  });

  it.each([["app.example.com"], ["localhost:3000"], ["https://*.example.com"], ["null"], ["*"], ["file:///etc"], [""]])(
    "finds none in %j",
    (url) => {
      expect(formatOrigin(url)).toBeUndefined();
    },
  );

  it("gives what isOrigin knows, for any URL", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        const origin = formatOrigin(url);
        expect(origin === undefined || isOrigin(origin)).toBe(true);
        expect(origin ?? new URL(url).origin).toBe(new URL(url).origin);
      }),
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          const origin = formatOrigin(text);
          expect(origin === undefined || isOrigin(origin)).toBe(true);
        },
      ),
    );
  });
});
