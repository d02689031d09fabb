import type { LogEvent } from "../../api/types.js";

export type Severity = LogEvent["severity"];

/** The least first. */
export const SEVERITIES: readonly Severity[] = ["DEBUG", "INFO", "WARN", "ERROR"];
