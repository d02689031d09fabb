import type { Request } from "express";
import { apiError, type ErrorCode } from "../lib/errors/index.js";
import {
  findParsedTextFault,
  findProtectedChange,
  maxDepthOption,
  protectedAttributesOption,
} from "../lib/faults/index.js";
import { excerpt } from "../lib/text/index.js";
import {
  applyJsonPatch,
  applyMergePatch,
  DEFAULT_MAX_STEPS,
  findExceededLimit,
  isJsonEqual,
  JSON_PATCH_TYPE,
  type JsonLimits,
  MERGE_PATCH_TYPE,
  parseJsonPatch,
  PatchError,
  type PatchFaultReason,
  toJsonForm,
} from "../lib/json/index.js";
import { isUtf8, parseMediaType } from "../lib/http/index.js";
import {
  assertKnownOptions,
  createRequestSlot,
  integerOption,
  maxBytesPerCharacterOption,
  type Middleware,
  optionError,
  stringsOption,
  type NothingElse,
} from "../lib/factory/index.js";

/**
 * The media types of patches, for the body parser.
 *
 * @example
 * app.patch("/users/:id", jsonBody({ consumes: PATCH_TYPES }), patch());
 */
export const PATCH_TYPES: readonly [jsonPatch: string, mergePatch: string] = [JSON_PATCH_TYPE, MERGE_PATCH_TYPE];

const OPERATIONS = { fallback: 100, min: 1, max: 10_000 };
const STEPS = { fallback: DEFAULT_MAX_STEPS, min: 1, max: 10_000_000 };

const RESULT_SIZE = { fallback: 1_048_576, min: 1, max: 1_073_741_824 };

const MEMBERS = { fallback: 10_000, min: 1, max: 1_000_000 };

/** What a limit counts, for its error. */
const COUNTED: Readonly<Record<keyof JsonLimits, string>> = {
  size: "characters",
  depth: "levels of arrays and objects",
  members: "members and elements",
};

/** RFC 5789 section 2.2. */
const CODES: Readonly<Record<PatchFaultReason, ErrorCode>> = {
  malformed: "E0000003",
  count: "E0009003",
  steps: "E0009003",
  path: "E0000195",
  test: "E0000195",
};

/** The patch of a request. */
export interface RequestPatch {
  /** The media type, one of {@link PATCH_TYPES}. */
  readonly type: string;

  /**
   * Apply the whole patch to `document`, or nothing of it, and return the result. `document` is taken as JSON has it: a
   * Date is its text. It is not changed. The result shares unchanged parts with it, so change neither of them afterwards.
   *
   * @throws {ApiError} for `next`: 409 `E0000195` when a path does not exist or a test fails, 413 `E0009003` when it takes
   *   more than `maxSteps`, 422 `E0009006` when the result exceeds a limit, 403 `E0000077` or `E0000078` when a read-only
   *   or immutable attribute would change
   * @throws {TypeError} when a part of `document` has no form in JSON, such as a Map
   */
  apply(document: unknown): unknown;
}

export interface PatchOptions {
  /**
   * The media types to accept, one or both of {@link PATCH_TYPES}.
   *
   * @default PATCH_TYPES
   */
  consumes?: readonly string[];

  /**
   * The most operations of a JSON Patch, 1–10,000.
   *
   * @default 100
   */
  maxOperations?: number;

  /**
   * The most steps of a JSON Patch, 1–10,000,000. The page of this middleware says what is a step.
   *
   * @default 20000
   */
  maxSteps?: number;

  /**
   * The most characters of the result as JSON text, 1–1,073,741,824.
   *
   * @default 1048576
   */
  maxResultSize?: number;

  /**
   * How many levels of arrays and objects the result may have, 1–2,000.
   *
   * @default 1000
   */
  maxDepth?: number;

  /**
   * The most members of objects and elements of arrays in the whole result, 1–1,000,000.
   *
   * @default 10000
   */
  maxMembers?: number;

  /**
   * JSON Pointers of attributes that only the server sets, such as `/id`. A patch that would change one is 403
   * `E0000077`; a patch that sets the same value passes.
   *
   * @default []
   */
  readOnly?: readonly string[];

  /**
   * JSON Pointers of attributes that can be set once. A patch may add one that is absent; changing it is 403 `E0000078`.
   *
   * @default []
   */
  immutable?: readonly string[];

  /**
   * How many bytes of UTF-8 a character may take: 3 refuses characters beyond U+FFFF such as emoji, 4 accepts them.
   *
   * @default 3
   */
  maxBytesPerCharacter?: 3 | 4;
}

const OPTIONS: Record<keyof PatchOptions, true> = {
  consumes: true,
  maxOperations: true,
  maxSteps: true,
  maxResultSize: true,
  maxDepth: true,
  maxMembers: true,
  readOnly: true,
  immutable: true,
  maxBytesPerCharacter: true,
};

const slot = createRequestSlot<RequestPatch>("patch", "the method of this request is not PATCH");

/**
 * Read a JSON Patch (RFC 6902) or a JSON Merge Patch (RFC 7396) from the `req.body` of a PATCH request. Get it with
 * {@link getPatch}. Another type is 415 `E0000021` with `Accept-Patch`. Requests with other methods pass. Does not parse
 * the body: mount `jsonBody({ consumes: PATCH_TYPES })` before it. Does not store the result.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 * @example
 * app.patch("/users/:id", jsonBody({ consumes: PATCH_TYPES }), patch({ readOnly: ["/id"] }), (req, res) => {
 *   res.json(getPatch(req).apply(findUser(req.params.id)));
 * });
 */
