import { z } from "zod";
import type { ComparedSample } from "../discovery/analysis/rule-samples.js";
import type { RuleChange } from "../discovery/changed-routing.js";
import type { Answer } from "../discovery/compile-routing.js";
import type { Provider } from "../discovery/providers.js";
import { CLIENT_SYSTEMS, CLIENT_TYPES } from "../discovery/platform.js";
import { ID } from "../model/sent-shapes.js";

/** What is sent of an answer of the rules before and after a change. */

export const PROVIDER = z.object({ type: z.string(), id: ID.exactOptional(), name: z.string().exactOptional() });

export const OUTCOME = z
  .object({
    rule: z.object({ id: ID.exactOptional().describe("None for the new rule."), name: z.string() }),
    providers: z.array(PROVIDER).describe("In order of preference; the one without id and name is the org itself."),
  })
  .meta({ id: "RoutingOutcome" });

export const CLIENT_PLATFORM = z.object({ type: z.enum(CLIENT_TYPES), os: z.enum(CLIENT_SYSTEMS) });

export const COMPARED_SAMPLE = z
  .object({
    login: z.string().describe("Empty for nobody."),
    clientIp: z.string().exactOptional().describe("If the network matters."),
    platform: CLIENT_PLATFORM.exactOptional().describe("If the platform matters."),
    changed: z.boolean(),
    before: OUTCOME,
    after: OUTCOME,
  })
  .meta({ id: "ComparedSample" });

/** @param orgType the type of the org itself among providers */
export function presentProvider(provider: Provider, orgType: string): z.infer<typeof PROVIDER> {
  if (provider === "org") return { type: orgType };
  return { type: provider.type, id: provider.id, name: provider.name };
}

/** The providers of an {@link OUTCOME}. */
export function presentProviders({ providers }: Pick<Answer, "providers">, orgType: string) {
  return providers.map((provider) => presentProvider(provider, orgType));
}

/** A new rule has no id yet. */
export function presentOutcome(
  answer: Answer,
  { before, after }: RuleChange,
  orgType: string,
): z.infer<typeof OUTCOME> {
  const { id, name } = answer.rule;
  const isNew = before === undefined && id === after?.id;
  return { rule: isNew ? { name } : { id, name }, providers: presentProviders(answer, orgType) };
}

/** @param change of one rule; none of an import, whose new rules have ids */
export function presentSample(
  { before, after, ...sample }: ComparedSample,
  orgType: string,
  change: RuleChange = { before: undefined, after: undefined },
): z.infer<typeof COMPARED_SAMPLE> {
  return {
    ...sample,
    before: presentOutcome(before, change, orgType),
    after: presentOutcome(after, change, orgType),
  };
}
