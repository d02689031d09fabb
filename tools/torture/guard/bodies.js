"use strict";

/** What one org sends in bodies, see `guard/attacks.js`. */

const USER = "/api/v1/users/user0@hostile.example";
const IMPORT = "/api/v1/org/import?dryRun=true";
const FILE_BYTES = 1_048_576;

const nothing = () => Promise.resolve();

function patch(operations) {
  return ({ hostile }) =>
    hostile.send(USER, {
      method: "PATCH",
      body: JSON.stringify(operations),
      headers: { "Content-Type": "application/json-patch+json" },
      timeout: 120_000,
    });
}

/** Add an object of 700 KB, then copy a small member into it again and again. */
function createCopies() {
  const value = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`a${index}`, 1]));
  const copies = Array.from({ length: 99 }, (_, index) => ({
    op: "copy",
    from: "/profile/login",
    path: `/profile/x/b${index}`,
  }));
  return [{ op: "add", path: "/profile/x", value }, ...copies];
}

const send =
  (text) =>
  ({ hostile }) =>
    hostile.send(IMPORT, { method: "POST", body: text(), timeout: 120_000 });

/** An array or object of as many parts as the longest body has. */
function fill(open, close, part) {
  const parts = [];
  let length = open.length + close.length;
  for (let index = 0; ; index++) {
    const next = part(index);
    length += next.length + 1;
    if (length > FILE_BYTES) return `${open}${parts.join(",")}${close}`;
    parts.push(next);
  }
}

module.exports = {
  "patch-copies": { row: 2, store: nothing, attack: patch(createCopies()) },
  "patch-pointer": {
    row: 2,
    store: nothing,
    attack: patch([{ op: "add", path: `/profile${"/a".repeat(400_000)}`, value: 1 }]),
  },
  "body-objects": { row: 4, store: nothing, attack: send(() => fill('{"orgs":[', "]}", () => "{}")) },
  "body-names": {
    row: 4,
    store: nothing,
    attack: send(() => fill('{"orgs":[{', "}]}", (index) => `"name${index}":1`)),
  },
  "body-escapes": {
    row: 4,
    store: nothing,
    attack: send(() => fill('{"orgs":[{', "}]}", (index) => `"\\u006e\\u0061${index}":1`)),
  },
};
