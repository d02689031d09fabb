import type { z } from "zod";
import type { AuditEvent } from "../audit/change-events.js";
import type { QuotaName } from "../model/quotas.js";
import type { Idp, Issuer, RoutingTest, Rule, TrustedOrigin, User, Zone } from "../model/records.js";
import type { FileRoutingTest } from "../model/routing-test-shapes.js";
import type { createFileRuleShapes, FileRule } from "../model/rule-shapes.js";
import type { FileIdp, FileZone } from "../model/shapes.js";
import type { FileIssuer, FileTrustedOrigin } from "../model/trust-shapes.js";
import type { FileUser } from "../model/user-shapes.js";
import type { Db } from "../store/contract/schema.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import type { RecordTable } from "../store/records/table.js";
import type { Usage } from "../store/records/usage.js";
import type { Names } from "./export-rule.js";
import type { Located, Report } from "./located.js";
import type { Identified, Merge } from "./merge.js";
import type { Pseudonyms } from "./pseudonyms.js";
import type { References } from "./references.js";

/** What a record of each kind is in a file and in the store. */
interface Kinds {
  idps: { file: FileIdp; record: Idp };
  zones: { file: FileZone; record: Zone };
  trustedOrigins: { file: FileTrustedOrigin; record: TrustedOrigin };
  issuers: { file: FileIssuer; record: Issuer };
  users: { file: FileUser; record: User };
  rules: { file: FileRule; record: Rule };
  routingTests: { file: FileRoutingTest; record: RoutingTest };
}

export type KindName = keyof Kinds;
type FileOf<K extends KindName> = Kinds[K]["file"];
type RecordOf<K extends KindName> = Kinds[K]["record"];

/** Records of the store, by their kind. */
export type Stored = { [K in KindName]: RecordOf<K>[] };

/** The lists of a file, by their kind. */
export type FileLists = { [K in KindName]: Located<FileOf<K>>[] };

export type Merged = { [K in KindName]: Merge<RecordOf<K>> };

/** What the records of a file are built with. */
export interface BuildContext {
  readonly now: string;
  readonly report: Report;
  /** What rules and tests may refer to: the kinds before them. */
  readonly references: () => References;
}

/** What must differ between the records of a list, and its place in a record. */
interface Unique<K extends KindName> {
  readonly at: readonly string[];
  readonly valueOf: (value: FileOf<K>) => string;
}

/** All that an import and an export know of one kind of records. */
export interface Kind<K extends KindName> {
  /** In the lines of a rehearsal. */
  readonly noun: string;
  readonly table: RecordTable;
  readonly shape: (shapes: ReturnType<typeof createFileRuleShapes>) => z.ZodType<FileOf<K>>;
  /** What the check of a record costs beside that of its members, see {@link Steps}. */
  readonly cost: number;
  readonly unique: readonly Unique<K>[];
  /** The key that identifies a record; the file can't change it. */
  readonly keyOf: (record: FileOf<K> | RecordOf<K>) => string;
  readonly nameOf: (record: RecordOf<K>) => string;
  /** Whether a list is always the whole list: an import removes what it leaves out. */
  readonly isWhole: boolean;
  /** Whether a change counts as one of the org, whose compiled routing depends on it. */
  readonly touchesOrg: boolean;

  /** The records of an org. */
  readonly read: (db: Db, orgId: string) => Promise<RecordOf<K>[]>;
  /** Those that the file may change, if these are not all. */
  readonly readWanted?: (
    transaction: WriteTransaction,
    orgId: string,
    wanted: readonly Located<FileOf<K>>[],
    onBytes?: (bytes: number) => void,
  ) => Promise<RecordOf<K>[]>;

  /** The record as the file describes it. */
  readonly build: (
    wanted: Located<FileOf<K>>,
    before: RecordOf<K> | undefined,
    context: BuildContext,
  ) => Omit<RecordOf<K>, keyof Identified>;
  /** Reports what is wrong with the list as a whole. */
  readonly check?: (wanted: readonly Located<FileOf<K>>[], stored: readonly RecordOf<K>[], report: Report) => void;
  /** The records to write, if these are not those that changed. */
  readonly place?: (merge: Merge<RecordOf<K>>, stored: readonly RecordOf<K>[], now: string) => RecordOf<K>[];
  readonly write: (transaction: WriteTransaction, orgId: string, records: readonly RecordOf<K>[]) => Promise<void>;

  readonly describe: (
    event: "create" | "update" | "delete",
    record: RecordOf<K>,
    before: RecordOf<K> | undefined,
    policyId: string,
  ) => AuditEvent;
  /** The quotas that records use. */
  readonly quotas: readonly QuotaName[];
  /** How a changed record uses them. */
  readonly measure: (record: RecordOf<K>, before: RecordOf<K> | undefined) => Usage;

  /** The record in a file. */
  readonly toFile: (record: RecordOf<K>, names: Names) => object;
  readonly hide?: (pseudonyms: Pseudonyms) => (record: RecordOf<K>) => RecordOf<K>;
}
