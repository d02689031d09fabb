import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request } from "express";
import type { ApiError } from "../errors/index.js";
import { booleanOption, functionOption } from "../factory/index.js";
import { callSafely } from "./call-safely.js";
import { remedyOf } from "./remedies.js";
import { DEFAULT_REPORTS } from "./default-reports.js";
import type { RefusalReport } from "./refusal-report.js";

/** What a guard has that can report instead of refusing. */
export interface ReportOptions<Req extends IncomingMessage = Request> {
  /**
   * Refuse nothing: what would be refused passes unchanged, and `onReport` is called.
   *
   * @default false
   */
  report?: boolean;

  /**
   * Called with `report: true` for each request that would be refused, before it passes. Its result and its errors are ignored.
   *
   * @default counts for `formatReport()`, and writes the first of each kind to `console.warn`
   */
  onReport?: (report: RefusalReport<Req>) => unknown;
}

/** The names of {@link ReportOptions}, for the list of a factory's options. */
export const REPORT_OPTIONS = { report: true, onReport: true } as const;

/** Is told of a request that would be refused. Never throws. */
export type TellReport<Req extends IncomingMessage = Request> = (
  refusal: ApiError,
  req: Req,
  res: ServerResponse | undefined,
) => void;

/** What calls `onReport`; `undefined` unless `report` is true. */
export function reportOption<Req extends IncomingMessage = Request>(
  factory: string,
  options: Readonly<ReportOptions<Req>>,
): TellReport<Req> | undefined {
  const enabled = booleanOption(factory, "report", options.report, false);
  const onReport = functionOption(factory, "onReport", options.onReport, DEFAULT_REPORTS.onReport);
  if (!enabled) return undefined;

  return function tellReport(refusal, req, res) {
    void callSafely(() => onReport(describe(factory, refusal, req, res)));
  };
}

function describe<Req extends IncomingMessage>(
  guard: string,
  { status, code, type, causes, message }: ApiError,
  req: Req,
  res: ServerResponse | undefined,
): RefusalReport<Req> {
  const texts = causes.map(({ errorSummary }) => errorSummary);
  const { rule, option } = remedyOf(type);
  return { req, res, guard, rule, status, code, type, detail: texts.join(" ") || message, causes: texts, option };
}
