import { check, findingsOf, skippedOf } from "./support/seen.js";
import {
  ALL_VARIABLE,
  CAREFUL,
  negotiating,
  OTHER_CURSOR,
  patchable,
  READ_ONLY,
  WITHOUT_CASE,
  WITHOUT_PAGES,
  WITHOUT_WEIGHTS,
} from "./support/verdict-servers.js";

const LIST = ["--list", "/v1/items"];
const ITEM = ["--resource", "/v1/items/abc"];
const WRITABLE = ["--write", "--writable", "/v1/items/1"];

describe("path-case", () => {
  it("changes words and leaves the id alone, which would be another object's", async () => {
    const seen = await check(WITHOUT_CASE, "path-case", [...LIST, ...ITEM]);
    expect(seen.requests.at(-1)?.target).toBe("/V1/ITEMS/abc");
    expect(findingsOf(seen)).toEqual(["path-case: /V1/ITEMS/abc: the status is 200, expected 404."]);
  });

  it("says nothing where all segments may be variable", async () => {
    const seen = await check(ALL_VARIABLE, "path-case", ["--resource", "/7/joe"], "/7/joe");
    expect(findingsOf(seen)).toEqual([]);
    const skipped = await check(() => ({}), "path-case", ["--resource", "/7/joe"]);
    expect(skippedOf(skipped)).toEqual(["path-case: No part of the path is known to be the same for all objects."]);
  });
});

describe("the checks of cursors", () => {
  it("are skipped where no page has a cursor", async () => {
    const seen = await check(WITHOUT_PAGES, "P1", LIST);
    expect(skippedOf(seen)).toEqual([
      "cursor-forged: The list has no next page with limit=1.",
      "cursor-changed: The list has no next page with limit=1.",
      "cursor-readable: The list has no next page with limit=1.",
    ]);
  });

  it("use the parameter that the API's pages have", async () => {
    const seen = await check(OTHER_CURSOR, "cursor-forged,cursor-changed", LIST);
    expect(findingsOf(seen)).toEqual([]);
    expect(seen.requests.map(({ target }) => target)).toContain("/v1/items?limit=1&page_token=etiquette-check");
  });
});

describe("walk", () => {
  it("is skipped where the list has no Link", async () => {
    expect(skippedOf(await check(WITHOUT_PAGES, "walk", LIST))).toEqual(["walk: The list has no Link to a page."]);
  });

  it("passes where a list links its pages", async () => {
    expect((await check(OTHER_CURSOR, "walk", LIST)).results[0]).toMatchObject({ outcome: "passed" });
  });
});

describe("writes", () => {
  const patch = [...WRITABLE, "--method", "PATCH"];

  it.each(["GET", "OPTIONS", "PATCH"] as const)(
    "use a type that Accept-Patch names in the response to %s",
    async (naming) => {
      const type = "application/merge-patch+json";
      const seen = await check(patchable(type, naming), "write-accepted,body-malformed,body-charset", patch);
      expect(seen.results.map(({ check: { id }, outcome }) => [id, outcome])).toEqual([
        ["write-accepted", "passed"],
        ["body-charset", "passed"],
        ["body-malformed", "passed"],
      ]);
    },
  );

  it("are JSON Patches where the API takes nothing else", async () => {
    const script = patchable("application/json-patch+json", "GET");
    const seen = await check(script, "write-accepted", [...patch, "--field", "/name"]);
    const bodies = seen.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    expect(new Set(bodies)).toEqual(new Set(['[{"op":"replace","path":"/name","value":"before"}]']));
    expect(findingsOf(seen)).toEqual([]);
    expect(skippedOf(await check(script, "write-accepted", patch))).toEqual([
      "write-accepted: /v1/items/1 takes a JSON Patch: give --field, or one with --body.",
    ]);
  });

  it("are skipped where Accept-Patch names no type that is known", async () => {
    expect(skippedOf(await check(patchable("application/x-known-to-nobody", "GET"), "write-accepted", patch))).toEqual([
      "write-accepted: Accept-Patch of /v1/items/1 names application/x-known-to-nobody, application/x-other only.",
    ]);
  });

  it("are one finding when the API refuses one that changes nothing", async () => {
    const seen = await check(READ_ONLY, "write-accepted,S3,S5,E1,T,V", [...WRITABLE, "--field", "/name"]);
    const written = findingsOf(seen).filter((finding) =>
      /body-|write-|tag-stale|tag-malformed|lost-|patch-/.test(finding),
    );
    expect(written).toEqual(["write-accepted: PUT /v1/items/1 with application/json: 403."]);
    expect(skippedOf(seen)).toContain("body-type: The API refuses a write that changes nothing: see write-accepted.");
    expect(seen.requests.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  it("have If-Match where the API demands a precondition", async () => {
    const seen = await check(CAREFUL, "write-accepted,body-malformed", WRITABLE);
    expect(findingsOf(seen)).toEqual([]);
    const sent = seen.requests.filter(({ method }) => method === "PUT").map(({ headers }) => headers["if-match"]);
    expect(sent).toEqual([undefined, "*", "*", "*"]);
  });
});

describe("accept-zero", () => {
  it("says which type of produces is the reason for JSON that was excluded", async () => {
    const script = negotiating(["application/json", "text/csv"], () => "application/json");
    expect(findingsOf(await check(script, "accept-zero", []))).toEqual([
      "accept-zero: Accept: application/json;q=0, */*: the status is 200, expected 406. The response is application/json although `produces` has text/csv, which the field accepts.",
    ]);
  });

  it("passes where the response is of another type that is produced", async () => {
    const script = negotiating(["application/json", "text/csv"], (selected) => selected);
    expect(findingsOf(await check(script, "accept-zero", []))).toEqual([]);
  });

  it("gives no reason where Accept is not read", async () => {
    expect(findingsOf(await check(() => ({}), "accept-zero", []))).toEqual([
      "accept-zero: Accept: application/json;q=0, */*: the status is 200, expected 406.",
    ]);
  });

  it("says so where the weight is not read", async () => {
    expect(findingsOf(await check(WITHOUT_WEIGHTS, "accept-zero", []))).toEqual([
      "accept-zero: Accept: application/json;q=0, */*: the status is 200, expected 406.",
    ]);
  });
});
