import { recordCommandEvents, writeCommand } from "../audit/command-events.js";
import { createRequestId } from "../audit/request-ids.js";
import { ORG_PROVIDER } from "../model/orgs.js";
import type { Store } from "../store/store.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { formatChanges, type PlannedOrg } from "./change-lines.js";
import { makeRoom } from "./demonstration.js";
import { readDocument, type DocumentOrg } from "./document.js";
import { ImportError, MAX_LISTED, type Fault } from "./faults.js";
import { parseCheckedJson } from "./json.js";
import { findLines } from "./lines.js";
import { describeFindings } from "./import-findings.js";
import { beginImportTests } from "./import-tests.js";
import { RECORD_KINDS, type RecordKind } from "./kinds.js";
import type { Report } from "./located.js";
import type { Counts } from "./merge.js";
import { planOrg, type OrgState } from "./plan.js";
import { readText } from "./read-text.js";
import { rehearse } from "./rehearse.js";
import { checkDomains, checkQuotas, readState, writePlans } from "./tables.js";

export interface TransferOptions {
  /**
   * The file's name for the org itself among the providers of a rule: the namespace in capitals.
   *
   * @default "SVC"
   */
  orgType?: string;
}

export interface ImportOptions extends TransferOptions {
  /**
   * The name of the file in messages.
   *
   * @default "import"
   */
  source?: string;

  /** The subdomain of the default org, which can't be suspended. */
  defaultOrg?: string;

  /**
   * Whether each list of the file is the whole list: the import removes the records that it leaves out.
   *
   * @default false
   */
  prune?: boolean;
  /**
   * Whether routing tests may fail after the import that passed before it, or that it writes.
   *
   * @default false
   */
  allowFailingTests?: boolean;
  /** Called before the import writes, with a line for each finding about rules that it adds. */
  onFindings?: (lines: readonly string[]) => void;
}

/** For each kind, how many records of the file were new, changed and unchanged. */
export type ImportSummary = Record<RecordKind, Counts>;

/**
 * Import the file at `path`, see {@link importText}.
 *
 * @throws {ImportError} also when the file can't be read, is larger than 128 MiB, or is not UTF-8
 */
export async function importFile(store: Store, path: string, options: ImportOptions = {}): Promise<ImportSummary> {
  return importText(store, await readText(path), { ...options, source: path });
}

/**
 * Import `text` into the store, see docs/guides/import.md. Imports everything or nothing; importing it again changes nothing.
 *
 * @throws {ImportError} with all faults of the file
 */
export async function importText(store: Store, text: string, options: ImportOptions = {}): Promise<ImportSummary> {
  return writeCommand(store, prepareImport(text, options));
}

/**
 * Find out what {@link importFile} would do, and change nothing.
 *
 * @returns a line for each record that it would create, update or remove, one for each finding that it would add, then one for
 * each kind of record
 * @throws {ImportError} with all faults of the file, as the import does
 */
export async function rehearseFile(store: Store, path: string, options: ImportOptions = {}): Promise<string[]> {
  const text = await readText(path);
  const findings: string[] = [];
  const onFindings = (lines: readonly string[]) => void findings.push(...lines);
  const write = prepareWrites(text, { ...options, source: path, onFindings });
  return rehearse(store, async (transaction) => {
    const orgs = await write(transaction);
    return [...formatChanges(path, text, orgs), ...findings, formatSummary(summarize(orgs))];
  });
}

/**
 * Parse `text` and return a function that imports it within a transaction.
 *
 * @throws {ImportError} when the text is not JSON; the returned function rejects with all other faults
 */
export function prepareImport(
  text: string,
  options: ImportOptions = {},
): (transaction: WriteTransaction) => Promise<ImportSummary> {
  const write = prepareWrites(text, options);
  return async (transaction) => {
    const orgs = await write(transaction);
    const id = createRequestId();
    for (const { plan } of orgs) {
      await recordCommandEvents(transaction, plan.org.id, { command: "import", id }, plan.events);
    }
    return summarize(orgs);
  };
}

