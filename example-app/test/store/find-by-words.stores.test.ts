import fc from "fast-check";
import { sql, type CompiledQuery } from "kysely";
import { queryWords, userWords } from "../../src/model/words.js";
import type { User } from "../../src/model/records.js";
import { USER_STATUSES } from "../../src/model/user-shapes.js";
import { toUser } from "../../src/store/contract/rows.js";
import type { Db } from "../../src/store/contract/schema.js";
import type { PageRange } from "../../src/store/lists/pages.js";
import type { Store } from "../../src/store/store.js";
import { searchUsers, type UserSelection } from "../../src/store/records/users.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import { insertOrg, insertUsers, storedUser } from "../support/users.js";

const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b)); // as the databases do

/** By what a query finds a user with words. */
function wordOf({ profile }: User, query: string): string | undefined {
  const words = userWords(profile);
  const wanted = queryWords(query);
  const isFound = wanted.every((word) => words.some((each) => each.startsWith(word)));
  return isFound ? words.find((word) => word.startsWith(wanted[0]!)) : undefined;
}

/** By what a query finds a user without. */
const nameOf = ({ profile: { login, email, firstName, lastName } }: User, query: string) =>
  [login, email, firstName, lastName]
    .map(fold)
    .filter((text) => text.startsWith(fold(query)))
    .sort()[0];

const text = fc.stringMatching(/^[abABÄäØ ._]{1,6}$/);
const names = fc.record({ login: text, email: text, firstName: text, lastName: text });

const ALL = { after: undefined, before: undefined, fetchLimit: 1_000 };

