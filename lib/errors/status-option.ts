import { optionError } from "../factory/index.js";
import { isObject } from "../json/index.js";
import type { CompiledCatalogue } from "./compile-catalogue.js";

/** The status of each code, a table or a function. `undefined` leaves the status as it is. */
export type ErrorStatus = Readonly<Record<string, number>> | ((code: string) => number | undefined);

/** The status to send for a code. Throws what a function of the app throws, and when its result is no such status. */
export type StatusOf = (code: string, status: number) => number;

/**
 * Compile the option `status`. A 4xx stays a 4xx, and a 5xx a 5xx. An error whose own status is not the one of its code
 * keeps its status.
 *
 * @throws {TypeError} when a key is no code of `catalogue`, or a status is of another class than the one of the code
 */
export function compileStatus(factory: string, option: unknown, catalogue: CompiledCatalogue): StatusOf {
  if (option === undefined) return (_code, status) => status;
  if (typeof option === "function") {
    return (code, status) => {
      if (catalogue.get(code)?.status !== status) return status;
      const chosen: unknown = (option as (code: string) => unknown)(code);
      if (chosen === undefined) return status;
      if (isSameClass(chosen, status)) return chosen;
      throw new TypeError(`\`status\` must return ${describe(status)}, or undefined`);
    };
  }
  if (!isObject(option)) throw optionError(factory, "status", "a table of codes with their status, or a function");
  const table = new Map<string, number>();
  for (const [code, status] of Object.entries(option)) {
    const entry = catalogue.get(code);
    if (!entry) throw optionError(factory, `status.${code}`, "under a code of the catalogue");
    if (!isSameClass(status, entry.status)) throw optionError(factory, `status.${code}`, describe(entry.status));
    table.set(code, status);
  }
  return (code, status) => (catalogue.get(code)?.status === status ? (table.get(code) ?? status) : status);
}

function isSameClass(value: unknown, status: number): value is number {
  return Number.isInteger(value) && Math.floor((value as number) / 100) === Math.floor(status / 100);
}

function describe(status: number): string {
  return status < 500 ? "an integer from 400 to 499" : "an integer from 500 to 599";
}
