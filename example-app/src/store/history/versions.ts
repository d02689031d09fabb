import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { toHistoric, type HistoricRecord, type HistoryKind } from "../contract/change-notes.js";
import type { RevisionChangeRow } from "../contract/log-schema.js";
import type { Db } from "../contract/schema.js";
import { BATCH_BYTES, batchesOf, divideBySize } from "../records/batches.js";
import { IDPS, TRUSTED_ORIGINS, ZONES } from "../records/resource-tables.js";
import { RULES } from "../records/rules.js";
import type { Version } from "./walk.js";

interface FindableTable {
  find(db: Db, orgId: string, id: string): Promise<object | undefined>;
}

/** The tables with the present records of each kind. */
const TABLES: Readonly<Record<HistoryKind, FindableTable>> = {
  rule: RULES,
  idp: IDPS,
  zone: ZONES,
  trustedOrigin: TRUSTED_ORIGINS,
};

/** A state of a record: `undefined` is the present one, `null` none. */
export type State = Version | null | undefined;

/** Reads one state of a record, and how many characters it has as JSON. */
export async function readVersion(
  db: Db,
  orgId: string,
  { kind, id, state }: Readonly<{ kind: HistoryKind; id: string; state: State }>,
): Promise<{ record: HistoricRecord | null; size: number }> {
  if (state === null) return { record: null, size: 0 };
  if (state === undefined) {
    const tables: Partial<typeof TABLES> = TABLES; // a newer version of the server may have written another kind
    const record = toHistoric(await tables[kind]?.find(db, orgId, id)) ?? null;
    return { record, size: JSON.stringify(record).length };
  }
  const { revision, place } = state;
  const { rows } = await sql<{ before: string | null }>`
    select before from revision_changes where org_id = ${orgId} and revision = ${revision} and place = ${place}
  `.execute(db);
  const text = rows[0]?.before ?? "null";
  return { record: JSON.parse(text) as HistoricRecord | null, size: text.length };
}

/** What a record was after a change: before its next one, or what it is now. */
export async function findNext(
  db: Db,
  orgId: string,
  change: Pick<RevisionChangeRow, "revision" | "place" | "kind" | "object_id">,
): Promise<State> {
  const { rows } = await sql<Version & Pick<RevisionChangeRow, "event">>`
    select revision, place, event from revision_changes
    where org_id = ${orgId} and object_id = ${change.object_id} and kind = ${change.kind}
      and (revision, place) > (${change.revision}, ${change.place})
    order by revision, place limit 1
  `.execute(db);
  const [next] = rows;
  if (!next) return undefined;
  return next.event === "create" ? null : { revision: next.revision, place: next.place };
}

/** Calls `take` with the text of each version that there was, in parts, each in a turn of the event loop. */
export async function readTexts(
  db: Db,
  orgId: string,
  versions: ReadonlyMap<string, Version | null>,
  take: (id: string, text: string) => void,
): Promise<void> {
  const wanted = [...versions].flatMap(([id, version]) => (version ? [{ id, ...version }] : []));
  for (const batch of batchesOf(wanted)) {
    const sizes = await readBatch<{ object_id: string; size: number }>(
      db,
      orgId,
      batch,
      "octet_length(before) as size",
    );
    const byId = new Map(sizes.map(({ object_id: id, size }) => [id, size]));
    const sized = batch.map((version) => ({ ...version, size: byId.get(version.id) ?? 0 }));
    for (const part of divideBySize(sized, BATCH_BYTES)) {
      for (const row of await readBatch<{ object_id: string; before: string }>(db, orgId, part, "before")) {
        take(row.object_id, row.before);
      }
      await setImmediate();
    }
  }
}

/** SQLite looks each up in the index; of a list of conditions it would read all changes of the org. */
async function readBatch<Row>(db: Db, orgId: string, versions: readonly Version[], column: string): Promise<Row[]> {
  const places = versions.map(({ revision, place }) => sql`(cast(${revision} as bigint), cast(${place} as bigint))`);
  const { rows } = await sql<Row>`
    select object_id, ${sql.raw(column)} from (values ${sql.join(places)}) as version
    cross join revision_changes where org_id = ${orgId} and revision = column1 and place = column2
  `.execute(db);
  return rows;
}
