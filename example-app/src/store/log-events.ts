import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { LogEvent } from "../model/records.js";
import type { Db, LogEventRow, LogHeadRow } from "./schema.js";
import type { WriteTransaction } from "./transaction.js";

/** An event that is not in the log yet. */
export type NewLogEvent = Omit<LogEvent, "uuid" | "published">;

/** The place of an event in the log of its org. */
export type LogPlace = Pick<LogHeadRow, "published" | "sequence">;

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
  await describeLogEvents(transaction, orgId, events, (event) => event);
}

/** The same for events that must be described first. Describes them in batches, to keep few in memory. */
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

/** The end of an org's log, or `undefined` before its first event. A later read returns all events up to there. */
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

/** The value with U+FFFD in place of characters that databases don't accept. */
function cleanse(value: unknown): unknown {
  if (typeof value === "string") return value.replace(FORBIDDEN_REGEXP, "\ufffd");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cleanse);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [String(cleanse(key)), cleanse(member)]));
}

/** The text that `q` searches: lower case, one value per line. */
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
