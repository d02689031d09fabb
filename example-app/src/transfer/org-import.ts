import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { AuditEvent } from "../audit/change-events.js";
import type { Steps } from "../pace/steps.js";
import { apiError } from "../model/api-error.js";
import { formatPath } from "../model/faults.js";
import type { Org } from "../model/records.js";
import { invalid, type BodyFault } from "../rest/body.js";
import type { Store } from "../store/store.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { runInSlices, type NextTurn } from "../pace/slices.js";
import type { Change } from "./changes.js";
import { readInSteps, type DocumentOrg } from "./document.js";
import { MAX_LISTED } from "./faults.js";
import { compareImport, type ComparedImport } from "./import-findings.js";
import { MANAGED_KINDS, type ManagedKind } from "./kinds.js";
import type { Report } from "./located.js";
import type { Counts } from "./merge.js";
import { completeOrgFile, OPERATOR_KEYS } from "./org-file.js";
import { planInSteps, type OrgPlan, type OrgState } from "./plan.js";
import { rehearse } from "./rehearse.js";
import { checkQuotas, readState, writePlans } from "./tables.js";

/** The changes that a response lists; the others are only counted. */
export const MAX_CHANGES = 1_000;

/** The members that these have together. */
const MAX_CHANGED_MEMBERS = 20_000;

/** What it costs to list a change, see {@link Steps}: most of it are the members, a hundred at most. */
const LIST_COST = 100;

/** The most bytes of the profiles that the org has of users in the file: these are in memory until the import ends. */
const MAX_STORED_BYTES = 8_388_608;

export interface OrgImportOptions {
  org: Pick<Org, "subdomain" | "name">;
  /** The file's name for the org itself among the providers of a rule. */
  orgType: string;
  /** Find out what the import would do, and do nothing. */
  isDryRun: boolean;
  /** Remove the records that the lists of the file leave out. */
  prune: boolean;
  /** Runs before the import writes. The function that it returns runs after that, and may refuse it. */
  begin: (transaction: WriteTransaction, orgId: string) => Promise<() => Promise<void>>;
  /** Writes the events of what changed, in the transaction. */
  record: (transaction: WriteTransaction, events: readonly (() => AuditEvent)[]) => Promise<void>;
  /** Ends the import, which then changes nothing. */
  signal: AbortSignal;
  nextTurn?: NextTurn | undefined;
}

export interface OrgImportResult extends ComparedImport {
  counts: Record<ManagedKind, Counts>;
  /** The first {@link MAX_CHANGES}. */
  changes: Change[];
  /** That of all changes but those of users; `null` when there is none. */
  revision: number | null;
}

/**
 * Import a file into the org that it names, all of it or nothing. It changes only what the org's administrators manage.
 *
 * @throws {ApiError} E0000001 with what is wrong in the file; E0000195 when the org would exceed a quota
 */
export async function importIntoOrg(
  store: Pick<ReturnType<Store["forOrg"]>, "write">,
  document: unknown,
  { org, orgType, isDryRun, prune, begin, record, signal, nextTurn }: OrgImportOptions,
): Promise<OrgImportResult> {
  const faults: BodyFault[] = [];
  const report: Report = (path, reason) => {
    faults.push([path, reason]);
    if (faults.length > MAX_LISTED) throw invalid(faults, MAX_LISTED); // finding them all takes long
  };
  await (nextTurn ?? setImmediate)(); // the body was parsed in this one
  const { value: orgs } = await runInSlices(readInSteps(completeOrgFile(document, org), orgType, report), nextTurn);
  const [read] = orgs;
  if (!read) throw invalid(faults, MAX_LISTED);
  const file = { ...read, isWhole: prune };

  const write = async (transaction: WriteTransaction): Promise<OrgImportResult> => {
    const state = await readState(transaction, file, assertStoredBytes);
    if (!state) throw new Error(`The org ${org.subdomain} does not exist`);
    const { value: plan } = await runInSlices(planInSteps(file, state, transaction.now, report), nextTurn);
    reportOperatorKeys(file, plan, state, report);
    if (faults.length > 0) throw invalid(faults, MAX_LISTED);
    signal.throwIfAborted();
    const compared = await compareImport(transaction.db, plan, state, { nextTurn, wantsSamples: isDryRun });
    const finish = await begin(transaction, plan.org.id);
    await writePlans(transaction, [plan]);
    await assertQuotas(transaction, file, plan);
    await finish();
    if (!isDryRun) await record(transaction, plan.events);
    signal.throwIfAborted();
    const revision = !isDryRun && transaction.changes.has(plan.org.id) ? await transaction.touch(plan.org.id) : null;
    return { revision, ...(await runInSlices(summarize(plan), nextTurn)).value, ...compared };
  };
  return isDryRun ? rehearse(store, write) : store.write(write);
}

/** An export has some of these members, so their present values are accepted. */
function reportOperatorKeys(
  { path, value, issuers }: DocumentOrg,
  plan: OrgPlan,
  state: OrgState,
  report: Report,
): void {
  const stored = { ...state.org, policyId: state.policyId };
  const issuersChange = plan.written.issuers.length + plan.removed.issuers.length > 0;
  for (const key of OPERATOR_KEYS) {
    const isChanged =
      key === "issuers"
        ? issuers !== undefined && issuersChange
        : value[key] !== undefined && !isDeepStrictEqual(value[key], stored[key]);
    if (isChanged)
      report([...path, key], "can't change here; the operator of the server imports it, with the command import");
  }
}

async function assertQuotas(transaction: WriteTransaction, file: DocumentOrg, plan: OrgPlan): Promise<void> {
  const causes: string[] = [];
  await checkQuotas(transaction, [file], [plan], (path, reason) => void causes.push(`${formatPath(path)}: ${reason}`));
  if (causes.length > 0) {
    throw apiError("E0000195", { type: "quota.exceeded", detail: "the file exceeds a quota of the org", causes });
  }
}

function assertStoredBytes(bytes: number): void {
  if (bytes <= MAX_STORED_BYTES) return;
  const reason = `have more than ${MAX_STORED_BYTES} bytes of profiles in the org; import them in several files`;
  throw invalid([[["orgs", 0, "users"], reason]]);
}

function* summarize({ counts, changes }: OrgPlan): Steps<Omit<OrgImportResult, keyof ComparedImport | "revision">> {
  const listed: Change[] = [];
  let members = 0;
  for (const change of changes(MANAGED_KINDS)) {
    members += change.members.length;
    if (listed.length === MAX_CHANGES || members > MAX_CHANGED_MEMBERS) break;
    listed.push(change);
    yield LIST_COST;
  }
  const counted = MANAGED_KINDS.map((kind) => [kind, counts[kind]] as const);
  return { counts: Object.fromEntries(counted) as OrgImportResult["counts"], changes: listed };
}
