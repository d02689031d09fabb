import { isIP, isIPv4 as isIPv4Text, isIPv6 } from "node:net";
import fc from "fast-check";
import { formatIpAddress, isIPv4, parseHop, parseIpAddress } from "../../../lib/net/ip-address.js";

/** What the two functions make of a text together. */
function canonical(text: string, parse = parseIpAddress): string | undefined {
  const address = parse(text);
  return address && formatIpAddress(address);
}

/** Characters of addresses, in which most texts are near misses. */
const nearMisses = fc.string({ unit: fc.constantFrom(...Array.from("0123456789abcdefF:.%")), maxLength: 24 });

describe("parseIpAddress", () => {
  it.each([
    ["0.0.0.0", [0, 0, 0xffff, 0]],
    ["192.0.2.1", [0, 0, 0xffff, 0xc0000201]],
    ["255.255.255.255", [0, 0, 0xffff, 0xffffffff]],
    ["::", [0, 0, 0, 0]],
    ["::1", [0, 0, 0, 1]],
    ["2001:db8::1", [0x20010db8, 0, 0, 1]],
    ["1:2:3:4:5:6:7:8", [0x10002, 0x30004, 0x50006, 0x70008]],
    ["1:2:3:4:5:6:7::", [0x10002, 0x30004, 0x50006, 0x70000]],
    ["::2:3:4:5:6:7:8", [2, 0x30004, 0x50006, 0x70008]],
    ["1:2:3:4:5:6:192.0.2.1", [0x10002, 0x30004, 0x50006, 0xc0000201]],
    ["FFFF::", [0xffff0000, 0, 0, 0]],
    ["::0.0.0.0", [0, 0, 0, 0]],
    ["::ffff:0.0.0.0", [0, 0, 0xffff, 0]],
  ])("reads %s", (text, words) => {
    expect(parseIpAddress(text)).toEqual(words);
  });

  it.each([
    // what inet_aton takes for an address, and a filter in front does not
    ...["127.1", "0x7f.1", "0x7f.0.0.1", "2130706433", "0177.0.0.1", "127.0.0.01", "00.0.0.0"],
    ...["", ".", "1.2.3", "1.2.3.", ".1.2.3", "1..2.3", "1.2.3.4.", "1.2.3.4.5", "1.2.3.256", "1.2.3.1000", "1.2.3.-4"],
    ...[" 1.2.3.4", "1.2.3.4 ", "1.2.3.4\n", "1.2.3.4:80", "1.2.3.4%eth0", "[::1]", '"1.2.3.4"', "１.2.3.4"],
    ...[
      ":",
      ":::",
      "1",
      "1:",
      ":1",
      "1::2::3",
      "::1:",
      "12345::",
      "g::",
      "é::",
      "2001:d１::",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
    ],
    ...[
      "1::2:3:4:5:6:7:8",
      "1:2:3:4:5:6:7:8::",
      "::1:2:3:4:5:6:7:8",
      "1:2:3:4:5:6:7:192.0.2.1",
      "::1:2:3:4:5:6:1.2.3.4",
    ],
    ...["::192.0.2", "::192.0.2.256", "::192.0.2.1:1", "192.0.2.1::", "::0x7f.0.0.1", "1:2:3:4:5:1.2.3.4"],
    ...["fe80::1%", "fe80::1%eth 0", "fe80::1%eth0%1", `fe80::1%${"a".repeat(65)}`, "unknown", "localhost", "<script>"],
  ])("refuses %j", (text) => {
    expect(parseIpAddress(text)).toBeUndefined();
  });

  it("takes an IPv4-mapped address for the IPv4 address", () => {
    for (const text of ["::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:192.0.2.1"]) {
      expect(parseIpAddress(text)).toEqual(parseIpAddress("192.0.2.1"));
    }
    expect(isIPv4([0, 0, 0xffff, 1])).toBe(true);
    expect(canonical("::192.0.2.1")).toBe("::c000:201"); // IPv4-compatible is something else, and obsolete
  });

  it("drops a zone id of up to 64 characters", () => {
    expect(canonical("fe80::1%eth0")).toBe("fe80::1");
    expect(canonical("fe80::1%25en1")).toBe("fe80::1");
    expect(canonical(`fe80::1%${"a".repeat(63)}`)).toBe("fe80::1");
    expect(canonical(`fe80::1%${"a".repeat(64)}`)).toBe("fe80::1");
  });

  it("agrees with node:net on what is an address", () => {
    fc.assert(
      fc.property(fc.oneof(nearMisses, fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.string()), (text) => {
        // node:net has zones of its own, any length; the tests above say what ours are
        fc.pre(!text.includes("%"));
        expect(parseIpAddress(text) !== undefined).toBe(isIP(text) !== 0);
      }),
      { numRuns: 5000 },
    );
  });

  it("is linear in the length of its input", () => {
    for (const unit of ["1", ":", "1:", "1.", "::", "a", "%", "["]) {
      expect(parseIpAddress(unit.repeat(200_000))).toBeUndefined();
      expect(parseHop(unit.repeat(200_000))).toBeUndefined();
    }
  });
});

