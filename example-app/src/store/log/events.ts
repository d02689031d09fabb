import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { LogEvent } from "../../model/records.js";
import { packFacts, type LogFacts, type NewLogEvent } from "./stored-facts.js";
import type { LogColumns } from "../contract/dialect.js";
import type { LogPlace } from "../contract/log-schema.js";
import type { Db } from "../contract/schema.js";
import type { WriteTransaction } from "../contract/transaction.js";

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
  await appendRows(transaction, orgId, events.map(toEventRow));
}

/**
 * The same for rows that were made before.
 *
 * @param decisionSize the characters of the decisions that were written for them
 * @returns how many characters the org's log got on this day (in UTC) so far
 */
export async function appendRows(
  { db, dialect, now }: WriteTransaction,
  orgId: string,
  rows: readonly LogColumns[],
  decisionSize = 0,
): Promise<number> {
  if (rows.length === 0) return 0;
  const size = rows.reduce((sum, { event, search_text }) => sum + event.length + search_text.length, decisionSize);
  const { rows: heads } = await sql<LogPlace & { day_size: number }>`
    insert into log_heads (org_id, sequence, published, day, day_size)
    values (${orgId}, ${rows.length}, ${now}, ${now.slice(0, 10)}, ${size})
    on conflict (org_id) do update set
      sequence = log_heads.sequence + excluded.sequence,
      published = case when excluded.published > log_heads.published then excluded.published else log_heads.published end,
      day = excluded.day,
      day_size = case when log_heads.day = excluded.day then log_heads.day_size else 0 end + excluded.day_size
    returning sequence, published, day_size
  `.execute(db);
  const [head] = heads;
  if (head === undefined) throw new Error("the head of the log was not written");

  const first = head.sequence - rows.length + 1;
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    if (start > 0) await setImmediate();
    const place = { orgId, published: head.published, sequence: first + start };
    await dialect.insertLogEvents(db, place, rows.slice(start, start + BATCH_SIZE));
  }
  return head.day_size;
}

/** The end of an org's log, or `undefined` before its first event. A later read returns all events up to there. */
export async function readLogHead(db: Db, orgId: string): Promise<LogPlace | undefined> {
  return db.selectFrom("log_heads").select(["published", "sequence"]).where("org_id", "=", orgId).executeTakeFirst();
}

/** The row of an event that is described. */
export function toEventRow(given: NewLogEvent): LogColumns {
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
    decision_id: null,
  };
}

/** The row of a request. */
export function toRequestRow({ requestId, eventType, severity, facts }: LoggedRequest): LogColumns {
  const { actor, tokenName, ip, reason } = facts;
  return {
    uuid: randomUUID(),
    event_type: eventType,
    severity,
    request_id: requestId,
    search_text: searchText(actor === null ? ["unknown", ip, reason] : [actor, tokenName, ip, reason]),
    event: toJson(packFacts(facts)).text,
    decision_id: null,
  };
}

/** The text that `q` searches: lower case, one value per line. */
function searchText(values: readonly (string | null)[]): string {
  const text = values.filter((value) => value !== null).join("\n");
  return text.replace(FORBIDDEN_REGEXP, "\ufffd").toLowerCase();
}

/** JSON that both databases accept, and its value. */
export function toJson<T>(given: T): { value: T; text: string } {
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
