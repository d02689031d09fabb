import { Client } from "pg";

/** How long to wait for a database, in milliseconds. */
export const PATIENCE_MS = 5_000;

/** A connection of its own, for somebody who looks at a database from outside. It is not connected yet. */
export function createInspectingClient(connectionString: string): Client {
  const client = new Client({
    connectionString,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: "etiquette",
  });
  client.on("error", () => undefined); // the query that runs fails too
  return client;
}