describe("formatIpAddress", () => {
  // RFC 5952 sections 4 and 5
  it.each([
    ["2001:0db8::0001", "2001:db8::1"],
    ["2001:db8:0:0:0:0:2:1", "2001:db8::2:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["2001:0:0:1:0:0:0:1", "2001:0:0:1::1"],
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:DB8::AAAA", "2001:db8::aaaa"],
    ["0:0:0:0:0:0:0:0", "::"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["1:0:0:0:0:0:0:0", "1::"],
    ["1:2:3:4:5:6:0:0", "1:2:3:4:5:6::"],
    ["0:0:3:4:5:6:7:8", "::3:4:5:6:7:8"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:255.255.255.255", "255.255.255.255"],
  ])("writes %s as %s", (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it("writes what parseIpAddress reads back, the same for every spelling", () => {
    const word = fc.oneof(fc.nat(0xffffffff), fc.constantFrom(0, 1, 0xffff, 0x10000));
    fc.assert(
      fc.property(fc.tuple(word, word, word, word), (address) => {
        const text = formatIpAddress(address);
        expect(parseIpAddress(text)).toEqual(address);
        expect(isIPv4(address) ? isIPv4Text(text) : isIPv6(text)).toBe(true);
        const groups = address.flatMap((part) => [part >>> 16, part & 0xffff]).map((group) => group.toString(16));
        expect(canonical(groups.join(":").toUpperCase())).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("parseHop", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1:4711", "192.0.2.1"],
    ["192.0.2.1:0", "192.0.2.1"],
    ["192.0.2.1:_gazonk", "192.0.2.1"],
    ['"192.0.2.1"', "192.0.2.1"],
    ['"192.0.2.1:4711"', "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["2001:db8::1:443", "2001:db8::1:443"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ['"[2001:DB8::1]:443"', "2001:db8::1"],
    ["[::ffff:192.0.2.1]:443", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["[fe80::1%eth0]:443", "fe80::1"],
  ])("reads %s", (text, expected) => {
    expect(canonical(text, parseHop)).toBe(expected);
  });

  it.each([
    ...[
      "",
      '"',
      '""',
      "unknown",
      "_hidden",
      "<script>alert(1)</script>",
      "example.com",
      "192.0.2.1:",
      "192.0.2.1:http",
    ],
    ...["192.0.2.1:123456", "192.0.2.1:80:80", "[192.0.2.1]", "[192.0.2.1]:80", "[2001:db8::1", "2001:db8::1]"],
    ...[
      "[2001:db8::1]443",
      "[2001:db8::1]:",
      "[[2001:db8::1]]",
      "[]",
      "[]:80",
      '"192.0.2.1',
      '192.0.2.1"',
      "0x7f.1:80",
    ],
    ...["2130706433", "192.0.2.1 ", "192.0.2.1, 192.0.2.2"],
  ])("refuses %j", (text) => {
    expect(parseHop(text)).toBeUndefined();
  });

  it("never throws, and reads nothing but addresses", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from('0123456789af:.[]"%_ ')) })),
        (text) => {
          const ip = canonical(text, parseHop);
          expect(ip === undefined || isIP(ip) !== 0).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
