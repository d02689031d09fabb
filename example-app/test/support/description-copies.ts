import { join } from "node:path";

const DOCS = join(__dirname, "../../../docs");

/** The copies of the descriptions, by version. */
export const COPIES: Readonly<Record<string, string>> = {
  v1: join(DOCS, "openapi.json"),
  v2: join(DOCS, "openapi-v2.json"),
};
