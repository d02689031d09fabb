import { z } from "zod";
import { faultOf } from "./faults.js";
import { parseProviderExpression } from "./provider-expression.js";
import { ID_SHAPE, LIMITS, line, list, NAME_SHAPE, record, STATUS_SHAPE } from "./shapes.js";
import { ATTRIBUTE_SHAPE } from "./user-shapes.js";
import { makeOnce } from "./make-once.js";

/** The accepted values of rules, in an import file and in the API. */

/** The name of the last rule: everybody whom no other rule matches signs in at the org itself (rule W4). */
export const DEFAULT_RULE_NAME = "Default Rule";

/** @param zone the reference to a zone, or to all zones */
const createNetworkShape = (zone: z.ZodType<string>) => {
  const zones = list(zone, { min: 1, max: LIMITS.ranges }).exactOptional();
  return record({ connection: z.enum(["ANYWHERE", "ZONE"]), include: zones, exclude: zones }).superRefine(
    ({ connection, include, exclude }, context) => {
      const limited = include !== undefined || exclude !== undefined;
      if (limited !== (connection === "ZONE")) {
        const message = limited
          ? "must be ZONE where zones are given"
          : "is ZONE, so include or exclude must name zones";
        context.addIssue({ code: "custom", path: ["connection"], message });
      }
    },
  );
};

const platforms = list(
  record({
    type: z.enum(["ANY", "DESKTOP", "MOBILE", "OTHER"]),
    os: record({
      type: z.enum(["ANY", "ANDROID", "IOS", "OSX", "WINDOWS", "LINUX", "CHROMEOS", "OTHER"]),
    }).exactOptional(),
  }),
  { max: LIMITS.platforms },
).exactOptional();

export const MATCH_TYPES = ["SUFFIX", "EQUALS", "STARTS_WITH", "CONTAINS"] as const;

const pattern = record({
  matchType: z.enum(MATCH_TYPES),
  value: line(LIMITS.pattern),
});

/**
 * Any of several patterns must match; without patterns the condition holds for everyone. `ATTRIBUTE` takes one pattern
 * and the name of a profile attribute.
 */
const userIdentifier = record({
  type: z.enum(["IDENTIFIER", "ATTRIBUTE"]),
  attribute: ATTRIBUTE_SHAPE.exactOptional(),
  patterns: list(pattern, { max: LIMITS.patterns }),
}).superRefine((condition, context) => {
  if (condition.type === "IDENTIFIER") {
    if (condition.attribute === undefined) return;
    context.addIssue({ code: "custom", path: ["attribute"], message: "goes with the type ATTRIBUTE only" });
    return;
  }
  if (condition.attribute === undefined) {
    context.addIssue({ code: "custom", path: ["attribute"], message: "is required with the type ATTRIBUTE" });
  }
  if (condition.patterns.length !== 1) {
    context.addIssue({ code: "custom", path: ["patterns"], message: "must be one pattern with the type ATTRIBUTE" });
  }
});

/** How a rule refers to IdPs and zones: by name in a file, by id in the API. */
export interface RuleReferences<P extends object> {
  provider: z.ZodType<P>;
  zone: z.ZodType<string>;
}

export function createRuleShape<P extends object>({ provider, zone }: RuleReferences<P>) {
  return record({
    id: ID_SHAPE,
    name: NAME_SHAPE.refine(
      (value) => value !== DEFAULT_RULE_NAME,
      "is the name of the rule that every org has at its end",
    ),
    status: STATUS_SHAPE,
    conditions: record({
      network: createNetworkShape(zone).exactOptional(),
      platform: record({ include: platforms, exclude: platforms }).exactOptional(),
      userIdentifier: userIdentifier.exactOptional(),
    }).exactOptional(),
    actions: createActionsShape(provider),
  });
}

const providerExpression = z.string().superRefine((text, context) => {
  const message = faultOf(() => parseProviderExpression(text));
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

const matchCriteria = z.tuple([record({ propertyName: z.literal("name"), providerExpression })], {
  error: ({ input }) => (input === undefined ? undefined : "must be an array with one criterion"),
});

const onlyWith = (type: "SPECIFIC" | "DYNAMIC") =>
  z.never({ error: `goes with the idpSelectionType ${type} only` }).exactOptional();

/** A rule names its providers, or selects one dynamically: the one whose name is the value of an expression. */
function createActionsShape<P extends object>(provider: z.ZodType<P>) {
  const specific = record({
    idpSelectionType: z.literal("SPECIFIC").optional(),
    providers: list(provider, { min: 1, max: LIMITS.providers }),
    matchCriteria: onlyWith("DYNAMIC"),
  });
  const dynamic = record({
    idpSelectionType: z.literal("DYNAMIC"),
    providers: onlyWith("SPECIFIC"),
    matchCriteria,
  });
  return record({ idp: z.discriminatedUnion("idpSelectionType", [specific, dynamic]) });
}

/** The actions of the default rule: it always has an answer, so it names its providers. */
export function specificOnly<T extends { idp: { idpSelectionType?: string | undefined } }>(actions: z.ZodType<T>) {
  return actions.refine(({ idp }) => idp.idpSelectionType !== "DYNAMIC", {
    path: ["idp", "idpSelectionType"],
    message: "of the default rule must be SPECIFIC",
  });
}

/**
 * The shapes of a rule, of the default rule and of a provider in a file.
 *
 * @param orgType the file's name for the org itself among the providers
 */
export const createFileRuleShapes = makeOnce((orgType: string) => {
  const provider = record({ idp: NAME_SHAPE.exactOptional(), type: z.literal(orgType).exactOptional() }).refine(
    ({ idp, type }) => (idp === undefined) !== (type === undefined),
    `must be { "idp": "<name>" } or { "type": "${orgType}" }`,
  );
  const rule = createRuleShape({ provider, zone: NAME_SHAPE });
  return { provider, rule, defaultRule: record({ id: ID_SHAPE, actions: specificOnly(rule.shape.actions) }) };
});

export type IdentifierPattern = z.infer<typeof pattern>;
export type FileProvider = z.infer<ReturnType<typeof createFileRuleShapes>["provider"]>;
export type FileRule = z.infer<ReturnType<typeof createFileRuleShapes>["rule"]>;
