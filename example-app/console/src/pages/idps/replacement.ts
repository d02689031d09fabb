import type { Idp, Rule } from "../../api/types.js";
import { readTried } from "../../parts/tried.js";
import type { Allowance } from "../../parts/use-allowed-write.js";
import { previewChange, readRule, replaceRule, toBody, type Preview, type RuleReplacement } from "../rules/requests.js";

/** Each rule is a request. */
export const MAX_RULES = 50;

/** So many rules are previewed, each with a request; the first ones get the most logins. */
export const MAX_PREVIEWED = 5;

/** Whether the rule names the provider. One that finds its provider by name names none. */
export function leadsTo({ actions: { idp } }: Rule, id: string): boolean {
  return idp.idpSelectionType !== "DYNAMIC" && idp.providers.some((provider) => provider.id === id);
}

/** The rule with `to` in place of `from`, once. */
function replaceProvider(rule: Rule, from: Idp, to: Idp): RuleReplacement {
  const { name, actions, ...body } = toBody(rule);
  if (actions.idp.idpSelectionType === "DYNAMIC") return rule;
  const others = actions.idp.providers.filter(({ id }) => id !== to.id);
  const providers = others.map((provider) => (provider.id === from.id ? { type: to.type, id: to.id } : provider));
  const replaced = { idp: { ...actions.idp, providers } };
  return rule.system ? { name, actions: replaced } : { ...body, name, actions: replaced };
}

/** What the first rules would do to logins. Each login has one rule that decides, so their changes add up. */
export async function previewReplacement(
  policyId: string,
  rules: readonly Rule[],
  from: Idp,
  to: Idp,
): Promise<Preview> {
  const previews: Preview[] = [];
  for (const rule of rules.slice(0, MAX_PREVIEWED)) {
    const change = { ruleId: rule.id, rule: replaceProvider(rule, from, to) };
    previews.push(await previewChange(policyId, change, readTried()));
  }
  return {
    tried: join(previews.map(({ tried }) => tried)),
    samples: join(previews.map(({ samples }) => samples)),
    findings: rules.length === 1 ? previews.flatMap(({ findings }) => findings) : [], // each knows of one change alone
  };
}

/** Each login once, as it changes. */
function join<T extends { name: string; changed: boolean }>(lists: readonly (readonly T[])[]): T[] {
  const byName = new Map<string, T>();
  for (const one of lists.flat()) {
    if (one.changed || !byName.has(one.name)) byName.set(one.name, one);
  }
  return [...byName.values()];
}

interface Replaced {
  readonly from: Idp;
  readonly to: Idp;
  readonly allowed: Allowance;
}

/** @returns whether it was written: somebody may have replaced it already */
export async function replaceInRule(policyId: string, id: string, { from, to, allowed }: Replaced): Promise<boolean> {
  const { data: rule, etag } = await readRule(policyId, id);
  if (!leadsTo(rule, from.id)) return false;
  await replaceRule(policyId, id, replaceProvider(rule, from, to), etag, allowed);
  return true;
}
