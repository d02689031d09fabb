"use strict";

const { AsyncLocalStorage } = require("node:async_hooks");
const { piece } = require("../piece.js");

/** For information: what the suite does not pay, since it keeps nothing in an AsyncLocalStorage. */
module.exports = [
  piece({
    name: "async-storage/ten-awaits",
    prepare() {
      const storage = new AsyncLocalStorage();
      const store = { id: "4f1c2d3e" };
      return {
        ours: async () => tenAwaits(),
        peers: { "AsyncLocalStorage.run": async () => storage.run(store, tenAwaits) },
      };
    },
  }),
];

async function tenAwaits() {
  let sum = 0;
  for (let index = 0; index < 10; index++) sum += await index;
  return sum;
}
