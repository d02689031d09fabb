"use strict";

const { readdirSync, readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

/**
 * Make a plain property of each value that a compiled file passes on. For `export { x } from "./y.js"` TypeScript writes a
 * getter, so that V8 looks up every call through it in a hash table. Here no exported value changes, and no two
 * files import each other.
 *
 * node tools/build/plain-exports.js dist …
 */
const GETTER =
  /^Object\.defineProperty\(exports, "(\w+)", \{ enumerable: true, get: function \(\) \{ return (\w+\.\w+); \} \}\);$/gm;

for (const folder of process.argv.slice(2)) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".js")) continue;
    const file = path.join(folder, name);
    const text = readFileSync(file, "utf8");
    const plain = text.replace(GETTER, "exports.$1 = $2;");
    if (plain !== text) writeFileSync(file, plain);
  }
}
