export { parseCopy, reportErrors } from "./report-body.js";
export { REPORT_OPTIONS, reportOption, type ReportOptions, type TellReport } from "./report-option.js";
export { createReports, formatReport, type RefusalReport, type Reports, type ReportsOptions } from "./reports.js";
