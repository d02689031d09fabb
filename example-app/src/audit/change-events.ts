import { setImmediate } from "node:timers/promises";
import type { Request } from "express";
import type { LogEntity, LogEvent } from "../model/records.js";
import { makePatch } from "../model/patch.js";
import { recordRevision, type RevisionAuthor } from "../store/history/revisions.js";
import { appendLogEvents } from "../store/log/events.js";
import { describeFacts, type NewLogEvent } from "../store/log/stored-facts.js";
import type { WriteTransaction } from "../store/contract/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import { selectFacts } from "./log-facts.js";
import { capText, MAX_LENGTHS } from "./log-text.js";
import { gatherFacts, requestNotes } from "./request-facts.js";

/** The longest patch in an event, in characters. A revision has all of them. */
const MAX_PATCH = 4_096;

/** The characters of two states of a record beyond which no event tells what differs, and beyond which it takes a turn. */
const MAX_COMPARED = 131_072;
const LONG = 8_192;

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
  /** @default "WARN" if it failed, else "INFO" */
  readonly severity?: LogEvent["severity"];
}

/** Where the revision of a change comes from. */
export type RevisionOrigin = Pick<RevisionAuthor, "source" | "restored">;

/**
 * Write the event of a change by `req` to the System Log of its org, and its revision, in the same transaction as the
 * change. Call it last in the transaction, see {@link appendLogEvents}.
 *
 * @throws {Error} when `observeRequests()` or `tenant()` did not run for this request
 */
export async function recordEvents(
  req: Request,
  transaction: WriteTransaction,
  events: readonly AuditEvent[],
  origin: RevisionOrigin = { source: req.headers.authorization === undefined ? "console" : "api" },
): Promise<void> {
  const facts = gatherFacts(req);
  const description = describeFacts(facts.id, selectFacts(facts));
  await appendChanges(transaction, getTenant(req).org.id, description, events, origin);
  requestNotes.get(req).hasRecorded = true;
}

/** What all events of one request, or of one command, have in common. */
type Description = Omit<
  LogEvent,
  "uuid" | "published" | "eventType" | "severity" | "displayMessage" | "outcome" | "target"
>;

/** Keep the revision of changes, and append their events, which have its number and what changed. */
export async function appendChanges(
  transaction: WriteTransaction,
  orgId: string,
  description: Description,
  events: readonly AuditEvent[],
  origin: RevisionOrigin,
): Promise<void> {
  const { actor, client, debugContext, transaction: job } = description;
  await recordRevision(transaction, orgId, { actor, ipAddress: client.ipAddress, requestId: job.id, ...origin });
  const described: NewLogEvent[] = [];
  for (const { eventType, displayMessage, target, failure, severity } of events) {
    const revision = await describeRevision(transaction, orgId, target[0]?.id);
    described.push({
      ...description,
      eventType,
      displayMessage,
      severity: severity ?? (failure === undefined ? "INFO" : "WARN"),
      outcome: { result: failure === undefined ? "SUCCESS" : "FAILURE", reason: failure ?? null },
      target: target.map(capNames),
      debugContext: { debugData: { ...debugContext.debugData, ...revision } },
    });
  }
  await appendLogEvents(transaction, orgId, described);
}

/** For the event of a record: the number of the revision, and the change as JSON Patch if it is short. */
async function describeRevision(
  transaction: WriteTransaction,
  orgId: string,
  id: string | undefined,
): Promise<Record<string, string>> {
  const change = id === undefined ? undefined : transaction.changes.find(orgId, id);
  if (!change) return {};
  const revision = String(await transaction.touch(orgId));
  const texts = [change.before, change.after].map((record) => JSON.stringify(record ?? null));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > MAX_COMPARED) return { revision };
  if (length > LONG) await setImmediate();
  const [before = null, after = null] = texts.map((text) => JSON.parse(text) as object | null);
  const patch = JSON.stringify(makePatch(before, after));
  return patch.length > MAX_PATCH ? { revision } : { revision, patch };
}

function capNames(entity: LogEntity): LogEntity {
  const { name: max } = MAX_LENGTHS;
  const { alternateId, displayName } = entity;
  return { ...entity, alternateId: capText(alternateId, max), displayName: capText(displayName, max) };
}
