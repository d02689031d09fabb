import type { Script, ScriptedResponse } from "./support/scripted-server.js";
import { check, findingsOf, skippedOf } from "./support/seen.js";

/** What not every API has: keys of idempotency, QUERY, and metadata of the resource. */

const WRITABLE = ["--write", "--writable", "/v1/items/1", "--field", "/name"];
const LIST = ["--list", "/v1/items"];
const CREDENTIALS = ["--header", "Authorization: Bearer the-token"];

const FORM = "application/x-www-form-urlencoded";
const REPLAYED = { "Idempotent-Replayed": "true" };

/** Responses to writes by their key and body; `change` makes those that repeat a key. */
function keeping(change: (first: ScriptedResponse) => ScriptedResponse): Script {
  const kept = new Set<string>();
  return ({ method, headers: { "idempotency-key": key = "" } }) => {
    const first = { headers: { ETag: 'W/"1"' }, body: '{"id":"1","name":"before"}' };
    if (method === "GET" || key === "") return first;
    if (!kept.has(key)) return (kept.add(key), first);
    return change({ ...first, headers: { ...first.headers, ...REPLAYED } });
  };
}

describe("the checks of Idempotency-Key", () => {
  it.each<[what: string, change: (first: ScriptedResponse) => ScriptedResponse, finding: string[]]>([
    ["the same response", (first) => first, []],
    ["another status", (first) => ({ ...first, status: 409 }), ["The key again: the status is 409, at first 200."]],
    [
      "another tag",
      (first) => ({ ...first, headers: { ...REPLAYED, ETag: 'W/"2"' } }),
      ["The key again: another ETag."],
    ],
    ["another body", (first) => ({ ...first, body: "{}" }), ["The key again: another body."]],
  ])("judge %s to a key that comes again", async (_what, change, findings) => {
    const seen = await check(keeping(change), "idempotency-replayed", WRITABLE);
    expect(findingsOf(seen)).toEqual(findings.map((text) => `idempotency-replayed: ${text}`));
    expect(skippedOf(seen)).toEqual([]);
  });

  it("send the same key twice, as a string of RFC 9651, and another one in each run", async () => {
    const keysOf = async (): Promise<string[]> => {
      const { requests } = await check(
        keeping((first) => first),
        "idempotency-replayed",
        WRITABLE,
      );
      return requests.map(({ headers }) => headers["idempotency-key"] ?? "").filter((key) => key !== "");
    };
    const [first, second] = [await keysOf(), await keysOf()];
    expect(first).toEqual([first[0], first[0]]);
    expect(first[0]).toMatch(/^"[0-9a-f-]{36}"$/);
    expect(second).not.toEqual(first);
  });

  it("are skipped where nothing says that a response is replayed", async () => {
    const skipped = skippedOf(await check(() => ({ body: '{"name":"x"}' }), "I1,I2,I3", WRITABLE));
    const reason = "The response to a repeated Idempotency-Key has no Idempotent-Replayed: true.";
    expect(skipped).toEqual([
      `idempotency-replayed: ${reason}`,
      `idempotency-key: ${reason}`,
      `idempotency-payload: ${reason}`,
    ]);
  });
});

describe("the checks of QUERY", () => {
  it("send no QUERY to a list that doesn't name it", async () => {
    const seen = await check(() => ({ headers: { Allow: "GET, HEAD" } }), "Q5", LIST);
    const reason = "Neither Allow nor Accept-Query says that the list takes QUERY.";
    expect(skippedOf(seen)).toEqual(["query-named", "query-parameters", "query-type"].map((id) => `${id}: ${reason}`));
    expect(seen.requests.map(({ method }) => method)).not.toContain("QUERY");
  });

  it.each<[what: string, status: (type: string | undefined) => number, findings: string[]]>([
    ["400 and 415", (type) => (type === undefined ? 400 : type === FORM ? 200 : 415), []],
    [
      "200 without a type",
      (type) => (type === undefined || type === FORM ? 200 : 415),
      ["QUERY without Content-Type: the status is 200, expected 400 or 415."],
    ],
    ["200 with any type", () => 200, ["QUERY with application/x-etiquette-check: the status is 200, expected 415."]],
  ])("judge %s", async (_what, status, findings) => {
    const script: Script = ({ method, headers }) => ({
      status: method === "QUERY" ? status(headers["content-type"]) : 200,
      headers: { "Accept-Query": `"${FORM}";q=1, application/json` },
      body: "[]",
    });
    const seen = await check(script, "Q5", LIST);
    expect(findingsOf(seen)).toEqual(findings.map((text) => `query-type: ${text}`));
    expect(skippedOf(seen)).toEqual([]);
  });

  it("say which parameter the body lost", async () => {
    const script: Script = ({ method }) => ({
      headers: { "Accept-Query": FORM },
      body: method === "GET" ? "[]" : "[1]",
    });
    const seen = await check(script, "query-parameters", LIST);
    expect(findingsOf(seen)).toEqual(["query-parameters: QUERY with limit=1 in the body returns another list."]);
  });
});

