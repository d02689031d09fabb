import { z } from "zod";
import { ID_REGEXP } from "../model/ids.js";
import { ORG_PROVIDER } from "../model/orgs.js";
import { createRuleShape, DEFAULT_RULE_NAME, specificOnly } from "../model/rule-shapes.js";
import type { Rule } from "../model/records.js";
import { DATE, ID } from "../model/sent-shapes.js";
import { ALL_ZONES, IDP_TYPES } from "../model/shapes.js";
import { POLICY_TYPE } from "./policies.js";
import { makeOnce } from "../model/make-once.js";

const zone = z
  .string()
  .refine((id) => id === ALL_ZONES || ID_REGEXP.test(id), `must be the id of a zone, or ${ALL_ZONES}`);

const priority = z
  .number()
  .refine((value) => Number.isSafeInteger(value) && value >= 1, "must be an integer, 1 or more")
  .meta({ type: "integer", minimum: 1 });

/**
 * The shape of a rule in a body.
 *
 * @param orgType the API's name for the org itself among the providers: the namespace in capitals
 */
export const createApiRuleShape = makeOnce((orgType: string) => {
  return createRuleShape({ provider: createProviderShape(orgType), zone })
    .extend({ type: z.literal(POLICY_TYPE).exactOptional(), priority: priority.exactOptional() })
    .meta({ examples: [exampleOf(orgType)] });
});

/** A reference to an identity provider, or to the org itself; see {@link createApiRuleShape}. */
export const createProviderShape = makeOnce((orgType: string) => {
  return z.strictObject({ type: z.string(), id: z.string().exactOptional() }).superRefine(({ type, id }, context) => {
    const report = (member: "type" | "id", message: string) => {
      context.addIssue({ code: "custom", path: [member], message });
    };
    if (id === undefined) {
      if (type !== orgType) report("id", `is required, unless the type is ${orgType}`);
      return;
    }
    if (!ID_REGEXP.test(id)) report("id", "must be the id of an identity provider");
    if (!(IDP_TYPES as readonly string[]).includes(type)) {
      report("type", type === orgType ? "is that of the org itself, which has no id" : `must be that of the id`);
    }
  });
});

function exampleOf(orgType: string) {
  return {
    name: "People of example.com on phones",
    priority: 1,
    conditions: {
      platform: { include: [{ type: "MOBILE" }] },
      userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "@example.com" }] },
    },
    actions: { idp: { idpSelectionType: "SPECIFIC", providers: [{ type: orgType }] } },
  };
}

/** The shape of a rule as {@link presentRule} makes it. */
export const createSentRuleShape = makeOnce((orgType: string) => {
  const { conditions, actions } = createApiRuleShape(orgType).shape;
  const [specific, dynamic] = actions.shape.idp.options;
  const { providers } = specific.shape;
  const { matchCriteria } = dynamic.shape;
  const idp = z.discriminatedUnion("idpSelectionType", [
    z.object({ idpSelectionType: z.literal("SPECIFIC"), providers }),
    z.object({ idpSelectionType: z.literal("DYNAMIC"), matchCriteria }),
  ]);
  return z.object({
    id: ID,
    type: z.literal(POLICY_TYPE),
    name: z.string(),
    priority,
    status: z.enum(["ACTIVE", "INACTIVE"]),
    system: z.boolean().describe("Whether it is the default rule, which is the last one."),
    conditions: conditions.unwrap(),
    actions: z.object({ idp }),
    created: DATE,
    lastUpdated: DATE,
  }) satisfies z.ZodType<ReturnType<typeof presentRule>>;
});

/** As {@link createApiRuleShape}, for the default rule, whose name can't change. */
export const createDefaultRuleShape = makeOnce((orgType: string) => {
  const shape = createApiRuleShape(orgType);
  return shape
    .extend({ name: z.string().exactOptional(), actions: specificOnly(shape.shape.actions) })
    .meta({ examples: [exampleOf(orgType)] });
});

/** Changes in `values` that the default rule doesn't allow. Only its actions can change. */
export function findReadOnly(
  { name, priority: place, status, conditions }: z.infer<ReturnType<typeof createDefaultRuleShape>>,
  before: Pick<Rule, "priority">,
): string | undefined {
  if (name !== undefined && name !== DEFAULT_RULE_NAME) return "name";
  if (place !== undefined && place !== before.priority) return "priority";
  if (status === "INACTIVE") return "status";
  if (conditions && Object.keys(conditions).length > 0) return "conditions";
  return undefined;
}

/** The actions in a body, in the stored form, which is the same for every namespace. */
export function toActions({ idp }: z.infer<ReturnType<typeof createApiRuleShape>>["actions"]): Rule["actions"] {
  if (idp.idpSelectionType === "DYNAMIC") return { idp };
  return {
    idp: {
      providers: idp.providers.map(({ type, id }) => (id === undefined ? { type: ORG_PROVIDER } : { type, id })),
      idpSelectionType: "SPECIFIC",
    },
  };
}

/** The rule as it is sent, without links. */
export function presentRule({ actions, ...rule }: Rule, orgType: string) {
  const { id, name, priority: place, status, system, conditions, created, lastUpdated } = rule;
  return {
    id,
    type: POLICY_TYPE,
    name,
    priority: place,
    status,
    system,
    conditions,
    actions: presentActions(actions, orgType),
    created,
    lastUpdated,
  };
}

function presentActions({ idp }: Rule["actions"], orgType: string): Rule["actions"] {
  if (idp.idpSelectionType === "DYNAMIC") return { idp };
  const providers = idp.providers.map((provider) => (provider.id === undefined ? { type: orgType } : provider));
  return { idp: { ...idp, providers } };
}
