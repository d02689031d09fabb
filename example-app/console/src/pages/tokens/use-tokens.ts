import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { PAGE_SIZE } from "../../api/queries.js";
import type { ApiToken } from "../../api/types.js";
import { usePages, type Pages } from "../../parts/use-pages.js";
import { visible } from "../../parts/visible.js";

/** Every token that the one of the session may see, by name. */
export function useTokens(): Pages<ApiToken> {
  const pages = usePages<ApiToken>(["tokens"], `/api/v1/apiTokens?limit=${PAGE_SIZE}`);
  const { onMore } = pages;
  useEffect(() => onMore?.(), [onMore]);
  return pages;
}

/** The result, which may have a secret, is forgotten with the component. */
export function useTokenWrite<V, T>(write: (values: V) => Promise<T>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: write,
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: ["tokens"] }),
  });
}

/** The tokens below one: those that it made, and those that they made. */
export function below(tokens: readonly ApiToken[], id: string): ApiToken[] {
  const children = tokens.filter(({ createdBy }) => createdBy?.type === "ApiToken" && createdBy.id === id);
  return children.flatMap((child) => [child, ...below(tokens, child.id)]);
}

/** A token and those above it. */
export function withAncestors(tokens: readonly ApiToken[], id: string): ReadonlySet<string> {
  const found = new Set([id]);
  for (let token = find(tokens, id); token?.createdBy?.type === "ApiToken" && !found.has(token.createdBy.id);) {
    found.add(token.createdBy.id);
    token = find(tokens, token.createdBy.id);
  }
  return found;
}

function find(tokens: readonly ApiToken[], id: string): ApiToken | undefined {
  return tokens.find((token) => token.id === id);
}

export function isExpired({ expiresAt }: ApiToken): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

/** The token of a link is for its session alone: nobody gets a secret of it. */
export function isRotatable(token: ApiToken): boolean {
  const { createdBy } = token;
  return !isExpired(token) && !(createdBy?.type === "Command" && createdBy.id === "console");
}

/** What made a token, in words. */
export function describeCreator({ createdBy }: ApiToken, tokens: readonly ApiToken[]): string {
  if (createdBy === null) return "an older version of the server";
  const { type, id } = createdBy;
  if (type === "ApiToken") return visible(find(tokens, id)?.name ?? `the token ${id}`);
  return type === "Command" ? "the command line" : `an access token of ${id}`;
}
