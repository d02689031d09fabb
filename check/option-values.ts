import { readFileSync } from "node:fs";
import { isObject } from "../lib/json/index.js";
import { isOrigin } from "../lib/net/index.js";
import { excerpt } from "../lib/text/index.js";

/** The command line is wrong: one line for the person who typed it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** `origin-form` of RFC 9112 section 3.2.1 */
const PATH_REGEXP = /^\/[\x21\x24-\x3b\x3d\x3f-\x5f\x61-\x7e]*$/;

export function pathOption(option: string, value: string | undefined): string | undefined {
  if (value !== undefined && !PATH_REGEXP.test(value)) {
    throw new UsageError(`--${option}: ${excerpt(value)} is no path; it begins with "/" and is percent-encoded.`);
  }
  return value;
}

export function filledOption(option: string, value: string | undefined): string | undefined {
  if (value === "") throw new UsageError(`--${option} is empty.`);
  return value;
}

export function choiceOption(option: string, value: string | undefined, values: readonly string[]): string {
  if (value !== undefined && !values.includes(value)) {
    throw new UsageError(`--${option}: ${excerpt(value)} is none of ${values.join(", ")}.`);
  }
  return value ?? String(values[0]);
}

export function numberOption(
  option: string,
  value: string | undefined,
  bounds: { default: number; max: number },
): number {
  if (value === undefined) return bounds.default;
  if (!/^[1-9]\d{0,5}$/.test(value) || Number(value) > bounds.max) {
    throw new UsageError(`--${option}: ${excerpt(value)} is no integer from 1 to ${bounds.max}.`);
  }
  return Number(value);
}

export function pointerOption(value: string | undefined): string | undefined {
  if (value !== undefined && !/^(?:\/(?:[^~/]|~[01])+)+$/.test(value)) {
    throw new UsageError(`--field: ${excerpt(value)} is no JSON Pointer, such as /profile/nickName.`);
  }
  return value;
}

export function bodyOption(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const text = readText("body", file);
  if (!isJsonObject(text)) throw new UsageError(`--body: ${excerpt(file)} has no JSON object.`);
  return text;
}

export function originOption(value: string | undefined): string | undefined {
  if (value !== undefined && !isOrigin(value)) {
    throw new UsageError(
      `--origin: ${excerpt(value)} is no origin as browsers send it, such as https://app.example.com.`,
    );
  }
  return value;
}

export function readText(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(
      `--${option}: ${excerpt(file)} can't be read (${String((error as NodeJS.ErrnoException).code)}).`,
    );
  }
}

/** Whether `text` is a JSON object. */
function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
