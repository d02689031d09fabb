import { readFileSync } from "node:fs";
import path from "node:path";
import { parseTree, printParseErrorCode, type ParseError } from "jsonc-parser";
import { parse as parseToml, TomlDate, TomlError } from "smol-toml";
import { messageOf } from "../../store/contract/errors.js";
import { isSettingName, SETTINGS, type SettingName } from "./index.js";
import type { SettingFacts } from "./setting.js";
import { SettingsError, type GivenValue } from "./settings.js";

/** In characters. */
const MAX_LENGTH = 1_048_576;

const ACCEPTED = "must be a text, a number, true, false, or a list of texts without commas";

/**
 * Read the settings in a file: TOML, or JSON with comments if the name ends in `.json`. The keys are the flags without their
 * dashes. A relative path in the file begins in the file's folder.
 *
 * @throws {SettingsError} when the file can't be read, or has another setting or form
 */
export function readConfigFile(file: string): Map<SettingName, GivenValue> {
  const name = path.basename(file);
  const given = new Map<SettingName, GivenValue>();
  for (const [key, value] of readEntries(file, name)) {
    if (!isSettingName(key) || key === "config") throw new SettingsError(`${name} has an unknown setting, ${key}`);
    if (given.has(key)) throw new SettingsError(`${name} has ${key} twice`);
    const text = textOf(value);
    if (text === undefined) throw new SettingsError(`${key} in ${name} ${ACCEPTED}`);
    const { isPath }: SettingFacts = SETTINGS[key];
    const resolved = isPath && text !== "" ? path.resolve(path.dirname(file), text) : text;
    if (!isEmptyList(value)) given.set(key, { text: resolved, source: `${key} in ${name}` });
  }
  return given;
}

function readEntries(file: string, name: string): [key: string, value: unknown][] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingsError(`The file of --config can't be read: ${messageOf(error)}`);
  }
  if (text.length > MAX_LENGTH) throw new SettingsError(`${name} is longer than ${MAX_LENGTH} characters`);
  return file.endsWith(".json") ? parseJson(text, name) : parseTomlFile(text, name);
}

function parseTomlFile(text: string, name: string): [string, unknown][] {
  try {
    return Object.entries(parseToml(text));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = ""] = error.message.split("\n");
    throw new SettingsError(`${name} is no TOML, in line ${error.line}: ${message.replace(/^[^:]*: /, "")}`);
  }
}

/** Keys that come twice are in the result twice. */
function parseJson(text: string, name: string): [string, unknown][] {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors);
  const [error] = errors;
  if (error !== undefined || tree?.type !== "object") {
    const line = text.slice(0, error?.offset ?? 0).split("\n").length;
    const reason = error ? printParseErrorCode(error.error) : "it must be an object";
    throw new SettingsError(`${name} is no JSON object, in line ${line}: ${reason}`);
  }
  return (tree.children ?? []).map(({ children: [key, value] = [] }) => [
    String(key?.value),
    value && (value.type === "array" ? (value.children ?? []).map((node) => node.value as unknown) : value.value),
  ]);
}

/** A value as the flag would have it; `undefined` for one that no flag can have. */
function textOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOfOne(value);
  const texts = value.map(textOfOne);
  return texts.some((text) => text === undefined || text.includes(",")) ? undefined : texts.join(",");
}

function textOfOne(value: unknown): string | undefined {
  if (value instanceof TomlDate) return value.toISOString();
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
