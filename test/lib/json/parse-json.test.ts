import fc from "fast-check";
import { parseJson } from "../../../lib/json/parse-json.js";

/** JSON text, and the value that it stands for. */
interface Sample {
  readonly text: string;
  readonly value: unknown;
}

const sample = (text: string, value: unknown): Sample => ({ text, value });

/** Objects whose names `JSON.parse` of Node 24 and 26 takes for other names later, as long as they exist. */
const kept: unknown[] = [];

function define(members: readonly (readonly [string, unknown])[]): unknown {
  const object = {};
  for (const [name, value] of members) {
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  }
  return object;
}

/** Arrays in place of objects, because Jest compares them without the order of their members. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return ["array", ...value.map(ordered)];
  if (typeof value !== "object" || value === null) return value;
  return [Object.getPrototypeOf(value), ...Object.entries(value).map(([name, member]) => [name, ordered(member)])];
}

/** Both as they are and as escapes; those in the second line look like a part of JSON, or of an escape. */
const CHARACTERS = [
  ...["a", "é", "漢", "1", "0", "/", "\u{1f600}"].flatMap((plain) => [sample(plain, plain), escaped(plain)]),
  ...["u", "n", "b", ":", ",", " ", "[", "]", "{", "}"].map((plain) => sample(plain, plain)),
  ...["\\", '"', "\n", "\0", "\ud83d", "\ude00"].map(escaped),
  ...[String.raw`\\`, String.raw`\"`, String.raw`\/`, String.raw`\b`, String.raw`\n`].map((text) =>
    sample(text, JSON.parse(`"${text}"`)),
  ),
];

const NAMES = ["", "a", "ab", "__proto__", "constructor", "10", "2"];

const WORDS = ["0", "-0", "12.5", "-1.5E+3", "1e-7", "1e999", "12345678901234567890", "true", "false", "null"];

function escaped(plain: string): Sample {
  const units = Array.from({ length: plain.length }, (_, index) => plain.charCodeAt(index));
  return sample(units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join(""), plain);
}

const text = fc
  .array(fc.constantFrom(...CHARACTERS), { maxLength: 4 })
  .map((parts) => sample(`"${parts.map((part) => part.text).join("")}"`, parts.map((part) => part.value).join("")));

const name = fc.oneof(text, fc.constantFrom(...NAMES.flatMap((plain) => [sample(`"${plain}"`, plain), quoted(plain)])));

function quoted(plain: string): Sample {
  return sample(`"${escaped(plain).text}"`, plain);
}

const space = fc.constantFrom("", "", " ", "\t\r\n ");

const { json } = fc.letrec<{ json: Sample }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(...WORDS.map((word) => sample(word, JSON.parse(word)))),
    text,
    fc.tuple(space, fc.array(tie("json"), { maxLength: 3 })).map(([gap, elements]) =>
      sample(
        `${gap}[${gap}${elements.map((element) => element.text).join(`${gap},${gap}`)}${gap}]${gap}`,
        elements.map((element) => element.value),
      ),
    ),
    fc
      .tuple(space, fc.array(fc.tuple(name, tie("json")), { maxLength: 4 }))
      .map(([gap, members]) =>
        sample(
          `{${gap}${members.map(([key, member]) => `${key.text}${gap}:${gap}${member.text}`).join(`,${gap}`)}${gap}}`,
          define(members.map(([key, member]) => [key.value as string, member.value])),
        ),
      ),
  ),
}));

describe("parseJson", () => {
  it("reads any JSON, whatever was read before", () => {
    fc.assert(
      fc.property(json, (given) => {
        expect(ordered(parseJson(given.text))).toStrictEqual(ordered(given.value));
        if (kept.push(JSON.parse(given.text)) > 1000) kept.shift();
      }),
      { numRuns: 3000 },
    );
  });

  /** `JSON.parse` of Node 24 and 26 reads each name as the one before it. */
  it.each([
    ["a \\u escape at the end", "b\\", String.raw`b\u00e9`, "bé"],
    ["a quote at the end", "b\\", String.raw`b\"`, 'b"'],
    ["a line feed at the end", "b\\", String.raw`b\n`, "b\n"],
    ["an escape that need not be one", "b\\", String.raw`b\u0041`, "bA"],
    ["a solidus", "b\\", String.raw`b\/`, "b/"],
    ["half of a surrogate pair", "b\\", String.raw`b\ud83d`, "b\ud83d"],
    ["both halves", "b\\u", String.raw`b\ud83d\ude00`, "b\u{1f600}"],
    ["nothing but an escape", "\\", String.raw`\n`, "\n"],
    ["an escape in the middle", "b\\n", String.raw`b\nc`, "b\nc"],
    ["an escape at the start", String.raw`\u00`, String.raw`\u0041bcd`, "Abcd"],
    ["an escaped backslash in the middle", "b\\\\", String.raw`b\\c`, "b\\c"],
    ["two escapes", String.raw`\n`, String.raw`\n\t`, "\n\t"],
  ])("reads a name that is %s", (what, earlier, raw, later) => {
    const first = JSON.parse(`{${JSON.stringify(what)}:1,${JSON.stringify(earlier)}:2}`) as unknown;
    expect(ordered(parseJson(`{${JSON.stringify(what)}:"\\n","${raw}" \t\r\n:4}`))).toEqual([
      Object.prototype,
      [what, "\n"],
      [later, 4],
    ]);
    expect(first).toEqual({ [what]: 1, [earlier]: 2 }); // V8 forgets names when no object has them any more
  });

  it("keeps the members that JSON.parse takes for one", () => {
    const first = JSON.parse(String.raw`{"one":1,"b\\":2,"c":3}`) as unknown;
    expect(parseJson(String.raw`{"one":1,"b\u00e9":2,"b\n":3}`)).toEqual({ one: 1, bé: 2, "b\n": 3 });
    expect(first).toBeDefined();
  });

  it.each(["", "{", '{"a"}', '{"\\n":}', '{"\\n":1', '{"\\x":1}', '{"\\', "[1,]", "1 2", "\ufeff{}"])(
    "throws the SyntaxError of JSON.parse for %j",
    (malformed) => {
      const read = (parse: (text: string) => unknown) => () => parse(malformed);
      expect(read(parseJson)).toThrow(SyntaxError);
    },
  );

  it("reads any depth", () => {
    const depth = 20_000;
    let value = parseJson(`${'[{"\\n":'.repeat(depth)}1${"}]".repeat(depth)}`);
    for (let level = 0; level < depth; level++) value = (value as Record<string, unknown>[])[0]?.["\n"];
    expect(value).toBe(1);
  });

  it("reads a string of a million escapes", () => {
    const long = '"\\'.repeat(500_000);
    expect(parseJson(JSON.stringify({ [long]: long, a: long }))).toEqual({ [long]: long, a: long });
  });
});
