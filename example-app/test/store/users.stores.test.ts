import { compileFilter, compileFilterSql, parseFilter, type FilterDialect, type FilterSchema } from "etiquette/filter";
import { selectRows } from "etiquette/keyset";
import fc from "fast-check";
import { CompiledQuery, sql } from "kysely";
import { USER_STATUSES } from "../../src/model/user-shapes.js";
import { chooseColumn } from "../../src/resources/users/selection.js";
import { USERS_V1, USERS_V2 } from "../../src/resources/users/views.js";
import { toUser } from "../../src/store/contract/rows.js";
import type { ListedColumn, ListedUserRow } from "../../src/store/contract/schema.js";
import type { Store } from "../../src/store/store.js";
import { selectUsers, type UserQuery, type UserSelection } from "../../src/store/records/users.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import { insertOrg, insertUsers, storedUser } from "../support/users.js";

const { searchSchema: schema } = USERS_V1;

const ID_ORDER: UserSelection["order"] = [{ column: "id", direction: "asc" }];
const ALL = { after: undefined, before: undefined, fetchLimit: 10_000 };

/** Few values, so that expressions match now and then; some that the engines could see differently. */
const texts = ["", "a", "ab", "abc", "ABC", "Ä", "中文字", "%_%", '"\\', "true", "3", "\uffff"];
const value = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(0, -1, 2, 2.5, 1e21),
  fc.boolean(),
  fc.array(fc.constantFrom(...texts), { maxLength: 2 }),
  fc.array(fc.constantFrom(0, 2, 2.5), { maxLength: 2 }),
);
const dates = ["2025-01-01T00:00:00.000Z", "2025-01-01T00:00:00.001Z", "2026-02-28T23:59:59.999Z"];
const date = fc.constantFrom(...dates);
const custom = ["nick", "tags", "toString", "length"];
const user = fc.record({
  status: fc.constantFrom(...USER_STATUSES),
  created: date,
  activated: fc.option(date),
  statusChanged: fc.option(date),
  lastUpdated: date,
  firstName: fc.constantFrom("a", "ab", "abc", "ABC", "Ä"),
  attributes: fc.dictionary(fc.constantFrom(...custom), value),
});

const comparison = fc.constantFrom("eq", "gt", "ge", "lt", "le");
const textTerm = fc
  .tuple(
    fc.constantFrom("id", "status", "profile.login", "profile.firstName", ...custom.map((name) => `profile.${name}`)),
    fc.oneof(comparison, fc.constant("sw")),
    fc.constantFrom(...texts, "ACTIVE", "S"),
  )
  .map(([attribute, operator, operand]) => `${attribute} ${operator} ${JSON.stringify(operand)}`);
const dateTerm = fc
  .tuple(fc.constantFrom("created", "activated", "statusChanged", "lastUpdated"), comparison, date)
  .map(([attribute, operator, operand]) => `${attribute} ${operator} "${operand}"`);
