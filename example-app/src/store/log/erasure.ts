import { sql } from "kysely";
import { createLogEraser, type LogEraser, type Person } from "./redaction.js";
import type { NewLogEvent } from "./stored-facts.js";
import type { LogEventRow } from "../contract/log-schema.js";
import type { OwnDatabase } from "../contract/transaction.js";

/** Events per transaction. A server on the same database writes in between. */
const BATCH_SIZE = 500;

type ReadRow = Omit<LogEventRow, "search_text" | "uuid" | "org_id" | "decision_id">;

/**
 * Erase a person from the log of an org, in batches. Events keep their ids, their order and everything else. The newest
 * come first, so that a run after one that was interrupted still finds the names in the oldest.
 *
 * @returns how many events, and decisions that they refer to, told of the person
 */
export async function eraseFromLog(
  store: Pick<OwnDatabase, "reader" | "write">,
  orgId: string,
  person: Person,
): Promise<number> {
  const erase = createLogEraser(person);
  let count = await eraseFromDecisions(store, orgId, erase);
  for await (const rows of readLog(store, orgId, "desc")) {
    const changed = rows.flatMap((row) => {
      const columns = erase.event(row);
      return columns ? [{ row, columns }] : [];
    });
    if (changed.length === 0) continue;
    count += changed.length;
    await store.write(async ({ db }) => {
      for (const { row, columns } of changed) {
        await db
          .updateTable("log_events")
          .set(columns)
          .where("org_id", "=", orgId)
          .where("published", "=", row.published)
          .where("sequence", "=", row.sequence)
          .execute();
      }
    });
  }
  return count;
}

/** Decisions keep their ids, which tell nothing of names. */
async function eraseFromDecisions(
  { reader, write }: Pick<OwnDatabase, "reader" | "write">,
  orgId: string,
  erase: LogEraser,
): Promise<number> {
  const decisions = reader.selectFrom("routing_decisions").select(["id", "document"]).where("org_id", "=", orgId);
  let count = 0;
  for (let last = ""; ;) {
    const rows = await decisions.where("id", ">", last).orderBy("id").limit(BATCH_SIZE).execute();
    const end = rows.at(-1);
    if (end === undefined) return count;
    last = end.id;
    const changed = rows.flatMap(({ id, document: before }) => {
      const document = erase.decision(before);
      return document === undefined ? [] : [{ id, document }];
    });
    if (changed.length === 0) continue;
    count += changed.length;
    await write(async ({ db }) => {
      for (const { id, document } of changed) {
        const row = db.updateTable("routing_decisions").set({ document }).where("org_id", "=", orgId);
        await row.where("id", "=", id).execute();
      }
    });
  }
}

/** The id of the user who had this login, in any case, in the newest event of a change that names one. */
export async function findUserId(
  store: Pick<OwnDatabase, "reader">,
  orgId: string,
  login: string,
): Promise<string | undefined> {
  const wanted = login.toLowerCase();
  let id: string | undefined;
  for await (const rows of readLog(store, orgId)) {
    for (const target of rows.flatMap(usersOf)) if (target.alternateId.toLowerCase() === wanted) id = target.id;
  }
  return id;
}

/** The logins and names of a user in the events of changes. */
export async function findUserTexts(
  store: Pick<OwnDatabase, "reader">,
  orgId: string,
  id: string,
): Promise<Set<string>> {
  const texts = new Set<string>();
  for await (const rows of readLog(store, orgId)) {
    for (const target of rows.flatMap(usersOf)) {
      if (target.id === id) texts.add(target.alternateId).add(target.displayName);
    }
  }
  return texts;
}

function usersOf({ event }: ReadRow) {
  if (event.startsWith("[")) return [];
  const { target } = JSON.parse(event) as NewLogEvent;
  return (target ?? []).filter(({ type }) => type === "User");
}

async function* readLog(
  { reader }: Pick<OwnDatabase, "reader">,
  orgId: string,
  direction: "asc" | "desc" = "asc",
): AsyncGenerator<ReadRow[]> {
  const events = reader
    .selectFrom("log_events")
    .select(["published", "sequence", "event", "event_type", "severity", "request_id"])
    .where("org_id", "=", orgId)
    .orderBy("published", direction)
    .orderBy("sequence", direction)
    .limit(BATCH_SIZE);
  const operator = direction === "asc" ? sql`>` : sql`<`;
  let query = events;
  for (;;) {
    const rows = await query.execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows;
    query = events.where(sql<boolean>`(published, sequence) ${operator} (${end.published}, ${end.sequence})`);
  }
}
