import { z } from "zod";
import type { ApiToken } from "../model/records.js";
import { shapeOf, type Kind } from "../rest/kind.js";
import type { NamedShape } from "../rest/resource.js";
import type { createWriter } from "../rest/writing.js";
import type { ApiTokenRow } from "../store/contract/schema.js";

type TokenEvent = "create" | "revoke" | "rotate";

export type TokenKind = Kind<ApiTokenRow, ApiToken, TokenEvent>;

export type TokenWriter = ReturnType<typeof createWriter<ApiTokenRow, ApiToken, TokenEvent>>;

/** A token with its secret, which is shown once. */
export function withSecret(kind: TokenKind): NamedShape {
  const { name, shape } = shapeOf(kind);
  return { name: `${name}WithSecret`, shape: shape.extend({ token: z.string().describe("The secret.") }) };
}
