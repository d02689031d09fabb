import { excerpt, type Path } from "../model/faults.js";
import { ORG_PROVIDER } from "../model/orgs.js";
import type { Idp, Rule, RuleActions, RuleConditions, Zone } from "../model/records.js";
import { DEFAULT_RULE_NAME, type FileRule } from "../model/rule-shapes.js";
import { ALL_ZONES } from "../model/shapes.js";
import type { Located, Report } from "./located.js";

/** What the names in a rule refer to, and the names of records with faults that are already reported. */
export interface References {
  idps: ReadonlyMap<string, Idp>;
  idpNames: ReadonlySet<unknown>;
  zones: ReadonlyMap<string, Zone>;
  zoneNames: ReadonlySet<unknown>;
  /** Only tests refer to rules, which they come after. */
  rules: () => ReadonlyMap<string, Rule>;
  ruleNames: ReadonlySet<unknown>;
}

/** The new rule keeps the stored place, if any. */
export function buildRule(
  { path, value }: Located<FileRule>,
  before: Rule | undefined,
  references: References,
  report: Report,
): Omit<Rule, "id" | "created" | "lastUpdated"> {
  const { name, status, conditions, actions } = value;
  return {
    name,
    priority: before?.priority ?? 0,
    status: status ?? before?.status ?? "ACTIVE",
    system: name === DEFAULT_RULE_NAME,
    conditions: conditions
      ? resolveConditions([...path, "conditions"], conditions, references, report)
      : (before?.conditions ?? {}),
    actions: resolveActions([...path, "actions", "idp", "providers"], actions, references, report),
  };
}

function resolveConditions(
  path: Path,
  conditions: NonNullable<FileRule["conditions"]>,
  { zones, zoneNames }: References,
  report: Report,
): RuleConditions {
  const { network, ...others } = conditions;
  if (!network) return others;

  const toIds = (list: "include" | "exclude") =>
    network[list]?.map((name, i) => {
      if (name === ALL_ZONES) return ALL_ZONES;
      const zone = zones.get(name);
      if (!zone && !zoneNames.has(name)) report([...path, "network", list, i], `no zone is named ${excerpt(name)}`);
      return zone?.id ?? "";
    });
  const include = toIds("include");
  const exclude = toIds("exclude");
  return { ...conditions, network: { ...network, ...(include && { include }), ...(exclude && { exclude }) } };
}

function resolveActions(
  path: Path,
  { idp: wanted }: FileRule["actions"],
  { idps, idpNames }: References,
  report: Report,
): RuleActions {
  if (wanted.idpSelectionType === "DYNAMIC") return { idp: wanted };
  const providers = wanted.providers.map(({ idp: name }, i) => {
    if (name === undefined) return { type: ORG_PROVIDER };
    const idp = idps.get(name);
    if (!idp && !idpNames.has(name)) report([...path, i, "idp"], `no identity provider is named ${excerpt(name)}`);
    return { type: idp?.type ?? "", id: idp?.id ?? "" };
  });
  return { idp: { providers, idpSelectionType: "SPECIFIC" } };
}
