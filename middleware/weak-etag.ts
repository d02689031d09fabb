import type { Response } from "express";
import {
  compileTagScheme,
  describeLoss,
  describeMismatch,
  type EntityTagComparison,
  evaluatePreconditions,
  isConditional,
  isProtected,
  isReading,
  type Nothing,
  parsePreconditions,
  parseStrength,
  type PreconditionOutcome,
  type Preconditions,
  type RequestEntityTag,
  type Stored,
  type TagMatcher,
  type TagScheme,
  type TagSchemeOptions,
} from "../lib/http/index.js";
import { apiError, type ApiError, createGuard, refuseResponse } from "../lib/errors/index.js";
import { constantHeader, headerWriter, nameRoute, readHeader, routePatternOf } from "../lib/express/index.js";
import {
  assertKnownOptions,
  booleanOption,
  createRequestSlot,
  createWarning,
  functionOption,
  isDevelopment,
  type Middleware,
  type NothingElse,
} from "../lib/factory/index.js";

export type {
  PreconditionOutcome,
  PreviousTagVersion,
  RequestEntityTag,
  TagSchemeOptions,
  TagSource,
  TagVersion,
} from "../lib/http/index.js";

/** Methods that write. */
const UNSAFE: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** How many other writers of the same object may win: in each round one of them succeeds. */
const MAX_ROUNDS = 100;

/** More routes than these get no warning. */
const MAX_WARNINGS = 100;

/** Says that `idempotency()` sends a response again: what it is of was evaluated then. */
const REPLAYED = "Idempotent-Replayed";

/** Fields that describe a body; a 304 has no body. */
const BODY_FIELDS = ["Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding"];

/** Unless the handler says otherwise: kept by the client alone, and asked for each time. */
const revalidate = constantHeader("Cache-Control", "private, no-cache");

const writeTag = headerWriter("ETag");

const slot = createRequestSlot<TaggedExchange>("weakEtag");

export interface WeakEtagOptions extends TagSchemeOptions {
  /**
   * Whether POST, PUT, PATCH and DELETE must have `If-Match`, or `If-None-Match: *`.
   *
   * @default false
   */
  required?: boolean;

  /**
   * Whether a POST, PUT, PATCH or DELETE with preconditions that nothing evaluated gets 500 instead of a 2xx. The handler
   * has written by then; the 500 shows the mistake in tests, before an update is lost.
   *
   * @default false; in development there is a warning for each such route
   */
  enforce?: boolean;

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
  enforce: true,
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
  const { scheme, isMatch, required, enforce } = parseOptions(options);
  const guard = createGuard("weakEtag", (req, res) => {
    const { preconditions, fault } = parsePreconditions(req.method, req.headers);
    if (!preconditions) return ["E0000242", { type: "etag.malformed", causes: [fault] }];
    if (required && UNSAFE.has(req.method) && !isProtected(preconditions)) {
      const causes = [`${req.method} needs If-Match with the ETag of the object that you read; "*" stands for any.`];
      return ["E0009008", { type: "etag.required", causes }];
    }
    slot.set(req, new TaggedExchange(req.method, preconditions, res, scheme, isMatch));
    return undefined;
  });
  return enforce || isDevelopment() ? watchWrites(guard, enforce) : guard;
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
  /** Whether anything asked for the outcome of the preconditions. */
  isEvaluated = false;
  readonly #method: string;
  readonly preconditions: Preconditions;
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
    this.preconditions = preconditions;
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
    if (this.evaluate(current) === "failed") throw mismatchError(this.preconditions, current);
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
    const tag = this.format(entity);
    // the preconditions of a write apply to the object before the write
    const applies = isReading(this.#method) && isConditional(this.preconditions);
    const outcome = applies ? this.#evaluate(this.#scheme.createMatcher(entity, tag)) : "proceed";
    if (outcome === "failed") throw mismatchError(this.preconditions, entity);
    this.#setTag(tag);
    if (outcome === "proceed") this.#res.json(body);
    else this.#sendNotModified();
  }

  #evaluate(hasTag: TagMatcher | undefined): PreconditionOutcome {
    this.isEvaluated = true;
    return evaluatePreconditions(this.#method, this.preconditions, hasTag, this.#isMatch);
  }

  #setTag(tag: string): void {
    writeTag(this.#res, tag);
    if (readHeader(this.#res, "cache-control") === undefined) revalidate(this.#res);
  }

  #sendNotModified(): void {
    for (const name of BODY_FIELDS) this.#res.removeHeader(name);
    this.#res.statusCode = 304;
    this.#res.end();
  }
}

/** `guard`, and a look at the response to each write with preconditions: whether somebody has evaluated them. */
function watchWrites(guard: Middleware, enforce: boolean): Middleware {
  const warn = createWarning(MAX_WARNINGS);

  return function weakEtagMiddleware(req, res, next) {
    const earlier = slot.tryGet(req); // of another weakEtag()
    guard(req, res, (error?: unknown) => {
      const exchange = slot.tryGet(req);
      const isWrite = error === undefined && UNSAFE.has(req.method);
      if (isWrite && exchange && isConditional(exchange.preconditions)) watch(exchange);
      next(error);
    });

    function watch(exchange: TaggedExchange): void {
      const findLoss = (status: number): Error | undefined => {
        const isSuccess = status >= 200 && status < 300 && !res.hasHeader(REPLAYED);
        const isEvaluated = [earlier, exchange, slot.tryGet(req)].some((one) => one?.isEvaluated);
        return isSuccess && !isEvaluated
          ? new Error(describeLoss(exchange.preconditions, nameRoute(req), status))
          : undefined;
      };
      if (enforce) {
        refuseResponse(res, findLoss, next);
      } else {
        res.once("finish", () => {
          const loss = findLoss(res.statusCode);
          if (loss) warn(`${req.method} ${routePatternOf(req)}`, loss.message);
        });
      }
    }
  };
}

function mismatchError(preconditions: Preconditions, current: Stored): ApiError {
  const causes = [describeMismatch(preconditions, Boolean(current))];
  return apiError("E0000231", { type: "etag.mismatch", causes });
}

function parseOptions(options: Readonly<WeakEtagOptions>) {
  assertKnownOptions("weakEtag", options, OPTIONS, "app.use(weakEtag({ … }))");
  const { isStrong, isMatch } = parseStrength("weakEtag", options.strength);
  const now = functionOption("weakEtag", "now", options.now, Date.now);
  return {
    scheme: compileTagScheme("weakEtag", options, { isStrong, now }),
    isMatch,
    required: booleanOption("weakEtag", "required", options.required, false),
    enforce: booleanOption("weakEtag", "enforce", options.enforce, false),
  };
}
