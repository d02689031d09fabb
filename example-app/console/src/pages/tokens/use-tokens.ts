import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApiToken } from "../../api/types.js";
import type { Pages } from "../../parts/use-pages.js";
import { useWholeList } from "../../parts/use-whole-list.js";

/** Every token that the one of the session may see. */
export function useTokens(): Pages<ApiToken> {
  return useWholeList(["tokens"], "/api/v1/apiTokens");
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
  for (let token = findToken(tokens, id); token?.createdBy?.type === "ApiToken" && !found.has(token.createdBy.id);) {
    found.add(token.createdBy.id);
    token = findToken(tokens, token.createdBy.id);
  }
  return found;
}

export function findToken(tokens: readonly ApiToken[], id: string): ApiToken | undefined {
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
