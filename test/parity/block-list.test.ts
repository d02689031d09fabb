import { BlockList } from "node:net";
import fc from "fast-check";
import { compileIpRanges } from "../../lib/net/ip-ranges.js";
import { formatIpAddress, parseIpAddress } from "../../lib/net/ip-address.js";

type Family = "ipv4" | "ipv6";
type Rule = readonly [family: Family, first: bigint, second: bigint | number];

/** Few bits vary, so that ranges overlap and addresses are hit. */
const SPACES: Readonly<Record<Family, { base: bigint; bits: number }>> = {
  ipv4: { base: 0xffff_cb00_7100n, bits: 32 }, // 203.0.113.0
  ipv6: { base: 0x2001_0db8n << 96n, bits: 128 },
};

const family = fc.constantFrom<Family>("ipv4", "ipv6");
const offset = fc.oneof(fc.bigInt(0n, 64n), fc.bigInt(0n, 0xffn));

const rule: fc.Arbitrary<Rule> = fc
  .tuple(family, offset, offset, fc.nat(9), fc.boolean())
  .map(([its, a, b, hostBits, isSpan]): Rule => {
    const { base, bits } = SPACES[its];
    if (isSpan) return [its, base + (a < b ? a : b), base + (a < b ? b : a)];
    return [its, ((base + a) >> BigInt(hostBits)) << BigInt(hostBits), bits - hostBits];
  });

function format(value: bigint): string {
  const word = (shift: bigint) => Number((value >> shift) & 0xffffffffn);
  return formatIpAddress([word(96n), word(64n), word(32n), word(0n)]);
}

function createBlockList(rules: readonly Rule[]): BlockList {
  const list = new BlockList();
  for (const [its, first, second] of rules) {
    if (typeof second === "number") list.addSubnet(format(first), second, its);
    else list.addRange(format(first), format(second), its);
  }
  return list;
}

function createRangeSet(rules: readonly Rule[]) {
  return compileIpRanges(
    rules.map(([, first, second]) =>
      typeof second === "number" ? `${format(first)}/${second}` : `${format(first)}-${format(second)}`,
    ),
  );
}

describe("compileIpRanges and net.BlockList", () => {
  it("agree on random blocks and spans, for plain and for IPv4-mapped addresses", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 20 }), family, offset, (rules, its, value) => {
        const ip = format(SPACES[its].base + value);
        const list = createBlockList(rules);
        const set = createRangeSet(rules);
        expect(set(ip)).toBe(list.check(ip, its));
        if (its === "ipv4") expect(set(`::ffff:${ip}`)).toBe(list.check(`::ffff:${ip}`, "ipv6"));
      }),
      { numRuns: 3000 },
    );
  });

  it("agree on every prefix length", () => {
    for (const [its, text] of [
      ["ipv4", "255.255.255.255"],
      ["ipv6", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ] as const) {
      const { bits } = SPACES[its];
      const every = (1n << BigInt(bits)) - 1n;
      const mapped = its === "ipv4" ? 0xffffn << 32n : 0n;
      for (let prefix = 1; prefix <= bits; prefix++) {
        const network = format(mapped + ((every >> BigInt(bits - prefix)) << BigInt(bits - prefix)));
        const list = createBlockList([]);
        list.addSubnet(network, prefix, its);
        const set = compileIpRanges([`${network}/${prefix}`]);
        const before = format(mapped + (toBigInt(network) & every) - 1n);
        for (const ip of [text, network, before])
          expect([prefix, ip, set(ip)]).toEqual([prefix, ip, list.check(ip, its)]);
      }
    }
  });

  it("differ on IPv6 blocks around ::ffff:0:0/96, which hold no IPv4 address here", () => {
    const list = new BlockList();
    list.addSubnet("::", 1, "ipv6");
    expect(list.check("192.0.2.1", "ipv4")).toBe(true);
    expect(compileIpRanges(["::/1"])("192.0.2.1")).toBe(false);
  });
});

function toBigInt(text: string): bigint {
  return (parseIpAddress(text) ?? []).reduce((value, word) => (value << 32n) | BigInt(word), 0n);
}
