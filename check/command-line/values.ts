import { readFileSync } from "node:fs";
import { isObject } from "../../lib/json/index.js";
import { isOrigin, parseUrl } from "../../lib/net/index.js";
import { excerpt } from "../../lib/text/index.js";
import { UsageError } from "../usage-error.js";

/** `origin-form` of RFC 9112 section 3.2.1 */
const PATH_REGEXP = /^\/[\x21\x24-\x3b\x3d\x3f-\x5f\x61-\x7e]*$/;

/** Whether `text` can be sent as the target of a request. */
export function isPath(text: string): boolean {
  return PATH_REGEXP.test(text);
}

export function pathOption(text: string | undefined, option: string): string | undefined {
  if (text !== undefined && !isPath(text)) {
    throw new UsageError(`--${option}: ${excerpt(text)} is no path; it begins with "/" and is percent-encoded.`);
  }
  return text;
}

export function filledOption(text: string | undefined, option: string): string | undefined {
  if (text === "") throw new UsageError(`--${option} is empty.`);
  return text;
}

export function choiceOption<T extends string>(text: string, option: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new UsageError(`--${option}: ${excerpt(text)} is none of ${choices.join(", ")}.`);
  return choice;
}

export function numberOption(
  text: string | undefined,
  option: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,5}$/.test(text) || Number(text) > max) {
    throw new UsageError(`--${option}: ${excerpt(text)} is no integer from 1 to ${max}.`);
  }
  return Number(text);
}

export function pointerOption(text: string | undefined, option: string): string | undefined {
  if (text !== undefined && !/^(?:\/(?:[^~/]|~[01])+)+$/.test(text)) {
    throw new UsageError(`--${option}: ${excerpt(text)} is no JSON Pointer, such as /profile/nickName.`);
  }
  return text;
}

/** The text of a file with a JSON object or a list, which a JSON Patch is. */
export function bodyOption(file: string | undefined, option: string): string | undefined {
  if (file === undefined) return undefined;
  const text = readText(option, file);
  if (!isJsonDocument(text)) throw new UsageError(`--${option}: ${excerpt(file)} has no JSON object or list.`);
  return text;
}

export function originOption(text: string | undefined, option: string): string | undefined {
  if (text !== undefined && !isOrigin(text)) {
    throw new UsageError(
      `--${option}: ${excerpt(text)} is no origin as browsers send it, such as https://app.example.com.`,
    );
  }
  return text;
}

export function fileOption(file: string | undefined, option: string): string | undefined {
  return file === undefined ? undefined : readText(option, file);
}

/** A file or a URL, which is read later. */
export function sourceOption(text: string | undefined, option: string): string | URL | undefined {
  if (text === undefined || !/^https?:/i.test(text)) return filledOption(text, option);
  return readUrl(text, `--${option}: `);
}

/** A URL to which requests go. */
export function readUrl(text: string, place = ""): URL {
  const url = parseUrl(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new UsageError(`${place}${excerpt(text)} is no http: or https: URL.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(`${place}The URL has credentials, which the list of processes shows; use --header @FILE.`);
  }
  if (url.hash !== "") throw new UsageError(`${place}The URL has a fragment, which no request can send.`);
  return url;
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

function isJsonDocument(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || Array.isArray(value);
  } catch {
    return false;
  }
}
