"use strict";

const net = require("node:net");
const { texts, word } = require("../text.js");
const { ensure, ensureEqual } = require("../checks.js");
const { requireLib } = require("../../../kit/compiled.js");

const lib = requireLib("net/index.js");
const { formatIpAddress, parseHop, parseIpAddress } = requireLib("net/ip-address.js");

const BROWSERS = [
  "Mozilla/5.0",
  "(X11; Linux x86_64)",
  "Chrome/124",
  "Safari/537.36",
  "iPhone",
  "apple",
  "Edg/1",
  "Firefox",
  "TV",
];

function ipv4(random) {
  return Array.from({ length: 4 }, () => random.pick([0, 1, 10, 127, 192, 255, random.integer(256)])).join(".");
}

function ipv6(random) {
  const groups = Array.from({ length: 8 }, () =>
    random.pick(["0", "0", "1", "ffff", "db8", random.integer(65_536).toString(16)]),
  );
  const text = groups.join(":");
  return random.isLikely(0.6) ? text.replace(/(?:^|:)0(?::0)*(?::|$)/, "::") : text;
}

function address(random) {
  const roll = random.fraction();
  if (roll < 0.45) return ipv4(random);
  return roll < 0.9 ? ipv6(random) : `::ffff:${ipv4(random)}`;
}

function hop(random) {
  const one = address(random);
  const bracketed = one.includes(":") ? `[${one}]` : one;
  return random.pick([one, bracketed, `${bracketed}:443`, `"${bracketed}:_x"`, "unknown", "_hidden", ` ${one} `, ""]);
}

function forwarded(random) {
  const pair = () =>
    random.pick([
      `for="${hop(random).replaceAll('"', "")}"`,
      `for=${ipv4(random)}`,
      "proto=https",
      'by="a,b"',
      "host=x",
    ]);
  return random.list(1, 6, () => random.list(1, 3, pair).join(";")).join(random.pick([",", ", "]));
}

function range(random) {
  const roll = random.fraction();
  if (roll < 0.3) return address(random);
  if (roll < 0.6)
    return `${random.pick(["10.0.0.0", "192.0.2.0", "2001:db8::", "::", "0.0.0.0"])}/${random.integer(130)}`;
  return `${address(random)}-${address(random)}`;
}

const host = (random) =>
  random.pick([ipv4(random), `[${ipv6(random)}]`, "localhost", "a.localhost.", word(random), "xn--e1a"]) +
  random.pick(["", ":443", ":", ":99999"]);

/** The same question without an index. */
function isInOneOf(ranges, { first, last }, value, version) {
  return ranges.some((one) => one.version === version && value >= one.first && value <= one.last) && first <= last;
}

module.exports = [
  {
    name: "addresses",
    generate: texts(address, ["::", ":", ".", "%eth0", "ffff", "0x", "00"]),
    check(text) {
      const parsed = parseIpAddress(text);
      if (parsed === undefined)
        return ensure(net.isIP(text) === 0 || text.includes("%"), "Node takes no other address", () => text);
      const canonical = formatIpAddress(parsed);
      ensure(net.isIP(text) !== 0 || text.includes("%"), "Node takes this address too", () => text);
      ensureEqual(parseIpAddress(canonical), parsed, "the canonical form is the same address");
      ensureEqual(parseHop(text), parsed, "an address is a hop");
    },
  },
  {
    name: "hops",
    generate: texts(hop, ["[", "]", ":", '"', "_", "%"]),
    check(text) {
      const parsed = parseHop(text);
      if (parsed !== undefined) ensureEqual(parseHop(formatIpAddress(parsed)), parsed, "a printed hop is the same");
    },
  },
  {
    name: "forwarded",
    generate: texts(forwarded, ["for=", '"', '\\"', ",", ";", "[::1]"]),
    check(text, random) {
      const limit = 1 + random.integer(20);
      for (const parse of [lib.parseForwarded, lib.parseForwardedFor]) {
        const nodes = parse(text, limit);
        ensure(nodes.length <= limit, "hops are capped");
        ensureEqual(parse(text, 1), nodes.slice(0, 1), "the nearest hop is first for every limit");
      }
      const proto = lib.parseForwardedProto(text);
      ensureEqual(lib.parseForwardedProto(proto), proto, "one scheme remains");
    },
  },
  {
    name: "client-address",
    generate: (random) => [
      address(random),
      random.list(0, 6, () => texts(hop)(random)),
      random.list(0, 4, () => ipv4(random)),
    ],
    check([peer, nodes, proxies]) {
      const trusted = lib.compileIpRanges([...proxies, "127.0.0.0/8", peer]);
      const { ip, chain } = lib.evaluateClientAddress(peer, nodes, "x-forwarded-for", trusted);
      ensureEqual(lib.findClientIp(peer, nodes, trusted), ip, "the short way finds the same client");
      ensureEqual(chain.length, nodes.length + 1, "each hop is explained");
      const end = chain.findIndex((one) => !one.trusted);
      ensure(end === -1 || chain.slice(end).every((one) => !one.trusted), "nothing is trusted beyond the client");
    },
  },
  {
    name: "ranges",
    generate: (random) => [random.list(1, 8, () => texts(range, ["/", "-", "::"])(random)), address(random)],
    allows: (error) => error instanceof TypeError,
    check([given, one]) {
      const ranges = given.map(lib.parseIpRange);
      const contains = lib.compileIpRanges(ranges);
      const words = parseIpAddress(one);
      const value = words.reduce((sum, part) => (sum << 32n) | BigInt(part), 0n);
      const version = /^\d+\./.test(formatIpAddress(words)) ? 4 : 6;
      ensureEqual(contains(one), isInOneOf(ranges, ranges[0], value, version), "the index finds what a search finds");
      ensure(contains(one) === (contains.rangeOf(one) !== undefined), "an address that is in has a range");
      ensure(!contains("") && !contains(undefined), "nothing is in no range");
    },
  },
  {
    name: "hosts",
    generate: texts(host, ["[", "]", ":", ".", "%", "@", "\\"]),
    check(text) {
      const isHost = lib.isHost(text);
      ensure(!lib.isLocalHost(text) || isHost, "a local host is a host");
      ensure(!isHost || !/[\s/?#@\\]/.test(text), "a host has no delimiter", () => text);
      const form = lib.parseAbsoluteForm(`http://${text}/x`);
      ensure(form?.scheme === "http", "a scheme stays");
    },
  },
  {
    name: "origins",
    generate: texts(
      (random) =>
        `${random.pick(["https", "http", "capacitor", "HTTPS"])}://${host(random)}${random.pick(["", "/", "/a"])}`,
    ),
    check(text) {
      const origin = lib.formatOrigin(text);
      ensure(origin === undefined || lib.isOrigin(origin), "an origin is an origin", () => origin);
    },
  },
  {
    name: "user-agent",
    generate: texts((random) => random.list(1, 20, () => random.pick(BROWSERS)).join(" "), BROWSERS),
    check(text) {
      const { browser, os, device } = lib.parseUserAgent(text);
      ensure(/^[A-Z_]+$|^Unknown$/.test(browser) && os !== "", "a browser has a name", () => browser);
      ensure(["Computer", "Mobile", "Tablet", "Unknown"].includes(device), "a device has a name", () => device);
    },
  },
];
