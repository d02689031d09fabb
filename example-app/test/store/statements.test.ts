import Database from "libsql";
import type { CompiledQuery } from "kysely";
import { addCounts } from "../../src/store/log/decisions.js";
import { insertOnSqlite } from "../../src/store/log/inserts.js";
import { MAX_LENGTH, MAX_STATEMENTS, reuseStatements } from "../../src/store/engine/sqlite-statements.js";

describe("the statements of the log", () => {
  const lengths: number[] = [];
  const db = {
    executeQuery({ sql }: CompiledQuery) {
      lengths.push(sql.length);
      return Promise.resolve({ rows: [] });
    },
  };
  const rows = Array.from({ length: 200 }, () => ({}));

  it("are short enough to be kept, however many rows there are", async () => {
    await insertOnSqlite(db as never, { orgId: "", published: "", sequence: 1 }, rows.slice(0, 100) as never);
    const now = "2026-01-07T23:00:00.000Z";
    await addCounts({ db, now } as never, "", rows as never);
    expect(lengths).toHaveLength(3);
    for (const length of lengths) expect(length).toBeLessThanOrEqual(MAX_LENGTH);
  });
});

describe("reuseStatements()", () => {
  let database: Database.Database;
  beforeEach(() => {
    database = new Database(":memory:");
    database.exec("create table names (id integer primary key, name text not null unique)");
  });
  afterEach(() => database.close());

  it("prepares a text once, whatever its parameters", () => {
    const prepare = jest.spyOn(database, "prepare");
    const reused = reuseStatements(database);
    for (const name of ["a", "b", "c"]) reused.prepare("insert into names (name) values (?)").run([name]);
    const select = "select name from names where id >= ? order by id";
    const read = (id: number) => reused.prepare(select).all([id]);
    expect(read(1)).toEqual([{ name: "a" }, { name: "b" }, { name: "c" }]);
    expect(read(3)).toEqual([{ name: "c" }]);
    expect(prepare).toHaveBeenCalledTimes(2);
  });

  it("names columns that a table gets after its statement was prepared", () => {
    const statement = reuseStatements(database).prepare("select * from names");
    database.exec("insert into names (name) values ('a')");
    expect(statement.all([])).toEqual([{ id: 1, name: "a" }]);
    database.exec("alter table names add column age integer");
    expect(statement.all([])).toEqual([{ id: 1, name: "a", age: null }]);
  });

  it("tells what reads", () => {
    const reused = reuseStatements(database);
    expect(reused.prepare("select 1").reader).toBe(true);
    expect(reused.prepare("delete from names").reader).toBe(false);
  });

  it.each([
    [MAX_STATEMENTS - 1, true],
    [MAX_STATEMENTS, false],
  ])("keeps a statement while %i others come, is it so: %s", (others, isKept) => {
    const reused = reuseStatements(database);
    const first = reused.prepare("select 'first'");
    for (let i = 0; i < others; i++) reused.prepare(`select ${i}`);
    expect(reused.prepare("select 'first'") === first).toBe(isKept);
  });

  it("drops what was not asked for the longest", () => {
    const reused = reuseStatements(database);
    const first = reused.prepare("select 'first'");
    const second = reused.prepare("select 'second'");
    reused.prepare("select 'first'");
    for (let i = 0; i < MAX_STATEMENTS - 1; i++) reused.prepare(`select ${i}`);
    expect(reused.prepare("select 'first'")).toBe(first);
    expect(reused.prepare("select 'second'")).not.toBe(second);
  });

  it.each([
    [MAX_LENGTH - 1, true],
    [MAX_LENGTH, true],
    [MAX_LENGTH + 1, false],
  ])("keeps a text of %i characters, is it so: %s", (length, isKept) => {
    const reused = reuseStatements(database);
    const text = "select 1".padEnd(length);
    expect(reused.prepare(text) === reused.prepare(text)).toBe(isKept);
  });

  it("does not use one again that failed, and lets its transaction be committed", () => {
    const reused = reuseStatements(database);
    const insert = "insert into names (id, name) values (?, ?)";
    database.exec("begin");
    const statement = reused.prepare(insert);
    statement.run([1, "a"]);
    expect(() => statement.run([2, "a"])).toThrow(/UNIQUE/);
    expect(reused.prepare(insert)).not.toBe(statement);
    reused.prepare(insert).run([2, "b"]);
    database.exec("commit");
    expect(reused.prepare("select name from names order by id").all([])).toEqual([{ name: "a" }, { name: "b" }]);
  });

  it("sees a table as it became", () => {
    const reused = reuseStatements(database);
    reused.prepare("insert into names (name) values (?)").run(["a"]);
    const read = () => reused.prepare("select * from names").all([]);
    expect(read()).toEqual([{ id: 1, name: "a" }]);
    database.exec("alter table names add column age integer");
    expect(read()).toEqual([{ id: 1, name: "a", age: null }]);
  });

  it("lets a text be read again while it is read row by row", () => {
    const reused = reuseStatements(database);
    const insert = reused.prepare("insert into names (name) values (?)");
    for (const name of ["a", "b"]) insert.run([name]);
    const select = "select name from names order by id";
    const rows = reused.prepare(select).iterate([]);
    expect(rows.next().value).toEqual({ name: "a" });
    expect(reused.prepare(select).all([])).toHaveLength(2);
    expect(rows.next().value).toEqual({ name: "b" });
  });
});
