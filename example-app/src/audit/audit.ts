import type { Request, RequestHandler } from "express";
import { createRequestSlot } from "etiquette/request-slot";
import type { LogEntity } from "../model/records.js";
import { appendLogEvents } from "../store/log-events.js";
import type { WriteTransaction } from "../store/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import { describeRequest } from "./describe-request.js";
import { gatherFacts, requestNotes } from "./request-facts.js";

const slot = createRequestSlot<Audit>("audit");

/** What a request did. */
export interface AuditEvent {
  /** Such as `user.lifecycle.create`. */
  readonly eventType: string;
  /** For people: `Create user`. */
  readonly displayMessage: string;
  /** What it was done to, the record itself first. */
  readonly target: readonly LogEntity[];
}

/** Takes what a request does for the System Log of its org. */
export interface Audit {
  /** Write what happens in the transaction in which it happens; the last thing to do in it, see {@link appendLogEvents}. */
  record(transaction: WriteTransaction, ...events: readonly AuditEvent[]): Promise<void>;
}

/** Have an {@link Audit} for each request. */
export function audit(): RequestHandler {
  return function auditMiddleware(req, _res, next) {
    slot.set(req, new RequestAudit(req));
    next();
  };
}

/**
 * The audit of `req`.
 *
 * @throws {Error} when `audit()` did not run for this request
 */
export function getAudit(req: object): Audit {
  return slot.get(req);
}

class RequestAudit implements Audit {
  readonly #req: Request;

  constructor(req: Request) {
    this.#req = req;
  }

  async record(transaction: WriteTransaction, ...events: readonly AuditEvent[]): Promise<void> {
    const { org } = getTenant(this.#req);
    const description = describeRequest(gatherFacts(this.#req));
    await appendLogEvents(
      transaction,
      org.id,
      events.map(({ eventType, displayMessage, target }) => ({
        ...description,
        eventType,
        displayMessage,
        severity: "INFO",
        outcome: { result: "SUCCESS", reason: null },
        target: [...target],
      })),
    );
    requestNotes.get(this.#req).hasRecorded = true;
  }
}
