import { createId } from "../../src/model/ids.js";
import type { User } from "../../src/model/records.js";
import { foldLogin, fromUser } from "../../src/store/contract/rows.js";
import type { UserRow } from "../../src/store/contract/schema.js";
import { writeWords } from "../../src/store/records/user-words.js";
import type { Store } from "../../src/store/store.js";
import type { ApiClient } from "./api.js";
import type { Answer } from "./server.js";
import { createOrg, withStore, type TestDatabase } from "./stores.js";

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

function withOrg<T>(
  options: Options,
  subdomain: string,
  work: (store: Store, orgId: string) => Promise<T>,
): Promise<T> {
  return withStore(options, async (store) => {
    const org = await store.findOrgBySubdomain(subdomain);
    if (!org) throw new Error(`no org ${subdomain}`);
    return work(store, org.id);
  });
}

/** Put users straight into the table of an org. */
export function insertUsers(options: Options, users: readonly User[], subdomain = "demo"): Promise<void> {
  return withOrg(options, subdomain, async (store, orgId) => {
    await store.write(async ({ db, dialect }) => {
      for (let start = 0; start < users.length; start += BATCH_SIZE) {
        const rows = users.slice(start, start + BATCH_SIZE).map((user) => fromUser(orgId, user));
        await writeWords({ db, dialect }, rows);
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
export function readUserRow(options: Options, login: string, subdomain = "demo"): Promise<UserRow | undefined> {
  return withOrg(options, subdomain, ({ reader }, orgId) => {
    const users = reader.selectFrom("users").selectAll().where("org_id", "=", orgId);
    return users.where("login", "=", foldLogin(login)).executeTakeFirst();
  });
}

/** The events of an org's log that are about users, oldest first, each with the id of its request. */
export function readUserEvents(options: Options, subdomain = "demo") {
  return withOrg(options, subdomain, async ({ reader }, orgId) => {
    const rows = await reader
      .selectFrom("log_events")
      .select(["event", "request_id"])
      .where("org_id", "=", orgId)
      .where("event_type", "like", "user.%")
      .orderBy("sequence")
      .execute();
    return rows.map(({ event, request_id }) => ({ ...JSON.parse(event), requestId: request_id }));
  });
}

export function insertOrg(options: Options, subdomain: string): Promise<unknown> {
  return withStore(options, (store) => createOrg(store, { subdomain, name: subdomain }));
}

/** The words that the table has. */
export function listWords(options: Options): Promise<string[]> {
  return withStore(options, async ({ reader }) => {
    const rows = await reader.selectFrom("user_words").select("word").orderBy("word").execute();
    return rows.map(({ word }) => word);
  });
}