export function patch(options: Readonly<PatchOptions> = {}, ..._: NothingElse): Middleware {
  const { consumes, maxOperations, maxSteps, limits, protectedAttributes, maxBytes } = parseOptions(options);
  const acceptPatch = consumes.join(", ");

  return function patchMiddleware(req, _res, next) {
    if (req.method !== "PATCH") {
      slot.set(req, null);
      next();
      return;
    }
    try {
      slot.set(req, readPatch(req));
    } catch (error) {
      next(toApiError(error));
      return;
    }
    next();
  };

  function readPatch(req: Request): RequestPatch {
    const type = readType(req.headers["content-type"]);
    const applyPatch = compile(type, readBody(req, maxBytes));
    return {
      type,
      apply(document) {
        const before = toJsonForm(document);
        try {
          const result = applyPatch(before);
          checkResult(before, result);
          return result;
        } catch (error) {
          throw toApiError(error);
        }
      },
    };
  }

  function readType(sent: string | undefined): string {
    const mediaType = parseMediaType(sent ?? "");
    if (mediaType && consumes.includes(mediaType.type) && isUtf8(mediaType)) return mediaType.type;
    const causes = [`Content-Type is ${sent === undefined ? "missing" : excerpt(sent)}; accepted: ${acceptPatch}.`];
    throw apiError("E0000021", { type: "patch.unsupported", causes, headers: { "Accept-Patch": acceptPatch } });
  }

  function compile(type: string, body: unknown): (document: unknown) => unknown {
    if (type === MERGE_PATCH_TYPE) return (document) => applyMergePatch(document, body);
    const operations = parseJsonPatch(body, maxOperations, maxSteps);
    return (document) => applyJsonPatch(document, operations, maxSteps);
  }

  function checkResult(document: unknown, result: unknown): void {
    const exceeded = findExceededLimit(result, limits);
    if (exceeded) {
      const causes = [`The result of the patch has more than ${limits[exceeded]} ${COUNTED[exceeded]}.`];
      throw apiError("E0009006", { type: "patch.too-large", causes });
    }
    const fault = findProtectedChange(document, result, protectedAttributes);
    if (fault) throw apiError(...fault);
  }
}

/**
 * The patch that {@link patch} read from `req`.
 *
 * @throws {Error} when `patch()` did not run for this request, or its method is not PATCH
 * @example
 * const changed = getPatch(req).apply(user);
 */
export function getPatch(req: object): RequestPatch {
  return slot.get(req);
}

/**
 * The patch that {@link patch} read from `req`, or `undefined` when there is none.
 *
 * @example
 * const changed = tryGetPatch(req)?.apply(user) ?? req.body;
 */
export function tryGetPatch(req: object): RequestPatch | undefined {
  return slot.tryGet(req);
}

function readBody(req: Request, maxBytes: 3 | 4): unknown {
  const { body, headers } = req as { body: unknown; headers: Request["headers"] };
  const length = headers["content-length"];
  const isEmpty = length === "0" || (length === undefined && headers["transfer-encoding"] === undefined);
  // For a request without a body, the body parser of Express 4 sets an empty object, that of Express 5 nothing.
  if (isEmpty && (body === undefined || isJsonEqual(body, {}))) {
    throw apiError("E0000003", { type: "patch.missing", causes: ["The request has no body."] });
  }
  if (body === undefined) {
    throw new TypeError("patch: mount jsonBody({ consumes: PATCH_TYPES }) before patch(), which finds no req.body");
  }
  const fault = findParsedTextFault(body, "patch", maxBytes);
  if (fault) throw apiError(...fault);
  return body;
}

function toApiError(error: unknown): unknown {
  if (!(error instanceof PatchError)) return error;
  const { reason, message } = error;
  return apiError(CODES[reason], { type: `patch.${reason}`, detail: message, causes: [message] });
}

function parseOptions(options: Readonly<PatchOptions>) {
  assertKnownOptions("patch", options, OPTIONS);
  const consumes = stringsOption("patch", "consumes", options.consumes, PATCH_TYPES);
  if (consumes.length === 0 || !consumes.every((type) => PATCH_TYPES.includes(type))) {
    throw optionError("patch", "consumes", `a non-empty array of ${PATCH_TYPES.join(" and ")}`);
  }
  return {
    consumes,
    maxOperations: integerOption("patch", "maxOperations", options.maxOperations, OPERATIONS),
    maxSteps: integerOption("patch", "maxSteps", options.maxSteps, STEPS),
    limits: {
      size: integerOption("patch", "maxResultSize", options.maxResultSize, RESULT_SIZE),
      depth: maxDepthOption("patch", options.maxDepth),
      members: integerOption("patch", "maxMembers", options.maxMembers, MEMBERS),
    },
    maxBytes: maxBytesPerCharacterOption("patch", options.maxBytesPerCharacter),
    protectedAttributes: [
      ...protectedAttributesOption("patch", "readOnly", options.readOnly),
      ...protectedAttributesOption("patch", "immutable", options.immutable),
    ],
  };
}
