import type { z } from "zod";
import { runAtOnce, type Steps } from "../pace/steps.js";
import { costOf } from "./costs.js";
import { excerpt, explain, type Path } from "../model/faults.js";
import { createFileRuleShapes, DEFAULT_RULE_NAME, type FileRule } from "../model/rule-shapes.js";
import { DOCUMENT_SHAPE, ORG_SHAPE, type FileOrg } from "../model/shapes.js";
import type { FileLists, KindName } from "./kind.js";
import { KIND_NAMES, KINDS } from "./kinds.js";
import type { Located, Report } from "./located.js";

/** An org of the file with its lists, each `undefined` when the file has none. */
export interface DocumentOrg
  extends
    Located<
      Pick<
        FileOrg,
        "subdomain" | "name" | "status" | "domains" | "policyId" | "rateLimits" | "signInUrl" | "whenProfileUnavailable"
      >
    >,
    Partial<FileLists> {
  defaultRule: Located<FileRule> | undefined;
  /** Whether each list of the file is the whole list: an import removes what it leaves out. */
  isWhole?: boolean | undefined;
  /** Names of the file's own records, valid or not, that its rules and tests may refer to. */
  idpNames: ReadonlySet<unknown>;
  zoneNames: ReadonlySet<unknown>;
  ruleNames: ReadonlySet<unknown>;
}

/** What it costs to look at one of many records. */
const LOOK_COST = 1;

/**
 * Read the orgs of a document. Reports everything that can be checked in the file alone, and leaves out orgs that are
 * invalid in themselves.
 *
 * @param orgType the file's name for the org itself among the providers of a rule
 */
export function readDocument(document: unknown, orgType: string, report: Report): DocumentOrg[] {
  return runAtOnce(readInSteps(document, orgType, report));
}

/** {@link readDocument} in steps. */
export function* readInSteps(document: unknown, orgType: string, report: Report): Steps<DocumentOrg[]> {
  check(DOCUMENT_SHAPE, { path: [], value: document }, report);
  const shapes = createFileRuleShapes(orgType);

  const orgs: DocumentOrg[] = [];
  for (const located of recordsOf({ path: [], value: document }, "orgs")) {
    const org = check(ORG_SHAPE, located, report);
    const lists: Partial<FileLists> = {};
    for (const kind of KIND_NAMES) yield* readList(kind, lists, located, shapes, report);
    const read: Omit<DocumentOrg, "path" | "value"> = {
      ...lists,
      defaultRule: readDefaultRule(shapes.defaultRule, located, report),
      idpNames: namesOf(located, "idps"),
      zoneNames: namesOf(located, "zones"),
      ruleNames: namesOf(located, "rules"),
    };
    yield* reportAllTwice(read, report);
    if (org) orgs.push({ ...org, ...read });
  }

  yield* reportTwice(orgs, ["subdomain"], ({ subdomain }) => subdomain, report);
  yield* reportTwice(orgs.flatMap(domainsOf), [], (domain) => domain, report);
  return orgs;
}

/** The records that the file has of a kind. Its default rule is a rule like the others. */
export function wantedOf<K extends KindName>(
  file: Pick<DocumentOrg, K | "defaultRule">,
  kind: K,
): readonly FileLists[K][number][] {
  const records: readonly FileLists[K][number][] = (file as Partial<FileLists>)[kind] ?? [];
  const isLast = kind === "rules" && file.defaultRule !== undefined;
  return isLast ? [...records, file.defaultRule as FileLists[K][number]] : records;
}

function* readList<K extends KindName>(
  name: K,
  lists: Partial<FileLists>,
  org: Located<unknown>,
  shapes: ReturnType<typeof createFileRuleShapes>,
  report: Report,
): Steps<void> {
  if (memberOf(org.value, name) === undefined) return;
  const { shape, cost } = KINDS[name];
  const list = [] as FileLists[K];
  for (const located of recordsOf(org, name)) {
    yield cost + costOf(located.value);
    const record = check(shape(shapes), located, report);
    if (record) (list as Located<unknown>[]).push(record);
  }
  lists[name] = list;
}

/** First the names of all lists, then what else is unique, then the ids, of the default rule too. */
function* reportAllTwice(org: Omit<DocumentOrg, "path" | "value">, report: Report): Steps<void> {
  for (const isName of [true, false]) {
    for (const kind of KIND_NAMES) yield* reportUnique(kind, org, isName, report);
  }
  for (const kind of KIND_NAMES) {
    yield* reportTwice<{ id?: string }>(wantedOf(org, kind), ["id"], ({ id }) => id, report);
  }
}

function* reportUnique<K extends KindName>(
  name: K,
  org: Partial<FileLists>,
  isName: boolean,
  report: Report,
): Steps<void> {
  for (const { at, valueOf } of KINDS[name].unique) {
    if ((at[0] === "name") === isName) yield* reportTwice(org[name] ?? [], at, valueOf, report);
  }
}

function namesOf(org: Located<unknown>, key: string): ReadonlySet<unknown> {
  return new Set(recordsOf(org, key).map(({ value }) => memberOf(value, "name")));
}

/** The default rule has a fixed name, so it is merged like the other rules. */
function readDefaultRule(
  shape: z.ZodType<Omit<FileRule, "name">>,
  { path, value }: Located<unknown>,
  report: Report,
): Located<FileRule> | undefined {
  const given = memberOf(value, "defaultRule");
  const rule = given === undefined ? undefined : check(shape, { path: [...path, "defaultRule"], value: given }, report);
  return rule && { path: rule.path, value: { ...rule.value, name: DEFAULT_RULE_NAME } };
}

/** The custom domains of an org and their paths. */
export function domainsOf({ path, value: { domains = [] } }: DocumentOrg): Located<string>[] {
  return domains.map((value, i) => ({ path: [...path, "domains", i], value }));
}

function check<T>(shape: z.ZodType<T>, { path, value }: Located<unknown>, report: Report): Located<T> | undefined {
  const { success, data, error } = shape.safeParse(value, { error: explain });
  if (success) return { path, value: data };
  for (const issue of error.issues) {
    const place = [...path, ...(issue.path as Path)];
    if (issue.code !== "unrecognized_keys") report(place, issue.message);
    else for (const key of issue.keys) report([...place, key], issue.message);
  }
  return undefined;
}

function recordsOf({ path, value }: Located<unknown>, key: string): Located<unknown>[] {
  const records = memberOf(value, key);
  return Array.isArray(records)
    ? records.map((record, i) => ({ path: [...path, key, i], value: record as unknown }))
    : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** Report every record after the first with the same key. `at` is the path of the key within a record. */
function* reportTwice<T>(
  records: readonly Located<T>[],
  at: Path,
  keyOf: (value: T) => string | undefined,
  report: Report,
): Steps<void> {
  const seen = new Set<string>();
  for (const { path, value } of records) {
    yield LOOK_COST;
    const key = keyOf(value);
    if (key === undefined) continue;
    if (seen.has(key)) report([...path, ...at], `is there twice: ${excerpt(key)}`);
    seen.add(key);
  }
}
