import { createErrorCounts, type DatabaseErrorKind } from "../../src/store/contract/error-counts.js";

describe("createErrorCounts()", () => {
  it.each<[string | undefined, string, DatabaseErrorKind | undefined]>([
    ["ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:5432", "connection"],
    ["EAI_AGAIN", "getaddrinfo EAI_AGAIN db", "connection"],
    ["57P01", "terminating connection due to administrator command", "connection"],
    ["53300", "sorry, too many clients already", "connection"],
    ["28P01", "password authentication failed", "connection"],
    [undefined, "Connection terminated unexpectedly", "connection"],
    ["57014", "canceling statement due to statement timeout", "timeout"],
    ["57014", "canceling statement due to user request", undefined],
    [undefined, "Query read timeout", "timeout"],
    [undefined, "timeout exceeded when trying to connect", "timeout"],
    ["ETIMEDOUT", "connect ETIMEDOUT", "timeout"],
    ["40P01", "deadlock detected", "lock"],
    ["55P03", "could not obtain lock", "lock"],
    ["SQLITE_BUSY", "database is locked", "lock"],
    ["SQLITE_BUSY_SNAPSHOT", "database is locked", "lock"],
    ["53100", "could not extend file: No space left on device", "disk"],
    ["SQLITE_FULL", "database or disk is full", "disk"],
    ["SQLITE_IOERR_READ", "disk I/O error", "disk"],
    ["23505", "duplicate key value violates unique constraint", undefined],
    ["SQLITE_CONSTRAINT_UNIQUE", "UNIQUE constraint failed: users.login", undefined],
    ["42601", "syntax error", "other"],
    [undefined, "", "other"],
  ])("counts %s, %s, as %s", (code, message, kind) => {
    const { counts, note } = createErrorCounts();
    note(Object.assign(new Error(message), code !== undefined && { code }));
    const none = { connection: 0, timeout: 0, lock: 0, disk: 0, other: 0 };
    expect(counts).toEqual(kind === undefined ? none : { ...none, [kind]: 1 });
  });

  it("takes what is no error", () => {
    const { counts, note } = createErrorCounts();
    for (const value of [undefined, null, "text", 7]) note(value);
    expect(counts.other).toBe(4);
  });
});
