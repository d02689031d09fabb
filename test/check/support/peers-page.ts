import { CHECK_GROUPS } from "../../../check/rules/index.js";
import type { CheckResult, Report } from "../../../check/engine.js";

const HEAD = `# Peers

What [\`etiquette check\`](check.md) finds in five servers for the same small API, a list and an object that can be changed.
\`npm run pages\` runs the checks and writes this page; a test runs them again and compares.

| column           | server                                                                                                                                                                |
| ---------------- | --------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| etiquette        | \`suite()\` on Express 5 and \`createServer\`, with \`weakEtag\`, \`pagination\`, \`filter\`, \`operationCors\`, \`authenticate\` and \`rateLimitHeaders\` on the routes |
| Express          | Express 5 with \`express.json()\`                                                                                                                                       |
| Fastify          | Fastify 5                                                                                                                                                             |
| Fastify, plugins | Fastify 5 with \`@fastify/helmet\`, \`cors\`, \`etag\` and \`accepts\`, request ids, and a schema of the query                                                        |
| ten packages     | Express 5 with cors, fast-json-patch, helmet, http-errors, http-link-header, nanoid, negotiator, proxy-addr, scim2-parse-filter and type-is, and the body-parser, etag and fresh that Express brings |

The servers are in \`test/check/peers/\`, written as the pages of their packages show it. Much of what is found is no bug of a
package: nobody mounted anything for it, or the rule is a decision of etiquette, such as the error object. ✓ means passed, ✗
found, – not checked: the server lacks what the check looks at, or the check needs TLS. \`tag-stable\` runs on an object that
has the time when it was read last. The page is of Node 20; Node 22 and later refuse an empty Transfer-Encoding themselves.
`;

const MARKS = { passed: "✓", finding: "✗", skipped: "–" } as const;

/** The page with the reports of all servers, by the name of their columns. */
export function formatPeersPage(reports: ReadonlyMap<string, Report>): string {
  return [HEAD, "## Overview\n", formatCounts(reports), ...formatGroups(reports), ...formatFindings(reports)].join(
    "\n",
  );
}

function formatCounts(reports: ReadonlyMap<string, Report>): string {
  const rows = [...reports].map(([name, { results }]) => {
    const count = (outcome: CheckResult["outcome"]) => results.filter((result) => result.outcome === outcome).length;
    return [name, count("passed"), count("finding"), count("skipped")];
  });
  return formatTable(["server", "passed", "found", "not checked"], rows);
}

function formatGroups(reports: ReadonlyMap<string, Report>): string[] {
  return Object.entries(CHECK_GROUPS).map(([group, checks]) => {
    const rows = checks.map(({ id, rule, title }) => {
      const marks = [...reports.values()].map((report) => MARKS[resultOf(report, id).outcome]);
      return [rule, `[${title}](check.md#${id})`, ...marks];
    });
    return `## ${group}\n\n${formatTable(["rule", "check", ...reports.keys()], rows)}`;
  });
}

/** What each server but the first, which has no findings, responded. */
function formatFindings(reports: ReadonlyMap<string, Report>): string[] {
  const sections = [...reports].map(([name, { results }]) => {
    const findings = results.filter(({ outcome }) => outcome === "finding");
    const lines = findings.map(({ check, message = "" }) => `- \`${check.id}\`: ${quote(message)}`);
    return `### What ${name} sends\n\n${lines.length > 0 ? lines.join("\n") : "Nothing was found."}\n`;
  });
  return ["## Findings\n", ...sections];
}

/** Without what differs between two runs, and with nothing that Markdown would read. */
function quote(message: string): string {
  const stable = message.replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1");
  return `\`${stable.replaceAll("`", "'")}\``;
}

function resultOf({ results }: Report, id: string): CheckResult {
  const result = results.find(({ check }) => check.id === id);
  if (!result) throw new Error(`there is no result of ${id}`);
  return result;
}

function formatTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}
