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

/** A guard that ends the response itself, without an error, returns it. */
export const ENDED: unique symbol = Symbol("etiquette.ended");

/** Let the request pass, or return the error to refuse it with. It decides at once. */
export type Step = (req: Request, res: Response) => Error | typeof ENDED | undefined;

const STEP: unique symbol = Symbol("etiquette.step");

type Stepping = Middleware & { readonly [STEP]?: Step };

/**
 * Make a middleware of `step`. In a suite, `step` runs without it.
 *
 * @param name the name of the function, which a stack trace shows
 */
export function fromStep(name: string, step: Step): Middleware {
  const middleware: Middleware = (req, res, next) => {
    const outcome = step(req, res);
    if (outcome === undefined) next();
    else if (outcome !== ENDED) next(outcome);
  };
  Object.defineProperty(middleware, "name", { value: name });
  return Object.assign(middleware, { [STEP]: step });
}

/**
 * One middleware that runs `handlers` one after the other. Express looks for the next one by path and parameters, which
 * takes longer than most middlewares do. Those made of a step need no `next` either.
 */
export function inTurn(handlers: readonly Middleware[]): Middleware {
  const steps = handlers.map((handler: Stepping) => handler[STEP]);

  const suiteGuards: Middleware = (req, res, next) => {
    run(0, req, res, next);
  };
  return Object.assign(suiteGuards, { [SUITE_GUARDS]: true });

  function run(first: number, req: Request, res: Response, next: NextFunction): void {
    for (let index = first; index < handlers.length; index++) {
      const step = steps[index];
      if (step === undefined) {
        handlers[index]?.(req, res, after(index, req, res, next));
        return;
      }
      const outcome = step(req, res);
      if (outcome === undefined) continue;
      if (outcome !== ENDED) next(outcome);
      return;
    }
    next();
  }

  /** A function in the loop would cost each of its rounds an object for its variables. */
  function after(index: number, req: Request, res: Response, next: NextFunction): NextFunction {
    return (error?: unknown) => {
      if (error === undefined) resume(index + 1, req, res, next);
      else next(error);
    };
  }

  /** Express no longer catches what is thrown here. */
  function resume(first: number, req: Request, res: Response, next: NextFunction): void {
    try {
      run(first, req, res, next);
    } catch (error) {
      next(error);
    }
  }
}

/** Leaves the request to what follows. */
export const passOn: Middleware = function suiteFallbacks(_req, _res, next) {
  next();
};

/** Leaves the error to what follows. */
export const passErrorOn: ErrorMiddleware = function suiteFallbacks(error, _req, _res, next) {
  next(error);
};
