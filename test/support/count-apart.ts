import type { RequestListener } from "node:http";
import * as etiquette from "etiquette";
import type { CreateServerOptions, ReportsOptions, SuiteOptions } from "etiquette";

/** The package for code that counts what it would refuse, without what other tests of the process would. */
export function countApart(options: ReportsOptions = {}): typeof etiquette {
  const { onReport, formatReport } = etiquette.createReports(options);
  const suite = (own: SuiteOptions) => etiquette.suite({ onReport, ...own });
  const createServer = (app: RequestListener, own: CreateServerOptions = {}) =>
    etiquette.createServer(app, own.report ? { onReport, ...own } : own);
  return {
    ...etiquette,
    ...({ suite, createServer } as Pick<typeof etiquette, "suite" | "createServer">),
    formatReport,
  };
}
