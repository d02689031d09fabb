import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { LogEvent } from "../model/records.js";
import type { Db, LogEventRow, LogHeadRow } from "./schema.js";
import type { WriteTransaction } from "./transaction.js";

/** An event that is not in the log yet. */
export type NewLogEvent = Omit<LogEvent, "uuid" | "published">;

/** Where an event stands in the log of its org. */
export type LogPlace = Pick<LogHeadRow, "published" | "sequence">;

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
  transaction: WriteTransaction,
  orgId: string,
  events: readonly NewLogEvent[],
): Promise<void> {
  await describeLogEvents(transaction, orgId, events, (event) => event);
}

/** The same with events that are to be described; some at a time, so that there are never many in memory. */
export async function describeLogEvents<T>(
  { db, dialect, now }: WriteTransaction,
  orgId: string,
  events: readonly T[],
  describe: (event: T) => NewLogEvent,
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
  for (let start = 0; start < events.length; start += dialect.logBatchSize) {
    if (start > 0) await setImmediate();
    const batch = events.slice(start, start + dialect.logBatchSize);
    await dialect.insertLogEvents(
      db,
      batch.map((event, i) =>
        toRow({ org_id: orgId, published: head.published, sequence: first + start + i }, describe(event)),
      ),
    );
  }
}

/** Where the log of an org ends; `undefined` before its first event. What is read later holds all up to there. */
export async function readLogHead(db: Db, orgId: string): Promise<LogPlace | undefined> {
  return db.selectFrom("log_heads").select(["published", "sequence"]).where("org_id", "=", orgId).executeTakeFirst();
}

export function toLogEvent({ uuid, published, event }: Pick<LogEventRow, "uuid" | "published" | "event">): LogEvent {
  return { uuid, published, ...(JSON.parse(event) as NewLogEvent) };
}

function toRow(place: LogPlace & Pick<LogEventRow, "org_id">, given: NewLogEvent): LogEventRow {
  let event = given;
  let text = JSON.stringify(event);
  if (ESCAPED_REGEXP.test(text)) {
    event = cleanse(event) as NewLogEvent;
    text = JSON.stringify(event);
  }
  return {
    ...place,
    uuid: randomUUID(),
    event_type: event.eventType,
    severity: event.severity,
    request_id: event.debugContext.debugData.requestId,
    search_text: searchTextOf(event),
    event: text,
  };
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
