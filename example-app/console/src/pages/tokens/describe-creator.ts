import type { ApiToken } from "../../api/types.js";
import { visible } from "../../parts/visible.js";
import { tokens as texts } from "../../texts/en/tokens.js";
import { findToken } from "./use-tokens.js";

/** What made a token, in words. */
export function describeCreator({ createdBy }: ApiToken, tokens: readonly ApiToken[]): string {
  if (createdBy === null) return texts.oldServer;
  const { type, id } = createdBy;
  if (type === "ApiToken") return visible(findToken(tokens, id)?.name ?? texts.tokenWithId({ id }));
  return type === "Command" ? texts.commandLine : texts.accessToken({ id });
}
