import { RequestQuery } from "../../../lib/http/request-query.js";
import {
  compilePageQueryReader,
  type ParsedPageQuery,
  parsePageLimit,
  type PageQuery,
} from "../../../lib/list/page-query.js";

const readPage = compilePageQueryReader({ default: 20, max: 200, min: 1 }, ["since"]);

function parse(query: string, reader = readPage): ParsedPageQuery {
  return reader(new RequestQuery(query));
}

function read(query: string, reader = readPage): PageQuery {
  const parsed = parse(query, reader);
  if (parsed.fault) throw new Error(parsed.fault.message);
  return parsed.query;
}

describe("compilePageQueryReader", () => {
  it("P1 reads limit, after and before wherever they stand", () => {
    expect(read("")).toMatchObject({ limit: 20, cursor: undefined, self: "", start: "", others: "", selection: "[]" });
    expect(read("q=a&after=X&limit=7&r=b")).toMatchObject({
      limit: 7,
      cursor: { direction: "after", text: "X" },
      self: "q=a&after=X&limit=7&r=b",
      start: "q=a&limit=7&r=b",
      others: "q=a&limit=7&r=b",
      selection: '[["q","a"],["r","b"]]',
    });
    expect(read("%62efore=%58").cursor).toEqual({ direction: "before", text: "X" });
  });

  it("P2 keeps other parameters as sent: encoding, order, repetition, without `=`", () => {
    const query = "b=%41+c&&a&a=1&after=X&a=1&%66=[]";
    const { self, others } = read(query);
    expect(self).toBe("b=%41+c&a&a=1&after=X&a=1&%66=[]");
    expect(others).toBe("b=%41+c&a&a=1&a=1&%66=[]");
  });

  it("P2 encodes what a URI has no character for", () => {
    expect(read("a=\\^`{|}").others).toBe("a=%5C%5E%60%7B%7C%7D");
  });

  it("P2 keeps a parameter of the first page for the start of the list alone", () => {
    expect(read("since=2024&limit=3&q=a")).toMatchObject({
      self: "since=2024&limit=3&q=a",
      start: "since=2024&limit=3&q=a",
      others: "limit=3&q=a",
      selection: '[["q","a"]]',
    });
  });

  it("Q4 selects the same by the same parameters in any order", () => {
    expect(read("b=2&a=1&limit=3&b=1").selection).toBe(read("b=2&b=1&after=X&a=1").selection);
    expect(read("b=2&b=1").selection).not.toBe(read("b=1&b=2").selection);
  });

  it.each(["1", "20", "200", "007"])("P6 takes the limit %s", (limit) => {
    expect(read(`limit=${limit}`).limit).toBe(Number(limit));
  });

  it.each(["0", "201", "-1", "+5", "5.0", "1e1", "0x5", "", "%205", "5%20", "five", "9".repeat(400), "NaN", "%D9%A3"])(
    "P6 refuses the limit %j",
    (limit) => {
      expect(parse(`limit=${limit}`).fault).toEqual({
        reason: "limit",
        message: expect.stringMatching(/^limit: found ".*", expected an integer from 1 to 200\.$/),
      });
    },
  );

  it("P6 takes 0 where the least is 0", () => {
    expect(read("limit=0", compilePageQueryReader({ default: 100, max: 1000, min: 0 }, [])).limit).toBe(0);
  });

  it.each([
    ["limit=1&limit=1", "limit", "limit: given more than once."],
    ["after=X&%61fter=X", "cursor", "after: given more than once."],
    ["before=X&before=", "cursor", "before: given more than once."],
    ["after=X&before=Y", "cursor", "after, before: give one of them."],
    ["after=", "cursor", "after: it is empty; leave it out for the first page."],
    ["before", "cursor", "before: it is empty; leave it out for the first page."],
    ["after=X&since=2024", "combination", "since, after: give one of them."],
    ["since=2024&before=X", "combination", "since, before: give one of them."],
    ["after=%zz", "malformed", expect.stringContaining('Query parameter "after", offset 6')],
  ])("P1 refuses %s", (query, reason, message) => {
    expect(parse(query).fault).toEqual({ reason, message });
  });
});

describe("parsePageLimit", () => {
  it.each([
    [undefined, { default: 20, max: 200, min: 1 }],
    [{}, { default: 20, max: 200, min: 1 }],
    [{ max: 10 }, { default: 10, max: 10, min: 1 }],
    [{ min: 50 }, { default: 50, max: 200, min: 50 }],
    [
      { default: 100, max: 1000, min: 0 },
      { default: 100, max: 1000, min: 0 },
    ],
  ])("P6 completes %j", (limit, expected) => {
    expect(parsePageLimit("pagination", limit)).toEqual(expected);
  });

  it.each<[object, string]>([
    [{ default: 201 }, "pagination: option `limit.default` must be an integer from 1 to 200"],
    [{ max: 0 }, "pagination: option `limit.max` must be an integer from 1 to"],
    [{ min: -1 }, "pagination: option `limit.min` must be an integer from 0 to 200"],
    [{ min: 5, max: 4 }, "pagination: option `limit.min` must be an integer from 0 to 4"],
    [{ maximum: 4 }, "pagination.limit: option `maximum` is unknown"],
  ])("P6 refuses %j", (limit, message) => {
    expect(() => parsePageLimit("pagination", limit)).toThrow(message);
    expect(() => parsePageLimit("pagination", limit)).toThrow(TypeError);
  });
});
