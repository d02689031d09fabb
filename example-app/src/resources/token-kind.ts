import type { ApiToken } from "../model/records.js";
import type { Kind } from "../rest/kind.js";
import type { createWriter } from "../rest/writing.js";
import type { ApiTokenRow } from "../store/schema.js";

export type TokenEvent = "create" | "revoke" | "rotate";

export type TokenKind = Kind<ApiTokenRow, ApiToken, TokenEvent>;

export type TokenWriter = ReturnType<typeof createWriter<ApiTokenRow, ApiToken, TokenEvent>>;
