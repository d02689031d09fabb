import { StoreError } from "../../store/contract/errors.js";
import type { Inspection } from "../../store/inspect/inspect.js";
import { inspectReplica, type ReplicaInspection } from "../../store/inspect/replica.js";
import type { Settings } from "../settings/settings.js";
import { fault, ok, warning, type Finding } from "./finding.js";

const CHECK = "replica";

/** Whether the replica can serve reads, if there is one and the primary could be looked at. */
export async function checkReplica(
  { databaseUrl, readUrl, readMaxLag: maxLag }: Pick<Settings, "databaseUrl" | "readUrl" | "readMaxLag">,
  primary: Inspection | undefined,
): Promise<Finding[]> {
  if (databaseUrl === undefined || readUrl === undefined || primary === undefined || primary.isReadOnly) return [];
  try {
    return [judge(await inspectReplica({ databaseUrl, readUrl, maxLag }), maxLag)];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [
      fault(CHECK, error.message, "check that PostgreSQL runs there, its address, user and password in --read-url"),
    ];
  }
}

function judge({ unfitness, isCurrent }: ReplicaInspection, maxLag: number): Finding {
  if (unfitness !== undefined) {
    return fault(CHECK, unfitness, "--read-url must lead to a standby that follows the primary of --database-url");
  }
  if (isCurrent) return ok(CHECK, "it follows the primary");
  const text = `it is more than ${maxLag} ms behind`;
  return warning(CHECK, text, "look at its load, its disk and the network to it, or raise --read-max-lag");
}
