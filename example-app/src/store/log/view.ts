/*
 * `log_entries` is a view that has a column for each attribute that facts or decisions have, so that filters find facts and
 * described events alike. Its newest migration has its SQL: whoever changes an attribute, a message or a fact adds another migration.
 */

/** The column of an attribute. */
export const columnOf = (attribute: string): string => attribute.replaceAll(".", "_");

/** Members of `debugData` that facts or decisions have. */
export const DEBUG_DATA = [
  ...["requestUri", "url", "method", "statusCode"],
  ...["policyId", "revision", "ruleId", "reason"],
] as const;

/** Attributes that are JSON in the view. */
export const DOCUMENTS: ReadonlySet<string> = new Set([
  ...DEBUG_DATA.map((name) => `debugContext.debugData.${name}`),
  "target",
  "request.ipChain",
  "client.languages",
]);
