"use strict";

const { BlockList } = require("node:net");
const { piece } = require("../piece.js");
const { RequestDouble } = require("../doubles.js");
const { TEN_RANGES } = require("../samples.js");

module.exports = [4, 6].flatMap((version) => [
  ...[1, 10, 1_000, 10_000].map((count) =>
    piece({
      name: `trusted-proxies/ipv${version}/${count}`,
      prepare() {
        const { compileTrustedProxies } = require("etiquette/trusted-proxies");
        const proxyAddr = require("proxy-addr");
        const ranges = createRanges(version, count);
        const addresses = createAddresses(version, count);
        const isTrusted = compileTrustedProxies(ranges);
        const peer = proxyAddr.compile(ranges);
        const blockList = new BlockList();
        for (const range of ranges) {
          const [address, prefix] = range.split("/");
          blockList.addSubnet(address, Number(prefix), `ipv${version}`);
        }
        return {
          ours: (index) => isTrusted(addresses[index % addresses.length]),
          peers: {
            "proxy-addr": (index) => peer(addresses[index % addresses.length], 0),
            "net.BlockList": (index) => blockList.check(addresses[index % addresses.length], `ipv${version}`),
          },
        };
      },
    }),
  ),
  piece({
    name: `trusted-proxies/ipv${version}/flat`,
    prepare() {
      const { compileTrustedProxies } = require("etiquette/trusted-proxies");
      // spread over the same addresses, for the time to read one depends on its length
      const few = compileTrustedProxies(createRanges(version, 10, 1_000));
      const many = compileTrustedProxies(createRanges(version, 10_000));
      const fewAddresses = createAddresses(version, 10, 1_000);
      const manyAddresses = createAddresses(version, 10_000);
      return {
        ours: (index) => many(manyAddresses[index % manyAddresses.length]),
        peers: { "ours, 10 ranges": (index) => few(fewAddresses[index % fewAddresses.length]) },
      };
    },
  }),
]);

module.exports.push(
  piece({
    name: "client-address",
    prepare() {
      const { getRequestContext, requestContext } = require("etiquette/request-context");
      const proxyAddr = require("proxy-addr");
      const middleware = requestContext({ trust: TEN_RANGES });
      const trust = proxyAddr.compile(TEN_RANGES);
      const requests = Array.from({ length: 64 }, (_, index) => {
        const headers = { "x-forwarded-for": `203.0.113.${index}, 192.168.7.${index + 1}, 10.0.${index}.5` };
        return new RequestDouble({ headers, remoteAddress: `10.1.2.${index}` });
      });
      const next = () => undefined;
      return {
        ours: (index) => {
          const req = requests[index % requests.length];
          middleware(req, undefined, next);
          return getRequestContext(req).ip;
        },
        peers: { "proxy-addr": (index) => proxyAddr(requests[index % requests.length], trust) },
      };
    },
  }),
);

/** Disjoint blocks, every other one of the room that is there, or of every so many. */
function createRanges(version, count, spacing = 1) {
  return Array.from(
    { length: count },
    (_, index) => `${formatBlock(version, 2 * index * spacing, 0)}/${version === 4 ? 24 : 48}`,
  );
}

/** As many addresses within the ranges as between them, in an order that no branch predictor knows. */
function createAddresses(version, count, spacing = 1) {
  return Array.from({ length: 256 }, (_, index) =>
    formatBlock(version, ((index * 7_919 + (index >> 3)) % (2 * count)) * spacing, 1 + (index % 250)),
  );
}

function formatBlock(version, block, host) {
  if (version === 4) return `${20 + (block >> 16)}.${(block >> 8) & 255}.${block & 255}.${host}`;
  return `2001:${(0xdb8 + (block >> 16)).toString(16)}:${(block & 0xffff).toString(16)}::${host === 0 ? "" : host.toString(16)}`;
}
