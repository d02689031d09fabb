import { assertKnownOptions, optionError } from "../factory/index.js";
import { type EntityTagComparison, strongMatch, weakMatch } from "./entity-tag.js";
import {
  describeMismatch,
  evaluatePreconditions,
  parsePreconditions,
  type PreconditionOutcome,
} from "./preconditions.js";
import { compileTagScheme, type TagVersion } from "./tag-scheme.js";

export type TagStrength = "weak" | "strong";

export interface EntityTagsOptions extends TagVersion {
  /**
   * `"strong"` makes strong tags and compares `If-Match` strongly, exactly as RFC 9110 says. Use it only where the fields
   * determine every byte of the response.
   *
   * @default "weak"
   */
  strength?: TagStrength;
}

const OPTIONS: Record<keyof EntityTagsOptions, true> = { fields: true, revision: true, version: true, strength: true };

/** What decides about preconditions; requests of Node and of most frameworks have it. */
export interface ConditionalRequest {
  readonly method: string;
  /** Names in lower case; several lines of a name are joined by commas. */
  readonly headers: {
    readonly "if-match"?: string | undefined;
    readonly "if-none-match"?: string | undefined;
  };
}

/** The outcome of preconditions: serve the request, or send 304, 412 or 400. `cause` says why, for the 412 and the 400. */
export type EntityTagVerdict =
  | { readonly outcome: Exclude<PreconditionOutcome, "failed">; readonly cause?: undefined }
  | { readonly outcome: "failed" | "malformed"; readonly cause: string };

export interface EntityTags {
  /**
   * The entity tag of `entity`.
   *
   * @throws {TypeError} when it has none of the fields, or a revision that can't be in a tag
   */
  readonly format: (entity: object) => string;
  /** Evaluate `If-Match` and `If-None-Match` (RFC 9110 section 13.2.2) for the current object, or for none. */
  readonly evaluate: (request: ConditionalRequest, current: object | null | undefined) => EntityTagVerdict;
}

/**
 * Compile how entity tags are made and compared, for any framework. On Express, use `weakEtag()`.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * const tags = compileEntityTags({ fields: ["name"] });
 * tags.format({ name: "Ann" }); // 'W/"1.…"'
 * tags.evaluate({ method: "PUT", headers: { "if-match": 'W/"1.old"' } }, { name: "Ann" }).outcome; // "failed"
 */
export function compileEntityTags(options: Readonly<EntityTagsOptions>): EntityTags {
  const factory = "compileEntityTags";
  assertKnownOptions(factory, options, OPTIONS);
  const { isStrong, isMatch } = parseStrength(factory, options.strength);
  const { format, createMatcher } = compileTagScheme(factory, options, { isStrong, now: () => 0 }); // no tags end

  return {
    format,
    evaluate({ method, headers }, current) {
      const { preconditions, fault } = parsePreconditions(method, headers);
      if (!preconditions) return { outcome: "malformed", cause: fault };
      const outcome = evaluatePreconditions(
        method,
        preconditions,
        current ? createMatcher(current) : undefined,
        isMatch,
      );
      if (outcome !== "failed") return { outcome };
      return { outcome, cause: describeMismatch(preconditions, Boolean(current)) };
    },
  };
}

/** The option `strength`: whether tags are strong, and how `If-Match` compares them. */
export function parseStrength(
  factory: string,
  strength: TagStrength = "weak",
): { readonly isStrong: boolean; readonly isMatch: EntityTagComparison } {
  if (strength === "weak") return { isStrong: false, isMatch: weakMatch };
  if ((strength as unknown) === "strong") return { isStrong: true, isMatch: strongMatch };
  throw optionError(factory, "strength", '"weak" or "strong"');
}
