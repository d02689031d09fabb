/** @jest-environment node */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { addRoom, defineTexts, setRooms } from "../../console/src/texts/define.js";
import { help as germanHelp } from "../../console/src/texts/de/help.js";
import * as german from "../../console/src/texts/de/index.js";
import { help as frenchHelp } from "../../console/src/texts/fr/help.js";
import * as french from "../../console/src/texts/fr/index.js";
import { help as japaneseHelp } from "../../console/src/texts/ja/help.js";
import * as japanese from "../../console/src/texts/ja/index.js";
import * as serverGerman from "../../console/src/texts/de/server/index.js";
import * as serverEnglish from "../../console/src/texts/en/server/index.js";
import * as serverFrench from "../../console/src/texts/fr/server/index.js";
import * as serverJapanese from "../../console/src/texts/ja/server/index.js";
import { chooseLocale } from "../../console/src/texts/language.js";
import { readEnglish, type TextRoom } from "../support/english-texts.js";

const TEXTS = join(__dirname, "../../console/src/texts");

const english = readEnglish();

const LANGUAGES = [
  ["de", { ...german, help: germanHelp }],
  ["fr", { ...french, help: frenchHelp }],
  ["ja", { ...japanese, help: japaneseHelp }],
] as const;

const placesOf = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort();
const formsOf = (text: TextRoom[string]) => (typeof text === "string" ? { other: text } : text);

describe("Texts of the console", () => {
  it("have every room in every language", () => {
    const files = readdirSync(join(TEXTS, "en")).filter((name) => name.endsWith(".ts") && name !== "index.ts");
    expect(Object.keys(english).length).toBe(files.length);
    for (const [, rooms] of LANGUAGES) expect(Object.keys(rooms).sort()).toEqual(Object.keys(english).sort());
  });

  describe.each(LANGUAGES)("in %s", (language, rooms: Readonly<Record<string, TextRoom>>) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;

    it.each(Object.keys(english))("say everything that %s says, with the same places", (name) => {
      const [theirs = {}, ours = {}] = [rooms[name], english[name]];
      expect(Object.keys(theirs)).toEqual(Object.keys(ours));
      for (const [key, text] of Object.entries(theirs)) {
        const places = Object.values(formsOf(ours[key] ?? "")).map(placesOf);
        for (const form of Object.values(formsOf(text))) {
          expect(form).not.toBe("");
          expect({ [key]: places }).toEqual({ [key]: expect.arrayContaining([placesOf(form)]) });
        }
      }
    });

    it.each(Object.keys(english))("have the forms of the language's numbers in %s", (name) => {
      for (const [key, text] of Object.entries(rooms[name] ?? {})) {
        if (typeof text === "string") continue;
        const known = Object.keys(text).filter((form) => categories.includes(form as Intl.LDMLPluralRule));
        expect([key, Object.keys(text)]).toEqual([key, known]);
        expect([key, Object.keys(text)]).toContainEqual(
          expect.arrayContaining(categories.filter((form) => form !== "many")),
        );
      }
    });
  });
});

describe("Texts of the server", () => {
  it.each([
    ["de", serverGerman],
    ["fr", serverFrench],
    ["ja", serverJapanese],
  ])("are all there in %s, with no other places", (_, rooms: Readonly<Record<string, TextRoom>>) => {
    const sent: Readonly<Record<string, TextRoom>> = serverEnglish;
    for (const [name, ours] of Object.entries(sent)) {
      const theirs = rooms[name] ?? {};
      expect(Object.keys(theirs)).toEqual(Object.keys(ours));
      for (const [key, text] of Object.entries(theirs)) {
        const places = Object.values(formsOf(ours[key] ?? "")).flatMap(placesOf);
        for (const form of Object.values(formsOf(text))) {
          expect([key, places]).toEqual([key, expect.arrayContaining(placesOf(form))]);
        }
      }
    }
  });
});

describe("defineTexts", () => {
  const texts = defineTexts("test", {
    plain: "Rules",
    named: "{name} is on",
    counted: { one: "{n} rule of {org}", other: "{n} rules of {org}" },
  });

  afterEach(() => {
    setRooms({});
  });

  it("fills places, and writes numbers as the reader does", () => {
    expect(texts.plain).toBe("Rules");
    expect(texts.named({ name: "{name}" })).toBe("{name} is on");
    expect(texts.counted({ n: 1, org: "Demo" })).toBe("1 rule of Demo");
    expect(texts.counted({ n: 4_900, org: "Demo" })).toBe("4,900 rules of Demo");
  });

  it("gives the parts of a text that has more than text in it", () => {
    expect(texts.named({ name: ["link"] })).toEqual(["", ["link"], " is on"]);
  });

  it("takes the text of the language, and English where it has none", () => {
    setRooms({ test: { named: "{name} ist ein" } });
    expect(texts.named({ name: "Eins" })).toBe("Eins ist ein");
    expect(texts.plain).toBe("Rules");
  });

  it("takes the texts of a room that comes later, beside those that are there", () => {
    setRooms({ other: { plain: "Zonen" }, test: { named: "{name} ist ein" } });
    addRoom("test", { plain: "Regeln" });
    expect(texts.plain).toBe("Regeln");
    expect(texts.named({ name: "Eins" })).toBe("Eins is on");
    expect(defineTexts("other", { plain: "Zones" }).plain).toBe("Zonen");
  });
});

describe("chooseLocale", () => {
  it.each([
    [undefined, ["it-IT", "fr-CA", "en"], "fr-CA"],
    [undefined, ["en-GB", "de"], "en-GB"],
    [undefined, ["it"], "en"],
    [undefined, [], "en"],
    ["de", ["en-GB", "de-AT"], "de-AT"],
    ["ja", ["en-GB"], "ja"],
  ] as const)("takes for the choice %s and a browser of %j the locale %s", (chosen, preferred, expected) => {
    expect(chooseLocale(chosen, preferred)).toBe(expected);
  });
});
