import type { Request, RequestHandler, Response } from "express";
import { apiError } from "../lib/errors/index.js";
import { isLinkTarget } from "../lib/http/index.js";
import {
  assertKnownOptions,
  createRequestSlot,
  functionOption,
  optionError,
  textPerRequestOption,
} from "../lib/options/index.js";

/** What a version is called in a path. */
const VERSION_REGEXP = /^v[1-9][0-9]*$/;

/** What a caller may have meant by a version, in any case. */
const VERSION_LIKE_REGEXP = /^v[0-9]+$/i;

const slot = createRequestSlot<string>("apiVersion", "the path of this request names no version");

/** A URL or absolute path, or a function that gives it when it depends on the org. */
export type VersionLink = string | ((req: Request) => string);

/** What is announced of a version; `{}` for one that is current. */
export interface VersionLifecycle {
  /** When it is or was deprecated: sent as `Deprecation` (RFC 9745). */
  deprecated?: Readonly<Date>;
  /** When it ends, not before `deprecated`: sent as `Sunset` (RFC 8594); from then on it is 410. */
  sunset?: Readonly<Date>;
  /** The version to move to: sent as `Link` with `rel="successor-version"` (RFC 5829). */
  successor?: VersionLink;
  /** A page on how to move: sent as `Link` with `rel="deprecation"` (RFC 9745 section 3). */
  documentation?: VersionLink;
}

export interface ApiVersionOptions {
  /** The versions that are served, by name: `v1`, `v2` and so on. At least one. */
  versions: Readonly<Record<string, Readonly<VersionLifecycle>>>;

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

const OPTIONS: Record<keyof ApiVersionOptions, true> = { versions: true, now: true };

const LIFECYCLE: Record<keyof VersionLifecycle, true> = {
  deprecated: true,
  sunset: true,
  successor: true,
  documentation: true,
};

/**
 * Tell versions of an API apart by the first segment below the mount path: `app.use("/api", apiVersion({ … }))`. A version
 * that is not served is 404 `E0000008`, a deprecated one announces its end on every answer, one that has ended is 410
 * `E0000215`. Paths without a version go on. Does not route: mount a router for each version behind it. Read the version
 * with {@link getApiVersion}.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 */
export function apiVersion(options: Readonly<ApiVersionOptions>): RequestHandler {
  const { versions, now } = parseOptions(options);
  const served = [...versions.keys()].join(", ");

  return function apiVersionMiddleware(req, res, next) {
    const name = firstSegment(req.path);
    const version = versions.get(name);
    if (version) {
      slot.set(req, name);
      try {
        announce(version, req, res);
      } catch (error) {
        next(error);
        return;
      }
      if (now() < version.end) next();
      else next(apiError("E0000215", { type: "version.ended", causes: [version.obituary] }));
    } else if (VERSION_LIKE_REGEXP.test(name)) {
      const causes = [`There is no version "${name}" of this API; served: ${served}.`];
      next(apiError("E0000008", { type: "version.unknown", causes }));
    } else {
      slot.set(req, null);
      next();
    }
  };
}

/**
 * The version that `req` is for, such as `v1`.
 *
 * @throws {Error} when `apiVersion()` did not run for this request, or its path names no version
 */
export function getApiVersion(req: object): string {
  return slot.get(req);
}

/** The version that `req` is for, or `undefined`. */
export function tryGetApiVersion(req: object): string | undefined {
  return slot.tryGet(req);
}

/** A version, with what it announces written out. */
interface CompiledVersion {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly links: readonly (readonly [relation: string, href: (req: Request) => string])[];
  /** Milliseconds since 1970, or Infinity. */
  readonly end: number;
  readonly obituary: string;
}

function announce({ fields, links }: CompiledVersion, req: Request, res: Response): void {
  for (const [name, value] of fields) res.setHeader(name, value);
  for (const [relation, href] of links) res.append("Link", `<${href(req)}>; rel="${relation}"`);
}

function firstSegment(path: string): string {
  const end = path.indexOf("/", 1);
  return path.slice(1, end === -1 ? undefined : end);
}

function parseOptions(options: Readonly<ApiVersionOptions>) {
  assertKnownOptions("apiVersion", options, OPTIONS);
  const entries = Object.entries((options.versions as unknown as object | undefined) ?? {});
  if (entries.length === 0 || !entries.every(([name]) => VERSION_REGEXP.test(name))) {
    throw optionError("apiVersion", "versions", "an object with a member for each version, named `v1`, `v2` and so on");
  }
  const versions = new Map(entries.map(([name, version]) => [name, compileVersion(name, version as VersionLifecycle)]));
  return { versions, now: functionOption("apiVersion", "now", options.now, Date.now) };
}

function compileVersion(name: string, version: Readonly<VersionLifecycle>): CompiledVersion {
  const option = `versions.${name}`;
  assertKnownOptions("apiVersion", version, LIFECYCLE);
  const { successor, documentation } = version;
  const deprecated = dateOption(`${option}.deprecated`, version.deprecated);
  const sunset = dateOption(`${option}.sunset`, version.sunset);
  if (sunset !== undefined && deprecated !== undefined && sunset < deprecated) {
    throw optionError("apiVersion", `${option}.sunset`, "no earlier than `deprecated`"); // RFC 9745 section 4
  }

  const fields: [string, string][] = [];
  if (deprecated !== undefined) fields.push(["Deprecation", `@${Math.floor(deprecated / 1000)}`]);
  if (sunset !== undefined) fields.push(["Sunset", new Date(sunset).toUTCString()]);
  const links: [string, (req: Request) => string][] = [];
  if (successor !== undefined) links.push(["successor-version", linkOption(`${option}.successor`, successor)]);
  if (documentation !== undefined) links.push(["deprecation", linkOption(`${option}.documentation`, documentation)]);
  return { fields, links, end: sunset ?? Infinity, obituary: `Version "${name}" of this API has ended.` };
}

function dateOption(option: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (!(value instanceof Date) || Number.isNaN(value.getTime()))
    throw optionError("apiVersion", option, "a valid Date");
  return value.getTime();
}

function linkOption(option: string, value: VersionLink): (req: Request) => string {
  return textPerRequestOption("apiVersion", option, value, isLinkTarget, "an absolute http(s) URL or path");
}
