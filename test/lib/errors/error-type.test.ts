import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../../..");
const UNION = "errors/error-type.ts";
const types = [...readFileSync(path.join(ROOT, "lib", UNION), "utf8").matchAll(/\| "(.+)"/g)].map(
  ([, type = ""]) => type,
);

const source = ["lib", "middleware"]
  .flatMap((room) =>
    readdirSync(path.join(ROOT, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && file !== UNION)
      .map((file) => readFileSync(path.join(ROOT, room, file), "utf8")),
  )
  .join("\n");

const literals = new Set([...source.matchAll(/"([\w.-]+)"/g)].map(([, text]) => text));

/** `patch.${reason}`: what stands before and after the value. */
const templates = [...source.matchAll(/`([a-z-]+\.)\$\{[\w.]+\}([a-z-]*)`/g)].map(([, before = "", after = ""]) => ({
  before,
  after,
}));

describe("ErrorType", () => {
  it.each(types)("%s is made somewhere", (type) => {
    const isMade = templates.some(
      ({ before, after }) =>
        type.startsWith(before) &&
        type.endsWith(after) &&
        literals.has(type.slice(before.length, type.length - after.length)),
    );
    expect(isMade || literals.has(type)).toBe(true);
  });
});
