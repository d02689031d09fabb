import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const CONSOLE = join(__dirname, "../../console");

/** The files that one imports, without those of which it has types only. */
function importsOf(file: string): string[] {
  const code = readFileSync(file, "utf8").replaceAll(/^import type [^]*?;$/gm, "");
  return Array.from(code.matchAll(/ from "(\.[^"]+)\.js";$/gm), ([, path = ""]) => join(dirname(file), `${path}.ts`));
}

it("the console is built anew when a file of the server changes that it has", () => {
  const own = readdirSync(join(CONSOLE, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(CONSOLE, "src", name));
  const isOfServer = (file: string) => relative(CONSOLE, file).startsWith("../src/");
  const found = new Set(own.flatMap(importsOf).filter(isOfServer));
  for (const file of found) for (const more of importsOf(file)) found.add(more);
  const inputs = readFileSync(join(CONSOLE, "build.mjs"), "utf8").matchAll(/^ {2}"(\.\.\/src\/.+)",$/gm);
  expect(Array.from(inputs, ([, input]) => input)).toEqual(Array.from(found, (file) => relative(CONSOLE, file)).sort());
});
