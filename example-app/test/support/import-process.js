"use strict";

/**
 * `node import-process.js OPTIONS FILE…`: imports each file into the store that OPTIONS (JSON) opens, through a store of
 * its own, all at once.
 */
const { openStore } = require("../../src/store/store.ts");
const { importFile } = require("../../src/transfer/import.ts");

const [options, ...files] = process.argv.slice(2);

async function importAll() {
  const stores = await Promise.all(files.map(() => openStore(JSON.parse(options))));
  await Promise.all(stores.map((store, i) => importFile(store, files[i])));
  await Promise.all(stores.map((store) => store.close()));
}

importAll().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
