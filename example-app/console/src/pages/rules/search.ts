/** With what the form of a new rule begins: `/rules/new?idp=…`. */
export interface RuleSearch {
  /** The id of the provider that it leads to. */
  readonly idp?: string;
  /** The id of the rule that it is like. */
  readonly copy?: string;
}

export function readRuleSearch({ idp, copy }: Readonly<Record<string, unknown>>): RuleSearch {
  return { ...(typeof idp === "string" && { idp }), ...(typeof copy === "string" && { copy }) };
}
