import { setImmediate } from "node:timers/promises";
import { recordCommandEvents, writeCommand } from "../../audit/command-events.js";
import { describeOrg } from "../../audit/describe-change.js";
import type { Org } from "../../model/records.js";
import { countContent, removeContent, removeOrgRow, type OrgContent } from "../../store/records/org-removal.js";
import { lockOrgRow, setOrgStatus } from "../../store/records/orgs.js";
import { findOrgRow, findOrgRows, readOrg } from "../../store/records/queries.js";
import type { Store } from "../../store/store.js";
import type { WriteTransaction } from "../../store/contract/transaction.js";
import { formatTable } from "./table.js";

/** The reason why a command on orgs can't be done: one line for the user of the command line. */
export class OrgError extends Error {
  override readonly name = "OrgError";
}

/** The org that a command is for. */
export interface OrgRequest {
  /** Its subdomain. */
  readonly org: string;
  /** The subdomain of the default org. */
  readonly defaultOrg: string;
}

/** A table of all orgs, by subdomain. */
export async function formatOrgs({ reader }: Pick<Store, "reader">): Promise<string> {
  const rows = (await findOrgRows(reader)).map(({ subdomain, status, name, created }) => [
    subdomain,
    status,
    created,
    name,
  ]);
  return formatTable([["SUBDOMAIN", "STATUS", "CREATED", "NAME"], ...rows]);
}

/**
 * Stop serving an org: its hosts respond as unknown ones, and its tokens are refused, on every node.
 *
 * @throws {OrgError} when there is no such org, it is the default org, or it is not ACTIVE
 */
export function suspendOrg(store: Store, request: OrgRequest): Promise<void> {
  return changeStatus(store, request, { from: "ACTIVE", to: "SUSPENDED", event: "suspend" });
}

/**
 * Serve a suspended org again.
 *
 * @throws {OrgError} when there is no such org, or it is not SUSPENDED
 */
export function activateOrg(store: Store, request: OrgRequest): Promise<void> {
  return changeStatus(store, request, { from: "SUSPENDED", to: "ACTIVE", event: "activate" });
}

/**
 * Remove an org and all its data in many transactions. When the command is interrupted, the org stays unknown to
 * clients, and the same command removes the rest.
 *
 * @throws {OrgError} when there is no such org, or it is the default org
 */
export async function removeOrg(store: Store, request: OrgRequest): Promise<void> {
  const org = await store.write(async (transaction) => {
    const found = await lockOrg(transaction, request);
    if (found.status !== "REMOVING") await setOrgStatus(transaction, found.id, "REMOVING");
    return found;
  });
  while (await store.write((transaction) => removeContent(transaction, org.id))) await setImmediate();
  await writeCommand(store, async (transaction) => {
    await removeOrgRow(transaction, org.id);
    await record(transaction, request, "delete", org);
  });
}

/**
 * What {@link removeOrg} removes, for people.
 *
 * @throws {OrgError} when there is no such org, or it is the default org
 */
export async function describeContent(store: Pick<Store, "read">, request: OrgRequest): Promise<string> {
  return store.read(async (db) => {
    const row = await findOrgRow(db, "subdomain", request.org);
    const org = assertChangeable(row && (await readOrg(db, row)), request);
    const counts = formatContent(await countContent(db, org.id));
    return [`${org.subdomain} (${org.name})`, ...counts, `custom domains: ${org.domains.length}`].join("\n");
  });
}

interface StatusChange {
  readonly from: Org["status"];
  readonly to: Org["status"];
  readonly event: string;
}

async function changeStatus(store: Store, request: OrgRequest, { from, to, event }: StatusChange): Promise<void> {
  await writeCommand(store, async (transaction) => {
    const org = await lockOrg(transaction, request);
    if (org.status === "REMOVING")
      throw new OrgError(`The org ${request.org} is being removed; run org remove again to end that`);
    if (org.status !== from) throw new OrgError(`The org ${request.org} is ${org.status} already`);
    await setOrgStatus(transaction, org.id, to);
    await record(transaction, request, event, org);
  });
}

async function lockOrg(transaction: WriteTransaction, request: OrgRequest): Promise<Org> {
  const row = await lockOrgRow(transaction, request.org);
  return assertChangeable(row && (await readOrg(transaction.db, row)), request);
}

function assertChangeable(org: Org | undefined, { org: subdomain, defaultOrg }: OrgRequest): Org {
  if (!org) throw new OrgError(`There is no org with the subdomain ${JSON.stringify(subdomain)}; org list shows all`);
  if (subdomain !== defaultOrg) return org;
  throw new OrgError(
    `The org ${subdomain} is the default org, which is always served; make another one the default with --default-org`,
  );
}

/** Write the event to the log of the default org, if there is one: those of the org itself go with it. */
async function record(
  transaction: WriteTransaction,
  { defaultOrg }: OrgRequest,
  event: string,
  org: Org,
): Promise<void> {
  const owner = await findOrgRow(transaction.db, "subdomain", defaultOrg);
  if (!owner) return;
  const command = event === "delete" ? "org remove" : `org ${event}`;
  await recordCommandEvents(transaction, owner.id, { command }, [() => describeOrg(event, org)]);
}

const NOUNS: Readonly<Record<keyof OrgContent, string>> = {
  users: "users",
  rules: "rules",
  idps: "identity providers",
  zones: "zones",
  routing_tests: "routing tests",
  trusted_origins: "trusted origins",
  issuers: "issuers",
  api_tokens: "API tokens",
  log_events: "events",
  revisions: "revisions",
};

function formatContent(content: OrgContent): string[] {
  return Object.entries(NOUNS).map(([table, noun]) => `${noun}: ${content[table as keyof OrgContent]}`);
}
