import type { Request } from "express";
import { optionError } from "../factory/index.js";

/** One value for all requests, or a function that returns or promises the value for a request, such as that of its org. */
export type PerRequest<T> = T | ((req: Request) => T | Promise<T>);

/** Compile an option that is a value, or a function that returns one for each request. Both are checked. */
export function perRequestOption<T>(
  factory: string,
  option: string,
  value: PerRequest<T>,
  isValid: (candidate: unknown) => candidate is T,
  expected: string,
): (req: Request) => T | Promise<T> {
  if (typeof value === "function") {
    const valueOf = value as (req: Request) => T | Promise<T>;
    return async (req) => check(await valueOf(req));
  }
  const constant = check(value);
  return () => constant;

  function check(candidate: unknown): T {
    if (isValid(candidate)) return candidate;
    throw optionError(factory, option, `${expected}, or a function that returns one`);
  }
}
