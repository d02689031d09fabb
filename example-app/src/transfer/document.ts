import type { z } from "zod";
import { foldLogin } from "../store/records.js";
import { excerpt, type Path } from "./faults.js";
import {
  createRuleShape,
  DOCUMENT_SHAPE,
  IDP_SHAPE,
  ORG_SHAPE,
  USER_SHAPE,
  ZONE_SHAPE,
  type FileIdp,
  type FileOrg,
  type FileRule,
  type FileUser,
  type FileZone,
} from "./shape.js";

/** Takes what is wrong, and where. */
export type Report = (path: Path, reason: string) => void;

/** A record of the file and where it stands. */
export interface Located<T> {
  path: Path;
  value: T;
}

export interface DocumentOrg extends Located<Pick<FileOrg, "subdomain" | "name" | "domains">> {
  idps: Located<FileIdp>[];
  zones: Located<FileZone>[];
  users: Located<FileUser>[];
  /** `undefined`: the file says nothing of rules. */
  rules: Located<FileRule>[] | undefined;
  /** Names of the file's own records, sound or not, that its rules may refer to. */
  idpNames: ReadonlySet<unknown>;
  zoneNames: ReadonlySet<unknown>;
}

/**
 * The orgs of a document, without those that are not sound in themselves; these are reported, as is everything that
 * can be told from the file alone.
 *
 * @param orgType how the file calls the org itself among the providers of a rule
 */
export function readDocument(document: unknown, orgType: string, report: Report): DocumentOrg[] {
  check(DOCUMENT_SHAPE, { path: [], value: document }, report);
  const ruleShape = createRuleShape(orgType);

  const orgs = recordsOf({ path: [], value: document }, "orgs").flatMap((located): DocumentOrg[] => {
    const org = check(ORG_SHAPE, located, report);
    const idps = recordsOf(located, "idps");
    const zones = recordsOf(located, "zones");
    const read: Omit<DocumentOrg, "path" | "value"> = {
      idps: checkAll(IDP_SHAPE, idps, report),
      zones: checkAll(ZONE_SHAPE, zones, report),
      users: checkAll(USER_SHAPE, recordsOf(located, "users"), report),
      rules:
        memberOf(located.value, "rules") === undefined
          ? undefined
          : checkAll(ruleShape, recordsOf(located, "rules"), report),
      idpNames: new Set(idps.map(({ value }) => memberOf(value, "name"))),
      zoneNames: new Set(zones.map(({ value }) => memberOf(value, "name"))),
    };
    for (const records of [read.idps, read.zones, read.rules ?? []]) {
      reportTwice<{ name: string }>(records, ["name"], ({ name }) => name, report);
    }
    reportTwice(read.users, ["profile", "login"], ({ profile }) => foldLogin(profile.login), report);
    for (const records of [read.idps, read.zones, read.users, read.rules ?? []]) {
      reportTwice<{ id?: string }>(records, ["id"], ({ id }) => id, report);
    }
    return org ? [{ ...org, ...read }] : [];
  });

  reportTwice(orgs, ["subdomain"], ({ subdomain }) => subdomain, report);
  reportTwice(orgs.flatMap(domainsOf), [], (domain) => domain, report);
  return orgs;
}

/** The custom domains of an org, and where they stand. */
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

function checkAll<T>(shape: z.ZodType<T>, records: readonly Located<unknown>[], report: Report): Located<T>[] {
  return records.map((located) => check(shape, located, report)).filter((located) => located !== undefined);
}

/** Words for the faults for which the shapes have none of their own. */
function explain(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_type":
      if (input === undefined) return "is required";
      return `must be ${nounOf(issue.expected)}, not ${excerpt(input)}`;
    case "invalid_value":
      if (input === undefined) return "is required";
      return `must be ${issue.values.map(String).join(", ")}, not ${excerpt(input)}`.replace(
        /, (?=[^,]+, not )/,
        " or ",
      );
    case "too_big":
      return `is too long: ${lengthOf(input)}; at most ${issue.maximum} are allowed`;
    case "too_small":
      return "must not be empty";
    default:
      return undefined;
  }
}

function nounOf(type: string): string {
  return type === "object" || type === "array" ? `an ${type}` : `a ${type}`;
}

function lengthOf(input: unknown): string {
  return typeof input === "string" ? `${input.length} characters` : `${(input as unknown[]).length} elements`;
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

/** Report every record after the first with the same key; `at` is where a record holds it. */
function reportTwice<T>(
  records: readonly Located<T>[],
  at: Path,
  keyOf: (value: T) => string | undefined,
  report: Report,
): void {
  const seen = new Set<string>();
  for (const { path, value } of records) {
    const key = keyOf(value);
    if (key === undefined) continue;
    if (seen.has(key)) report([...path, ...at], `is there twice: ${excerpt(key)}`);
    seen.add(key);
  }
}
