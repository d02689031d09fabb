import { z } from "zod";
import { MAX_SAMPLED } from "../discovery/analysis/rule-samples.js";
import { isAddress, MAX_USER_AGENT_LENGTH } from "../model/client-shapes.js";
import { ID_REGEXP } from "../model/ids.js";
import { LIMITS, list } from "../model/shapes.js";
import { DATE_SHAPE } from "../rest/date-shape.js";
import { COMPARED_SHAPE } from "./finding-shapes.js";
import { REPLAY_SHAPE } from "./replay/shapes.js";
import { COMPARED_SAMPLE, OUTCOME } from "./routing-outcome.js";

/** What a preview of a change to a rule takes and sends. */

/** The most logins of one preview. */
const MAX_LOGINS = 20;

const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^\P{Cc}*$/u, "must not have control characters");

const LOGIN = z.strictObject({
  login: text(LIMITS.login),
  clientIp: z
    .string()
    .refine(isAddress, "must be an IPv4 or IPv6 address")
    .exactOptional()
    .describe("The address of the client; by default that of the caller."),
  userAgent: text(MAX_USER_AGENT_LENGTH)
    .exactOptional()
    .describe("The user agent of the client; by default that of the caller."),
});

/**
 * @param rule the shape of the rule after the change
 * @param orgType the type of the org itself among providers
 */
export function createPreviewShape<R extends z.ZodType>(rule: R, orgType: string) {
  return z
    .strictObject({
      ruleId: z
        .string()
        .regex(ID_REGEXP, "must be the id of a rule")
        .exactOptional()
        .describe("The rule that is replaced or deleted; none for a new one."),
      rule: rule.optional().describe("The rule after the change; none to delete it."),
      logins: list(LOGIN, { min: 1, max: MAX_LOGINS })
        .exactOptional()
        .describe("Logins whose results are shown; required without samples and since."),
      samples: z.boolean().exactOptional().describe("Whether to ask for a login of each rule, too."),
      since: DATE_SHAPE.exactOptional().describe("Replay the logins that the log has since then."),
    })
    .refine(({ logins, samples, since }) => logins !== undefined || samples === true || since !== undefined, {
      path: ["logins"],
      error: "is required, unless samples or since is given",
    })
    .meta({
      examples: [
        {
          rule: { name: "Everyone to the org", priority: 1, actions: { idp: { providers: [{ type: orgType }] } } },
          logins: [{ login: "joe@example.com" }, { login: "ann@example.com", clientIp: "192.0.2.7" }],
        },
      ],
    });
}

export const PREVIEW_SHAPE = z.object({
  results: z
    .array(
      z.object({
        login: z.string(),
        changed: z.boolean().describe("Whether other providers sign the login in, or in another order."),
        before: OUTCOME,
        after: OUTCOME,
      }),
    )
    .describe("One for each login of the body, in its order."),
  samples: z
    .array(COMPARED_SAMPLE)
    .exactOptional()
    .describe(
      `With samples: a login of each of the first ${MAX_SAMPLED} active rules, of the changed rule and of the default rule. Rules for nobody, and rules for an attribute, have none.`,
    ),
  findings: COMPARED_SHAPE.describe("What the change adds to the findings about the policy, and removes from them."),
  replay: REPLAY_SHAPE.exactOptional().describe("With since."),
});
