/*
 * `log_entries` is a view that has a column for each attribute that facts decide, so that filters find facts and described
 * events alike. Its newest migration has its SQL: whoever changes an attribute, a message or a fact adds another migration.
 */

/** The column of an attribute. */
export const columnOf = (attribute: string): string => attribute.replaceAll(".", "_");

/** Attributes that are JSON in the view. */
export const DOCUMENTS: ReadonlySet<string> = new Set([
  ...["requestUri", "url", "method", "statusCode"].map((name) => `debugContext.debugData.${name}`),
  "request.ipChain",
  "client.languages",
]);
