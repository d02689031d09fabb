import { Ajv } from "ajv";
import fc from "fast-check";
import type { CheckResult, Report } from "../../check/engine.js";
import { escapeXml } from "../../check/report/junit.js";
import { type Context, FORMATS } from "../../check/report/index.js";
import { escapeMarkdown } from "../../check/report/markdown.js";
import { formatPrintable } from "../../lib/text/index.js";
import { CHECKS } from "../../check/rules/index.js";
import type { RunPlan } from "../../check/run-plan.js";
import { SARIF_SCHEMA } from "./support/sarif.js";
import { parseXml } from "./support/xml.js";

/** What an API may send, and every format must carry. */
const HOSTILE = `]]> --><script>alert(1)</script> & " ' | \` \\ [x](https://evil.example) www.evil.example @joe\n## \x1b[31m\u202e\ud800\uffff`;

const [first, second, third, fourth] = CHECKS as readonly [
  (typeof CHECKS)[0],
  (typeof CHECKS)[0],
  (typeof CHECKS)[0],
  (typeof CHECKS)[0],
];

const results: readonly CheckResult[] = [
  { check: first, outcome: "passed", exchanges: [] },
  {
    check: second,
    outcome: "finding",
    message: HOSTILE,
    exchanges: [{ request: `GET / HTTP/1.1\r\n\r\n${HOSTILE}`, response: `HTTP/1.1 200 OK\r\n\r\n${HOSTILE}` }],
  },
  { check: third, outcome: "skipped", message: HOSTILE, exchanges: [] },
  { check: fourth, outcome: "finding", message: "It is known.", exchanges: [] },
];

const report: Report = { results, requests: 4, complete: false, notes: [HOSTILE] };

const context: Context = {
  plan: { url: new URL("https://api.example.com/v1/items"), resource: "/v1/items/1" } as RunPlan,
  page: "docs/reference/check.md",
  verbose: true,
  isKnown: ({ check }) => check === fourth,
  file: undefined,
};

const { formatReport } = FORMATS.junit;

describe("SARIF", () => {
  const isValid = new Ajv({ strict: false, validateFormats: false }).compile(SARIF_SCHEMA);
  const read = (changes: Partial<Context> = {}) =>
    JSON.parse(FORMATS.sarif.formatReport(report, { ...context, ...changes }));

  it("is what its schema demands", () => {
    expect([isValid(read()), isValid.errors]).toEqual([true, null]);
  });

  it("has a rule for each check, and a result for each finding with its level and baseline state", () => {
    const [run] = read().runs;
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(results.map(({ check }) => check.id));
    expect(
      run.results.map(({ ruleId, ruleIndex, level, baselineState }: Record<string, unknown>) => [
        ruleId,
        ruleIndex,
        level,
        baselineState,
      ]),
    ).toEqual([
      [second.id, 1, "error", "new"],
      [fourth.id, 3, "error", "unchanged"],
    ]);
    expect(run.invocations[0].executionSuccessful).toBe(false);
    expect(run.results[0].message.text).toContain(HOSTILE);
  });

  it("places findings at the URL, or in the file of the description", () => {
    const uriOf = (document: ReturnType<typeof read>) =>
      document.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri;
    expect(uriOf(read())).toBe("https://api.example.com/v1/items");
    expect(uriOf(read({ file: "docs/open api.json" }))).toBe("docs/open%20api.json");
  });
});

describe("JUnit", () => {
  it("is XML with a case for each check; what is known or not checked is skipped", () => {
    const { children: suites } = parseXml(formatReport(report, context));
    expect(suites.map(({ attributes }) => attributes)).toEqual([
      { name: "TLS", tests: "4", failures: "1", errors: "0", skipped: "2" },
    ]);
    const cases = suites.flatMap(({ children }) => children);
    expect(cases.map(({ name, children }) => [name, ...children.map((child) => child.name)])).toEqual([
      ["testcase"],
      ["testcase", "failure"],
      ["testcase", "skipped"],
      ["testcase", "skipped"],
    ]);
    const failure = cases[1]?.children[0];
    expect(failure?.attributes).toEqual({
      type: second.severity,
      message: formatPrintable(HOSTILE).replace(/[\ud800\uffff]/gu, (c) => `\\u${c.charCodeAt(0).toString(16)}`),
    });
    expect(failure?.text).toContain("<script>alert(1)</script>");
  });

  it("carries any text as one line of well-formed XML", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const { attributes, text: content } = parseXml(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`);
        expect(attributes["b"]).toBe(content);
        expect(content).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});

describe("Markdown", () => {
  it("has a row for each new finding and counts those that are known", () => {
    const text = FORMATS.markdown.formatReport(report, context);
    expect(text).toMatch(
      /^## etiquette check: https&#58;\/\/api&#46;example&#46;com\/v1\/items\/1\n\n1 found, 1 known, 1 passed, 1 not checked\.\n/,
    );
    expect(text.match(/^\| (?:style|interoperability|security) \|/gm)).toHaveLength(1);
    expect(text).toContain(`| ${second.severity} | \`${second.id}\` | ${second.title}. `);
    for (const dangerous of ["<script", "](http", "www.evil", "@joe", "\n## \\u"])
      expect(text).not.toContain(dangerous);
  });

  it("leaves nothing of a text that could be mark-up", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(escapeMarkdown(text)).toMatch(/^(?:[\p{L}\p{N} ,;'"()/?=%+-]|\.(?= |$)|&#\d+;)*$/u);
      }),
    );
  });
});
