import { readFileSync, statSync } from "node:fs";
import { isObject, parseJson } from "../../lib/json/index.js";
import { excerpt } from "../../lib/text/index.js";
import { exchange, ExchangeError } from "../connection.js";
import type { RunPlan } from "../run-plan.js";
import { targetOf } from "../target.js";
import { UsageError } from "../usage-error.js";

/** In bytes: descriptions of the largest public APIs have ten million. */
export const MAX_DESCRIPTION_LENGTH = 16_777_216;

/**
 * Read a description of OpenAPI 3.0 or 3.1.
 *
 * @throws {UsageError}
 */
export async function readDescription(source: string | URL, plan: RunPlan): Promise<Readonly<Record<string, unknown>>> {
  const text = typeof source === "string" ? readFile(source) : await download(source, plan);
  const name = excerpt(String(source));
  let value: unknown;
  try {
    value = parseJson(text.replace(/^\ufeff/, ""));
  } catch {
    throw new UsageError(
      `--openapi: ${name} is not JSON. Convert YAML first: npx yaml --json --single < openapi.yaml > openapi.json`,
    );
  }
  const version = isObject(value) ? value["openapi"] : undefined;
  if (!isObject(value) || typeof version !== "string" || !/^3\.[01]\.\d/.test(version)) {
    throw new UsageError(
      `--openapi: ${name} is not OpenAPI 3.0 or 3.1; its member openapi is ${excerpt(String(version))}.`,
    );
  }
  return value;
}

function readFile(file: string): string {
  try {
    if (statSync(file).size <= MAX_DESCRIPTION_LENGTH) return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--openapi: ${excerpt(file)} can't be read (${String(code)}).`);
  }
  return refuseLength(excerpt(file));
}

/** Credentials go to the origin of the API only, and no redirect is followed. */
async function download(source: URL, { url, target, headers, timeout }: RunPlan): Promise<string> {
  const isSame = source.origin === url.origin;
  const own = isSame ? headers.map(([name, value]) => `${name}: ${value}\r\n`).join("") : "";
  const head = `GET ${source.pathname}${source.search} HTTP/1.1\r\nHost: ${source.host}\r\nConnection: close\r\nAccept: application/json\r\nUser-Agent: etiquette-check\r\n${own}\r\n`;
  const message = { bytes: Buffer.from(head, "latin1"), method: "GET", maxLength: MAX_DESCRIPTION_LENGTH };
  try {
    const { status, body, truncated } = await exchange(isSame ? target : targetOf(source), message, timeout);
    if (status !== 200) throw new UsageError(`--openapi: GET ${excerpt(source.href)} is ${status}.`);
    return truncated ? refuseLength(excerpt(source.href)) : body.toString("utf8");
  } catch (error) {
    if (error instanceof ExchangeError) throw new UsageError(`--openapi: ${excerpt(source.href)}: ${error.message}`);
    throw error;
  }
}

function refuseLength(name: string): never {
  throw new UsageError(`--openapi: ${name} is longer than ${MAX_DESCRIPTION_LENGTH} bytes.`);
}
