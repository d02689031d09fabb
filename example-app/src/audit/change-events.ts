import type { Request } from "express";
import type { LogEntity, LogEvent } from "../model/records.js";
import { appendLogEvents } from "../store/log/events.js";
import { describeFacts } from "../store/log/stored-facts.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import { selectFacts } from "./log-facts.js";
import { capText, MAX_LENGTHS } from "./log-text.js";
import { gatherFacts, requestNotes } from "./request-facts.js";

/** A change that a request or a command made. */
export interface AuditEvent {
  /** Such as `user.lifecycle.create`. */
  readonly eventType: string;
  /** Text for people: `Create user`. */
  readonly displayMessage: string;
  /** The changed records, the main one first. */
  readonly target: readonly LogEntity[];
  /** Why there is no change, if it failed. */
  readonly failure?: string;
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
  await appendChanges(transaction, getTenant(req).org.id, description, events);
  requestNotes.get(req).hasRecorded = true;
}

/** What all events of one request, or of one command, have in common. */
type Description = Omit<
  LogEvent,
  "uuid" | "published" | "eventType" | "severity" | "displayMessage" | "outcome" | "target"
>;

/** Append the events of changes. */
export function appendChanges(
  transaction: WriteTransaction,
  orgId: string,
  description: Description,
  events: readonly AuditEvent[],
): Promise<void> {
  return appendLogEvents(
    transaction,
    orgId,
    events.map(({ eventType, displayMessage, target, failure }) => ({
      ...description,
      eventType,
      displayMessage,
      severity: failure === undefined ? "INFO" : "WARN",
      outcome: { result: failure === undefined ? "SUCCESS" : "FAILURE", reason: failure ?? null },
      target: target.map(capNames),
    })),
  );
}

function capNames(entity: LogEntity): LogEntity {
  const { name: max } = MAX_LENGTHS;
  const { alternateId, displayName } = entity;
  return { ...entity, alternateId: capText(alternateId, max), displayName: capText(displayName, max) };
}
