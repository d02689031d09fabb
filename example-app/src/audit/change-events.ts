import type { Request } from "express";
import type { LogEntity, LogEvent } from "../model/records.js";
import { batchesOf } from "../store/batches.js";
import { appendLogEvents } from "../store/log-events.js";
import { describeFacts } from "../store/log-facts.js";
import type { WriteTransaction } from "../store/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import { selectFacts } from "./log-facts.js";
import { gatherFacts, requestNotes } from "./request-facts.js";

/** A change that a request or a command made. */
export interface AuditEvent {
  /** Such as `user.lifecycle.create`. */
  readonly eventType: string;
  /** Text for people: `Create user`. */
  readonly displayMessage: string;
  /** The changed records, the main one first. */
  readonly target: readonly LogEntity[];
}

/**
 * Write the event of a change by `req` to the System Log of its org, in the same transaction as the change. Call it
 * last in the transaction, see {@link appendLogEvents}.
 *
 * @throws {Error} when `observeRequests()` or `tenant()` did not run for this request
 */
export async function recordEvents(
  req: Request,
  transaction: WriteTransaction,
  events: readonly AuditEvent[],
): Promise<void> {
  const facts = gatherFacts(req);
  const description = describeFacts(facts.id, selectFacts(facts));
  await append(transaction, getTenant(req).org.id, description, events);
  requestNotes.get(req).hasRecorded = true;
}

/**
 * Write the events of changes that a command made, such as `import`, to the log of an org, in the same transaction. The
 * command is their actor.
 *
 * @param id of the transaction in the log
 * @param events functions, so that few of very many events are in memory
 */
export async function recordCommandEvents(
  transaction: WriteTransaction,
  orgId: string,
  { command, id }: Readonly<{ command: string; id: string }>,
  events: readonly (() => AuditEvent)[],
): Promise<void> {
  const description: Description = {
    version: "0",
    actor: { id: command, type: "Command", alternateId: command, displayName: command, detailEntry: null },
    client: {
      userAgent: { rawUserAgent: "", os: "Unknown", browser: "UNKNOWN" },
      zone: null,
      device: "Unknown",
      id: null,
      ipAddress: null,
      geographicalContext: null,
    },
    transaction: { type: "JOB", id, detail: {} },
    debugContext: { debugData: { requestId: id, requestUri: "", url: "" } },
    authenticationContext: {},
    securityContext: {},
    request: { ipChain: [] },
  };
  for (const batch of batchesOf(events)) {
    await append(
      transaction,
      orgId,
      description,
      batch.map((describe) => describe()),
    );
  }
}

type Description = Omit<
  LogEvent,
  "uuid" | "published" | "eventType" | "severity" | "displayMessage" | "outcome" | "target"
>;

function append(
  transaction: WriteTransaction,
  orgId: string,
  description: Description,
  events: readonly AuditEvent[],
): Promise<void> {
  return appendLogEvents(
    transaction,
    orgId,
    events.map(({ eventType, displayMessage, target }) => ({
      ...description,
      eventType,
      displayMessage,
      severity: "INFO",
      outcome: { result: "SUCCESS", reason: null },
      target: [...target],
    })),
  );
}
