import type { Request } from "express";
import type { LogEntity } from "../model/records.js";
import { appendLogEvents } from "../store/log-events.js";
import { describeFacts } from "../store/log-facts.js";
import type { WriteTransaction } from "../store/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import { selectFacts } from "./log-facts.js";
import { gatherFacts, requestNotes } from "./request-facts.js";

/** A change that a request made. */
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
  await appendLogEvents(
    transaction,
    getTenant(req).org.id,
    events.map(({ eventType, displayMessage, target }) => ({
      ...description,
      eventType,
      displayMessage,
      severity: "INFO",
      outcome: { result: "SUCCESS", reason: null },
      target: [...target],
    })),
  );
  requestNotes.get(req).hasRecorded = true;
}
