import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { LogEvent } from "../model/records.js";
import { packFacts, type LogFacts, type NewLogEvent } from "./log-facts.js";
import type { LogColumns } from "./log-inserts.js";
import type { Db, LogPlace } from "./schema.js";
import type { WriteTransaction } from "./transaction.js";

/** A request without an event of a change. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly eventType: string;
  readonly severity: LogEvent["severity"];
  readonly facts: LogFacts;
}

/** Rows per statement. libsql blocks the thread for a millisecond; other work runs in between. */
const BATCH_SIZE = 100;

/** Characters that PostgreSQL accepts neither in text nor in JSON documents: U+0000 and lone surrogates. */
const FORBIDDEN_REGEXP = /\0|\p{Surrogate}/gu;

/** The same characters as `JSON.stringify` escapes them. */
const ESCAPED_REGEXP = /\\u(?:0000|d[89a-f])/;

/**
 * Append events to the log of an org, in this order. Call it last in a transaction: until the transaction ends, no
 * other one can append to the same log. The events of an org therefore become visible in the order of `published` and
 * `sequence`, and a reader who has seen an event does not miss a later one.
 */
export async function appendLogEvents(
  transaction: WriteTransaction,
  orgId: string,
  events: readonly NewLogEvent[],
): Promise<void> {
  await append(transaction, orgId, events, eventColumns);
}

/** The same for requests without an event of a change. */
export async function appendRequests(
  transaction: WriteTransaction,
  orgId: string,
  requests: readonly LoggedRequest[],
): Promise<void> {
  await append(transaction, orgId, requests, requestColumns);
}

async function append<T>(
  { db, dialect, now }: WriteTransaction,
  orgId: string,
  items: readonly T[],
  toColumns: (item: T) => LogColumns,
): Promise<void> {
  if (items.length === 0) return;
  const { rows } = await sql<LogPlace>`
    insert into log_heads (org_id, sequence, published) values (${orgId}, ${items.length}, ${now})
    on conflict (org_id) do update set
      sequence = log_heads.sequence + excluded.sequence,
      published = case when excluded.published > log_heads.published then excluded.published else log_heads.published end
    returning sequence, published
  `.execute(db);
  const [head] = rows;
  if (head === undefined) throw new Error("the head of the log was not written");

  const first = head.sequence - items.length + 1;
  for (let start = 0; start < items.length; start += BATCH_SIZE) {
    if (start > 0) await setImmediate();
    const batch = items.slice(start, start + BATCH_SIZE).map(toColumns);
    await dialect.insertLogEvents(db, { orgId, published: head.published, sequence: first + start }, batch);
  }
}

/** The end of an org's log, or `undefined` before its first event. A later read returns all events up to there. */
export async function readLogHead(db: Db, orgId: string): Promise<LogPlace | undefined> {
  return db.selectFrom("log_heads").select(["published", "sequence"]).where("org_id", "=", orgId).executeTakeFirst();
}

function eventColumns(given: NewLogEvent): LogColumns {
  const { value: event, text } = toJson(given);
  const { eventType, displayMessage, actor, client, target, outcome, transaction } = event;
  const entities = [actor, ...(target ?? [])].flatMap(({ id, alternateId, displayName }) => [
    id,
    alternateId,
    displayName,
  ]);
  return {
    uuid: randomUUID(),
    event_type: eventType,
    severity: event.severity,
    request_id: event.debugContext.debugData.requestId,
    search_text: searchText([eventType, displayMessage, ...entities, client.ipAddress, outcome.reason, transaction.id]),
    event: text,
  };
}

function requestColumns({ requestId, eventType, severity, facts }: LoggedRequest): LogColumns {
  const { actor, tokenName, ip, reason } = facts;
  return {
    uuid: randomUUID(),
    event_type: eventType,
    severity,
    request_id: requestId,
    search_text: searchText(actor === null ? ["unknown", ip, reason] : [actor, tokenName, ip, reason]),
    event: toJson(packFacts(facts)).text,
  };
}

/** The text that `q` searches: lower case, one value per line. */
function searchText(values: readonly (string | null)[]): string {
  const text = values.filter((value) => value !== null).join("\n");
  return text.replace(FORBIDDEN_REGEXP, "\ufffd").toLowerCase();
}

/** JSON that both databases accept, and its value. */
function toJson<T>(given: T): { value: T; text: string } {
  const text = JSON.stringify(given);
  if (!text.includes("\\u") || !ESCAPED_REGEXP.test(text)) return { value: given, text };
  const value = cleanse(given) as T;
  return { value, text: JSON.stringify(value) };
}

/** The value with U+FFFD in place of characters that databases don't accept. */
function cleanse(value: unknown): unknown {
  if (typeof value === "string") return value.replace(FORBIDDEN_REGEXP, "\ufffd");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cleanse);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [String(cleanse(key)), cleanse(member)]));
}
