/** @jest-environment node */
import { ERROR_CATALOGUE } from "etiquette";
import * as german from "../../console/src/texts/de/server/index.js";
import * as english from "../../console/src/texts/en/server/index.js";
import * as french from "../../console/src/texts/fr/server/index.js";
import * as japanese from "../../console/src/texts/ja/server/index.js";
import { compileTranslator } from "../../console/src/texts/server-texts.js";
import { SERVER_CATALOGUE } from "../../src/model/api-error.js";
import { OTHERS, PARTS } from "../support/fault-exceptions.js";
import { listFaultLiterals } from "../support/fault-literals.js";
import { listFaultSamples } from "../support/fault-samples.js";
import type { TextRoom } from "../support/english-texts.js";

const LANGUAGES = [
  ["de", compileTranslator(german, "de")],
  ["fr", compileTranslator(french, "fr")],
  ["ja", compileTranslator(japanese, "ja")],
] as const;

const rooms: readonly TextRoom[] = Object.values(english);

/** A text without what stands in its places, and without the place that it is about. */
const bare = (text: string) => text.replace(/\{\w*\}|\d+/g, "{}").replace(/^[\w{}]+(?:\.\w+)*: /, "");

const known = new Set(
  rooms.flatMap((room) =>
    Object.values(room).flatMap((text) => (typeof text === "string" ? [text] : Object.values(text)).map(bare)),
  ),
);

/** Codes of errors that only a program makes: a browser and the console send no such request. */
const PROGRAMS = new Set(
  "E0000018 E0000021 E0000022 E0000028 E0000122 E0000215 E0000242 E0009002 E0009005 E0009007 E0009008 E0009012".split(
    " ",
  ),
);

/** An English word in a text of another language, outside quotes. */
const ENGLISH_REGEXP = /\b(?:the|is|are|must|not|has|have|of|at|most|or|and|with|needs|which|from|expected)\b/;

/** A place before a fault, and what is quoted. */
const NO_WORDS_REGEXP = /^\S+: |"(?:[^"\\]|\\.)*"/g;

describe("What the server finds wrong", () => {
  it.each(LANGUAGES)("is told in %s", (_, translate) => {
    const wrong = listFaultSamples()
      .map((said) => ({ said, told: translate(said) }))
      .filter(({ told }) => told === undefined || ENGLISH_REGEXP.test(told.replace(NO_WORDS_REGEXP, "")));
    expect(wrong).toEqual([]);
  });

  it("has a text in console/src/texts/*/server for everything that stands in the source of the server", () => {
    const texts = listFaultLiterals().map(({ text }) => text);
    expect(texts.filter((text) => !known.has(bare(text)) && !PARTS.has(text) && !OTHERS.has(text))).toEqual([]);
    expect([...PARTS, ...OTHERS].filter((text) => !texts.includes(text))).toEqual([]);
  });
});

describe("Refusals", () => {
  it.each(LANGUAGES)("are told in %s, whatever their code is", (_, translate) => {
    const catalogue = { ...ERROR_CATALOGUE, ...SERVER_CATALOGUE };
    const untold = Object.entries(catalogue).filter(
      ([code, { summary }]) => !PROGRAMS.has(code) && translate(summary.replace("{0}", "login")) === undefined,
    );
    expect(untold).toEqual([]);
  });
});
