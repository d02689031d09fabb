"use strict";

const { createHash } = require("node:crypto");
const { piece } = require("../piece.js");
const { RequestDouble } = require("../doubles.js");
const { createLargeUser, createUser } = require("../samples.js");

const SIZES = { "300b": createUser, "4k": createLargeUser };

/** What carries meaning of a user; when it was last seen does not. */
const FIELDS = ["id", "status", "created", "profile", "groups"];

module.exports = Object.entries(SIZES).flatMap(([size, create]) => {
  const users = Array.from({ length: 32 }, (_, number) => create(number));
  return [
    piece({
      name: `entity-tag/${size}/fields`,
      prepare: () => ({ ours: createOurs({ fields: FIELDS }, users), peers: createPeers(users) }),
    }),
    piece({
      name: `entity-tag/${size}/revision`,
      prepare: () => ({ ours: createOurs({ revision: "version" }, users), peers: createPeers(users) }),
    }),
  ];
});

function createOurs(options, users) {
  const { getEntityTag, weakEtag } = require("etiquette/weak-etag");
  const req = new RequestDouble({ headers: {} });
  weakEtag(options)(req, undefined, () => undefined);
  const tags = getEntityTag(req);
  return (index) => tags.format(users[index % users.length]);
}

function createPeers(users) {
  const etag = require("etag");
  return {
    "pick + stringify + etag": (index) => etag(JSON.stringify(pick(users[index % users.length])), { weak: true }),
    "pick + stringify + SHA-256": (index) => {
      const text = JSON.stringify(pick(users[index % users.length]));
      return `W/"${createHash("sha256").update(text).digest("base64url")}"`;
    },
  };
}

function pick(user) {
  const picked = {};
  for (const field of FIELDS) picked[field] = user[field];
  return picked;
}
