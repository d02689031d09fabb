import fc from "fast-check";
import { chooseEncoding, parseFilter } from "../../../lib/filter/index.js";
import { formatFilter } from "../../../lib/filter/printer.js";
import { queryOf } from "../../../lib/http/index.js";
import { expression, withoutOffsets } from "../../support/filter.js";

/** The expression in a query, as `filter()` reads it. */
function read(query: string): string {
  const parsed = queryOf({}, `/users?${query}`);
  const { parameters = [] } = parsed.parse({ maxBytesPerCharacter: 4 });
  const index = parameters.findIndex(([name]) => name === "filter");
  return chooseEncoding(parameters[index]?.[1] ?? "", parsed.formValue(index));
}

/** `urllib.parse.quote_plus` of Python, which leaves fewer characters than JavaScript does. */
function quotePlus(text: string): string {
  const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, percent)
    .replaceAll("%20", "+");
}

const ENCODERS: readonly [string, (text: string) => string][] = [
  ["encodeURIComponent", (text) => `filter=${encodeURIComponent(text)}`],
  ["URLSearchParams", (text) => new URLSearchParams({ limit: "1", filter: text }).toString()],
  ["quote_plus", (text) => `filter=${quotePlus(text)}`],
  ["a client that leaves + alone", (text) => `filter=${encodeURIComponent(text).replaceAll("%2B", "+")}`],
];

describe("chooseEncoding", () => {
  it.each([
    ["login%20eq%20%22joe+tag@example.com%22", 'login eq "joe+tag@example.com"'],
    ["login%20eq%20%22joe%2Btag@example.com%22", 'login eq "joe+tag@example.com"'],
    ["login+eq+%22joe%2Btag%40example.com%22", 'login eq "joe+tag@example.com"'],
    ["login+eq+%22joe+tag%40example.com%22", 'login eq "joe tag@example.com"'],
    ["login+eq%20%22joe+tag%22", 'login eq "joe tag"'],
    ["login%20eq%20%22a%5C%22+b%22", 'login eq "a\\"+b"'],
    ["login%20eq%20%22a%5c%5c%22+and+a%20pr", 'login eq "a\\\\" and a pr'],
    ["login%20eq%20%22a\\%22+b%22", 'login eq "a\\"+b"'],
    ["score%20eq%201e+21", "score eq 1e+21"],
    ["score%20eq%20-1.5E+2%20and%20login%20eq%20%22+%22", 'score eq -1.5E+2 and login eq "+"'],
    ["score+eq+1e%2B21", "score eq 1e+21"],
    ["score+eq+1e+21", "score eq 1e 21"],
    ["a%20pr+", "a pr "],
    ["+a%20pr", " a pr"],
    ["a%2Bpr", "a+pr"],
    ["a%2Bpr+", "a+pr "],
    ["login%20eq%20%22open+end", 'login eq "open+end'],
    ["login+eq+%22open+end", 'login eq "open end'],
    ["login%20eq%20%22end%5C", 'login eq "end\\'],
    ["", ""],
  ])("Q3 reads %s as %s", (sent, text) => {
    expect(read(`filter=${sent}`)).toBe(text);
  });

  it.each(ENCODERS)("Q3 reads every expression as it was, encoded by %s", (_name, encode) => {
    fc.assert(
      fc.property(expression, (filter) => {
        const text = formatFilter(filter);
        expect(read(encode(text))).toBe(text);
        expect(withoutOffsets(parseFilter(read(encode(text)), { maxBytesPerCharacter: 4 }))).toEqual(filter);
      }),
      { numRuns: 500 },
    );
  });

  // in quadratic time a million characters would take longer than a test may
  it.each(['"\\', "\\", '"', "1e+"])("Q3 takes linear time for a million of %j", (unit) => {
    const text = `"${unit.repeat(1_000_000)}`;
    expect(chooseEncoding(text, text)).toBe(text);
  });
});
