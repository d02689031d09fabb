import { z } from "zod";
import type { ApiToken } from "../model/records.js";
import { shapeOf, type ResourceType } from "../rest/resource-type.js";
import type { NamedShape } from "../rest/resource.js";
import type { createWriter } from "../rest/writing.js";
import type { ApiTokenRow } from "../store/contract/schema.js";

type TokenEvent = "create" | "revoke" | "rotate";

export type TokenType = ResourceType<ApiTokenRow, ApiToken, TokenEvent>;

export type TokenWriter = ReturnType<typeof createWriter<ApiTokenRow, ApiToken, TokenEvent>>;

/** A token with its secret, which is shown once. */
export function withSecret(type: TokenType): NamedShape {
  const { name, shape } = shapeOf(type);
  return { name: `${name}WithSecret`, shape: shape.extend({ token: z.string().describe("The secret.") }) };
}
