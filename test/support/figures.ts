import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * Figures in pages, quoted from docs/data/bench.json, which `npm run bench -- --json` writes:
 *
 * <!-- bench:KEY.FIGURE -->1.25<!-- /bench -->     one figure of a row
 * <!-- bench-table:PREFIX PREFIX … -->…<!-- /bench-table -->     the rows whose keys begin so
 */

export interface Row {
  readonly key: string;
  readonly ours: number;
  readonly peer: number | null;
  readonly ratio: number | null;
  readonly spread: readonly [low: number, high: number];
  readonly throughput: { readonly ours: number; readonly peer: number } | null;
  readonly target: string | null;
  readonly node: string;
  readonly date: string;
  readonly machine: string;
}

const QUOTE = /<!-- bench:(\S+)\.(\w+) -->[^<]*<!-- \/bench -->/g;
const TABLE = /(<!-- bench-table:(.+?) -->\n)[^]*?(?=<!-- \/bench-table -->)/g;

const { formatFigure, formatTable } = jest.requireActual<{
  formatFigure: (value: number) => string;
  formatTable: (rows: readonly Row[]) => string;
}>("../../tools/bench/table.js");

/** What may be said of a row. */
const FIGURES: Readonly<Record<string, (row: Row) => string | number | null | undefined>> = {
  ours: ({ ours }) => ours,
  peer: ({ peer }) => peer,
  ratio: ({ ratio }) => ratio,
  low: ({ spread }) => spread[0],
  high: ({ spread }) => spread[1],
  /** Of microseconds. */
  ms: ({ ours }) => ours / 1_000,
  rate: ({ throughput }) => throughput && Math.round(throughput.ours).toLocaleString("en"),
  target: ({ target }) => target,
  node: ({ node }) => node,
  date: ({ date }) => date,
  machine: ({ machine }) => machine,
};

function describeOrigin({ date, machine, node }: Row): string {
  return `${date}, Node ${node}: ${machine}.`;
}

export function readRows(): ReadonlyMap<string, Row> {
  const rows = JSON.parse(readFileSync(path.join(__dirname, "../../docs/data/bench.json"), "utf8")) as Row[];
  return new Map(rows.map((row) => [row.key, row]));
}

export function hasFigures(page: string): boolean {
  return page.search(QUOTE) !== -1 || page.search(TABLE) !== -1;
}

/**
 * Write the figures into a page.
 *
 * @throws {Error} when a row or a figure is not there
 */
export function fillFigures(page: string, rows: ReadonlyMap<string, Row>): string {
  return page
    .replaceAll(
      QUOTE,
      (_, key: string, figure: string) => `<!-- bench:${key}.${figure} -->${format(key, figure)}<!-- /bench -->`,
    )
    .replaceAll(TABLE, (_, start: string, prefixes: string) => `${start}\n${formatRows(prefixes.split(" "))}\n\n`);

  function format(key: string, figure: string): string {
    const row = rows.get(key);
    const value = row && FIGURES[figure]?.(row);
    if (value === undefined || value === null) throw new Error(`docs/data/bench.json has no ${figure} of ${key}`);
    return typeof value === "number" ? formatFigure(value) : value;
  }

  function formatRows(prefixes: readonly string[]): string {
    const found = [...rows.values()].filter(({ key }) => prefixes.some((prefix) => key.startsWith(prefix)));
    if (found.length === 0) throw new Error(`docs/data/bench.json has no rows of ${prefixes.join(", ")}`);
    return `${[...new Set(found.map(describeOrigin))].join(" ")}\n\n${formatTable(found)}`;
  }
}
