import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ERROR_CATALOGUE } from "../../lib/errors/error-catalogue.js";

const ROOT = path.join(__dirname, "../..");

const page = readFileSync(path.join(ROOT, "docs/reference/errors.md"), "utf8");

/** The text from one heading of the second level to the next. */
function section(title: string): string {
  const text = new RegExp(`^## ${title}\\n([^]*?)(?=^## |$(?![^]))`, "m").exec(page)?.[1];
  if (text === undefined) throw new Error(`docs/reference/errors.md has no section ${title}`);
  return text;
}

describe("docs/reference/errors.md: codes", () => {
  const rows = [...section("Codes").matchAll(/^\| `(E\d{7})` +\| (\d{3}) +\| (.+?) +\|$/gm)].map(
    ([, code = "", status, remedy = ""]) => ({ code, status: Number(status), remedy }),
  );

  it("E3 lists each code of the catalogue with its status, and no other", () => {
    expect(rows.map(({ code, status }) => [code, status])).toEqual(
      Object.entries(ERROR_CATALOGUE).map(([code, { status }]) => [code, status]),
    );
  });

  it.each(rows)("E3 says what to do about $code", ({ remedy }) => {
    expect(remedy).toMatch(/\.$/);
  });

  it("says of which codes no part of the suite and of the server is the sender", () => {
    const source = ["lib", "middleware", "example-app/src"]
      .flatMap((room) => sourcesOf(room).filter(({ file }) => !file.endsWith("error-catalogue.ts")))
      .map(({ text }) => text)
      .join("\n");
    const unsent = rows.filter(({ remedy }) => remedy.includes("Neither the middleware nor the bundled server sends"));
    expect(unsent.map(({ code }) => code)).toEqual(
      Object.keys(ERROR_CATALOGUE).filter((code) => !source.includes(`"${code}"`)),
    );
  });

  it("has 1,500 words at most, like the other pages", () => {
    expect(page.split(/\s+/).length).toBeLessThanOrEqual(1_500);
  });
});

describe("docs/reference/errors.md: types", () => {
  it("lists each type of an error, in the order of ErrorType, and no other", () => {
    const [, list = ""] = page.split("### Types");
    const source = readFileSync(path.join(ROOT, "lib/errors/error-type.ts"), "utf8");
    const documented = [...list.matchAll(/`([\w-]+(?:\.[\w-]+)+)`/g)].map(([, type]) => type);
    expect(documented).toEqual([...source.matchAll(/\| "(.+)"/g)].map(([, type]) => type));
    expect(documented.length).toBeGreaterThan(40);
  });
});

function sourcesOf(room: string): { file: string; text: string }[] {
  return readdirSync(path.join(ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, room, file), "utf8") }));
}
