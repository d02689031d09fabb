import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import type { Description } from "../../src/rest/openapi/document.js";
import { createDescriptionCheck, type Exchange } from "../support/description-check.js";
import { COPIES } from "../support/description-copies.js";
import { createDescriptions, formatDescription } from "../support/descriptions.js";

const run = promisify(execFile);

/** Published as ES modules only, so it runs in a process of its own. */
const VALIDATOR = require.resolve("@seriousme/openapi-schema-validator/bin/validate-api-cli.js");

const DESCRIPTIONS = createDescriptions();

describe.each(Object.keys(COPIES))("the description of %s", (version) => {
  const description = DESCRIPTIONS[version];
  if (!description) throw new Error(`${version} is not described`);
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));

  test("is valid", async () => {
    const { stdout } = await run(process.execPath, [VALIDATOR, String(COPIES[version])]);
    expect(JSON.parse(stdout)).toEqual({ valid: true });
  });

  test("has its copy in docs/; `npm run openapi` writes it", () => {
    expect(readFileSync(String(COPIES[version]), "utf8") === formatDescription(description)).toBe(true);
  });

  test("gives every operation a name of its own", () => {
    const names = operations.map((operation) => (operation as { operationId: string }).operationId);
    expect(names).toEqual([...new Set(names)]);
    for (const name of names) expect(name).toMatch(/^[a-z]+([A-Z][a-z]*)*$/);
  });

  test("names every shape that it refers to, and refers to every shape", () => {
    const text = JSON.stringify(description);
    const references = new Set(Array.from(text.matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name]) => name));
    const { schemas } = description["components"] as { schemas: object };
    expect([...references].sort()).toEqual(Object.keys(schemas).sort());
  });
});

test("operations of v1 that v2 has too are deprecated if the settings say so", () => {
  const { v1, v2 } = createDescriptions({ v1Deprecation: new Date("2027-01-01") });
  const pathsOf = (description: Description | undefined) =>
    Object.entries(description?.paths ?? {}).flatMap(([path, methods]) =>
      Object.values(methods).some((operation) => "deprecated" in operation) ? [path] : [],
    );
  expect(pathsOf(v1)).toHaveLength(10);
  for (const path of pathsOf(v1)) expect(path).toMatch(/^\/api\/v1\/users/);
  expect(pathsOf(v2)).toEqual([]);
  expect(pathsOf(DESCRIPTIONS["v1"])).toEqual([]);
});

describe("the check of every response that a test gets", () => {
  const check = createDescriptionCheck();
  const dates = { created: "2026-01-01T00:00:00.000Z", lastUpdated: "2026-01-01T00:00:00.000Z" };
  const id = "0".repeat(20);
  const zone = { id, type: "IP", name: "x", status: "ACTIVE", gateways: [], proxies: [], ...dates };
  const sent = { ...zone, _links: { self: { href: "https://localhost/api/v1/zones/1" } } };
  const exchange: Exchange = {
    method: "POST",
    path: "/api/v1/zones",
    requestType: "application/json",
    requestText: '{"name":"x","gateways":null}',
    status: 200,
    headers: { "x-svc-request-id": "1", etag: '"1"', "content-type": "application/json; charset=utf-8" },
    text: JSON.stringify(sent),
  };

  test("accepts what is as described", () => {
    expect(() => {
      check(exchange);
    }).not.toThrow();
  });

  test.each<[fault: string, changes: Partial<Exchange>]>([
    ["body must NOT have additional properties: more", { text: JSON.stringify({ ...sent, more: 1 }) }],
    ["body must have required property 'proxies'", { text: JSON.stringify({ ...sent, proxies: undefined }) }],
    [
      "body/status must be equal to one of the allowed values: ACTIVE, INACTIVE",
      { text: JSON.stringify({ ...sent, status: "LOST" }) },
    ],
    ['body/created must match format "date-time"', { text: JSON.stringify({ ...sent, created: "yesterday" }) }],
    ["it has no field ETag", { headers: { ...exchange.headers, etag: undefined } }],
    [
      "its type is text/html, none of application/json",
      { headers: { ...exchange.headers, "content-type": "text/html" } },
    ],
    ["it has no 201", { status: 201 }],
    ["no operation has this path and method", { path: "/api/v1/planets" }],
    ["body must have required property 'errorCode'", { status: 400, text: "{}" }],
    ["body/gateways must be array,null", { requestText: '{"name":"x","gateways":"192.0.2.0/24"}' }],
  ])("tells %s", (fault, changes) => {
    expect(() => {
      check({ ...exchange, ...changes });
    }).toThrow(fault);
  });
});
