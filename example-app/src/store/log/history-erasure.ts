import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { LogEntity } from "../../model/records.js";
import type { RevisionChangeRow, RevisionRow } from "../contract/log-schema.js";
import type { OwnDatabase } from "../contract/transaction.js";
import { createEntityEraser, eraseTexts, type Person } from "./redaction.js";
import { createTextEraser } from "./erased-text.js";

/** Revisions per transaction, and changes with the long texts of each. */
const BATCH_SIZE = 500;
const CHANGE_BATCH = 20;

type Database = Pick<OwnDatabase, "reader" | "write">;

/** Erase a person from the history of an org, in batches. @returns how many revisions and changes told of the person */
export async function eraseFromHistory(store: Database, orgId: string, person: Person): Promise<number> {
  return (await eraseRevisions(store, orgId, person)) + (await eraseChanges(store, orgId, person));
}

async function eraseRevisions(store: Database, orgId: string, person: Person): Promise<number> {
  const { eraseText } = createTextEraser(person.texts);
  const { eraseEntity, isPerson } = createEntityEraser(person);
  const erase = ({ actor, client_ip, summary }: RevisionRow): Pick<RevisionRow, "actor" | "client_ip" | "summary"> => {
    const entity = JSON.parse(actor) as LogEntity;
    return {
      actor: JSON.stringify(eraseEntity(entity)),
      client_ip: isPerson(entity.id) ? null : client_ip,
      summary: eraseJson(summary, eraseText),
    };
  };
  let count = 0;
  for (let last = Infinity; ;) {
    const { rows } = await sql<RevisionRow>`
      select * from revisions where org_id = ${orgId} and ${last < Infinity ? sql`revision < ${last}` : sql`true`}
      order by revision desc limit ${BATCH_SIZE}
    `.execute(store.reader);
    const changed = rows.flatMap((row) => {
      const columns = erase(row);
      const isSame = columns.actor === row.actor && columns.summary === row.summary;
      return isSame && columns.client_ip === row.client_ip ? [] : [{ row, columns }];
    });
    count += changed.length;
    if (changed.length > 0) {
      await store.write(async ({ db }) => {
        for (const { row, columns } of changed) {
          const update = db.updateTable("revisions").set(columns).where("org_id", "=", orgId);
          await update.where("revision", "=", row.revision).execute();
        }
      });
    }
    last = rows.at(-1)?.revision ?? 0;
    if (rows.length < BATCH_SIZE) return count;
    await setImmediate();
  }
}

async function eraseChanges(store: Database, orgId: string, { texts }: Person): Promise<number> {
  const { eraseText } = createTextEraser(texts);
  let count = 0;
  let place = sql`true`;
  for (;;) {
    const { rows } = await sql<Pick<RevisionChangeRow, "revision" | "place" | "name" | "before">>`
      select revision, place, name, before from revision_changes where org_id = ${orgId} and ${place}
      order by revision desc, place desc limit ${CHANGE_BATCH}
    `.execute(store.reader);
    const changed = rows.flatMap((row) => {
      const columns = { name: eraseText(row.name), before: row.before && eraseJson(row.before, eraseText) };
      return columns.name === row.name && columns.before === row.before ? [] : [{ row, columns }];
    });
    count += changed.length;
    if (changed.length > 0) {
      await store.write(async ({ db }) => {
        for (const { row, columns } of changed) {
          const update = db.updateTable("revision_changes").set(columns).where("org_id", "=", orgId);
          await update.where("revision", "=", row.revision).where("place", "=", row.place).execute();
        }
      });
    }
    const last = rows.at(-1);
    if (!last || rows.length < CHANGE_BATCH) return count;
    place = sql`(revision, place) < (${last.revision}, ${last.place})`;
    await setImmediate();
  }
}

/** The text as it is, unless something is erased. */
function eraseJson(text: string, eraseText: (text: string) => string): string {
  const value: unknown = JSON.parse(text);
  const erased = JSON.stringify(eraseTexts(value, eraseText));
  return erased === JSON.stringify(value) ? text : erased;
}
