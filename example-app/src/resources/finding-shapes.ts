import { z } from "zod";
import { describeFinding, FINDING_TYPES, patternOf, type Finding } from "../discovery/analysis/analyse.js";
import { MAX_LISTED, type ComparedFindings } from "../discovery/analysis/compare.js";
import { NEVER_REASONS } from "../discovery/analysis/policy.js";
import { MATCH_TYPES } from "../model/rule-shapes.js";
import { ID } from "../model/sent-shapes.js";
import { CLIENT_PLATFORM } from "./routing-outcome.js";

/** What is sent about rules that can't work as they look. */

const PRIORITY = z.int().min(1);

export const FINDING_SHAPE = z
  .object({
    type: z.enum(FINDING_TYPES),
    ruleId: ID.exactOptional().describe("None for a new rule of a preview."),
    ruleName: z.string(),
    priority: PRIORITY,
    by: z
      .object({ id: ID.exactOptional(), name: z.string(), priority: PRIORITY })
      .exactOptional()
      .describe("The earlier rule that takes its logins; the first if there are several."),
    count: z.int().min(1).exactOptional().describe("How many earlier rules, or patterns, were found."),
    reason: z.enum(NEVER_REASONS).exactOptional().describe("Why it never matches."),
    patternIndex: z.int().min(0).exactOptional().describe("The first pattern without a label boundary."),
    pattern: z
      .object({ matchType: z.enum(MATCH_TYPES), value: z.string() })
      .exactOptional()
      .describe("That pattern, in lower case."),
    sample: z
      .object({
        login: z.string(),
        clientIp: z.string().exactOptional().describe("If the network matters."),
        platform: CLIENT_PLATFORM.exactOptional().describe("If the platform matters."),
      })
      .exactOptional()
      .describe("A login that both rules match, or that the pattern takes too."),
    detail: z.string().describe("One sentence, in English. The other members have all that is in it."),
  })
  .meta({ id: "Finding" });

export const COMPARED_SHAPE = z.object({
  added: z.array(FINDING_SHAPE).describe(`The first ${MAX_LISTED}.`),
  addedCount: z.int().min(0),
  removed: z.array(FINDING_SHAPE).describe(`The first ${MAX_LISTED}.`),
  removedCount: z.int().min(0),
});

/** @param newId the id of a rule that is not stored */
export function presentFinding(finding: Finding, newId?: string): z.infer<typeof FINDING_SHAPE> {
  const { type, rule, by, count, patternIndex, sample } = finding;
  const idOf = ({ id }: { id: string }) => (id === newId ? undefined : id);
  const ruleId = idOf(rule);
  const byId = by && idOf(by);
  const pattern = patternOf(finding);
  return {
    type,
    ...(ruleId !== undefined && { ruleId }),
    ruleName: rule.name,
    priority: rule.priority,
    ...(by && { by: { ...(byId !== undefined && { id: byId }), name: by.name, priority: by.priority } }),
    ...(count !== undefined && { count }),
    ...(rule.never !== undefined && { reason: rule.never }),
    ...(patternIndex !== undefined && { patternIndex }),
    ...(pattern && { pattern: { matchType: pattern.matchType, value: pattern.value } }),
    ...(sample && { sample }),
    detail: describeFinding(finding),
  };
}

export function presentCompared(
  { added, removed, ...counts }: ComparedFindings,
  newId?: string,
): z.infer<typeof COMPARED_SHAPE> {
  return {
    added: added.map((finding) => presentFinding(finding, newId)),
    removed: removed.map((finding) => presentFinding(finding, newId)),
    ...counts,
  };
}
