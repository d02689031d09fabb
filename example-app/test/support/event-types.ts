import type { TestDatabase } from "./stores.js";

/** The types of the events of requests that begin with `prefix`, of all orgs, in the order in which they were written. */
export async function readEventTypes({ open }: TestDatabase, prefix: string): Promise<string[]> {
  const store = await open();
  const rows = await store.reader
    .selectFrom("log_events")
    .select(["event_type", "event"])
    .where("event_type", "like", `${prefix}%`)
    .orderBy("sequence")
    .execute();
  return rows.filter(({ event }) => !event.includes('"actor":{"id":"cli"')).map((row) => row.event_type);
}
