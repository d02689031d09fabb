import { createId } from "../../src/model/ids.js";
import type { User } from "../../src/model/records.js";
import { foldLogin, fromUser } from "../../src/store/contract/rows.js";
import type { UserRow } from "../../src/store/contract/schema.js";
import { openStore, type Store } from "../../src/store/store.js";
import type { ApiClient } from "./api.js";
import type { Answer } from "./server.js";
import { createOrg, type TestDatabase } from "./stores.js";

export const CREATED = "2025-01-01T00:00:00.000Z";

/** A profile as it is sent. */
export const profile = (login: string, more: object = {}) => ({
  login,
  email: "joe@example.com",
  firstName: "Joe",
  lastName: "Doe",
  ...more,
});

export const JOE = profile("Joe@Example.com", { age: 3, on: true, tags: ["a", "b"], levels: [1, 2.5] });

/** The verbs that users are written with. */
export function createWriter(api: ApiClient["api"]) {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    api(path, { method, body, headers });
  return {
    send,
    post: (path: string, body?: unknown, headers?: Record<string, string>) => send("POST", path, body, headers),
    patch: (path: string, body: unknown, type: "json-patch" | "merge-patch" = "merge-patch") =>
      send("PATCH", path, body, { "Content-Type": `application/${type}+json` }),
    create: async (body: object = JOE) => (await send("POST", "/users", { profile: body })).body,
  };
}

export const causesOf = ({ body }: Answer): string[] =>
  body.errorCauses.map(({ errorSummary }: { errorSummary: string }) => errorSummary);

/** A user as it is stored. */
export const storedUser = (login: string, more: Partial<Omit<User, "profile">> & { profile?: object } = {}): User => ({
  id: createId(),
  status: "ACTIVE",
  created: CREATED,
  activated: CREATED,
  statusChanged: CREATED,
  lastLogin: null,
  lastUpdated: CREATED,
  ...more,
  profile: profile(login, more.profile),
});

const BATCH_SIZE = 500;

type Options = TestDatabase["options"];

/** Put users straight into the table of an org. */
export function insertUsers(options: Options, users: readonly User[], subdomain = "demo"): Promise<void> {
  return withStore(options, async (store) => {
    const org = await store.findOrgBySubdomain(subdomain);
    if (!org) throw new Error(`no org ${subdomain}`);
    await store.write(async ({ db }) => {
      for (let start = 0; start < users.length; start += BATCH_SIZE) {
        const rows = users.slice(start, start + BATCH_SIZE).map((user) => fromUser(org.id, user));
        await db.insertInto("users").values(rows).execute();
      }
    });
  });
}

export function deleteUserRows(options: Options, ids: readonly string[]): Promise<void> {
  return withStore(options, (store) =>
    store.write(async ({ db }) => {
      await db.deleteFrom("users").where("id", "in", ids).execute();
    }),
  );
}

/** As whoever signs a user in does: past the API. */
export function changeUserRow(options: Options, id: string, columns: Partial<UserRow>): Promise<void> {
  return withStore(options, (store) =>
    store.write(async ({ db }) => {
      await db.updateTable("users").set(columns).where("id", "=", id).execute();
    }),
  );
}

/** The row of the user with this login, or `undefined`. */
export function readUserRow(options: Options, login: string): Promise<UserRow | undefined> {
  return withStore(options, ({ reader }) =>
    reader.selectFrom("users").selectAll().where("login", "=", foldLogin(login)).executeTakeFirst(),
  );
}

/** The events of the log that are about users, oldest first, each with the id of its request. */
export function readUserEvents(options: Options) {
  return withStore(options, async ({ reader }) => {
    const rows = await reader
      .selectFrom("log_events")
      .select(["event", "request_id"])
      .where("event_type", "like", "user.%")
      .orderBy("sequence")
      .execute();
    return rows.map(({ event, request_id }) => ({ ...JSON.parse(event), requestId: request_id }));
  });
}

export function insertOrg(options: Options, subdomain: string): Promise<unknown> {
  return withStore(options, (store) => createOrg(store, { subdomain, name: subdomain }));
}

async function withStore<T>(options: Options, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
