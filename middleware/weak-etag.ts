import type { Response } from "express";
import {
  compileTagScheme,
  type EntityTagComparison,
  evaluatePreconditions,
  parsePreconditions,
  type PreconditionOutcome,
  type Preconditions,
  strongMatch,
  type TagMatcher,
  type TagScheme,
  type TagSchemeOptions,
  weakMatch,
} from "../lib/http/index.js";
import { apiError, type ApiError, createGuard } from "../lib/errors/index.js";
import { constantHeader, headerWriter } from "../lib/express/index.js";
import {
  assertKnownOptions,
  booleanOption,
  createRequestSlot,
  functionOption,
  type Middleware,
  optionError,
  type NothingElse,
} from "../lib/factory/index.js";

export type {
  PreconditionOutcome,
  PreviousTagVersion,
  TagSchemeOptions,
  TagSource,
  TagVersion,
} from "../lib/http/index.js";

/** Methods that write. */
const UNSAFE: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

const STRENGTHS: ReadonlySet<unknown> = new Set(["weak", "strong"]);

/** How many other writers of the same object may win: in each round one of them succeeds. */
const MAX_ROUNDS = 100;

/** Fields that describe a body; a 304 has no body. */
const BODY_FIELDS = ["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding"];

/** Unless the handler says otherwise: kept by the client alone, and asked for each time. */
const revalidate = constantHeader("Cache-Control", "private, no-cache");

const writeTag = headerWriter("ETag");

const slot = createRequestSlot<RequestEntityTag>("weakEtag");

/** The object in the store; nothing when there is none. */
type Stored = object | null | undefined;

/** The result of `write` when it wrote nothing. */
type Nothing = false | null | undefined;

/** The preconditions of one request, and the tags for its response. */
export interface RequestEntityTag {
  /**
   * Evaluate the preconditions for the current object (RFC 9110 section 13.2.2). `"proceed"` when there are none.
   * `"not-modified"` only for GET and HEAD.
   */
  evaluate(current: Stored): PreconditionOutcome;

  /** Whether the request may proceed. For a store that compares and writes in one step. */
  matches(current: Stored): boolean;

  /**
   * Throw unless the request may proceed. Two concurrent writers may both pass, unless the store compares when it writes.
   *
   * @throws {Error} 412 `E0000231` when the preconditions failed
   */
  assert(current: Stored): void;

  /**
   * Read, check the preconditions, write. Repeat when `write` finds that the object has changed since it was read, as long
   * as the preconditions hold. Of several writers with the same tag, exactly one succeeds.
   *
   * @param read gets the object. Throw a 404 here when the object must exist
   * @param write writes only if the store still has what was read (`UPDATE … WHERE id = ? AND version = ?`) and returns
   *   what it wrote; `undefined`, `null` or `false` when the store had something else
   * @returns the result of `write`
   * @throws {Error} 412 `E0000231` when the preconditions failed, 409 `E0000195` when others changed the object 100 times
   */
  compareAndSet<T extends Stored, W>(
    read: () => T | Promise<T>,
    write: (current: T) => W | Nothing | Promise<W | Nothing>,
  ): Promise<W>;

  /** The entity tag of `entity`. */
  format(entity: object): string;

  /** Put `ETag` on the response, and `Cache-Control: private, no-cache` unless there is a `Cache-Control`. */
  set(entity: object): void;

  /**
   * Send `entity` with its tag: 304 when the client has it already, otherwise `res.json(body)` with the status that was
   * set.
   *
   * @param body what the client may see of `entity`; `entity` itself by default
   * @throws {Error} 412 `E0000231` for a GET or HEAD whose `If-Match` failed
   */
  send(entity: object, body?: unknown): void;
}

export interface WeakEtagOptions extends TagSchemeOptions {
  /**
   * Whether POST, PUT, PATCH and DELETE must have `If-Match`, or `If-None-Match: *`.
   *
   * @default false
   */
  required?: boolean;

  /**
   * `"strong"` makes strong tags and compares `If-Match` strongly, exactly as RFC 9110 says. Use it only where the fields
   * determine every byte of the response.
   *
   * @default "weak"
   */
  strength?: "weak" | "strong";

  /**
   * The current time, in milliseconds since 1970.
   *
   * @default Date.now
   */
  now?: () => number;
}

const OPTIONS: Record<keyof WeakEtagOptions, true> = {
  fields: true,
  revision: true,
  version: true,
  previous: true,
  required: true,
  strength: true,
  now: true,
};

/**
 * Make entity tags from the members of an object that matter, and parse `If-Match` and `If-None-Match`. A malformed
 * precondition is 400 `E0000242`. The handler has the object, so it evaluates the preconditions and sets the tag, with
 * {@link getEntityTag}. Does not change a response on which the handler sets no tag.
 *
 * @throws {TypeError} when an option is unknown, missing, of the wrong type or out of bounds
 * @example
 * app.use(weakEtag({ fields: ["name", "email"] }));
 * app.get("/users/:id", async (req, res) => getEntityTag(req).send(await findUser(req.params.id)));
 */
