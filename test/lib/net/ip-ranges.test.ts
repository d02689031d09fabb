import fc from "fast-check";
import { formatIpAddress } from "../../../lib/net/ip-address.js";
import { compileIpRanges, parseIpRange } from "../../../lib/net/ip-ranges.js";

describe("parseIpRange", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1", "192.0.2.1"],
    ["192.0.2.0/24", "192.0.2.0", "192.0.2.255"],
    ["192.0.2.128/25", "192.0.2.128", "192.0.2.255"],
    ["192.0.2.1/32", "192.0.2.1", "192.0.2.1"],
    ["0.0.0.0/0", "0.0.0.0", "255.255.255.255"],
    ["192.0.2.9-192.0.3.1", "192.0.2.9", "192.0.3.1"],
    ["192.0.2.1-192.0.2.1", "192.0.2.1", "192.0.2.1"],
    ["::ffff:10.0.0.0/104", "10.0.0.0", "10.255.255.255"],
    ["::ffff:10.0.0.1-10.0.0.2", "10.0.0.1", "10.0.0.2"],
    ["2001:db8::/32", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db8::1/128", "2001:db8::1", "2001:db8::1"],
    ["::/0", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db8::1-2001:db8::ffff", "2001:db8::1", "2001:db8::ffff"],
  ])("reads %s as %s to %s", (text, first, last) => {
    const range = parseIpRange(text);
    expect(range.text).toBe(text);
    expect([range.first, range.last].map(format)).toEqual([first, last]);
    expect(range.version).toBe(first.includes(":") ? 6 : 4);
  });

  const NO_RANGE = 'is not an IP address, a CIDR block such as "192.0.2.0/24" or a range such as "192.0.2.1-192.0.2.9"';
  it.each([
    ["", NO_RANGE],
    ["localhost", NO_RANGE],
    ["10.0.0", NO_RANGE],
    ["10.1/16", NO_RANGE],
    [" 10.0.0.0/8", NO_RANGE],
    ["10.0.0.1-", NO_RANGE],
    ["-10.0.0.1", NO_RANGE],
    ["10.0.0.1 - 10.0.0.2", NO_RANGE],
    ["10.0.0.1-10.0.0.2-10.0.0.3", NO_RANGE],
    ["fe80::1%eth0", NO_RANGE],
    ["fe80::%eth0/10", NO_RANGE],
    ["10.0.0.0/33", "must end in a prefix length from 0 to 32"],
    ["10.0.0.0/-1", "must end in a prefix length from 0 to 32"],
    ["10.0.0.0/08", "must end in a prefix length from 0 to 32"],
    ["10.0.0.0/", "must end in a prefix length from 0 to 32"],
    ["10.0.0.0/8/8", "must end in a prefix length from 0 to 32"],
    ["10.0.0.0/255.0.0.0", "must end in a prefix length from 0 to 32"],
    ["2001:db8::/129", "must end in a prefix length from 0 to 128"],
    ["10.0.0.1/8", 'has bits set outside its prefix; the block is "10.0.0.0/8"'],
    ["2001:db8::1/64", 'has bits set outside its prefix; the block is "2001:db8::/64"'],
    ["10.0.0.2-10.0.0.1", "ends before it starts"],
    ["10.0.0.1-2001:db8::", "mixes IPv4 and IPv6"],
    ["::ffff:0:0/95", 'has bits set outside its prefix; the block is "::fffe:0:0/95"'],
    ["::fffe:0:0/95", "mixes IPv4 and IPv6"],
  ])("refuses %j: %s", (text, problem) => {
    expect(() => parseIpRange(text)).toThrow(new TypeError(`"${text}" ${problem}`));
  });
});

