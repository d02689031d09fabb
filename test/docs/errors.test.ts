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
  const entries = section("Codes")
    .split(/^### /m)
    .slice(1)
    .map((text) => {
      const [, code, status, summary, cause, remedy] =
        /^(E\d{7})\n\n(\d{3}) · `(.*)`\n\n- Cause: (.+)\n- Remedy: (.+)\n*$/.exec(text) ?? [];
      return { heading: text.split("\n", 1)[0], code, status: Number(status), summary, cause, remedy };
    });

  it("E3 explains each code of the catalogue, in its order, and no other", () => {
    expect(entries.map(({ heading }) => heading)).toEqual(Object.keys(ERROR_CATALOGUE));
  });

  it.each(entries)(
    "E3 gives status and summary of $heading as the catalogue has them, a cause and a remedy",
    (entry) => {
      expect({ [entry.code ?? ""]: { status: entry.status, summary: entry.summary } }).toEqual({
        [entry.heading ?? ""]: (ERROR_CATALOGUE as Record<string, unknown>)[entry.heading ?? ""],
      });
      expect(entry.cause).toMatch(/\.$/);
      expect(entry.remedy).toMatch(/\.$/);
    },
  );

  it("says of which codes no part of the suite and of the server is the sender", () => {
    const source = ["lib", "middleware", "example-app/src"]
      .flatMap((room) => sourcesOf(room).filter(({ file }) => !file.endsWith("error-catalogue.ts")))
      .map(({ text }) => text)
      .join("\n");
    const unsent = entries.filter(({ cause }) =>
      cause?.includes("Neither the middleware nor the bundled server sends"),
    );
    expect(unsent.map(({ heading }) => heading)).toEqual(
      Object.keys(ERROR_CATALOGUE).filter((code) => !source.includes(`"${code}"`)),
    );
  });
});

describe("docs/reference/errors.md: configuration errors", () => {
  const messages = [...section("Configuration errors").matchAll(/^\| `([^`]+)` +\|/gm)].map(
    ([, message = ""]) => message,
  );

  it("has some", () => {
    expect(messages.length).toBeGreaterThan(5);
  });

  it.each(messages)("%s has the words of the source", (message) => {
    const suite = { text: readFileSync(path.join(ROOT, "suite.ts"), "utf8") };
    const source = [...sourcesOf("lib"), suite].map(({ text }) => text.replaceAll(/\\?`/g, "")).join("\n");
    const phrases = message.split(/<\w+>|…|: |; /).map((text) => text.trim());
    const [longest = ""] = phrases.toSorted((a, b) => b.length - a.length);
    expect(source).toContain(longest);
  });
});

describe("docs/reference/errors.md: errors in the log", () => {
  const sources = ["lib", "middleware"].flatMap((room) =>
    sourcesOf(room).map(({ text }) => text.replaceAll(/\\?`/g, "")),
  );
  const messages = [...section("Errors in the log").matchAll(/^\| (`+) ?(.+?) ?\1 +\|/gm)].map(
    ([, , message]) => message ?? "",
  );

  it("has some", () => {
    expect(messages.length).toBeGreaterThan(2);
  });

  it.each(messages)("%s is what the source says", (message) => {
    const said = message.split(/<factory>|…/).map((text) => text.replaceAll("`", ""));
    expect(sources.filter((source) => said.every((text) => source.includes(text)))).toHaveLength(1);
  });
});

describe("docs/reference/errors.md: types", () => {
  it("lists each type of an error, in the order of ErrorType, and no other", () => {
    const [, list = ""] = section("Errors in the log").split("### Types");
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
