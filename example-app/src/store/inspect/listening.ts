import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Client } from "pg";
import { messageOf, StoreError } from "../contract/errors.js";
import { createInspectingClient } from "./client.js";
import { withoutPassword } from "../engine/postgres.js";

/** How long a message may take from one connection to another, in milliseconds. */
const DELIVERY_MS = 2_000;

/** A channel of its own, so no server hears it. */
const CHANNEL = "etiquette_doctor";

/**
 * Whether a connection to `listenUrl` hears what is told over `databaseUrl`. That is not so behind a pool by transaction,
 * and between two databases.
 *
 * @throws {StoreError} when one of them can't be used, with the reason in one line
 */
export async function hearsChanges(databaseUrl: string, listenUrl: string): Promise<boolean> {
  const told = await connect(databaseUrl);
  const listening = await connect(listenUrl).catch(async (error: unknown) => {
    await end(told);
    throw error;
  });
  const message = randomUUID();
  const signal = AbortSignal.timeout(DELIVERY_MS);
  try {
    await listening.query(`listen ${CHANNEL}`);
    const heard = waitFor(listening, message, signal);
    await told.query("select pg_notify($1, $2)", [CHANNEL, message]);
    return await heard;
  } catch (error) {
    throw new StoreError(`The database ${withoutPassword(listenUrl)} can't be listened to: ${messageOf(error)}`);
  } finally {
    await Promise.all([end(told), end(listening)]);
  }
}

async function connect(url: string): Promise<Client> {
  const client = createInspectingClient(url);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new StoreError(`The database ${withoutPassword(url)} can't be reached: ${messageOf(error)}`);
  }
}

async function waitFor(client: Client, message: string, signal: AbortSignal): Promise<boolean> {
  try {
    for (;;) {
      const [notification] = (await once(client, "notification", { signal })) as [{ payload?: string }];
      if (notification.payload === message) return true;
    }
  } catch {
    return false; // in time it did not come
  }
}

async function end(client: Client): Promise<void> {
  await client.end().catch(() => undefined);
}
