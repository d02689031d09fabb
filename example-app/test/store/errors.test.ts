import { findViolatedColumn, isUnavailable, messageOf } from "../../src/store/contract/errors.js";

const coded = (code: unknown, message = "x") => Object.assign(new Error(message), { code });

describe("isUnavailable", () => {
  it.each([
    ["a refused connection", coded("ECONNREFUSED")],
    ["a connection refused on every address", Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" })],
    ["a connection exception", coded("08006")],
    ["a server that shuts down", coded("57P01")],
    ["a server that starts", coded("57P03")],
    ["too many connections", coded("53300")],
    ["a statement that takes too long", coded("57014")],
    ["a deadlock with another transaction", coded("40P01")],
    ["a conflict with another transaction", coded("40001")],
    ["a failure of the disk", coded("58030")],
    ["a lock that is not available in time", coded("55P03")],
    ["a connection lost under a query", new Error("Connection terminated unexpectedly")],
    ["a query on a lost connection", new Error("Client has encountered a connection error and is not queryable")],
    ["a full pool", new Error("timeout exceeded when trying to connect")],
    ["a locked file", coded("SQLITE_BUSY")],
    ["a file in recovery", coded("SQLITE_BUSY_RECOVERY")],
    ["a standby, which is read-only", coded("25006")],
    ["a full disk", coded("SQLITE_FULL")],
    ["a file that became read-only", coded("SQLITE_READONLY")],
    ["a disk that is gone", coded("SQLITE_IOERR_READ")],
  ])("is true of %s", (_what, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  it.each([
    ["a taken name", coded("23505")],
    ["a taken name on SQLite", coded("SQLITE_CONSTRAINT_UNIQUE")],
    ["a fault in SQL", coded("42601")],
    ["a damaged file", coded("SQLITE_CORRUPT")],
    ["a code with more behind it", coded("ECONNREFUSED2")],
    ["a number", coded(8006)],
    ["a fault of the program", new TypeError("x is not a function")],
    ["what is no error", "ECONNREFUSED"],
    ["nothing", undefined],
  ])("is false of %s", (_what, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});

describe("messageOf", () => {
  it("gives the message, else the code, else the value", () => {
    expect(messageOf(coded("E", "why"))).toBe("why");
    expect(messageOf(coded("ECONNREFUSED", ""))).toBe("ECONNREFUSED");
    expect(messageOf("why")).toBe("why");
    expect(messageOf(undefined)).toBe("undefined");
  });
});

describe("findViolatedColumn()", () => {
  it.each([
    ["PostgreSQL", { code: "23505", constraint: "users_login" }],
    [
      "Citus",
      { code: "23505", message: 'duplicate key value violates unique constraint "users_profile_login_102033"' },
      "profile_login",
    ],
    ["SQLite", { code: "SQLITE_CONSTRAINT_UNIQUE", message: "UNIQUE constraint failed: users.org_id, users.login" }],
  ])("finds it in an error of %s", (_engine, error, column = "login") => {
    expect(findViolatedColumn(error, "users")).toBe(column);
  });

  it.each([[{ code: "23503", constraint: "users_login" }], ["users_login"], [null]])("ignores %p", (error) => {
    expect(findViolatedColumn(error, "users")).toBeUndefined();
  });
});
