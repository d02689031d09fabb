import { formatPath, type Path } from "../model/faults.js";
import type { Issuer } from "../model/records.js";
import { findDifferences } from "./changes.js";
import type { DocumentOrg } from "./document.js";
import { findLines } from "./lines.js";
import type { OrgPlan, OrgState } from "./plan.js";

/** An org of a file, what is stored of it, and the changes between them. */
export interface PlannedOrg {
  readonly file: DocumentOrg;
  readonly state: OrgState | undefined;
  readonly plan: OrgPlan;
}

/** The changes that are listed; the others are only counted. */
const MAX_LINES = 1_000;

const NOUNS = {
  org: "org",
  domain: "domain",
  idps: "identity provider",
  zones: "zone",
  trustedOrigins: "trusted origin",
  issuer: "issuer",
  rules: "rule",
  users: "user",
} as const;

interface ListedChange {
  /** The place in the file that is the reason. */
  readonly path: Path;
  readonly event: "create" | "update" | "remove";
  readonly noun: keyof typeof NOUNS;
  readonly name: string;
  /** The members of an updated record that differ. */
  readonly members: readonly string[];
}

/**
 * A line for each record that an import creates, updates or removes, by its line in the file:
 * `orgs.json:9: orgs[0].zones[0]: updates the zone "Offices": gateways`
 *
 * @param source the name of the file
 */
export function formatChanges(source: string, text: string, orgs: readonly PlannedOrg[]): string[] {
  const listed: ListedChange[] = [];
  let count = 0;
  for (const change of listAll(orgs)) {
    if (++count <= MAX_LINES) listed.push(change);
  }
  const lines = findLines(
    text,
    listed.map(({ path }) => path),
  );
  const located = listed.map((change, i) => ({ ...change, line: lines[i] ?? 1 })).sort((a, b) => a.line - b.line);
  return [
    ...located.map(({ line, path, event, noun, name, members }) => {
      const differing = members.length > 0 ? `: ${members.join(", ")}` : "";
      return `${source}:${line}: ${formatPath(path)}: ${event}s the ${NOUNS[noun]} ${JSON.stringify(name)}${differing}`;
    }),
    ...(count > MAX_LINES ? [`${source}: and ${count - MAX_LINES} more`] : []),
  ];
}

function* listAll(orgs: readonly PlannedOrg[]): Generator<ListedChange> {
  for (const org of orgs) {
    yield* listOrg(org);
    yield* listIssuers(org);
    for (const { kind, ...change } of org.plan.changes()) yield { ...change, noun: kind };
  }
}

/** The org itself, and what makes place for the file. */
function* listOrg({ file: { path }, state, plan }: PlannedOrg): Generator<ListedChange> {
  const { org, created, orgChanged, policyId } = plan;
  const entry = { path, noun: "org", name: org.subdomain, members: [] } as const;
  if (created) yield { ...entry, event: "create" };
  if (!state) return;
  const members = findDifferences(state.org, org);
  if (policyId !== state.policyId) members.push("policyId");
  if (plan.removedIssuers.length > 0) members.push("issuers");
  if (orgChanged) yield { ...entry, event: "update", members };

  const removed = { path, event: "remove", members: [] } as const;
  for (const domain of state.org.domains) {
    if (!org.domains.includes(domain)) {
      yield { ...removed, path: [...path, "domains"], noun: "domain", name: domain };
    }
  }
  for (const { name } of state.removed?.idps ?? []) yield { ...removed, noun: "idps", name };
  for (const { name } of state.removed?.rules ?? []) yield { ...removed, noun: "rules", name };
}

function* listIssuers({ file, state, plan }: PlannedOrg): Generator<ListedChange> {
  const path = [...file.path, "issuers"];
  const toChange = ({ issuer }: Issuer) => ({ path, noun: "issuer", name: issuer, members: [] }) as const;
  for (const issuer of plan.removedIssuers) yield { ...toChange(issuer), event: "remove" };

  const before = new Map(state?.issuers.map((issuer) => [issuer.id, issuer]));
  const places = new Map(file.issuers?.map((located) => [located.value.issuer, located.path]));
  for (const issuer of plan.issuers) {
    const change = { ...toChange(issuer), path: places.get(issuer.issuer) ?? path };
    const stored = before.get(issuer.id);
    if (stored) yield { ...change, event: "update", members: findDifferences(stored, issuer) };
    else yield { ...change, event: "create" };
  }
}
