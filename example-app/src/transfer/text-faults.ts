import { printParseErrorCode, visit } from "jsonc-parser";
import type { Path } from "../model/faults.js";
import { SURROGATE_REGEXP } from "../model/visible-text.js";
import type { Fault } from "./faults.js";

export interface TextFaults {
  /** Whether the text is no JSON (RFC 8259) at all. */
  isBroken: boolean;
  /**
   * The first syntax error, or else all duplicate keys and all text with characters that the service does not support
   * (rule S5) or with NUL, which databases refuse.
   */
  faults: Fault[];
}

/** What is wrong in a JSON text. The console has it too. */
export function findTextFaults(text: string): TextFaults {
  const faults: Fault[] = [];
  const keys: Set<string>[] = [];
  let broken: Fault | undefined;

  function check(found: string, path: () => Path, line: number): void {
    if (SURROGATE_REGEXP.test(found)) {
      faults.push({ path: path(), line, reason: "holds a character outside U+0000 to U+FFFF, or half of one" });
    }
    if (found.includes("\0")) faults.push({ path: path(), line, reason: "holds the character U+0000" });
  }

  try {
    visit(
      text,
      {
        onObjectBegin() {
          keys.push(new Set());
        },
        onObjectProperty(name, _offset, _length, line, _character, parent) {
          const path = () => [...parent(), name];
          check(name, path, line + 1);
          const seen = keys[keys.length - 1];
          if (seen?.has(name)) faults.push({ path: path(), line: line + 1, reason: "is there twice" });
          seen?.add(name);
        },
        onObjectEnd() {
          keys.pop();
        },
        onLiteralValue(value: unknown, _offset, _length, line, _character, path) {
          if (typeof value === "string") check(value, path, line + 1);
        },
        onError(code, _offset, _length, line) {
          const words = printParseErrorCode(code).replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
          broken ??= { path: [], line: line + 1, reason: `is not JSON: ${words}` };
        },
      },
      { disallowComments: true },
    );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    broken = { path: [], line: 1, reason: "is nested too deeply" };
  }
  return { isBroken: broken !== undefined, faults: broken ? [broken] : faults };
}
