import type { Request, Response } from "express";
import { apiError } from "../lib/errors/index.js";
import { isLinkTarget } from "../lib/http/index.js";
import {
  assertKnownOptions,
  createRequestSlot,
  functionOption,
  type Middleware,
  optionError,
  textPerRequestOption,
  type NothingElse,
} from "../lib/factory/index.js";

/** The name of a version in a path. */
const VERSION_REGEXP = /^v[1-9][0-9]*$/;

/** A path segment that the client probably means as a version. Letter case does not matter. */
const VERSION_LIKE_REGEXP = /^v[0-9]+$/i;

const slot = createRequestSlot<string>("apiVersion", "the path of this request names no version");

/** An http(s) URL or an absolute path, or a function that returns one for a request, for example by its org. */
export type VersionLink = string | ((req: Request) => string);

/** The dates and links of a version; `{}` for a current version. */
export interface VersionLifecycle {
  /** The date of its deprecation, past or future: sent as `Deprecation` (RFC 9745). */
  deprecated?: Readonly<Date>;
  /** The date of its end, not before `deprecated`: sent as `Sunset` (RFC 8594). From then on every request is 410. */
  sunset?: Readonly<Date>;
  /** The version to move to: sent as `Link` with `rel="successor-version"` (RFC 5829). */
  successor?: VersionLink;
  /** A page that explains how to move: sent as `Link` with `rel="deprecation"` (RFC 9745 section 3). */
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
 * Read the version of the API from the first segment below the mount path. An unknown version is 404 `E0000008`; every
 * response of a deprecated version announces its end; a version that has ended is 410 `E0000215`. Paths without a version
 * pass. Read the version with {@link getApiVersion}. Mounted on a route, it announces and ends only this operation. Does not
 * route: mount a router for each version after it.
 *
 * @throws {TypeError} when an option is unknown, missing or of the wrong type
 * @example
 * app.use("/api", apiVersion({ versions: { v1: { sunset: new Date("2027-06-30") }, v2: {} } }));
 * app.use("/api/v2", usersV2);
 */
export function apiVersion(options: Readonly<ApiVersionOptions>, ..._: NothingElse): Middleware {
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
      else next(apiError("E0000215", { type: "version.ended", causes: [version.endCause] }));
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
 * The version in the path of `req`.
 *
 * @throws {Error} when `apiVersion()` did not run for this request, or its path names no version
 * @example
 * getApiVersion(req); // "v1"
 */
export function getApiVersion(req: object): string {
  return slot.get(req);
}

/**
 * The version in the path of `req`, or `undefined`.
 *
 * @example
 * const version = tryGetApiVersion(req) ?? "v1";
 */
export function tryGetApiVersion(req: object): string | undefined {
  return slot.tryGet(req);
}

/** A version with its header fields and links, formatted. */
interface CompiledVersion {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly links: readonly (readonly [relation: string, href: (req: Request) => string])[];
  /** Milliseconds since 1970, or Infinity. */
  readonly end: number;
  /** The cause of the error after the end. */
  readonly endCause: string;
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
  assertKnownOptions("apiVersion", options, OPTIONS, "app.use(apiVersion({ … }))");
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
  return { fields, links, end: sunset ?? Infinity, endCause: `Version "${name}" of this operation has ended.` };
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
