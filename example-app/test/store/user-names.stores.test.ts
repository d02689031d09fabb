import fc from "fast-check";
import { CompiledQuery, sql } from "kysely";
import type { User } from "../../src/model/records.js";
import { USER_STATUSES } from "../../src/model/user-shapes.js";
import { toUser } from "../../src/store/contract/rows.js";
import type { PageRange } from "../../src/store/lists/pages.js";
import type { Store } from "../../src/store/store.js";
import { selectUsers, type UserSelection } from "../../src/store/records/users.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import { insertOrg, insertUsers, storedUser } from "../support/users.js";

const INDEXES = ["profile_login", "email", "first_name", "last_name"].map((column) => `users_${column}_lower`);

const fold = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const matchOf = ({ profile: { login, email, firstName, lastName } }: User, prefix: string) =>
  [login, email, firstName, lastName]
    .map(fold)
    .filter((text) => text.startsWith(fold(prefix)))
    .sort()[0];

const text = fc.stringMatching(/^[abABÄä%_]{1,3}$/);
const names = fc.record({ login: text, email: text, firstName: text, lastName: text });

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

  const select = (
    name: string,
    direction: "asc" | "desc",
    page: PageRange,
    column: "matched" | "created" = "matched",
  ) => {
    const order: UserSelection["order"] = [
      { column, direction },
      { column: "id", direction },
    ];
    return selectUsers(store, orgId, { expression: undefined, name, order }, page);
  };

  test("P5 a page of a list by name is the one that a walk in memory has", async () => {
    const users = fc
      .sample(names, { numRuns: 120, seed: 11 })
      .map(({ login, ...rest }, i) =>
        storedUser(`${login}${i}`, { status: i % 9 === 0 ? "DEPROVISIONED" : "ACTIVE", profile: rest }),
      );
    await insertUsers(made.options, users);
    for (const prefix of ["a", "B", "aB", "Ä", "ä", "%", "_a", "ab%", "A1", "zz"]) {
      const found = users
        .flatMap((user) => {
          const matched = user.status === "DEPROVISIONED" ? undefined : matchOf(user, prefix);
          return matched === undefined ? [] : [{ user, matched, id: user.id }];
        })
        .sort((a, b) => compare(a.matched, b.matched) || compare(a.id, b.id));
      for (const direction of ["asc", "desc"] as const) {
        const ordered = direction === "asc" ? found : found.toReversed();
        const all = await select(prefix, direction, {
          after: undefined,
          before: undefined,
          fetchLimit: 1_000,
        }).execute();
        expect(all.map(toUser)).toEqual(ordered.map(({ user }) => user));
        for (const i of [0, 1, Math.floor(ordered.length / 2), ordered.length - 1]) {
          if (!ordered[i]) continue;
          const place = [ordered[i].matched, ordered[i].id];
          const after = await select(prefix, direction, { after: place, before: undefined, fetchLimit: 5 }).execute();
          expect(after.map(({ id }) => id)).toEqual(ordered.slice(i + 1, i + 6).map(({ id }) => id));
          const before = await select(prefix, direction, { after: undefined, before: place, fetchLimit: 5 }).execute();
          expect(before.map(({ id }) => id)).toEqual(
            ordered
              .slice(0, i)
              .toReversed()
              .slice(0, 5)
              .map(({ id }) => id),
          );
        }
        const sorted = await select(
          prefix,
          direction,
          { after: undefined, before: undefined, fetchLimit: 1_000 },
          "created",
        ).execute();
        expect(sorted.map(({ id }) => id).sort()).toEqual(found.map(({ id }) => id).sort());
      }
    }
  });

  test("P5 a list by name reads the index of each name from the place of the page on, and sorts none", async () => {
    const users = Array.from({ length: 6_000 }, (_, i) =>
      storedUser(`${i % 3 === 0 ? "x" : "y"}${i}`, {
        status: USER_STATUSES[i % 8]!,
        profile: { email: `e${i}@b`, firstName: `F${i}`, lastName: `L${i}` },
      }),
    );
    await insertUsers(made.options, users);
    if (engine === "PostgreSQL") await store.write(({ db }) => sql`analyze users`.execute(db));

    const { id = "" } = users[0] ?? {};
    for (const direction of ["asc", "desc"] as const) {
      for (const after of [undefined, ["x30", id]]) {
        const query = select("X", direction, { after, before: undefined, fetchLimit: 201 });
        const plan = await explain(query.compile());
        for (const index of INDEXES) expect(plan).toContain(index);
        expect(plan).not.toMatch(/Seq Scan|Bitmap|SCAN users|^\d+ sorts what it reads/m);
        expect(plan).not.toMatch(/Sort .*\n.*Sort Key.*\n *-> +Index Scan/);
        if (after)
          expect(plan).toMatch(engine === "SQLite" ? /<expr>=\? AND id[<>]\?/ : /\) = 'x30'::text\) AND \(id [<>]/);
      }
    }
  });

  /** The plan; of SQLite with a line for each read whose rows are sorted. */
  async function explain({ sql: query, parameters }: { sql: string; parameters: readonly unknown[] }): Promise<string> {
    const { rows } = await store.reader.executeQuery<Record<string, unknown>>(
      CompiledQuery.raw(`explain ${engine === "SQLite" ? "query plan " : ""}${query}`, [...parameters]),
    );
    if (engine === "PostgreSQL") return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    const reads = new Set(
      rows.filter(({ detail }) => String(detail).startsWith("SEARCH users")).map((row) => row["parent"]),
    );
    return rows
      .map(({ parent, detail }) =>
        reads.has(parent) && String(detail).includes("TEMP B-TREE")
          ? `${String(parent)} sorts what it reads`
          : String(detail),
      )
      .join("\n");
  }
});

/** By code point, as the databases do. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
