import { excerpt, type Path } from "../model/faults.js";
import { ID_REGEXP } from "../model/ids.js";
import { ORG_PROVIDER } from "../model/orgs.js";
import type { RoutingTest, RuleProvider } from "../model/records.js";
import type { FileRoutingTest } from "../model/routing-test-shapes.js";
import type { Names } from "./export-rule.js";
import type { Located, Report } from "./located.js";
import type { References } from "./references.js";

/*
 * Routing tests in a file, which refer to records by their names. A test may outlive what it refers to; then the file has
 * the id in place of the name.
 */

export function buildTest(
  { path, value }: Located<FileRoutingTest>,
  before: RoutingTest | undefined,
  { idps, idpNames, zones, zoneNames, rules, ruleNames }: References,
  report: Report,
): Omit<RoutingTest, "id" | "created" | "lastUpdated"> {
  const { name, login, clientIp, zone, userAgent, expected } = value;
  const { provider, rule } = expected;

  const assertKnown = (text: string, names: ReadonlySet<unknown>, noun: string, at: Path) => {
    if (!names.has(text) && !ID_REGEXP.test(text)) report([...path, ...at], `no ${noun} is named ${excerpt(text)}`);
  };
  const idOf = (text: string, found: { id: string } | undefined, ...rest: [ReadonlySet<unknown>, string, Path]) => {
    if (!found) assertKnown(text, ...rest);
    return found?.id ?? text;
  };
  const resolveProvider = (text: string | undefined): RuleProvider => {
    if (text === undefined) return { type: ORG_PROVIDER };
    const idp = idps.get(text);
    const known = before?.expected.provider;
    if (!idp && known?.id === text) return known;
    const id = idOf(text, idp, idpNames, "identity provider", ["expected", "provider", "idp"]);
    return { type: idp?.type ?? "", id };
  };

  return {
    name,
    login,
    ...(clientIp !== undefined && { clientIp }),
    ...(zone !== undefined && { zone: idOf(zone, zones.get(zone), zoneNames, "zone", ["zone"]) }),
    ...(userAgent !== undefined && { userAgent }),
    expected: {
      ...(provider && { provider: resolveProvider(provider.idp) }),
      ...(rule !== undefined && { rule: idOf(rule, rules().get(rule), ruleNames, "rule", ["expected", "rule"]) }),
    },
  };
}

export function exportTest(test: RoutingTest, { idps, zones, rules, orgType }: Names): object {
  const { id, name, login, clientIp, zone, userAgent, expected } = test;
  const { provider, rule } = expected;
  const nameIn = (names: ReadonlyMap<string, string>, text: string | undefined) =>
    text === undefined ? undefined : (names.get(text) ?? text);
  return {
    ...{ id, name, login, clientIp },
    zone: nameIn(zones, zone),
    userAgent,
    expected: {
      provider: provider && (provider.id === undefined ? { type: orgType } : { idp: nameIn(idps, provider.id) }),
      rule: nameIn(rules, rule),
    },
  };
}
