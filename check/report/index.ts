import type { Format } from "./format.js";
import { JSON_REPORT } from "./json.js";
import { JUNIT } from "./junit.js";
import { MARKDOWN } from "./markdown.js";
import { SARIF } from "./sarif.js";
import { TEXT } from "./text.js";

export type FormatName = "text" | "json" | "sarif" | "junit" | "markdown";

/** Every format by its name on the command line, the default first. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  text: TEXT,
  json: JSON_REPORT,
  sarif: SARIF,
  junit: JUNIT,
  markdown: MARKDOWN,
};

export { type Context, type Format } from "./format.js";
