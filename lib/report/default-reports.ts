import { createReports, type Reports } from "./create-reports.js";

/** What `onReport` is by default. It counts for the whole process, so that guards, suites and servers make one table. */
export const DEFAULT_REPORTS: Reports = createReports();
