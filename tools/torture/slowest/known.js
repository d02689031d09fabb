"use strict";

/** What the description says in words only: texts with a grammar, and members that go together. */

/** The login that is asked for. Its user has a large profile. */
const LOGIN = "user0@hostile.example";

const byte = (number) => number % 256;

/** By the end of a path: `({ length, index, make, names })`; `make(length)` is a text of the family that is tried. */
const TEXTS = [
  [/(?:gateways|proxies)\[\]\.value$/, ({ index }) => `203.${byte(index >> 8)}.${byte(index)}.0/24`],
  [/addresses\[\]$/, ({ index }) => `203.${byte(index >> 8)}.${byte(index)}.0/24`],
  [/network\.(?:include|exclude)\[\]$/, ({ index, names }) => pick(names.zones, index) ?? "ALL_ZONES"],
  [/providers\[\]\.idp$/, ({ index, names }) => pick(names.idps, index) ?? "Login"],
  [/providers\[\]\.type$/, () => "SVC"],
  [/providerExpression$/, ({ length }) => createExpression(length)],
  [/\.url$/, ({ length, make }) => `https://idp.example/${encodeURIComponent(make(length)).slice(0, length - 24)}`],
  [/\borigin$/, ({ length, index }) => `https://${labels(length - 30)}o${index}.example`],
  [/certificate$/, ({ length, names }) => padCertificate(names.certificate, length)],
  [/^name$/, ({ length, index, make }) => `${make(length - 10)} ${index}`],
  [/\bemail$/, ({ length, index, make }) => `${make(length - 20).replace(/[\s@]/g, "_")}.${index}@e.example`],
  [/logins\[\]\.login$/, () => LOGIN],
  [/\blogin$/, ({ length, index, make }) => `${make(length - 20)}.${index}@hostile.example`],
  [/(?:subdomain)$/, ({ names }) => names.subdomain],
  [/clientIp$/, () => "203.0.113.7"],
  [/^resource$/, ({ length, make, isSmall }) => `svc:acct:${isSmall ? LOGIN : make(length - 10)}`],
  [/^type$/, () => "IDP_DISCOVERY"],
  [/^filter$/, ({ length, make, path }) => createFilter("lastUpdated gt", length, make, path)],
  [/^search$/, ({ length, make }) => createFilter("profile.a0 co", length, make)],
  [/\.attribute$/, () => "a0"],
  [/\[\]\.(?:path|from)$/, ({ length, make, isSmall }) => (isSmall ? "/profile/lastName" : `/profile/${make(length)}`)],
];

/** In characters: limits that are not in the description. */
const LENGTHS = [[/providerExpression$/, 255]];

/** Members that the server takes only together, by the end of the path of their object. */
const REPAIRS = [
  [
    /userIdentifier$/,
    ({ type, attribute, patterns }) =>
      type === "ATTRIBUTE"
        ? { type, attribute: attribute ?? "a0", patterns: patterns.slice(0, 1) }
        : { type, patterns },
  ],
  [
    /network$/,
    ({ include, exclude }) =>
      include || exclude
        ? { connection: "ZONE", ...(include && { include }), ...(exclude && { exclude }) }
        : { connection: "ANYWHERE" },
  ],
  [/(?:gateways|proxies)\[\]$/, ({ value }) => ({ type: value.includes("/") ? "CIDR" : "RANGE", value })],
  [/providers\[\]$/, ({ idp, id, type }) => (idp === undefined ? { type: type ?? "SVC", ...(id && { id }) } : { idp })],
  [/protocol$/, ({ type, ...rest }) => ({ type: type === "OAUTH2" ? "OIDC" : type, ...rest })],
  [/^\[\]$/, ({ op, path, from = path, value = "a" }) => ({ op, path, from, value })],
  [/^$|(?:idps)\[\]$/, (value) => (value.protocol ? { ...value, type: value.protocol.type } : value)],
];

/** The most members of a map whose limit the description doesn't tell. */
const MAPS = [[/profile$/, 96]];

function createExpression(length) {
  const start = "login.identifier";
  const calls = Array.from({ length: 7 }, () => ".toLowerCase()").join("");
  const rest = length - start.length - calls.length - ".substringAfter('')".length;
  return rest < 1 ? start : `${start}.substringAfter('${"e".repeat(rest)}')${calls}`;
}

/** As many terms as there is room for, but one when there is little. */
function createFilter(start, length, make) {
  const value = (size) =>
    JSON.stringify(start.includes("lastUpdated") ? "2026-01-01T00:00:00.000Z" : `yyy${make(size)}`);
  if (length < 200) return `${start} ${value(10)}`;
  const term = `${start} ${value(10)}`;
  const count = Math.min(200, Math.floor(length / (term.length + 4)));
  return Array.from({ length: count }, () => term).join(" or ");
}

function labels(length) {
  return length < 2 ? "" : `${"a".repeat(30)}.`.repeat(Math.floor(Math.min(length, 200) / 31));
}

function padCertificate(certificate, length) {
  return "\n".repeat(Math.max(0, length - certificate.length)) + certificate;
}

function pick(list = [], index) {
  return list[index % list.length];
}

const findOf = (table) => (path) => table.find(([pattern]) => pattern.test(path))?.[1];

module.exports = {
  findLength: findOf(LENGTHS),
  findMapLimit: findOf(MAPS),
  findRepair: findOf(REPAIRS),
  findText: findOf(TEXTS),
  LOGIN,
};