export function weakEtag(options: Readonly<WeakEtagOptions>, ..._: NothingElse): Middleware {
  const { scheme, isMatch, required } = parseOptions(options);

  return createGuard("weakEtag", (req, res) => {
    const { preconditions, fault } = parsePreconditions(req.method, req.headers);
    if (!preconditions) return ["E0000242", { type: "etag.malformed", causes: [fault] }];
    if (required && UNSAFE.has(req.method) && !isProtected(preconditions)) {
      const causes = [`${req.method} needs If-Match with the ETag of the object that you read; "*" stands for any.`];
      return ["E0009008", { type: "etag.required", causes }];
    }
    slot.set(req, new TaggedExchange(req.method, preconditions, res, scheme, isMatch));
    return undefined;
  });
}

/**
 * The preconditions of `req`, and the tags for its response.
 *
 * @throws {Error} when `weakEtag()` did not run for this request
 * @example
 * getEntityTag(req).send(user);
 */
export function getEntityTag(req: object): RequestEntityTag {
  return slot.get(req);
}

/**
 * The preconditions of `req`, and the tags for its response; `undefined` when {@link weakEtag} did not run.
 *
 * @example
 * tryGetEntityTag(req)?.set(user);
 */
export function tryGetEntityTag(req: object): RequestEntityTag | undefined {
  return slot.tryGet(req);
}

class TaggedExchange implements RequestEntityTag {
  readonly #method: string;
  readonly #preconditions: Preconditions;
  readonly #res: Response;
  readonly #scheme: TagScheme;
  readonly #isMatch: EntityTagComparison;

  constructor(
    method: string,
    preconditions: Preconditions,
    res: Response,
    scheme: TagScheme,
    isMatch: EntityTagComparison,
  ) {
    this.#method = method;
    this.#preconditions = preconditions;
    this.#res = res;
    this.#scheme = scheme;
    this.#isMatch = isMatch;
  }

  evaluate(current: Stored): PreconditionOutcome {
    return this.#evaluate(current ? this.#scheme.createMatcher(current) : undefined);
  }

  matches(current: Stored): boolean {
    return this.evaluate(current) === "proceed";
  }

  assert(current: Stored): void {
    if (this.evaluate(current) === "failed") throw mismatchError(this.#preconditions, current);
  }

  async compareAndSet<T extends Stored, W>(
    read: () => T | Promise<T>,
    write: (current: T) => W | Nothing | Promise<W | Nothing>,
  ): Promise<W> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const current = await read();
      this.assert(current);
      const written = await write(current);
      if (written !== undefined && written !== null && written !== false) return written;
    }
    const causes = [`The object was changed ${MAX_ROUNDS} times by others in the meantime; try again.`];
    throw apiError("E0000195", { type: "etag.contention", detail: "concurrent changes", causes });
  }

  format(entity: object): string {
    return this.#scheme.format(entity);
  }

  set(entity: object): void {
    this.#setTag(this.format(entity));
  }

  send(entity: object, body: unknown = entity): void {
    const isRead = this.#method === "GET" || this.#method === "HEAD";
    const tag = this.format(entity);
    // the preconditions of a write apply to the object before the write
    const { ifMatch, ifNoneMatch } = this.#preconditions;
    const isConditional = isRead && (ifMatch !== undefined || ifNoneMatch !== undefined);
    const outcome = isConditional ? this.#evaluate(this.#scheme.createMatcher(entity, tag)) : "proceed";
    if (outcome === "failed") throw mismatchError(this.#preconditions, entity);
    this.#setTag(tag);
    if (outcome === "proceed") this.#res.json(body);
    else this.#sendNotModified();
  }

  #evaluate(hasTag: TagMatcher | undefined): PreconditionOutcome {
    return evaluatePreconditions(this.#method, this.#preconditions, hasTag, this.#isMatch);
  }

  #setTag(tag: string): void {
    writeTag(this.#res, tag);
    if (!this.#res.hasHeader("cache-control")) revalidate(this.#res);
  }

  #sendNotModified(): void {
    for (const name of BODY_FIELDS) this.#res.removeHeader(name);
    this.#res.statusCode = 304;
    this.#res.end();
  }
}

/** Whether a write can't overwrite an unseen change. `If-None-Match` with a tag excludes only that one state. */
function isProtected({ ifMatch, ifNoneMatch }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch === "*";
}

function mismatchError(preconditions: Preconditions, current: Stored): ApiError {
  const causes = [describeMismatch(preconditions, current)];
  return apiError("E0000231", { type: "etag.mismatch", causes });
}

function describeMismatch({ ifMatch, ifNoneMatch }: Preconditions, current: Stored): string {
  if (!current) return "If-Match requires that the object exists; it does not.";
  if (ifNoneMatch === undefined) return "If-Match does not have the current tag of the object; get it again.";
  if (ifMatch === undefined) return "If-None-Match excludes the object that exists.";
  return "If-Match and If-None-Match do not both allow the current object; get it again.";
}

function parseOptions(options: Readonly<WeakEtagOptions>) {
  assertKnownOptions("weakEtag", options, OPTIONS, "app.use(weakEtag({ … }))");
  const { strength = "weak" } = options;
  if (!STRENGTHS.has(strength)) throw optionError("weakEtag", "strength", '"weak" or "strong"');
  const isStrong = strength === "strong";
  const now = functionOption("weakEtag", "now", options.now, Date.now);
  return {
    scheme: compileTagScheme("weakEtag", options, { isStrong, now }),
    isMatch: isStrong ? strongMatch : weakMatch,
    required: booleanOption("weakEtag", "required", options.required, false),
  };
}
