import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import { routePatternOf } from "../express/index.js";
import { assertKnownOptions, createRequestSlot, integerOption, optionError } from "../factory/index.js";
import { excerpt, formatPrintable } from "../text/index.js";
import { callSafely } from "./call-safely.js";
import type { RefusalReport } from "./refusal-report.js";

/** More than most APIs have routes that clients use wrongly. */
const MAX_ROWS = 200;
const HIGHEST_MAX_ROWS = 10_000;

const OTHER_ROUTES = "(other routes)";
const NO_ROUTE = "(no route)";

/** The address behind trusted proxies, where `requestContext()` ran before. */
const contexts = createRequestSlot<{ readonly ip: string | null }>("requestContext");

type AnyReport = RefusalReport<IncomingMessage>;

export interface ReportsOptions {
  /**
   * How many kinds of refusals are counted apart, by type and route, 1–10,000. Those of further routes are counted together,
   * in one row for each type.
   *
   * @default 200
   */
  maxRows?: number;

  /**
   * Called for the first refusal of each kind, with a line that says what to do. What it throws is ignored. `false` logs
   * nothing.
   *
   * @default console.warn
   */
  log?: false | ((line: string, report: RefusalReport<IncomingMessage>) => unknown);
}

/** Counts what would be refused. */
export interface Reports {
  /** For the option `onReport` of a guard, `suite()` or `createServer()`. It counts when the response is over: the route is known then. */
  readonly onReport: (report: RefusalReport<IncomingMessage>) => void;
  /** The counts as a table, the most frequent first. */
  readonly formatReport: () => string;
}

/** What is counted together. */
interface Row extends Pick<AnyReport, "rule" | "status" | "code" | "type" | "option"> {
  readonly route: string;
  count: number;
}

/**
 * Count what would be refused, apart from `formatReport()`, or with a log of your own. Its memory is bounded, whatever
 * clients send.
 *
 * @throws {TypeError} when an option is unknown, of the wrong type or out of bounds
 * @example
 * const reports = createReports({ log: (line) => logger.info(line) });
 * const { guards } = suite({ mode: "report", onReport: reports.onReport });
 * app.get("/report", (_req, res) => res.type("text").send(reports.formatReport()));
 */
export function createReports(options: Readonly<ReportsOptions> = {}): Reports {
  const { maxRows, log } = parseOptions(options);
  const rows = new Map<string, Row>();
  let apart = 0;

  return { onReport, formatReport: () => formatTable([...rows.values()]) };

  function onReport(report: AnyReport): void {
    const { req, res } = report;
    const client = describeClient(req); // a closed socket has no address
    const countNow = (): void => {
      count(report, client);
    };
    if (res === undefined || res.closed) countNow();
    else res.once("close", countNow);
  }

  function count(report: AnyReport, client: string): void {
    const row = findRow(report);
    if (row.count++ > 0) return;
    void callSafely(() => log(formatLine(report, row.route, client), report));
  }

  function findRow(report: AnyReport): Row {
    const route = formatRoute(report.req);
    return rows.get(keyOf(report, route)) ?? addRow(report, apart < maxRows ? route : OTHER_ROUTES);
  }

  function addRow(report: AnyReport, route: string): Row {
    const key = keyOf(report, route);
    const known = rows.get(key);
    if (known) return known;
    if (route !== OTHER_ROUTES) apart++;
    const { rule, status, code, type, option } = report;
    const row = { rule, status, code, type, option, route, count: 0 };
    rows.set(key, row);
    return row;
  }
}

function keyOf({ type, code }: AnyReport, route: string): string {
  return `${String(type)} ${code} ${route}`;
}

function formatRoute(req: IncomingMessage): string {
  const pattern = routePatternOf(req as Request);
  return pattern === undefined ? NO_ROUTE : `${req.method} ${pattern}`;
}

function describeClient(req: IncomingMessage): string {
  const address = contexts.tryGet(req)?.ip ?? req.socket.remoteAddress ?? "an unknown address";
  const { "user-agent": userAgent } = req.headers;
  return userAgent === undefined ? `${address}, without User-Agent` : `${address}, ${excerpt(userAgent)}`;
}

function formatLine(report: AnyReport, route: string, client: string): string {
  const { guard, rule, status, code, type, detail, option } = report;
  return formatPrintable(
    `${guard} would refuse ${route} with ${status} ${code} (${rule}, ${String(type)}): ${detail} The client: ${client}. To allow it: ${option}.`,
  );
}

function formatTable(rows: readonly Row[]): string {
  const sorted = rows.toSorted((a, b) => b.count - a.count);
  const lines = [
    ["count", "rule", "response", "type", "route", "to allow it"],
    ...sorted.map(({ count, rule, status, code, type, route, option }) =>
      [String(count), rule, `${status} ${code}`, String(type), route, option].map(formatPrintable),
    ),
  ];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => align(cell, column, widths))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Numbers are on the right. */
function align(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return column === 0 ? cell.padStart(width) : cell.padEnd(width);
}

function parseOptions(options: Readonly<ReportsOptions>) {
  assertKnownOptions("createReports", options, { maxRows: true, log: true }, "createReports().onReport");
  return {
    maxRows: integerOption("createReports", "maxRows", options.maxRows, {
      fallback: MAX_ROWS,
      min: 1,
      max: HIGHEST_MAX_ROWS,
    }),
    log: logOption(options.log),
  };
}

function logOption(value: ReportsOptions["log"] = writeToConsole): Exclude<typeof value, false> {
  if (value === false) return () => undefined;
  if (typeof value !== "function") throw optionError("createReports", "log", "a function or false");
  return value;
}

function writeToConsole(line: string): void {
  console.warn(line);
}
