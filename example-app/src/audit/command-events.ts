import { batchesInTurns } from "../store/records/batches.js";
import { prepareLog } from "../store/log/retention.js";
import { findOrgRows, readOrg } from "../store/records/queries.js";
import type { Store } from "../store/store.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { appendChanges, type AuditEvent } from "./change-events.js";
import { describeOrg } from "./describe-change.js";
import { describeJob } from "./log-facts.js";
import { createRequestId } from "./request-ids.js";

/** The actor of everything that the command line does. The name of the command is its display name. */
const COMMAND_LINE = "cli";

/** A command such as `import`. */
export interface LoggedCommand {
  readonly command: string;
  /**
   * The id of the transaction in the log. All events of one command have the same.
   *
   * @default a new one
   */
  readonly id?: string;
}

/** {@link Store.write} for a command: its events find a partition, also in a database that no server has started on. */
export async function writeCommand<T>(
  store: Pick<Store, "write">,
  work: (transaction: WriteTransaction) => Promise<T>,
): Promise<T> {
  await prepareLog(store).catch(() => undefined); // another process holds the lock: they go to the default partition
  return store.write(work);
}

/**
 * Write the events of a command to the log of an org, in the same transaction as its changes.
 *
 * @param events functions, so that few of very many events are in memory
 */
export async function recordCommandEvents(
  transaction: WriteTransaction,
  orgId: string,
  { command, id = createRequestId() }: LoggedCommand,
  events: readonly (() => AuditEvent)[],
): Promise<void> {
  const description = describeJob(id, { id: COMMAND_LINE, type: "Command", displayName: command });
  for await (const batch of batchesInTurns(events)) {
    await appendChanges(
      transaction,
      orgId,
      description,
      batch.map((describe) => describe()),
      { source: command === "import" ? "import" : "command" },
    );
  }
}

/** Write the event of a command that concerns all orgs to the log of each, or to that of one org: `org.export`. */
export async function recordInLogs(
  store: Pick<Store, "write">,
  command: "export" | "restore",
  orgId?: string,
): Promise<void> {
  const id = createRequestId();
  await writeCommand(store, async (transaction) => {
    for (const row of await findOrgRows(transaction.db)) {
      if (orgId !== undefined && row.id !== orgId) continue;
      const org = await readOrg(transaction.db, row);
      await recordCommandEvents(transaction, org.id, { command, id }, [() => describeOrg(command, org)]);
    }
  });
}
