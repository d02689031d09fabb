import fc from "fast-check";
import { isHost, isLocalHost, parseAbsoluteForm } from "../../../lib/net/host.js";

describe("isHost", () => {
  it.each([
    "a",
    "api.example.com",
    "API.Example.COM",
    "api.example.com:443",
    "localhost:",
    "localhost:0",
    "localhost:65535",
    "localhost:00080",
    "203.0.113.7",
    "203.0.113.7:8443",
    "under_score.example",
    "trailing.dot.example.",
    "xn--bcher-kva.example",
    "b%C3%BCcher.example",
    "[::1]",
    "[2001:db8::1]:443",
    "[::ffff:203.0.113.7]",
  ])("accepts %s", (host) => {
    expect(isHost(host)).toBe(true);
  });

  it.each([
    "",
    ":443",
    "user@x",
    "user@x/..",
    "user:secret@x",
    "a/b",
    "a?b",
    "a#b",
    "a b",
    " a",
    "a, b",
    "a\\b",
    "a\tb",
    "a\x00b",
    "<script>",
    '"a"',
    "b\xfccher.example",
    "a%",
    "a%2",
    "a%zz",
    "a:b",
    "a:-1",
    "a:+1",
    "a:1:2",
    "a:65536",
    "a:000080",
    "::1",
    "[]",
    "[::1",
    "::1]",
    "[::1]a",
    "[1]",
    "[:::]",
    "[203.0.113.7]",
    "[fe80::1%eth0]",
    "[fe80::1%25eth0]",
    "[v1.a]",
  ])("refuses %j", (host) => {
    expect(isHost(host)).toBe(false);
  });

  it("takes 261 characters, not 262", () => {
    for (const length of [260, 261]) expect(isHost("a".repeat(length))).toBe(true);
    expect(isHost("a".repeat(262))).toBe(false);
  });

  it("accepts the host of every URL, and finds it in its absolute form", () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ["http", "https"], withQueryParameters: true }), (url) => {
        const { host, protocol } = new URL(url);
        expect(isHost(host)).toBe(true);
        const absolute = parseAbsoluteForm(url);
        expect(`${absolute?.scheme ?? ""}:`).toBe(protocol);
        expect(isHost(absolute?.authority ?? "")).toBe(true);
      }),
    );
  });

  it("accepts only what keeps its place in a URL", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("a0.:[]@/?#%2 \\\t-_")), maxLength: 12 }), (text) => {
        if (!isHost(text)) return;
        // in other schemes the parser changes nothing, not even the percent signs
        const url = new URL(`opaque://${text.replaceAll(/:$/g, "")}/path`);
        expect([url.username, url.password, url.pathname, url.search, url.hash]).toEqual(["", "", "/path", "", ""]);
      }),
    );
  });
});

describe("isLocalHost", () => {
  it.each(["localhost", "LOCALHOST.", "a.localhost:80", "127.0.0.0", "127.255.255.255:1", "[::1]", "[::1]:65535"])(
    "S1 accepts %s",
    (host) => {
      expect(isLocalHost(host)).toBe(true);
    },
  );

  it.each([
    "",
    "local",
    "localhost.com",
    "a.localhost.b",
    "-localhost",
    "127.0.0",
    "128.0.0.1",
    "[::2]",
    "[::1]:65536",
  ])("S1 refuses %j", (host) => {
    expect(isLocalHost(host)).toBe(false);
  });

  it("S1 accepts only what is a host", () => {
    const part = fc.constantFrom("localhost", "127.0.0.1", "[::1]", ".", ":", "80", "@", "/", "evil", "%2e", " ", ",");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = parts.join("");
        if (isLocalHost(text)) {
          const { hostname, host } = new URL(`http://${text}`); // as a browser reads it
          expect(hostname).toMatch(/^(?:(?:[a-z0-9]+\.)*localhost\.?|127\.0\.0\.\d+|\[::1\])$/);
          expect(text.startsWith(hostname) && host.startsWith(hostname)).toBe(true);
        }
      }),
    );
  });
});

describe("parseAbsoluteForm", () => {
  it.each([
    ["http://a/x?y", { scheme: "http", authority: "a" }],
    ["HTTPS://user@A:1#z", { scheme: "https", authority: "user@A:1" }],
    ["http:///x", { scheme: "http", authority: "" }],
    ["ftp+x.y-z://b?c", { scheme: "ftp+x.y-z", authority: "b" }],
    ["/x", undefined],
    ["//a/x", undefined],
    ["*", undefined],
    ["a:1", undefined],
    ["1http://a", undefined],
    ["/?u=http://a", undefined],
    ["", undefined],
  ])("reads %j as %j", (target, expected) => {
    expect(parseAbsoluteForm(target)).toEqual(expected);
  });
});
