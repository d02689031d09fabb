import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/* Builds the console, unless nothing changed since the last time: `npm start` builds it every time. */

const FOLDER = import.meta.dirname;
const RECORD = join(FOLDER, "dist/.inputs");

const INPUTS = [
  "src",
  "index.html",
  "vite.config.mjs",
  "build.mjs",
  "tsconfig.json",
  "../package.json", // says which modules have effects
  "../../package-lock.json",
  // the files of the server that the console has too
  "../src/model/visible-text.ts",
  "../src/model/words.ts",
  "../src/transfer/lines.ts",
  "../src/transfer/org-file-limits.ts",
  "../src/transfer/text-faults.ts",
];

function hashInputs() {
  const hash = createHash("sha256");
  for (const input of INPUTS.flatMap(listFiles))
    hash
      .update(input)
      .update("\0")
      .update(readFileSync(join(FOLDER, input)));
  return hash.digest("hex");
}

function listFiles(name) {
  const path = join(FOLDER, name);
  if (!statSync(path).isDirectory()) return [name];
  return readdirSync(path)
    .sort()
    .flatMap((entry) => listFiles(join(name, entry)));
}

const inputs = hashInputs();
if (!existsSync(RECORD) || readFileSync(RECORD, "utf8") !== inputs) {
  process.env.NODE_ENV = "production"; // tests have another one, and then React is the one for development
  const { build } = await import("vite");
  await build({ configFile: join(FOLDER, "vite.config.mjs"), logLevel: "error" });
  writeFileSync(RECORD, inputs);
}
