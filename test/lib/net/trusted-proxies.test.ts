import { compileIpRanges } from "../../../lib/net/ip-ranges.js";
import { compileTrust } from "../../../lib/net/trust-option.js";
import { compileTrustedProxies, type TrustOption } from "../../../lib/net/trusted-proxies.js";

describe("compileTrustedProxies", () => {
  it.each([
    ["loopback", ["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1"], ["128.0.0.1", "126.0.0.1", "::2"]],
    ["linklocal", ["169.254.0.0", "169.254.255.255", "fe80::1%eth0", "febf::"], ["169.255.0.0", "fec0::"]],
    [
      "uniquelocal",
      ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fc00::", "fdff::"],
      ["11.0.0.0", "172.32.0.0", "192.169.0.0", "fe00::"],
    ],
  ])("knows the name %s", (name, inside, outside) => {
    const trusted = compileTrustedProxies([name]);
    expect(inside.map(trusted)).toEqual(inside.map(() => true));
    expect(outside.map(trusted)).toEqual(outside.map(() => false));
    expect(trusted.rangeOf(inside[0])).toBe(name);
  });

  it("takes addresses, blocks, spans and names together", () => {
    const { rangeOf } = compileTrustedProxies(["192.0.2.1", "198.51.100.0/24", "203.0.113.1-203.0.113.9", "loopback"]);
    expect(["192.0.2.1", "198.51.100.7", "203.0.113.5", "127.0.0.1", "192.0.2.2"].map(rangeOf)).toEqual([
      "192.0.2.1",
      "198.51.100.0/24",
      "203.0.113.1-203.0.113.9",
      "loopback",
      undefined,
    ]);
  });

  it("trusts nobody without an entry", () => {
    expect(compileTrustedProxies([])("127.0.0.1")).toBe(false);
  });

  it.each(["0.0.0.0/0", "::/0", "0.0.0.0-255.255.255.255", "::ffff:0:0/96"])(
    "refuses %s, which holds every address",
    (entry) => {
      expect(() => compileTrustedProxies([entry])).toThrow(
        new TypeError(`"${entry}" would trust every address: any client could then choose its own; list the proxies`),
      );
    },
  );

  it.each(["0.0.0.0/1", "128.0.0.0/1", "0.0.0.0-255.255.255.254", "0.0.0.1-255.255.255.255", "::/1", "8000::/1"])(
    "takes %s, which leaves an address out",
    (entry) => {
      expect(compileTrustedProxies([entry])(entry.replace(/[/-].*$/, ""))).toBe(true);
    },
  );

  it.each([
    [["0.0.0.0/1", "128.0.0.0/1"]],
    [["loopback", "128.0.0.0/1", "0.0.0.0-9.255.255.255", "9.0.0.0-128.0.0.0"]],
    [["8000::/1", "::/1"]],
  ])("C3 refuses %j, which hold every address together", (list) => {
    expect(() => compileTrustedProxies(list)).toThrow(
      new TypeError("this list would trust every address: any client could then choose its own; list the proxies"),
    );
  });

  it.each([
    [["0.0.0.0/1", "128.0.0.1-255.255.255.255"]],
    [["0.0.0.0/1", "128.0.0.0-255.255.255.254"]],
    [["128.0.0.0/1", "::/1"]],
  ])("C3 takes %j, which leave an address out", (list) => {
    expect(compileTrustedProxies(list)("128.0.0.7")).toBe(true);
  });

  it.each(["Loopback", "private", "constructor", "__proto__", "1"])("refuses the name %s", (entry) => {
    expect(() => compileTrustedProxies([entry])).toThrow(`"${entry}" is not an IP address`);
  });

  it("refuses what is no array of strings", () => {
    expect(() => compileTrustedProxies("loopback" as never)).toThrow(new TypeError("trusted proxies must be an array"));
    expect(() => compileTrustedProxies([1 as never])).toThrow(new TypeError("an IP range must be a string"));
  });

  it("finds its way among 10,000 ranges", () => {
    const blocks = Array.from({ length: 10_000 }, (_, index) => `10.${index >> 8}.${index & 255}.0/25`);
    const trusted = compileTrustedProxies(blocks.reverse());
    expect(trusted("10.39.15.127") && trusted("10.0.0.0")).toBe(true);
    expect(trusted("10.39.15.128") || trusted("10.39.16.0")).toBe(false);
  });
});

