/** @jest-environment node */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { API_OPERATIONS } from "../../console/src/parts/api-operations.js";
import { help as german } from "../../console/src/texts/de/help.js";
import { help as french } from "../../console/src/texts/fr/help.js";
import { help as japanese } from "../../console/src/texts/ja/help.js";
import { readEnglish } from "../support/english-texts.js";

const CONSOLE = join(__dirname, "../../console/src");

const MAX_LENGTH = 300;

const { help: english = {} } = readEnglish();

const terms = Object.keys(english).filter((name) => name !== "apiDocs");

const sources = ["pages", "parts"].flatMap((folder) =>
  readdirSync(join(CONSOLE, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .map((name) => readFileSync(join(CONSOLE, folder, name), "utf8")),
);

/** A field, or a group of fields, with its label. */
const FIELD_REGEXP =
  /<(?:\w*Input|Textarea|\w*Select|Switch|Checkbox(?:\.Group)?|Fieldset)\b(?:(?!<[A-Z])[\s\S])*?\s(?:label|legend)=\{([^{}<]*(?:\{[^{}]*\}[^{}<]*)*)\}/g;

/** Labels that need no help: they tell all, or have a description, or their group has help. */
const PLAIN_LABELS = [
  "exclude",
  "forms.name",
  "idpStart.paste",
  "idpStart.product",
  "idps.name",
  "idps.trust",
  "idps.where",
  "include",
  "isOn ? userForm.yes : userForm.no",
  "kind.labels.isOn",
  "origins[type]",
  "records.usedByRules",
  "texts.from",
  "texts.idps",
  "texts.isOn",
  "texts.paste",
  "texts.selectAll({ n: ids.length })",
  "texts.time",
  "texts.to",
  "tokenActions.olderThan",
  "tokenActions.unused",
  "tokenForm.name",
  "tokenForm.until",
  "userForm.active",
];

/** The labels of fields that have no button for help beside them. */
function labelsWithoutHelp(source: string): string[] {
  return [...source.matchAll(FIELD_REGEXP)]
    .map(([, label = ""]) => label)
    .filter((label) => !source.includes(`name={${label}}`));
}

describe("The help of the console", () => {
  it.each([
    ["en", english],
    ["de", german],
    ["fr", french],
    ["ja", japanese],
  ])("explains every term in %s, in at most 300 characters", (_language, texts: Readonly<Record<string, unknown>>) => {
    expect(terms.length).toBeGreaterThan(70);
    for (const term of terms) {
      const text = String(texts[term]);
      expect([term, text.length > 20 && text.length <= MAX_LENGTH]).toEqual([term, true]);
    }
  });

  it("is beside every label of a field that does not tell all", () => {
    const labels = sources.flatMap(labelsWithoutHelp);
    expect([...new Set(labels)].sort()).toEqual(PLAIN_LABELS);
  });

  it("has no term that stands nowhere", () => {
    const all = sources.join("\n");
    expect(terms.filter((term) => !new RegExp(`(?:term=|help=|term: |, )"${term}"`).test(all))).toEqual([]);
  });

  it("leads to operations that the API describes", () => {
    const { paths } = JSON.parse(readFileSync(join(__dirname, "../../../docs/openapi.json"), "utf8")) as {
      paths: Record<string, Record<string, { tags?: string[]; operationId?: string }>>;
    };
    const operations = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .map(({ tags, operationId }) => `${String(tags?.[0])}/${String(operationId)}`);
    expect(Object.values(API_OPERATIONS).filter((operation) => !operations.includes(operation))).toEqual([]);
  });
});
