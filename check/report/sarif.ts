import type { Check } from "../check.js";
import type { CheckResult } from "../engine.js";
import type { Severity } from "../severity.js";
import { pathOf } from "../run-plan.js";
import type { Context, Format } from "./format.js";
import { formatJson } from "./json.js";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

const LEVELS: Readonly<Record<Severity, string>> = { security: "error", interoperability: "warning", style: "note" };

/** SARIF 2.1.0, for code scanning and editors. */
export const SARIF: Format = {
  formatReport({ results, complete, notes }, context) {
    const checks = results.map(({ check }) => check);
    return formatJson({
      $schema: SCHEMA,
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "etiquette check", rules: checks.map(describeRule) } },
          invocations: [
            {
              executionSuccessful: complete,
              toolExecutionNotifications: notes.map((text) => ({ level: "warning", message: { text } })),
            },
          ],
          results: results.flatMap((result, index) =>
            result.outcome === "finding" ? [describeFinding(result, index, context)] : [],
          ),
        },
      ],
    });
  },
};

function describeRule({ id, rule, severity, title, why, mend }: Check): object {
  return {
    id,
    shortDescription: { text: `${title}.` },
    fullDescription: { text: why },
    help: { text: mend },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: [severity], rule },
  };
}

function describeFinding(result: CheckResult, ruleIndex: number, { plan, file, isKnown }: Context): object {
  const { check, message = "" } = result;
  const uri = file === undefined ? plan.url.href : encodeURI(file.replaceAll("\\", "/"));
  return {
    ruleId: check.id,
    ruleIndex,
    level: LEVELS[check.severity],
    message: { text: `${check.title}. ${message}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri } },
        logicalLocations: [{ fullyQualifiedName: pathOf(plan), kind: "resource" }],
      },
    ],
    partialFingerprints: { "etiquetteCheck/v1": `${check.id} ${pathOf(plan)}` },
    baselineState: isKnown(result) ? "unchanged" : "new",
  };
}
