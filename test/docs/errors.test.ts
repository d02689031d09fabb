import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { createApiToken, createBodyVerifier, createServer } from "etiquette";
import { ERROR_CATALOGUE } from "../../lib/errors/error-catalogue.js";
import { FACTORIES, type Factory } from "../support/factories.js";

const ROOT = path.join(__dirname, "../..");

/** Everything that checks options. */
const ALL_FACTORIES: readonly Factory[] = [
  ...Object.values(FACTORIES),
  { name: "createApiToken", factory: createApiToken },
  { name: "createBodyVerifier", factory: createBodyVerifier },
  { name: "createServer", factory: (options: object) => createServer(() => undefined, options) },
];
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
  const rows = [...section("Configuration errors").matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (.+?) +\|$/gm)].map(
    ([, factory = "", option = "", expected = ""]) => ({ factory, option, expected: expected.replaceAll("\\|", "|") }),
  );
  const documented = rows.map(({ factory, option, expected }) => complaint(factory, option, expected));

  it.each(rows)("says what $factory says of its option $option", ({ factory, option, expected }) => {
    expect(provoke(factory, option)).toBe(complaint(factory, option, expected));
  });

  it.each(ALL_FACTORIES)("has every option of $name", ({ name }) => {
    const complaints = optionsOf(name).map((option) => provoke(name, option));
    expect(complaints.filter((text) => !documented.includes(text))).toEqual([]);
  });

  const calls = [
    ...section("Configuration errors").matchAll(/^\| `(\w+)\((\{.*?\})\)` +\| (`+) ?(.+?) ?\3 +\|$/gm),
  ].map(([, name = "", options = "", , message = ""]) => ({ name, options, message }));

  it("has calls whose values are refused", () => {
    expect(calls.length).toBeGreaterThan(20);
  });

  it.each(calls)("says what $name($options) says", ({ name, options, message }) => {
    expect(messageOf(name, runInNewContext(`(${options})`, { Date }) as object)).toBe(message);
  });

  function complaint(factory: string, option: string, expected: string): string {
    return `${factory}: option \`${option}\` must be ${expected}`;
  }
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

/** What the factory says when `option` is a symbol, which no option may be. */
function provoke(name: string, option: string): string {
  return messageOf(name, { [option]: Symbol("wrong") });
}

function optionsOf(name: string): string[] {
  const [, list = ""] = /the options are (.*)$/.exec(messageOf(name, { misspelled: 1 })) ?? [];
  return [...list.matchAll(/`(\w+)`/g)].map(([, option]) => option ?? "");
}

function messageOf(name: string, options: object): string {
  const found = ALL_FACTORIES.find((factory) => factory.name === name);
  if (!found) return `there is no factory ${name}`;
  try {
    found.factory({ ...found.required, ...options });
  } catch (error) {
    return (error as Error).message;
  }
  return `${name} accepts it`;
}
