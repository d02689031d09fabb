import { parseJson } from "etiquette/parse-json";
import type { Fault } from "./faults.js";
import { findTextFaults } from "./text-faults.js";

/** The value of a JSON text, and its faults; no value when it is no JSON, see {@link findTextFaults}. */
export function parseCheckedJson(text: string): { value: unknown; faults: Fault[] } {
  const { isBroken, faults } = findTextFaults(text);
  return { value: isBroken ? undefined : parseJson(text), faults };
}