describe("credentials-metadata", () => {
  /** `$` stands for the origin of the server. */
  function naming(parameter: string, resource: string, status = 200): Script {
    return ({ target, headers: { host = "", authorization } }) => {
      const own = (text: string): string => text.replaceAll("$", `http://${host}`);
      if (target.startsWith("/.well-known/")) return { status, body: JSON.stringify({ resource: own(resource) }) };
      if (authorization !== undefined) return {};
      return { status: 401, headers: { "WWW-Authenticate": `Bearer realm="api"${own(parameter)}` } };
    };
  }

  const NAMED = ', resource_metadata="$/.well-known/oauth-protected-resource/v1"';

  it.each<[what: string, script: Script, expected: RegExp | undefined]>([
    ["the resource that the request is for", naming(NAMED, "$/v1"), undefined],
    [
      "a token in place of a string",
      naming(", resource_metadata=$/.well-known/oauth-protected-resource", "$"),
      undefined,
    ],
    [
      "a document that is not there",
      naming(NAMED, "$/v1", 404),
      /protected-resource\/v1: the status is 404, expected 200/,
    ],
    ["a document that needs credentials", naming(NAMED, "$/v1", 401), /the status is 401/],
    ["no resource", naming(NAMED, "nothing"), /has no URL as its resource/],
    ["another resource", naming(NAMED, "$/v2"), /is about another resource: http:\/\/127\.0\.0\.1:\d+\/v2$/],
    [
      "a resource on another host",
      naming(NAMED, "https://evil.example/v1"),
      /is about another resource: https:\/\/evil/,
    ],
    [
      "a resource that the path is no part of",
      naming(', resource_metadata="$/.well-known/oauth-protected-resource/v1/it"', "$/v1/it"),
      /\/v1\/items is no part of the resource/,
    ],
    ["no URL", naming(', resource_metadata="/v1"', "$"), /resource_metadata is no URL: \/v1/],
  ])("judges %s", async (_what, script, expected) => {
    const seen = await check(script, "A5", CREDENTIALS);
    const [finding] = findingsOf(seen);
    if (expected === undefined) expect(finding).toBeUndefined();
    else expect(finding).toMatch(expected);
    expect(skippedOf(seen)).toEqual([]);
  });

  it.each([
    ["a challenge without metadata", naming("", "$"), "No challenge names resource_metadata."],
    [
      "metadata on another host, which gets no request",
      naming(', resource_metadata="https://id.example/metadata"', "$"),
      "The metadata are on another host: id.example",
    ],
  ])("is skipped for %s", async (_what, script, reason) => {
    const seen = await check(script, "A5", CREDENTIALS);
    expect(skippedOf(seen)).toEqual([`credentials-metadata: ${reason}`]);
  });

  it("sends no credentials for the metadata", async () => {
    const { requests } = await check(naming(NAMED, "$/v1"), "A5", CREDENTIALS);
    const asked = requests.filter(({ target }) => target.startsWith("/.well-known/"));
    expect(asked.map(({ headers }) => headers["authorization"])).toEqual([undefined]);
  });
});

describe("credentials-dpop", () => {
  const DPOP = 'DPoP realm="api", algs="ES256 EdDSA"';

  /** A server with this challenge, which answers a token under DPoP with `status`. */
  function challenging(challenge: string, status = 401): Script {
    return ({ headers: { authorization = "" } }) => {
      const isBound = authorization.startsWith("DPoP ");
      return authorization === "" || isBound
        ? { status: isBound ? status : 401, headers: { "WWW-Authenticate": challenge } }
        : {};
    };
  }

  it.each<[challenge: string, status: number, expected: string | undefined]>([
    [DPOP, 401, undefined],
    [`Bearer realm="api", ${DPOP}, SVC realm="api"`, 401, undefined],
    ['DPoP realm="api"', 401, "The challenge of DPoP has no algs."],
    ['DPoP algs=""', 401, "The challenge of DPoP has no algs."],
    ['Bearer, dpop algs="ES256 none"', 401, "The challenge of DPoP takes proofs in none."],
    ['DPoP algs="HS512 ES256"', 401, "The challenge of DPoP takes proofs in HS512."],
    [DPOP, 200, "A token under DPoP without a proof: the status is 200, expected 401."],
  ])("with %s, and %d without a proof, finds %j", async (challenge, status, expected) => {
    const seen = await check(challenging(challenge, status), "A6", CREDENTIALS);
    expect(findingsOf(seen)).toEqual(expected === undefined ? [] : [`credentials-dpop: ${expected}`]);
    expect(skippedOf(seen)).toEqual([]);
  });

  it("is skipped for an API without DPoP", async () => {
    const seen = await check(challenging('Bearer realm="DPoP"'), "A6", CREDENTIALS);
    expect(skippedOf(seen)).toEqual(["credentials-dpop: No challenge has the scheme DPoP."]);
  });
});
