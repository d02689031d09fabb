import type { Request, Response } from "express";
import { ENDED, fromStep, type Middleware } from "../factory/index.js";
import { apiError, type ApiError } from "./api-error.js";
import type { ErrorCode, ErrorFacts } from "./error-catalogue.js";

/** Why a request is refused: the arguments of `apiError`. */
export type Refusal = readonly [code: ErrorCode, facts: ErrorFacts & { readonly causes?: readonly string[] }];

/** Returns why a request is refused; `undefined` when it passes. What it throws is an error of the program. */
export type Check = (req: Request, res: Response) => Refusal | typeof ENDED | undefined;

/** Is told of a request that would be refused. Never throws. */
export type Report = (refusal: ApiError, req: Request, res: Response) => void;

/**
 * Make the middleware of a guard: it refuses the requests for which `check` returns a reason.
 *
 * @param name of the factory
 * @param report told of such a request, which then passes
 * @param onRefusal called before a request is refused
 */
export function createGuard(
  name: string,
  check: Check,
  report?: Report,
  onRefusal?: (req: Request, res: Response) => void,
): Middleware {
  return fromStep(`${name}Middleware`, report ? pass(report) : refuse);

  function refuse(req: Request, res: Response): ApiError | typeof ENDED | undefined {
    const refusal = check(req, res);
    if (refusal === undefined || refusal === ENDED) return refusal;
    onRefusal?.(req, res);
    return apiError(...refusal);
  }

  function pass(told: Report): (req: Request, res: Response) => typeof ENDED | undefined {
    return (req, res) => {
      const refusal = check(req, res);
      if (refusal === undefined || refusal === ENDED) return refusal;
      told(apiError(...refusal), req, res);
      return undefined;
    };
  }
}
