import {
  apiError,
  compileApiError,
  errorFormatter,
  type ApiError,
  type ErrorCode,
  type ErrorType,
  type MakeApiError,
} from "etiquette";

export const known: ApiError = apiError("E0000007", { type: "webfinger.unknown", detail: "joe" });
export const type: ErrorType | undefined = known.type;

// @ts-expect-error -- the type is misspelled
export const misspelledType = apiError("E0000007", { type: "webfinger.unknwon" });

// @ts-expect-error -- the catalogue has no such code
export const unknownCode = apiError("E0000002");

// @ts-expect-error -- the fact is misspelled
export const misspelledFact = apiError("E0000007", { cuases: ["No user joe."] });

const makeError = compileApiError({ ORDER0001: { status: 409, summary: "The order can't be changed any more: {0}" } });

export const own: ApiError<"ORDER0001" | ErrorCode, string> = makeError("ORDER0001", { type: "order.shipped" });
export const builtIn = makeError("E0000007", { type: "order.unknown" });

// @ts-expect-error -- neither catalogue has such a code
export const unknownOwnCode = makeError("ORDER0002");

/** Types of an app's own as a closed union. */
export const makeClosed: MakeApiError<ErrorCode, ErrorType | "order.unknown"> = compileApiError({});
export const closed = makeClosed("E0000007", { type: "order.unknown" });

// @ts-expect-error -- the type is not in the union
export const misspelledOwnType = makeClosed("E0000007", { type: "order.unknwon" });

// @ts-expect-error -- an entry needs a summary
export const noSummary = errorFormatter({ catalogue: { ORDER0001: { status: 409 } } });
