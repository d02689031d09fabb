import type { Rule } from "../model/records.js";

/** The names in a file, by id. */
export interface Names {
  idps: ReadonlyMap<string, string>;
  zones: ReadonlyMap<string, string>;
  rules: ReadonlyMap<string, string>;
  orgType: string;
}

/** A rule of a file, which refers to records by their names. */
export function exportRule(rule: Rule, names: Names): object {
  const { id, name, status, conditions } = rule;
  const { network } = conditions;
  const toNames = (ids: readonly string[] | undefined) => ids?.map((zoneId) => nameOf(zoneId, names.zones, name));
  return {
    id,
    name,
    status,
    conditions: network
      ? {
          ...conditions,
          network: { ...network, include: toNames(network.include), exclude: toNames(network.exclude) },
        }
      : conditions,
    actions: exportActions(rule, names),
  };
}

export function exportActions(
  { name, actions }: Pick<Rule, "name" | "actions">,
  { idps, orgType }: Pick<Names, "idps" | "orgType">,
): unknown {
  if (actions.idp.idpSelectionType === "DYNAMIC") return actions;
  const providers = actions.idp.providers.map(({ id }) =>
    id === undefined ? { type: orgType } : { idp: nameOf(id, idps, name) },
  );
  return { idp: { providers } };
}

function nameOf(id: string, names: ReadonlyMap<string, string>, rule: string): string {
  const name = names.get(id);
  if (name === undefined) throw new Error(`The rule "${rule}" refers to ${id}, which does not exist`);
  return name;
}
