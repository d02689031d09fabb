import { strongMatch, weakMatch, type EntityTagComparison } from "../../../lib/http/entity-tag.js";
import {
  evaluatePreconditions,
  parsePreconditions,
  type PreconditionOutcome,
  type Preconditions,
} from "../../../lib/http/preconditions.js";

describe("parsePreconditions", () => {
  it.each<[fields: object, preconditions: object]>([
    [{}, {}],
    [{ "if-match": "*" }, { ifMatch: "*" }],
    [{ "if-none-match": '"a", W/"b"' }, { ifNoneMatch: ['"a"', 'W/"b"'] }],
    [
      { "if-match": '"a"', "if-none-match": "*" },
      { ifMatch: ['"a"'], ifNoneMatch: "*" },
    ],
    [{ "if-modified-since": "x", "if-unmodified-since": "y" }, {}],
  ])("T3 reads %j", (fields, preconditions) => {
    expect(parsePreconditions("PUT", fields)).toEqual({ preconditions });
  });

  it.each(["OPTIONS", "TRACE", "CONNECT"])("ignores those of %s (RFC 9110 section 13.2.1)", (method) => {
    expect(parsePreconditions(method, { "if-match": "junk", "if-none-match": "*" })).toEqual({ preconditions: {} });
  });

  it.each([
    [{ "if-match": "" }, "If-Match has no entity tag."],
    [
      { "if-match": "*", "if-none-match": "x" },
      'If-None-Match has "x" at offset 0, where a tag such as W/"1.abc" is expected.',
    ],
    [
      { "if-match": "x", "if-none-match": "y" },
      'If-Match has "x" at offset 0, where a tag such as W/"1.abc" is expected.',
    ],
  ])("T3 refuses %j", (fields, fault) => {
    expect(parsePreconditions("GET", fields)).toEqual({ fault });
  });
});

describe("evaluatePreconditions", () => {
  type Row = [Preconditions, current: string | undefined, read: PreconditionOutcome, write: PreconditionOutcome];

  function outcomes([preconditions, current]: Row, isMatch: EntityTagComparison): PreconditionOutcome[] {
    const hasTag =
      current === undefined ? undefined : (tag: string, match: EntityTagComparison): boolean => match(tag, current);
    return ["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE"].map((method) =>
      evaluatePreconditions(method, preconditions, hasTag, isMatch),
    );
  }

  function expected([, , read, write]: Row): PreconditionOutcome[] {
    return [read, read, write, write, write, write];
  }

  const same: Row[] = [
    [{}, '"1"', "proceed", "proceed"],
    [{}, undefined, "proceed", "proceed"],
    [{ ifMatch: "*" }, 'W/"1"', "proceed", "proceed"],
    [{ ifMatch: "*" }, undefined, "failed", "failed"],
    [{ ifMatch: ['"1"'] }, undefined, "failed", "failed"],
    [{ ifMatch: ['"1"'] }, '"1"', "proceed", "proceed"],
    [{ ifMatch: ['"2"', '"1"'] }, '"1"', "proceed", "proceed"],
    [{ ifMatch: ['"2"', '"3"'] }, '"1"', "failed", "failed"],
    [{ ifNoneMatch: "*" }, '"1"', "not-modified", "failed"],
    [{ ifNoneMatch: "*" }, undefined, "proceed", "proceed"],
    [{ ifNoneMatch: ['"1"'] }, undefined, "proceed", "proceed"],
    [{ ifNoneMatch: ['"2"', 'W/"1"'] }, '"1"', "not-modified", "failed"],
    [{ ifNoneMatch: ['"1"'] }, 'W/"1"', "not-modified", "failed"],
    [{ ifNoneMatch: ['"2"'] }, '"1"', "proceed", "proceed"],
    [{ ifMatch: ['"1"'], ifNoneMatch: ['"1"'] }, '"1"', "not-modified", "failed"],
    [{ ifMatch: ['"2"'], ifNoneMatch: ['"1"'] }, '"1"', "failed", "failed"],
    [{ ifMatch: ['"1"'], ifNoneMatch: ['"2"'] }, '"1"', "proceed", "proceed"],
    [{ ifMatch: "*", ifNoneMatch: "*" }, undefined, "failed", "failed"],
  ];

  it.each(same)("T3, T6 evaluates %j against %s, by either comparison", (...row) => {
    expect(outcomes(row, weakMatch)).toEqual(expected(row));
    expect(outcomes(row, strongMatch)).toEqual(expected(row));
  });

  it.each([
    ['W/"1"', 'W/"1"'],
    ['"1"', 'W/"1"'],
    ['W/"1"', '"1"'],
  ])("T3 compares If-Match %s with %s weakly, or strongly where that is asked for", (sent, current) => {
    expect(outcomes([{ ifMatch: [sent] }, current, "proceed", "proceed"], weakMatch)).not.toContain("failed");
    expect(new Set(outcomes([{ ifMatch: [sent] }, current, "failed", "failed"], strongMatch))).toEqual(
      new Set(["failed"]),
    );
  });
});
