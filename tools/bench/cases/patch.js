"use strict";

const { piece } = require("../piece.js");
const { createLargeUser } = require("../samples.js");

/** Leaves the user as it was, so that it can be applied again to one that is changed in place. */
const PATCH = [
  { op: "test", path: "/status", value: "ACTIVE" },
  { op: "replace", path: "/profile/firstName", value: "Josephine" },
  { op: "add", path: "/profile/nickName", value: "Jo" },
  { op: "add", path: "/groups/-", value: { id: "00g1", name: "New" } },
  { op: "remove", path: "/groups/24" },
];

const MERGE_PATCH = { profile: { firstName: "Josephine", nickName: "Jo", attributes: { attribute3: null } } };

/** The peers change the document; with a copy that they may change, they are as atomic as ours. In place is
 * for information. */
module.exports = [
  piece({
    name: "json-patch",
    prepare() {
      const { applyJsonPatch, parseJsonPatch } = require("etiquette/json-patch");
      const fast = require("fast-json-patch");
      const rfc6902 = require("rfc6902");
      const user = createLargeUser(1);
      const [fastUser, rfcUser] = [copy(user), copy(user)];
      return {
        ours: () => applyJsonPatch(user, parseJsonPatch(PATCH, 100)),
        peers: {
          "fast-json-patch, a copy": () => fast.applyPatch(user, PATCH, true, false).newDocument,
          "rfc6902, a copy": () => rfc6902.applyPatch(copy(user), PATCH),
          "fast-json-patch, in place": () => fast.applyPatch(fastUser, PATCH, true, true).newDocument,
          "rfc6902, in place": () => rfc6902.applyPatch(rfcUser, PATCH),
        },
      };
    },
  }),

  piece({
    name: "merge-patch",
    prepare() {
      const { applyMergePatch } = require("etiquette/merge-patch");
      const peer = require("json-merge-patch");
      const user = createLargeUser(1);
      const changed = copy(user);
      return {
        ours: () => applyMergePatch(user, MERGE_PATCH),
        peers: {
          "json-merge-patch, a copy": () => peer.apply(copy(user), MERGE_PATCH),
          "json-merge-patch, in place": () => peer.apply(changed, MERGE_PATCH),
        },
      };
    },
  }),
];

function copy(value) {
  return JSON.parse(JSON.stringify(value));
}
