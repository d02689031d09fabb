import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { LogEvent } from "../model.js";
import type { Db, LogEventRow, LogHeadRow } from "./schema.js";
import type { WriteTransaction } from "./store.js";

/** An event that is not in the log yet. */
export type NewLogEvent = Omit<LogEvent, "uuid" | "published">;

/** Where an event stands in the log of its org. */
export type LogPlace = Pick<LogHeadRow, "published" | "sequence">;

/** Written at once: libsql blocks the thread for a few milliseconds, then other work gets its turn. */
const BATCH_SIZE = 100;

/** What PostgreSQL takes in no text or no JSON document: U+0000 and lone surrogates. */
const FORBIDDEN_REGEXP = /\0|\p{Surrogate}/gu;

/** The same as `JSON.stringify` writes it. */
const ESCAPED_REGEXP = /\\u(?:0000|d[89a-f])/;

/**
 * Append events to the log of an org, in this order. Call it last in a transaction: from here to its end no other one
 * appends to the same log. So the events of an org become visible in the order of `published` and `sequence`, and a
 * reader who has seen one has seen, or can still see, every one that is later.
 */
export async function appendLogEvents(
  { db, dialect, now }: WriteTransaction,
  orgId: string,
  events: readonly NewLogEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const { rows } = await sql<LogPlace>`
    insert into log_heads (org_id, sequence, published) values (${orgId}, ${events.length}, ${now})
    on conflict (org_id) do update set
      sequence = log_heads.sequence + excluded.sequence,
      published = case when excluded.published > log_heads.published then excluded.published else log_heads.published end
    returning sequence, published
  `.execute(db);
  const [head] = rows;
  if (head === undefined) throw new Error("the head of the log was not written");

  const first = head.sequence - events.length + 1;
  for (let start = 0; start < events.length; start += BATCH_SIZE) {
    if (start > 0) await setImmediate();
    const entries = events.slice(start, start + BATCH_SIZE).map((event, i) => toEntry(first + start + i, event));
    await sql`
      insert into log_events (org_id, published, sequence, uuid, event_type, severity, request_id, search_text, event)
      select ${orgId}, ${head.published}, cast(value ->> 0 as bigint), value ->> 1, value ->> 2, value ->> 3, value ->> 4,
        value ->> 5, value ->> 6
      from ${dialect.elementsOf(JSON.stringify(entries))}
    `.execute(db);
  }
}

/** Where the log of an org ends; `undefined` before its first event. What is read later holds all up to there. */
export async function readLogHead(db: Db, orgId: string): Promise<LogPlace | undefined> {
  return db.selectFrom("log_heads").select(["published", "sequence"]).where("org_id", "=", orgId).executeTakeFirst();
}

export function toLogEvent({ uuid, published, event }: Pick<LogEventRow, "uuid" | "published" | "event">): LogEvent {
  return { uuid, published, ...(JSON.parse(event) as NewLogEvent) };
}

/** From `sequence` to `event`. Arrays of JSON are the cheapest way into SQLite but for hundreds of parameters. */
function toEntry(sequence: number, given: NewLogEvent): [number, ...string[]] {
  let event = given;
  let text = JSON.stringify(event);
  if (ESCAPED_REGEXP.test(text)) {
    event = cleanse(event) as NewLogEvent;
    text = JSON.stringify(event);
  }
  const { requestId } = event.debugContext.debugData;
  return [sequence, randomUUID(), event.eventType, event.severity, requestId, searchTextOf(event), text];
}

/** The same with U+FFFD in the place of what no database holds. */
function cleanse(value: unknown): unknown {
  if (typeof value === "string") return value.replace(FORBIDDEN_REGEXP, "\ufffd");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cleanse);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [String(cleanse(key)), cleanse(member)]));
}

/** What `q` searches, in lower case, one value a line. */
function searchTextOf({ eventType, displayMessage, actor, client, target, outcome, transaction }: NewLogEvent): string {
  const entities = [actor, ...(target ?? [])].flatMap(({ id, alternateId, displayName }) => [
    id,
    alternateId,
    displayName,
  ]);
  return [eventType, displayMessage, ...entities, client.ipAddress, outcome.reason, transaction.id]
    .filter((text) => text !== null)
    .join("\n")
    .toLowerCase();
}
