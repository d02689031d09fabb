import type { NextFunction, Request, Response } from "express";

/** What Express finds in a path. Every object type is one, and a `Request` of it fits where a plain `Request` is expected. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- with `unknown` it would not fit
type ParamsOf<Params> = { [Name in keyof Params]: any };

/**
 * What a factory returns. It is generic, so it fits every route, and Express still takes the parameters from the path:
 * `req.params.id` is a `string` after any middleware.
 *
 * @example
 * const common: Middleware[] = [requestId(), requestContext()];
 */
export type Middleware = <Params extends ParamsOf<Params>>(
  req: Request<Params>,
  res: Response,
  next: NextFunction,
) => void;

/**
 * A {@link Middleware} that handles errors.
 *
 * @example
 * const last: ErrorMiddleware = errorFormatter();
 */
export type ErrorMiddleware = <Params extends ParamsOf<Params>>(
  error: unknown,
  req: Request<Params>,
  res: Response,
  next: NextFunction,
) => void;

/**
 * The last parameter of every factory. A factory takes no further arguments, but Express would pass some: with this,
 * `app.use(requestId)` without a call is a compile error.
 */
export type NothingElse = readonly never[];

/** Marks the guards of a suite, also those of another copy of the package. */
export const SUITE_GUARDS: unique symbol = Symbol.for("etiquette.suiteGuards");

/**
 * One middleware that runs `handlers` one after the other. Express looks for the next one by path and parameters, which
 * takes longer than most middlewares do.
 */
export function inTurn(handlers: readonly Middleware[]): Middleware {
  const suiteGuards: Middleware = (req, res, next) => {
    let index = 0;
    proceed();

    function proceed(error?: unknown): void {
      const handler = error === undefined ? handlers[index++] : undefined;
      if (handler) handler(req, res, proceed);
      else next(error);
    }
  };
  return Object.assign(suiteGuards, { [SUITE_GUARDS]: true });
}

/** Leaves the request to what follows. */
export const passOn: Middleware = function suiteFallbacks(_req, _res, next) {
  next();
};
