import type { LogEvent } from "../../api/types.js";
import { visible } from "../../parts/visible.js";
import { describeEvent, textOf, type Facts } from "./describe-event.js";
import { logCsv as texts } from "../../texts/en/log-csv.js";

/**
 * Spreadsheets see a formula in what begins so, also in the wide signs of East Asia. Where a comma is the decimal sign, a cell
 * begins after each semicolon.
 */
const FORMULA_REGEXP = /(^|;)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/g;

/** Programs for tables know by it that the text is UTF-8. */
const BYTE_ORDER_MARK = "\ufeff";

type Column = readonly [
  name: keyof typeof texts,
  valueOf: (event: LogEvent, facts: Facts) => string | null | undefined,
];

const COLUMNS: readonly Column[] = [
  ["time", ({ published }) => published],
  ["severity", ({ severity }) => severity],
  ["type", ({ eventType }) => eventType],
  ["sentence", (event, facts) => textOf(describeEvent(event, facts) ?? [event.displayMessage])],
  ["actor", ({ actor }) => actor.displayName],
  ["actorId", ({ actor }) => actor.id],
  ["targets", ({ target }) => target?.map(({ displayName }) => displayName).join("; ")],
  ["address", ({ client }) => client.ipAddress],
  ["outcome", ({ outcome }) => outcome.result],
  ["reason", ({ outcome }) => outcome.reason],
  ["requestId", ({ debugContext }) => debugContext.debugData.requestId],
];

/** Events as a table, RFC 4180. */
export function toCsv(events: readonly LogEvent[], facts: Facts): string {
  return toHead() + toRows(events, facts);
}

function toHead(): string {
  return joinCells(COLUMNS.map(([name]) => formatCell(texts[name])));
}

export function toRows(events: readonly LogEvent[], facts: Facts): string {
  return events
    .map((event) => joinCells(COLUMNS.map(([, valueOf]) => formatCell(valueOf(event, facts) ?? ""))))
    .join("");
}

function joinCells(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}

/** @param rows those of each page: to write all at once would keep the page from answering */
export function toCsvFile(rows: readonly string[]): Blob {
  return new Blob([BYTE_ORDER_MARK, toHead(), ...rows], { type: "text/csv;charset=utf-8" });
}

function formatCell(value: string): string {
  const text = visible(value.replace(FORMULA_REGEXP, "$1'"));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