describeStores((engine, database) => {
  let made: TestDatabase;
  let store: Store;
  let orgId: string;

  beforeEach(async () => {
    made = await database();
    await insertOrg(made.options, "demo");
    store = await made.open();
    orgId = (await store.findOrgBySubdomain("demo"))!.id;
  });

  const searchFor = (name: string, direction: "asc" | "desc", column: "matched" | "created" = "matched") => {
    const order: UserSelection["order"] = [
      { column, direction },
      { column: "id", direction },
    ];
    return searchUsers(store.dialect, orgId, { expression: undefined, name, order });
  };

  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

  test("P5 a page of a list by words is the one that a walk in memory has, also of users without words", async () => {
    const users = fc
      .sample(names, { numRuns: 160, seed: 11 })
      .map(({ login, ...rest }, i) =>
        storedUser(`${login}${i}`, { status: i % 9 === 0 ? "DEPROVISIONED" : "ACTIVE", profile: rest }),
      );
    await insertUsers(made.options, users);
    const hasWords = new Set(users.filter((_, i) => i % 4 > 1).map(({ id }) => id));
    const others = idsOf(users).filter((id) => !hasWords.has(id));
    await store.write(async ({ db }) => {
      await db
        .updateTable("users")
        .set({ words: null, words_revision: null })
        .where("id", "in", others.slice(20))
        .execute();
      await db.updateTable("users").set({ revision: 2 }).where("id", "in", others.slice(0, 20)).execute();
      await db.deleteFrom("user_words").where("user_id", "in", others.slice(40)).execute();
      const stray = { org_id: orgId, word: "bastray", user_id: [...hasWords][0]! };
      await db
        .insertInto("user_words")
        .values([stray, { ...stray, user_id: "gone" }])
        .execute();
    });
    for (const query of ["a", "B", "aB", "Ä", "ø", "a b", "B a a1", "A1", "b4 ab", "ba", "zz"]) {
      const found = users
        .flatMap((user) => {
          const matched = hasWords.has(user.id) ? wordOf(user, query) : nameOf(user, query);
          return matched === undefined || user.status === "DEPROVISIONED" ? [] : [{ user, matched, id: user.id }];
        })
        .sort((a, b) => compare(a.matched, b.matched) || compare(a.id, b.id));
      for (const direction of ["asc", "desc"] as const) {
        const ordered = direction === "asc" ? found : found.toReversed();
        const ids = idsOf(ordered);
        const search = searchFor(query, direction);
        const at = async (page: Partial<PageRange>) => idsOf(await search.find(store.reader, { ...ALL, ...page }));
        expect((await search.find(store.reader, ALL)).map(toUser)).toEqual(ordered.map(({ user }) => user));
        expect(await search.count?.(store.reader, ALL)).toBe(found.length);
        expect(await search.count?.(store.reader, { ...ALL, fetchLimit: 3 })).toBe(Math.min(3, found.length));
        for (const i of [0, 1, Math.floor(ordered.length / 2), ordered.length - 1]) {
          const { matched, id } = ordered[i] ?? {};
          if (matched === undefined || id === undefined) continue;
          const place = [matched, id];
          expect(await at({ after: place, fetchLimit: 5 })).toEqual(ids.slice(i + 1, i + 6));
          expect(await at({ before: place, fetchLimit: 5 })).toEqual(ids.slice(0, i).toReversed().slice(0, 5));
        }
        const walked: string[] = [];
        let after: PageRange["after"] | undefined = undefined;
        for (;;) {
          const slice = await search.skip(store.reader, { ...ALL, after }, { count: 7, cost: 7 });
          walked.push(...(await at({ after, slice: { count: slice?.count ?? 7, last: slice?.last }, inline: 0 })));
          if (!slice) break;
          after = slice.last;
        }
        expect(walked).toEqual(ids);
        const sorted = searchFor(query, direction, "created");
        expect(idsOf(await sorted.find(store.reader, ALL)).sort()).toEqual(ids.toSorted());
        expect(await sorted.count?.(store.reader, ALL)).toBe(found.length);
      }
    }
  });

  test("P5 a list by words reads the index of words from the place of the page on, and the users by their keys", async () => {
    const users = Array.from({ length: 6_000 }, (_, i) =>
      storedUser(`${i % 3 === 0 ? "x" : "y"}${i}`, {
        status: USER_STATUSES[i % 8]!,
        // so long that PostgreSQL does not rather read them all
        profile: { email: `e${i}@b`, firstName: `F${i}`, lastName: `L${i}`, note: "n".repeat(1_000) },
      }),
    );
    await insertUsers(made.options, users);
    if (engine === "PostgreSQL") {
      await store.write(async ({ db }) => {
        await sql`analyze users`.execute(db);
        await sql`analyze user_words`.execute(db);
      });
    }
    const { id = "" } = users[0] ?? {};
    const slice = { count: 64, last: ["x60", id] };
    for (const direction of ["asc", "desc"] as const) {
      for (const after of [undefined, ["x30", id]]) {
        const plans = await plansOf(async (db) => {
          const search = searchFor("X F", direction);
          await search.skip(db, { ...ALL, after }, { count: 64, cost: 64 });
          await search.find(db, { ...ALL, after, slice, fetchLimit: 201, inline: 1_000 });
        });
        expect(plans).toHaveLength(3);
        expect(plans[0]).toContain("users_without_words");
        for (const plan of plans.slice(1)) {
          expect(plan).not.toMatch(/Seq Scan|Bitmap|SCAN (?:users|user_words)/);
          expect(plan).toMatch(
            engine === "SQLite" ? /SEARCH user_words USING PRIMARY KEY/ : /Index Only Scan.* user_words_pk/,
          );
          if (after)
            expect(plan).toMatch(
              engine === "SQLite" ? /\(word,user_id\)[<>]/ : /ROW\(.*word.*, .*user_id.*\) [<>] ROW/,
            );
          expect(plan).toMatch(
            engine === "SQLite"
              ? /SEARCH users USING INDEX \S+ \(org_id=\? AND id=\?\)/
              : /Index Scan using users_(?:pk|listed)/,
          );
        }
      }
    }
  });

  /** The plan of each statement that `work` runs. */
  async function plansOf(work: (db: Db) => Promise<unknown>): Promise<string[]> {
    const queries: CompiledQuery[] = [];
    const watched = store.reader.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => Promise.resolve(result),
    });
    const executor = watched.getExecutor();
    const spy = jest.spyOn(executor, "executeQuery");
    await work(watched);
    queries.push(...spy.mock.calls.map(([query]) => query));
    spy.mockRestore();
    return Promise.all(queries.map((query) => explain(query)));
  }

  async function explain({ sql: query, parameters }: CompiledQuery): Promise<string> {
    const text = `explain ${engine === "SQLite" ? "query plan " : ""}${query}`;
    const { rows } = await store.reader.executeQuery<Record<string, unknown>>({
      ...sql``.compile(store.reader),
      sql: text,
      parameters,
    });
    return rows.map((row) => String(row["QUERY PLAN"] ?? row["detail"])).join("\n");
  }
});