describe("compileTrust", () => {
  const trusts = (trust: TrustOption<string> | undefined, address: string, req = "request") =>
    compileTrust("factory", trust)(req)(address);

  it("trusts nobody by default", () => {
    expect(trusts(undefined, "127.0.0.1")).toBe(false);
  });

  it("takes a list, a string with commas, and a function that returns a compiled list", () => {
    expect(trusts(["loopback", "10.0.0.1"], "10.0.0.1")).toBe(true);
    expect(trusts("loopback, 10.0.0.1", "10.0.0.1")).toBe(true);
    expect(trusts("loopback", "127.0.0.1")).toBe(true);
    expect(trusts(() => compileIpRanges(["10.0.0.1"]), "10.0.0.1")).toBe(true);
  });

  it("asks a function for the list of each request", () => {
    const lists: Record<string, string[]> = { acme: ["10.0.0.1"], umbrella: ["10.0.0.2"] };
    const find = compileTrust("factory", (org: string) => lists[org]);
    expect(find("acme")("10.0.0.1")).toBe(true);
    expect(find("umbrella")("10.0.0.1")).toBe(false);
    expect(find("nobody")("10.0.0.1")).toBe(false);
  });

  it("compiles a list that a function returns once", () => {
    const list = ["10.0.0.1"];
    const find = compileTrust("factory", () => list);
    expect(find("one")).toBe(find("two"));
    const copy = compileTrust("factory", () => [...list]);
    expect(copy("one")).not.toBe(copy("two"));
  });

  it("takes a predicate from a function, which sees canonical addresses only", () => {
    const seen: string[] = [];
    const isOurs = (address: string) => seen.push(address) > 0 && address === "10.0.0.1";
    const find = compileTrust("factory", () => isOurs);
    expect(find("one")).toBe(find("two"));
    expect(["::ffff:10.0.0.1", "FE80::1%eth0", "unknown", undefined].map(find("one"))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(seen).toEqual(["10.0.0.1", "fe80::1"]);
    expect(find("one").rangeOf("10.0.0.1")).toBe("isOurs");
    expect(find("one").rangeOf("10.0.0.2")).toBeUndefined();
    expect(compileTrust("factory", () => () => true)("one").rangeOf("10.0.0.2")).toBe("predicate");
  });

  it("takes only true for a yes, not the promise of an async predicate", () => {
    const find = compileTrust("factory", () => (() => Promise.resolve(true)) as never);
    expect(find("one")("10.0.0.1")).toBe(false);
    expect(find("one").rangeOf("10.0.0.1")).toBeUndefined();
  });

  const EXPECTED =
    " must be a list of addresses, CIDR blocks, `loopback`, `linklocal` or `uniquelocal`, or a function that returns one";
  const HOPS =
    ": a number of hops is not offered, because a client that connects directly would be believed as well; list the proxies";
  const MISTAKES: [unknown, string][] = [
    [1, HOPS],
    [true, EXPECTED],
    [null, EXPECTED],
    [{}, EXPECTED],
    [["loopback", 1], EXPECTED],
    [["10.0.0.1/8"], ': "10.0.0.1/8" has bits set outside its prefix; the block is "10.0.0.0/8"'],
    [["*"], ': "*" is not an IP address, a CIDR block such as "192.0.2.0/24" or a range such as "192.0.2.1-192.0.2.9"'],
  ];

  it.each(MISTAKES)("refuses %j", (trust, problem) => {
    expect(() => compileTrust("factory", trust as string)).toThrow(
      new TypeError(`factory: option \`trust\`${problem}`),
    );
  });

  it.each(MISTAKES)("refuses %j from a function, at the request", (trust, problem) => {
    const find = compileTrust("factory", () => trust as string[]);
    expect(() => find("one")).toThrow(new TypeError(`factory: option \`trust\`${problem}`));
  });

  it.each(["", "loopback,", "loopback 10.0.0.1"])("refuses the string %j", (trust) => {
    expect(() => compileTrust("factory", trust)).toThrow("is not an IP address");
  });

  it("refuses a compiled list where a function of the request belongs", () => {
    const trust = compileIpRanges(["10.0.0.1"]) as unknown as () => undefined;
    expect(() => compileTrust("factory", trust)).toThrow(
      new TypeError("factory: option `trust`: a compiled list must be returned by a function: `() => list`"),
    );
  });

  it("refuses a promise from a function", () => {
    const find = compileTrust("factory", () => Promise.resolve(["loopback"]) as never);
    expect(() => find("one")).toThrow(EXPECTED);
  });
});
