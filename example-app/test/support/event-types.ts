import type { TestOrg } from "./api.js";

/** The types of the events of requests that begin with `prefix`, of one org, in the order in which they were written. */
export async function readEventTypes({ store, id }: Pick<TestOrg, "store" | "id">, prefix: string): Promise<string[]> {
  const rows = await store.reader
    .selectFrom("log_events")
    .select(["event_type", "event"])
    .where("org_id", "=", id)
    .where("event_type", "like", `${prefix}%`)
    .orderBy("sequence")
    .execute();
  return rows.filter(({ event }) => !event.includes('"actor":{"id":"cli"')).map((row) => row.event_type);
}
