import type { z } from "zod";
import { runAtOnce, type Steps } from "../pace/steps.js";
import { costOf } from "./costs.js";
import { excerpt, explain, type Path } from "../model/faults.js";
import { createFileRuleShapes, DEFAULT_RULE_NAME, type FileRule } from "../model/rule-shapes.js";
import {
  DOCUMENT_SHAPE,
  IDP_SHAPE,
  ORG_SHAPE,
  ZONE_SHAPE,
  type FileIdp,
  type FileOrg,
  type FileZone,
} from "../model/shapes.js";
import { ISSUER_SHAPE, TRUSTED_ORIGIN_SHAPE, type FileIssuer, type FileTrustedOrigin } from "../model/trust-shapes.js";
import { USER_SHAPE, type FileUser } from "../model/user-shapes.js";
import { foldLogin } from "../store/contract/rows.js";

/** Reports a fault at a path. */
export type Report = (path: Path, reason: string) => void;

/** A record of the file and its path. */
export interface Located<T> {
  path: Path;
  value: T;
}

export interface DocumentOrg extends Located<
  Pick<FileOrg, "subdomain" | "name" | "status" | "domains" | "policyId" | "rateLimits">
> {
  idps: Located<FileIdp>[];
  zones: Located<FileZone>[];
  trustedOrigins: Located<FileTrustedOrigin>[];
  /** `undefined` when the file has no list of issuers. */
  issuers: Located<FileIssuer>[] | undefined;
  users: Located<FileUser>[];
  /** `undefined` when the file has no list of rules. */
  rules: Located<FileRule>[] | undefined;
  defaultRule: Located<FileRule> | undefined;
  /** Names of the file's own records, valid or not, that its rules may refer to. */
  idpNames: ReadonlySet<unknown>;
  zoneNames: ReadonlySet<unknown>;
}

/** What the check of a record costs beside that of its members, see {@link Steps}. */
const CHECK_COST = 20;

/** The same where keys are parsed: a certificate, or up to a hundred keys of an issuer. */
const CERTIFICATE_COST = 250;
const KEYS_COST = 15_000;

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
    const idps = recordsOf(located, "idps");
    const zones = recordsOf(located, "zones");
    const read: Omit<DocumentOrg, "path" | "value"> = {
      idps: yield* checkAll(IDP_SHAPE, idps, report, CERTIFICATE_COST),
      zones: yield* checkAll(ZONE_SHAPE, zones, report),
      trustedOrigins: yield* checkAll(TRUSTED_ORIGIN_SHAPE, recordsOf(located, "trustedOrigins"), report),
      issuers: yield* checkIfPresent(ISSUER_SHAPE, located, "issuers", report, KEYS_COST),
      users: yield* checkAll(USER_SHAPE, recordsOf(located, "users"), report),
      rules: yield* checkIfPresent(shapes.rule, located, "rules", report),
      defaultRule: readDefaultRule(shapes.defaultRule, located, report),
      idpNames: new Set(idps.map(({ value }) => memberOf(value, "name"))),
      zoneNames: new Set(zones.map(({ value }) => memberOf(value, "name"))),
    };
    for (const records of [read.idps, read.zones, read.trustedOrigins, read.rules ?? []]) {
      yield* reportTwice<{ name: string }>(records, ["name"], ({ name }) => name, report);
    }
    yield* reportTwice(read.trustedOrigins, ["origin"], ({ origin }) => origin, report);
    yield* reportTwice(read.issuers ?? [], ["issuer"], ({ issuer }) => issuer, report);
    yield* reportTwice(read.users, ["profile", "login"], ({ profile }) => foldLogin(profile.login), report);
    for (const records of [
      read.idps,
      read.zones,
      read.trustedOrigins,
      read.issuers ?? [],
      read.users,
      [...(read.rules ?? []), ...(read.defaultRule ? [read.defaultRule] : [])],
    ]) {
      yield* reportTwice<{ id?: string }>(records, ["id"], ({ id }) => id, report);
    }
    if (org) orgs.push({ ...org, ...read });
  }

  yield* reportTwice(orgs, ["subdomain"], ({ subdomain }) => subdomain, report);
  yield* reportTwice(orgs.flatMap(domainsOf), [], (domain) => domain, report);
  return orgs;
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

function* checkAll<T>(
  shape: z.ZodType<T>,
  records: readonly Located<unknown>[],
  report: Report,
  cost = CHECK_COST,
): Steps<Located<T>[]> {
  const checked: Located<T>[] = [];
  for (const located of records) {
    yield cost + costOf(located.value);
    const record = check(shape, located, report);
    if (record) checked.push(record);
  }
  return checked;
}

function* checkIfPresent<T>(
  shape: z.ZodType<T>,
  org: Located<unknown>,
  key: string,
  report: Report,
  cost?: number,
): Steps<Located<T>[] | undefined> {
  return memberOf(org.value, key) === undefined ? undefined : yield* checkAll(shape, recordsOf(org, key), report, cost);
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
