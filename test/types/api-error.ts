import { apiError, type ApiError, type ErrorType } from "etiquette";

export const known: ApiError = apiError("E0000007", { type: "webfinger.unknown", detail: "joe" });
export const type: ErrorType | undefined = known.type;

// @ts-expect-error -- the type is misspelled
export const misspelledType = apiError("E0000007", { type: "webfinger.unknwon" });

// @ts-expect-error -- the catalogue has no such code
export const unknownCode = apiError("E0000002");

// @ts-expect-error -- the fact is misspelled
export const misspelledFact = apiError("E0000007", { cuases: ["No user joe."] });
