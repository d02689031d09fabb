import { optionError } from "../factory/index.js";
import { isObject } from "../json/index.js";
import { ERROR_CATALOGUE, type CatalogueEntry, type ErrorCatalogue } from "./error-catalogue.js";

/** The entry of each code. */
export type CompiledCatalogue = ReadonlyMap<string, CatalogueEntry>;

const CODE_REGEXP = /^[A-Za-z0-9_.-]{1,64}$/;

/** The codes of the suite. */
export const BUILT_IN: CompiledCatalogue = new Map(Object.entries(ERROR_CATALOGUE));

/**
 * Combine the codes of the suite with those of `own`, the option `catalogue`.
 *
 * @throws {TypeError} when a code is not 1–64 characters of `A–Z a–z 0–9 _ . -` or is built in, a status is not an integer
 *   from 400 to 599, or a summary is empty
 */
export function compileCatalogue(factory: string, own: ErrorCatalogue | undefined): CompiledCatalogue {
  if (own === undefined) return BUILT_IN;
  if (!isObject(own) || !Object.keys(own).every((code) => CODE_REGEXP.test(code))) {
    throw optionError(
      factory,
      "catalogue",
      "an object of { status, summary }, each under 1 to 64 of A-Z a-z 0-9 _ . -",
    );
  }
  const entries = new Map(BUILT_IN);
  for (const [code, entry] of Object.entries(own)) entries.set(code, readEntry(factory, code, entry));
  return entries;
}

function readEntry(factory: string, code: string, entry: unknown): CatalogueEntry {
  const option = `catalogue.${code}`;
  if (BUILT_IN.has(code)) throw optionError(factory, option, "another code; this one is built in");
  if (!isObject(entry)) throw optionError(factory, option, "an object { status, summary }");
  const { status, summary } = entry;
  if (typeof status !== "number" || !Number.isInteger(status) || status < 400 || status > 599) {
    throw optionError(factory, `${option}.status`, "an integer from 400 to 599");
  }
  if (typeof summary !== "string" || summary === "") {
    throw optionError(factory, `${option}.summary`, "a non-empty string");
  }
  return { status, summary };
}
