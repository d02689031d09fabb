import { formatPath, type Path } from "../model/faults.js";
import { findDifferences } from "./changes.js";
import type { DocumentOrg } from "./document.js";
import type { KindName } from "./kind.js";
import { KINDS, MANAGED_KINDS } from "./kinds.js";
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

/** The lines of issuers come first, which only the operator imports. */
const LISTED_KINDS = ["issuers", ...MANAGED_KINDS] as const;

interface ListedChange {
  /** The place in the file that is the reason. */
  readonly path: Path;
  readonly event: "create" | "update" | "remove";
  readonly noun: string;
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
      return `${source}:${line}: ${formatPath(path)}: ${event}s the ${noun} ${JSON.stringify(name)}${differing}`;
    }),
    ...(count > MAX_LINES ? [`${source}: and ${count - MAX_LINES} more`] : []),
  ];
}

function* listAll(orgs: readonly PlannedOrg[]): Generator<ListedChange> {
  for (const org of orgs) {
    yield* listOrg(org);
    for (const kind of LISTED_KINDS) yield* listKind(kind, org);
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
  if (plan.removed.issuers.length > 0) members.push("issuers");
  if (orgChanged) yield { ...entry, event: "update", members };

  const removed = { path, event: "remove", members: [] } as const;
  for (const domain of state.org.domains) {
    if (!org.domains.includes(domain)) {
      yield { ...removed, path: [...path, "domains"], noun: "domain", name: domain };
    }
  }
  for (const { name } of state.removed?.idps ?? []) yield { ...removed, noun: KINDS.idps.noun, name };
  for (const { name } of state.removed?.rules ?? []) yield { ...removed, noun: KINDS.rules.noun, name };
}

function* listKind(kind: KindName, { plan }: PlannedOrg): Generator<ListedChange> {
  const { noun } = KINDS[kind];
  for (const { event, ...change } of plan.changes([kind])) {
    yield { ...change, event: event === "delete" ? "remove" : event, noun };
  }
}