const otherTerm = fc.oneof(
  fc
    .tuple(fc.constantFrom(...custom), comparison, fc.constantFrom(0, -1, 2, 2.5, 1e21))
    .map(([name, operator, operand]) => `profile.${name} ${operator} ${operand}`),
  fc.tuple(fc.constantFrom(...custom), fc.boolean()).map(([name, operand]) => `profile.${name} eq ${String(operand)}`),
  fc.constantFrom("abc", "ABC", "中文字", "%_%").map((operand) => `profile.nick co "${operand}"`),
  fc.constantFrom("activated", "statusChanged", "profile.tags", "profile.toString").map((name) => `${name} pr`),
);
const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.oneof(textTerm, dateTerm, otherTerm),
    fc
      .tuple(tie("expression"), fc.constantFrom("and", "or"), tie("expression"))
      .map(([left, operator, right]) => `(${left}) ${operator} (${right})`),
    tie("expression").map((operand) => `not (${operand})`),
  ),
}));

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

  const search = (text: string, searched: FilterSchema = schema) => {
    const parsed = parseFilter(text);
    return {
      filter: parsed,
      schema: searched,
      toSql: (dialect: FilterDialect) => compileFilterSql(parsed, searched, dialect),
    };
  };

  test("F10 search finds the same users in memory and in the database", async () => {
    const users = fc.sample(user, { numRuns: 150, seed: 5 }).map(({ firstName, attributes, ...rest }, i) =>
      storedUser(`${texts[i % texts.length] ?? ""}${i}`, {
        ...rest,
        profile: { ...attributes, firstName },
      }),
    );
    await insertUsers(made.options, users);
    const sorted = [...users].sort((a, b) => (a.id < b.id ? -1 : 1));
    await fc.assert(
      fc.asyncProperty(expression, async (text) => {
        const found = search(text);
        const matches = compileFilter(found.filter, schema);
        const selection = { expression: found, order: ID_ORDER };
        const rows = await selectUsers(store, orgId, selection, ALL).execute();
        expect(rows.map(toUser)).toEqual(sorted.filter(matches));
      }),
      { numRuns: 300 },
    );
  });

  test("F10 v2 finds the same users under its own names", async () => {
    const joe = storedUser("joe", { profile: { nick: "Jo", firstName: "A" } });
    await insertUsers(made.options, [joe, storedUser("ann")]);
    for (const text of ['login eq "joe"', 'name.given eq "A"', 'attributes.nick sw "J"', 'login sw "j" and email pr']) {
      const expression = search(text, USERS_V2.searchSchema);
      const rows = await selectUsers(store, orgId, { expression, order: ID_ORDER }, ALL).execute();
      expect(rows.map(({ id }) => id)).toEqual([joe.id]);
    }
  });

  test("P5 a page before or after any place is the one that a walk in memory has", async () => {
    const users = fc
      .sample(user, { numRuns: 40, seed: 7 })
      .map(({ firstName, status, created }, i) => storedUser(`u${i}`, { status, created, profile: { firstName } }));
    await insertUsers(made.options, users);
    const rows = await store.reader.selectFrom("users").selectAll().execute();
    const orders: ListedColumn[][] = [["id"], ["created", "id"], ["first_name", "id"], ["profile_login", "id"]];
    for (const columns of orders) {
      for (const direction of ["asc", "desc"] as const) {
        const order = columns.map((column) => ({ column, direction }));
        const keysOf = (row: Pick<ListedUserRow, ListedColumn>) => columns.map((column) => row[column]);
        for (const place of rows.slice(0, 10).map(keysOf)) {
          for (const position of [
            { after: place, before: undefined },
            { after: undefined, before: place },
          ]) {
            const expression = search("id pr");
            const page = { ...position, fetchLimit: 5 };
            const found = await selectUsers(store, orgId, { expression, order }, page).execute();
            expect(found).toEqual(selectRows(rows, { ...position, limit: 5 }, keysOf, order));
          }
        }
      }
    }
  });

  test("P5 a list that asks for no order has the one in which an index finds its users", () => {
    for (const [text, column] of [
      ['status eq "ACTIVE" and lastUpdated gt "2025-01-01T00:00:00.000Z"', "last_updated"],
      ['profile.email sw "a" and created lt "2025-01-01T00:00:00.000Z"', "email"],
      ['lastUpdated gt "2025-01-01T00:00:00.000Z" and profile.email eq "a@b"', "id"],
      ['(profile.login sw "a")', "profile_login"],
      ['profile.login sw "a" or profile.login sw "b"', "id"],
      ['not (profile.login sw "a")', "id"],
      ['status eq "ACTIVE"', "id"],
      ['profile.login co "abc"', "id"],
      ['profile.dept sw "a"', "id"],
      ['activated gt "2025-01-01T00:00:00.000Z"', "id"],
    ] as const) {
      expect([text, chooseColumn(parseFilter(text), USERS_V1)]).toEqual([text, column]);
    }
  });

  test("P5 lists are read from an index, from the place of the page on, and nothing is sorted", async () => {
    const users = Array.from({ length: 6_000 }, (_, i) => {
      const number = String(i).padStart(4, "0");
      const lastUpdated = new Date(Date.UTC(2025, 0, 1) + Math.floor(i / 100) * 1_000).toISOString();
      return storedUser(`${i % 3 === 0 ? "x" : "y"}${number}`, {
        status: USER_STATUSES[i % 8]!,
        lastUpdated,
        profile: { email: `e${number}@b` },
      });
    });
    await insertUsers(made.options, users);
    if (engine === "PostgreSQL") await store.write(({ db }) => sql`analyze users`.execute(db));

    const [id = ""] = users
      .map((each) => each.id)
      .sort()
      .slice(3_000);
    const last = "2025-01-01T00:00:30.000Z";
    const cases: [text: string | undefined, column: ListedColumn, index: string, place: string[]][] = [
      [undefined, "id", "users_listed", [id]],
      ['profile.login sw "x"', "profile_login", "users_profile_login", ["x3000", id]],
      [`lastUpdated gt "${last}"`, "last_updated", "users_last_updated", [last, id]],
      ['status eq "ACTIVE"', "id", "users_status", [id]],
      ['profile.email eq "e0001@b"', "id", "users_email", [id]],
      ...Object.values(USERS_V1.sortColumns)
        .filter((column) => column !== "id")
        .map((column): (typeof cases)[number] => [undefined, column, `users_${column}`, ["m", id]]),
    ];
    for (const [text, column, index, place] of cases) {
      const expression = text === undefined ? undefined : search(text);
      if (expression) expect([text, chooseColumn(expression.filter, USERS_V1)]).toEqual([text, column]);
      const columns: ListedColumn[] = column === "id" ? ["id"] : [column, "id"];
      for (const direction of ["asc", "desc"] as const) {
        const selection = { expression, order: columns.map((each) => ({ column: each, direction })) };
        for (const after of [undefined, place]) {
          const page = { after, before: undefined, fetchLimit: 201 };
          const plan = await explain(engine, store, selectUsers(store, orgId, selection, page));
          expect(plan).toContain(index);
          expect(plan).not.toMatch(/Sort|Seq Scan|TEMP B-TREE|SCAN users/);
          if (after && columns.length > 1) expect(plan).toMatch(PLACES[engine]);
        }
      }
    }
  });
});

/** How a plan says that the place of a page is looked up in the index, not sought row by row. */
const PLACES = { SQLite: /\(org_id=\?.* AND \(\w+,id\)[<>]\(\?,\?\)/, PostgreSQL: /Index Cond: .*ROW\(/ };

async function explain(engine: keyof typeof PLACES, { reader }: Store, query: UserQuery): Promise<string> {
  const { sql: text, parameters } = query.compile();
  const { rows } = await reader.executeQuery<Record<string, unknown>>(
    CompiledQuery.raw(`explain ${engine === "SQLite" ? "query plan " : ""}${text}`, [...parameters]),
  );
  return rows.map((row) => String(row["detail"] ?? row["QUERY PLAN"])).join("\n");
}
