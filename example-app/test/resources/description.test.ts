import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { call, startTestServer, type TestServer } from "../support/server.js";
import { COPIES } from "../support/description-copies.js";
import { createDescriptions, formatDescription } from "../support/descriptions.js";
import { describeStores } from "../support/stores.js";

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

describeStores((_engine, database) => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer(await database());
  });
  afterEach(() => server.close());

  test("everybody can read the descriptions, and caches keep them", async () => {
    for (const [version, description] of Object.entries(DESCRIPTIONS)) {
      const path = `/api/${version}/openapi.json`;
      const { status, headers, text } = await call(server, path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "cache-control": "public, max-age=3600",
        etag: expect.stringMatching(/^"[^"]+"$/) as string,
      });
      expect(text).toBe(JSON.stringify(description));
      const again = await call(server, path, { headers: { "If-None-Match": String(headers.etag) } });
      expect(again).toMatchObject({ status: 304, text: "", headers: { etag: headers.etag } });
    }
  });
});