/** {@link prepareImport} without the events. */
function prepareWrites(
  text: string,
  {
    source = "import",
    orgType = ORG_PROVIDER,
    defaultOrg,
    prune = false,
    allowFailingTests = false,
    onFindings,
  }: ImportOptions,
): (transaction: WriteTransaction) => Promise<PlannedOrg[]> {
  const { value, faults } = parseCheckedJson(text);
  if (value === undefined) throw new ImportError(source, faults);

  const found: Omit<Fault, "line">[] = [];
  const report: Report = (path, reason) => void found.push({ path, reason });
  const files = readDocument(value, orgType, report).map((file) => ({ ...file, isWhole: prune }));

  return async (transaction) => {
    await transaction.dialect.lockImports(transaction.db);
    const orgs: PlannedOrg[] = [];
    for (const file of files) {
      const stored = await readState(transaction, file);
      reportStatus(file, stored, defaultOrg, report);
      const state = stored && (await makeRoom(transaction, file, stored, report));
      orgs.push({ file, state, plan: planOrg(file, state, transaction.now, report) });
    }
    const plans = orgs.map(({ plan }) => plan);
    await checkDomains(transaction, files, plans, report);
    if (faults.length + found.length > 0) throw toImportError(source, text, faults, found);

    if (onFindings) onFindings(await describeFindings(transaction, orgs));
    const tests = allowFailingTests ? undefined : await beginImportTests(transaction, orgs);
    await writePlans(transaction, plans);
    await checkQuotas(transaction, files, plans, report);
    await tests?.(report);
    if (found.length > 0) throw toImportError(source, text, faults, found);
    return orgs;
  };
}

/** A line for each kind of record in the file. */
export function formatSummary(summary: ImportSummary): string {
  return RECORD_KINDS.filter((kind) => Object.values(summary[kind]).some((count) => count > 0))
    .map((kind) => {
      const { created, updated, unchanged, removed } = summary[kind];
      const gone = removed === undefined ? "" : `, ${removed} removed`;
      return `${kind}: ${created} created, ${updated} updated, ${unchanged} unchanged${gone}`;
    })
    .join("\n");
}

function reportStatus(
  { path, value: { subdomain, status } }: DocumentOrg,
  state: OrgState | undefined,
  defaultOrg: string | undefined,
  report: Report,
): void {
  if (state?.org.status === "REMOVING") report(path, "is being removed; run org remove again to end that");
  if (status === "SUSPENDED" && subdomain === defaultOrg) {
    report([...path, "status"], "must be ACTIVE: this is the default org, which is always served");
  }
}

function toImportError(
  source: string,
  text: string,
  faults: readonly Fault[],
  found: readonly Omit<Fault, "line">[],
): ImportError {
  const listed = found.slice(0, MAX_LISTED);
  const lines = findLines(
    text,
    listed.map(({ path }) => path),
  );
  const located = listed.map((fault, i) => ({ ...fault, line: lines[i] ?? 1 }));
  const all = [...faults, ...located].sort((a, b) => a.line - b.line);
  return new ImportError(source, all.slice(0, MAX_LISTED), faults.length + found.length);
}

function summarize(orgs: readonly PlannedOrg[]): ImportSummary {
  const entries = RECORD_KINDS.map((kind) => [kind, orgs.map(({ plan }) => plan.counts[kind]).reduce(addCounts, NONE)]);
  return Object.fromEntries(entries) as ImportSummary;
}

const NONE: Counts = { created: 0, updated: 0, unchanged: 0 };

function addCounts(sum: Counts, { created, updated, unchanged, removed }: Counts): Counts {
  return {
    created: sum.created + created,
    updated: sum.updated + updated,
    unchanged: sum.unchanged + unchanged,
    ...(removed !== undefined && { removed: (sum.removed ?? 0) + removed }),
  };
}
