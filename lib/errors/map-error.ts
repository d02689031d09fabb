import { isNativeError, isPromise } from "node:util/types";
import { optionError } from "../factory/index.js";
import { compileApiError } from "./api-error.js";
import type { ErrorCatalogue, ErrorFacts } from "./error-catalogue.js";

/** What a map may return in place of an error: the code of an error of the catalogue, and its facts. */
export interface MappedError extends ErrorFacts<string> {
  /** A code of the suite or of the option `catalogue`. */
  code: string;
}

/** Says what to send for an error. `undefined` leaves the error as it is. */
export type ErrorMap<R> = (error: unknown, req: R) => Error | Readonly<MappedError> | undefined;

/** What became of an error. */
export interface MapOutcome {
  /** What the client is told of: the error that the map returned, otherwise the one that was thrown. */
  readonly shown: unknown;
  /** Why the map failed. */
  readonly failure?: Error;
}

/**
 * Compile the option `map`, with the codes of `catalogue`, to a function that never throws. The first map that returns
 * something decides.
 *
 * @throws {TypeError} when `option` is neither a function nor an array of functions
 */
export function compileErrorMap<R>(
  factory: string,
  option: ErrorMap<R> | readonly ErrorMap<R>[],
  catalogue: ErrorCatalogue,
): (error: unknown, req: R) => MapOutcome {
  const maps = Array.isArray(option) ? [...(option as readonly ErrorMap<R>[])] : [option as ErrorMap<R>];
  if (!maps.every((map) => typeof map === "function")) {
    throw optionError(factory, "map", "a function or an array of functions");
  }
  const apiError = compileApiError(catalogue);

  return function mapError(error, req) {
    try {
      for (const map of maps) {
        const mapped: unknown = map(error, req);
        if (mapped !== undefined) return { shown: toError(mapped) };
      }
      return { shown: error };
    } catch (cause) {
      return {
        shown: error,
        failure: new Error(`${factory}: \`map\` failed; the error was sent without it`, { cause }),
      };
    }
  };

  function toError(mapped: unknown): Error {
    if (isNativeError(mapped) || mapped instanceof Error) return mapped;
    if (typeof mapped === "object" && mapped !== null && typeof (mapped as MappedError).code === "string") {
      const { code, ...facts } = mapped as MappedError;
      return apiError(code, facts);
    }
    if (isPromise(mapped)) mapped.catch(() => undefined); // it may reject, which would end the process
    throw new TypeError("`map` must return an error, { code, detail, causes } or undefined, and not a promise");
  }
}
