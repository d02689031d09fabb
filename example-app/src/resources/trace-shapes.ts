import { z } from "zod";
import type { ExplainedCondition, Explanation } from "../discovery/explain.js";
import { DATE, ID } from "../model/sent-shapes.js";
import { MATCH_TYPES } from "../model/rule-shapes.js";
import { IDP_TYPES } from "../model/shapes.js";
import { linksShape } from "../rest/resource-type.js";
import { JRD_LINK } from "../rest/webfinger-shapes.js";

/** A trace as it is sent. */

const PLATFORM = z.object({
  type: z.enum(["DESKTOP", "MOBILE", "OTHER"]),
  os: z.enum(["ANDROID", "IOS", "OSX", "WINDOWS", "LINUX", "CHROMEOS", "OTHER"]),
});

const holds = z.boolean();

const CONDITION = z
  .discriminatedUnion("condition", [
    z.object({
      condition: z.literal("userIdentifier"),
      holds,
      value: z.unknown().describe("The login, or the value of the attribute: null if there is none."),
      attribute: z.string().exactOptional(),
      pattern: z
        .object({ matchType: z.enum(MATCH_TYPES), value: z.string() })
        .exactOptional()
        .describe("The first pattern that matches."),
    }),
    z.object({ condition: z.literal("network"), holds, value: z.string().nullable() }),
    z.object({ condition: z.literal("platform"), holds, value: PLATFORM }),
    z.object({
      condition: z.literal("matchCriteria"),
      holds,
      value: z.string().describe("The value of the expression."),
      provider: z
        .object({ id: ID, type: z.enum(IDP_TYPES), name: z.string() })
        .nullable()
        .describe("The active provider with this name."),
    }),
  ])
  .meta({ id: "ExplainedCondition" }) satisfies z.ZodType<ExplainedCondition>;

const EXPLANATION = z.object({
  result: z.enum(["MATCH", "NO_MATCH", "SKIPPED"]),
  reason: z.enum(["INACTIVE", "NO_ACTIVE_PROVIDER"]).exactOptional().describe("Why the rule is skipped."),
  conditions: z.array(CONDITION).describe("All conditions of the rule; empty for a skipped rule."),
}) satisfies z.ZodType<Explanation>;

const RULE = z
  .object({ id: ID, name: z.string(), priority: z.int().min(1), ...EXPLANATION.shape, _links: linksShape() })
  .meta({ id: "TracedRule" });

export const TRACE_SHAPE = z.object({
  resource: z.string(),
  login: z.string(),
  client: z.object({
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    platform: PLATFORM,
    zones: z.array(z.object({ id: ID, name: z.string() })),
  }),
  match: RULE,
  rules: z.array(RULE).describe("The rules that were tried, by priority, up to the one that matched; a page of them."),
  links: z.array(JRD_LINK).describe("Those of WebFinger's response."),
  asOf: z
    .object({ revision: z.int().min(0), published: DATE.nullable() })
    .exactOptional()
    .describe("With revision or at: the state that the trace explains."),
  ofToday: z.array(z.string()).exactOptional().describe("The facts that are of today nevertheless."),
  _links: linksShape([], ["policy"]),
});
