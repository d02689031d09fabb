import { DEFAULT_REPORTS } from "./default-reports.js";

export { createReports, type Reports, type ReportsOptions } from "./create-reports.js";
export type { RefusalReport } from "./refusal-report.js";

/**
 * What would have been refused since the process started, as a table, the most frequent first. It has what is reported
 * without an `onReport` of your own. Of a cluster, each process has its own.
 *
 * @example
 * setInterval(() => console.log(formatReport()), 3_600_000);
 */
export function formatReport(): string {
  return DEFAULT_REPORTS.formatReport();
}