describe("compileIpRanges", () => {
  it("holds both ends of a range and nothing beside it", () => {
    const set = compileIpRanges(["192.0.2.8/29", "2001:db8::10-2001:db8:0:1::"]);
    expect(["192.0.2.7", "192.0.2.8", "192.0.2.15", "192.0.2.16"].map(set)).toEqual([false, true, true, false]);
    expect(["2001:db8::f", "2001:db8::10", "2001:db8:0:1::", "2001:db8:0:1::1"].map(set)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it("is empty without ranges, and holds no text that is no address", () => {
    expect(compileIpRanges([])("127.0.0.1")).toBe(false);
    const every = compileIpRanges(["0.0.0.0/0", "::/0"]);
    expect(["", "unknown", "127.1", "1.2.3.4:80", undefined].map(every)).toEqual([false, false, false, false, false]);
    expect(every("0.0.0.0") && every("255.255.255.255") && every("::") && every("ffff::")).toBe(true);
  });

  it("keeps IPv4 and IPv6 apart, so that ::/0 holds no IPv4 address", () => {
    expect(compileIpRanges(["::/0"])("192.0.2.1")).toBe(false);
    expect(compileIpRanges(["::/0"])("::ffff:192.0.2.1")).toBe(false);
    expect(compileIpRanges(["0.0.0.0/0"])("::1")).toBe(false);
  });

  it("holds an address in every spelling", () => {
    const set = compileIpRanges(["192.0.2.1", "fe80::/10"]);
    expect(["::ffff:192.0.2.1", "::FFFF:C000:0201", "fe80::1%eth0", "FE80:0::1"].map(set)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it("tells which range decided, of nested ones the widest", () => {
    const { rangeOf } = compileIpRanges([
      "10.0.0.0/16",
      "10.0.0.0/8",
      "10.2.0.0/16",
      "10.0.0.0-11.0.0.9",
      "2001:db8::/32",
    ]);
    expect(rangeOf("10.0.0.1")).toBe("10.0.0.0-11.0.0.9");
    expect(rangeOf("11.0.0.9")).toBe("10.0.0.0-11.0.0.9");
    expect(rangeOf("11.0.0.10")).toBeUndefined();
    expect(rangeOf("2001:db8::")).toBe("2001:db8::/32");
    expect(rangeOf(undefined)).toBeUndefined();
  });

  it("tells a range that holds the address where ranges overlap", () => {
    const { rangeOf } = compileIpRanges(["10.0.0.0-10.0.0.9", "10.0.0.5-10.0.0.20", "10.0.0.21"]);
    expect(["10.0.0.4", "10.0.0.9", "10.0.0.10", "10.0.0.21"].map(rangeOf)).toEqual([
      "10.0.0.0-10.0.0.9",
      "10.0.0.0-10.0.0.9",
      "10.0.0.5-10.0.0.20",
      "10.0.0.21",
    ]);
  });

  it("takes parsed ranges, under the text that they carry", () => {
    const office = { ...parseIpRange("192.0.2.0/24"), text: "office" };
    expect(compileIpRanges([office]).rangeOf("192.0.2.1")).toBe("office");
  });

  it("refuses what is no array of strings", () => {
    expect(() => compileIpRanges("10.0.0.0/8" as never)).toThrow(new TypeError("IP ranges must be an array"));
    for (const range of [1, null, undefined]) {
      expect(() => compileIpRanges([range as never])).toThrow(new TypeError("an IP range must be a string"));
    }
  });

  it("answers as a search through every range does", () => {
    const octet = fc.nat(3);
    const address = fc.oneof(
      fc.tuple(octet, octet).map(([a, b]) => `10.0.${a}.${b}`),
      fc.tuple(octet, octet, octet).map(([a, b, c]) => `2001:db8:${a}::${b}:${c}`),
    );
    const span = fc.tuple(address, address).map(([a, b]) => {
      const [x, y] = [parseIpRange(a), parseIpRange(b)];
      if (x.version !== y.version) return a;
      return x.first <= y.first ? `${a}-${b}` : `${b}-${a}`;
    });
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), address, (ranges, text) => {
        const { first: value, version } = parseIpRange(text);
        const holding = ranges.filter((range) => {
          const { first, last, version: its } = parseIpRange(range);
          return its === version && first <= value && value <= last;
        });
        const set = compileIpRanges(ranges);
        expect(set(text)).toBe(holding.length > 0);
        if (holding.length > 0) expect(holding).toContain(set.rangeOf(text));
      }),
      { numRuns: 2000 },
    );
  });
});

function format(value: bigint): string {
  const word = (shift: bigint) => Number((value >> shift) & 0xffffffffn);
  return formatIpAddress([word(96n), word(64n), word(32n), word(0n)]);
}
