import type { Request, Response } from "express";
import {
  assertKnownOptions,
  booleanOption,
  compileNamespace,
  fieldNameOption,
  functionOption,
  maxBytesPerCharacterOption,
  fromStep,
  type Middleware,
  type NothingElse,
  optionError,
  stringsOption,
} from "../lib/factory/index.js";
import { findOrderFaults } from "../lib/express/index.js";
import { findResponseFaults, RESPONSE_RULES, type ResponseFault, type ResponseRule } from "../lib/faults/index.js";
import { compileCatalogue, type ErrorCatalogue } from "../lib/errors/index.js";

export type { ResponseFault, ResponseRule } from "../lib/faults/index.js";

/** The apps whose order was checked. */
const checkedApps = new WeakSet<object>();

/** Enough for a page of a list. For a longer body, only the header is checked. */
const MAX_BODY_BYTES = 1_048_576;

export interface ResponseCheckOptions {
  /**
   * The name that public names such as `headerName` derive from: 1–32 lower-case letters and digits.
   *
   * @default "svc"
   */
  namespace?: string;

  /**
   * The header with the request id, on every response.
   *
   * @default "X-Svc-Request-Id", from the namespace
   */
  headerName?: string;

  /**
   * How many bytes of UTF-8 a character of a response may take: 3, or 4 where the application accepts characters beyond
   * U+FFFF such as emoji.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;

  /**
   * Whether to check responses.
   *
   * @default true unless `NODE_ENV` is `production` when the factory is called
   */
  enabled?: boolean;

  /**
   * Codes of your own, the same as those of `errorFormatter()`.
   *
   * @default {}
   */
  catalogue?: ErrorCatalogue;

  /**
   * Called once for a response with faults, after it was sent; the faults of the app's order come with the first one. What it
   * throws is ignored.
   *
   * @default writes a line for each fault to `console.warn`
   */
  log?: (faults: readonly ResponseFault[], req: Request, res: Response) => void;

  /**
   * Paths of the routes that stand before the guards on purpose, such as `/health`.
   *
   * @default []
   */
  unguarded?: readonly string[];

  /**
   * The rules that are not checked, such as `E1` where errors have a form of your own.
   *
   * @default []
   */
  skip?: readonly ResponseRule[];
}

const OPTIONS: Record<keyof ResponseCheckOptions, true> = {
  namespace: true,
  headerName: true,
  maxBytesPerCharacter: true,
  enabled: true,
  catalogue: true,
  log: true,
  unguarded: true,
  skip: true,
};

/**
 * Report responses that break the rules on dates, characters, error objects, `_links` and `Link`, during development, and once
 * what the app mounts in the wrong order. Does not change a response. Mount it first.
 *
 * @throws {TypeError} when an option is unknown or of the wrong type
 * @example
 * app.use(responseCheck());
 */
export function responseCheck(options: Readonly<ResponseCheckOptions> = {}, ..._: NothingElse): Middleware {
  const { headerName, maxBytesPerCharacter, enabled, catalogue, log, unguarded, skip } = parseOptions(options);

  return fromStep("responseCheckMiddleware", (req, res) => {
    if (enabled) {
      const readBody = copyBody(res);
      const app: unknown = req.app; // which changes when the request leaves a mounted app
      res.once("finish", () => {
        const requestId = res.getHeader(headerName);
        const responseFaults = findResponseFaults({
          status: res.statusCode,
          links: linesOf(res.getHeader("Link")),
          requestId: typeof requestId === "string" ? requestId : undefined,
          contentType: res.get("Content-Type"),
          body: hasReadableBody(req, res) ? readBody() : undefined,
          maxBytesPerCharacter,
          catalogue,
          skip,
        });
        const faults = [...findOrderOnce(app, req), ...responseFaults];
        if (faults.length === 0) return;
        try {
          log(faults, req, res);
        } catch {
          // a check for development must not stop the server
        }
      });
    }
    return undefined;
  });

  function findOrderOnce(app: unknown, req: Request): readonly ResponseFault[] {
    if (skip.includes("order") || typeof app !== "function" || checkedApps.has(app)) return [];
    checkedApps.add(app);
    return findOrderFaults(app, req.originalUrl.split("?", 1)[0] ?? "/", unguarded);
  }
}

/** Copy what is written to `res`. The returned function returns the copy, or `undefined` when it is too long. */
function copyBody(res: Response): () => string | undefined {
  let chunks: Buffer[] | undefined = [];
  let size = 0;
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (chunks === undefined || !(typeof chunk === "string" || chunk instanceof Uint8Array)) return;
    const bytes =
      typeof chunk === "string"
        ? Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8")
        : Buffer.from(chunk); // a copy, because the writer may reuse its buffer
    size += bytes.length;
    if (size > MAX_BODY_BYTES) chunks = undefined;
    else chunks.push(bytes);
  };

  type Write = (this: Response, ...args: unknown[]) => unknown;
  const patched = res as unknown as { write: Write; end: Write };
  const { write, end } = patched;
  patched.write = function writeCopied(...args) {
    keep(args[0], args[1]);
    return write.apply(this, args);
  };
  patched.end = function endCopied(...args) {
    if (!this.writableEnded) keep(args[0], args[1]);
    return end.apply(this, args);
  };
  return () => chunks && Buffer.concat(chunks).toString();
}

/** Whether the written bytes were sent to the client, and are not compressed. */
function hasReadableBody(req: Request, res: Response): boolean {
  const empty = req.method === "HEAD" || res.statusCode === 204 || res.statusCode === 304;
  return !empty && !res.hasHeader("Content-Encoding");
}

function linesOf(value: number | string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [String(value)];
}

function logToConsole(faults: readonly ResponseFault[], req: Request): void {
  for (const { rule, place, message } of faults) {
    if (rule === "order") console.warn(`The order of the app: ${message}`);
    else console.warn(`${req.method} ${req.originalUrl}: ${rule} ${place === "" ? "the body" : place}: ${message}`);
  }
}

function parseOptions(options: Readonly<ResponseCheckOptions>) {
  assertKnownOptions("responseCheck", options, OPTIONS);
  const { requestIdHeader } = compileNamespace("responseCheck", options.namespace);
  const development = process.env["NODE_ENV"] !== "production";
  return {
    headerName: fieldNameOption("responseCheck", "headerName", options.headerName, requestIdHeader),
    maxBytesPerCharacter: maxBytesPerCharacterOption("responseCheck", options.maxBytesPerCharacter),
    enabled: booleanOption("responseCheck", "enabled", options.enabled, development),
    catalogue: compileCatalogue("responseCheck", options.catalogue),
    log: functionOption("responseCheck", "log", options.log, logToConsole),
    unguarded: stringsOption("responseCheck", "unguarded", options.unguarded, []),
    skip: skipOption(options.skip),
  };
}

function skipOption(value: unknown = []): readonly ResponseRule[] {
  const rules: readonly unknown[] = RESPONSE_RULES;
  if (Array.isArray(value) && value.every((rule) => rules.includes(rule))) return [...(value as ResponseRule[])];
  throw optionError("responseCheck", "skip", `an array of ${RESPONSE_RULES.join(", ")}`);
}
