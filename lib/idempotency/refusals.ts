import { apiError, type ApiError, type ErrorType } from "../errors/index.js";
import { excerpt } from "../text/index.js";
import { MAX_KEY_LENGTH } from "./key.js";

/** The error for a request that has no key, or not one, in the lines `sent`; `undefined` when it needs none. */
export function findKeyFault(sent: readonly string[], isRequired: boolean): ApiError | undefined {
  if (sent.length === 0) {
    if (!isRequired) return undefined;
    const causes = [
      "Idempotency-Key is missing. Send a new random key, such as a UUID, and the same one when you repeat the request.",
    ];
    return apiError("E0000028", { type: "idempotency.missing", causes });
  }
  const causes =
    sent.length > 1
      ? ["Idempotency-Key comes more than once; send one."]
      : [
          `Idempotency-Key ${excerpt(sent[0] ?? "")} is not a string of 1 to ${MAX_KEY_LENGTH} characters, such as "8e03978e-40d5-43dd-bc93-6894a57f9324".`,
        ];
  return apiError("E0009000", { type: "idempotency.malformed", causes });
}

export function mismatch(): ApiError {
  const causes = [
    "This Idempotency-Key came before with another method, target, Content-Type or body. Send a new key with a new request.",
  ];
  return apiError("E0009006", { type: "idempotency.mismatch", causes });
}

export function underWay(): ApiError {
  const causes = ["The first request with this Idempotency-Key is still under way. Send it again later."];
  return conflict("idempotency.under-way", causes, { "Retry-After": "1" });
}

export function interrupted(): ApiError {
  return conflict("idempotency.interrupted", [
    "The first request with this Idempotency-Key was interrupted. It is not known whether it was carried out; look before you send it with a new key.",
  ]);
}

export function notKept(limit: number): ApiError {
  return conflict("idempotency.not-kept", [
    `The first request with this Idempotency-Key was carried out. Its response has more than ${limit} bytes and was not kept.`,
  ]);
}

function conflict(type: ErrorType, causes: readonly string[], headers?: Readonly<Record<string, string>>): ApiError {
  return apiError("E0000195", { type, detail: "Idempotency-Key", causes, ...(headers && { headers }) });
}
