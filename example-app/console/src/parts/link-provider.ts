import type { JrdLink } from "../api/types.js";

/** The type and the id of the provider that a link leads to; the org itself has no id. */
export function providerOf({ properties }: JrdLink): { type: string | undefined; id: string | undefined } {
  const find = (member: string) => Object.entries(properties).find(([name]) => name.endsWith(member))?.[1];
  return { type: find("type") ?? undefined, id: find("id") ?? undefined };
}
