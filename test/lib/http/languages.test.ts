import fc from "fast-check";
import { parseLanguages } from "../../../lib/http/languages.js";

describe("parseLanguages", () => {
  it.each([
    ["en-US", ["en-US"]],
    ["da, en-gb;q=0.8, en;q=0.7", ["da", "en-GB", "en"]], // RFC 9110 section 12.5.4
    ["en;q=0.5, fr;q=0.9, de", ["de", "fr", "en"]],
    ["en;q=0.8,fr;q=0.8", ["en", "fr"]],
    ["en ; q=0.8 ,\tfr;Q=1.000", ["fr", "en"]],
    ["en;q=0, fr;q=0.000, de", ["de"]],
    ["*, en;q=0.1", ["en"]],
    ["EN-us, en-US;q=0.1", ["en-US"]],
    ["en, fr;q=0.5, en;q=0.1", ["en", "fr"]],
    [",, en,,", ["en"]],
    ["", []],
  ])("C5 orders %j", (value, languages) => {
    expect(parseLanguages(value)).toEqual(languages);
  });

  // RFC 5646 appendix A
  it.each([
    ...[
      "de",
      "zh-Hant",
      "zh-cmn-Hans-CN",
      "sr-Latn-RS",
      "sl-rozaj-biske",
      "de-CH-1901",
      "hy-Latn-IT-arevela",
      "es-419",
    ],
    ...[
      "de-CH-x-phonebk",
      "az-Arab-x-aze-derbend",
      "en-US-u-islamcal",
      "zh-CN-a-myext-x-private",
      "en-a-myext-b-another",
    ],
    ...["sgn-BE", "en-CA-x-ca", "sl-1994", "gsw", "qaa-Qaaa-QM-x-southern"],
  ])("C5 takes the tag %s, in any case", (tag) => {
    expect(parseLanguages(tag)).toEqual([tag]);
    expect(parseLanguages(tag.toLowerCase())).toEqual([tag]);
    expect(parseLanguages(tag.toUpperCase())).toEqual([tag]);
  });

  it.each([
    ...[
      "e",
      "en_US",
      "en-",
      "-en",
      "en--US",
      "en-USA-US-US",
      "123",
      "en-US-GB",
      "x-private",
      "i-klingon",
      "en-a",
      "en-x",
    ],
    ...[
      "en;q=2",
      "en;q=0.1234",
      "en;q=1.1",
      "en;q=.5",
      "en;q=-1",
      "en;q=",
      "en;q",
      "en;level=1",
      "en;q=0.5;q=0.6",
      "en fr",
    ],
    ...["<script>", "../../etc", "en\u0000", "ën", "abcdefghi"],
  ])("C5 drops %j", (element) => {
    expect(parseLanguages(`fr, ${element}`)).toEqual(["fr"]);
  });

  it("C5 reads the first 16 tags", () => {
    const tags = Array.from({ length: 17 }, (_, index) => `en-x-${index}`);
    expect(parseLanguages(tags.slice(0, 15).join())).toHaveLength(15);
    expect(parseLanguages(tags.slice(0, 16).join())).toHaveLength(16);
    expect(parseLanguages(tags.join())).toEqual(tags.slice(0, 16));
    expect(parseLanguages(`${"junk!,".repeat(3000)}en`)).toEqual(["en"]);
  });

  it("C5 takes tags of up to 35 characters", () => {
    const tag = (length: number) => `en-x-${"abcdefgh-".repeat(4)}`.slice(0, length - 1) + "a";
    expect(parseLanguages(tag(34))).toEqual([tag(34)]);
    expect(parseLanguages(tag(35))).toEqual([tag(35)]);
    expect(parseLanguages(tag(36))).toEqual([]);
  });

  it("C5 returns nothing but tags, each once, whatever comes, in linear time", () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from("enUS19x-,;q=0. *")) });
    fc.assert(
      fc.property(text, (value) => {
        const languages = parseLanguages(value);
        expect(new Set(languages).size).toBe(languages.length);
        for (const tag of languages) expect(tag).toMatch(/^[a-z]{2,8}(-[A-Za-z0-9]{1,8})*$/);
      }),
      { numRuns: 3000 },
    );
    for (const unit of ["en-", "a", " ", "\t;", "en;", "en ;q=0", "-", "en-abcde-"]) {
      expect(parseLanguages(unit.repeat(50_000)).length).toBeLessThanOrEqual(16);
    }
  });
});
