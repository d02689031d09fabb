import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { parseArguments } from "../../check/command-line/parse.js";
import { Document, MAX_REFERENCES } from "../../check/openapi/document.js";
import { describeApi, type Described } from "../../check/openapi/index.js";
import { MAX_PATHS } from "../../check/openapi/operations.js";
import { MAX_DESCRIPTION_LENGTH } from "../../check/openapi/read.js";
import { createScriptedServer, type Script, type ScriptedRequest } from "./support/scripted-server.js";
import { type CommandResult, run } from "./support/terminal.js";

let folder: string;
let file: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "etiquette-openapi-"));
  file = path.join(folder, "openapi.json");
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const LIST = { description: "Done", content: { "application/json": { schema: { type: "array" } } } };
const ITEM = { description: "Done", content: { "application/json": { schema: { type: "object" } }, "text/csv": {} } };

function pathParameter(example?: unknown): object {
  return {
    name: "id",
    in: "path",
    required: true,
    schema: { type: "string" },
    ...(example !== undefined && { example }),
  };
}

/** A list and its objects; `changes` are other members of the document. */
function describeItems(id: unknown, changes: object = {}): Record<string, unknown> {
  return {
    openapi: "3.1.0",
    info: { title: "Items", version: "1" },
    paths: {
      "/items": {
        get: {
          parameters: [
            { name: "limit", in: "query" },
            { name: "filter", in: "query", example: 'status eq "ACTIVE"' },
          ],
          responses: { 200: LIST },
        },
      },
      "/items/{id}": { parameters: [pathParameter(id)], get: { responses: { 200: ITEM } } },
    },
    ...changes,
  };
}

/** What a run at `url` takes from a description. */
async function describeAt(url: string, document: unknown, args: string[] = []): Promise<Described> {
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document));
  return describeApi(parseArguments([url, "--rate", "1000", "--timeout", "2", ...args]), file);
}

/** Without a server: what is not there gets no response. */
const URL = "http://127.0.0.1:9";

async function serve<T>(script: Script, use: (origin: string) => Promise<T>): Promise<T> {
  const server = createScriptedServer(script);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.close();
  }
}

describe("a description", () => {
  it.each(["3.0.3", "3.1.0"])("of OpenAPI %s gives the list, an object and the filter", async (openapi) => {
    const { plan, notes } = await describeAt(URL, describeItems("a/b", { openapi, servers: [{ url: "/v1" }] }));
    expect(plan).toMatchObject({
      list: "/v1/items",
      resource: "/v1/items/a%2Fb",
      filter: 'status eq "ACTIVE"',
      description: {
        templates: [
          ["", "v1", "items"],
          ["", "v1", "items", "{id}"],
        ],
        produces: ["application/json", "text/csv"],
      },
    });
    expect(notes).toEqual([
      'The description gives --list /v1/items, --resource /v1/items/a%2Fb, --filter status eq "ACTIVE".',
    ]);
  });

  it("gives nothing that the command line has", async () => {
    const { plan } = await describeAt(URL, describeItems("1"), ["--list", "/items?limit=2", "--resource", "/other"]);
    expect(plan).toMatchObject({ list: "/items?limit=2", resource: "/other" });
  });

  it.each<[string, object, string]>([
    [
      "the path of a server with variables",
      {
        servers: [
          { url: "https://{env}.example.com/{base}", variables: { env: { default: "a" }, base: { default: "v2" } } },
        ],
      },
      "/v2/items",
    ],
    ["no server", {}, "/items"],
    ["a server that is no URL", { servers: [{ url: "http://[" }] }, "/items"],
  ])("has %s before its paths", async (_title, changes, list) => {
    expect((await describeAt(URL, describeItems("1", changes))).plan.list).toBe(list);
  });

  it.each<[string, object]>([
    ["example", { example: "7" }],
    ["examples", { examples: { one: { value: "7" } } }],
    ["examples that are references", { examples: { one: { $ref: "#/components/examples/seven" } } }],
    ["the schema's example", { schema: { example: 7 } }],
    ["the schema's examples", { schema: { examples: ["7"] } }],
    ["the schema's default", { schema: { default: "7" } }],
    ["the schema's enum", { schema: { enum: ["7", "8"] } }],
    ["a schema that is a reference", { schema: { $ref: "#/components/schemas/Seven" } }],
  ])("takes a parameter from %s", async (_title, facts) => {
    const document = describeItems(undefined, {
      paths: {
        "/items/{id}": {
          get: { parameters: [{ name: "id", in: "path", ...facts }], responses: { 200: ITEM } },
        },
      },
      components: { examples: { seven: { value: "7" } }, schemas: { Seven: { example: "7" } } },
    });
    expect((await describeAt(URL, document)).plan.resource).toBe("/items/7");
  });

  it("takes the id from an example of the list, else from the list itself", async () => {
    const document = describeItems(undefined);
    const listing = { ...LIST, content: { "application/json": { schema: { type: "array" }, example: [{ id: "x" }] } } };
    const items = { get: { responses: { 200: listing } } };
    const paths = { ...(document["paths"] as object), "/items": items };
    expect((await describeAt(URL, { ...document, paths })).plan.resource).toBe("/items/x");
    const live = await serve(
      () => ({ body: '[{"id":"live 1"}]' }),
      (origin) => describeAt(origin, document),
    );
    expect(live.plan.resource).toBe("/items/live%201");
    expect((await describeAt(URL, document)).plan.resource).toBeUndefined();
  });

  it("prefers the list of the URL, and one that has pages to others", async () => {
    const all = { get: { responses: { 200: LIST } } };
    const document = describeItems("1");
    const paths = { "/all": all, ...(document["paths"] as object) };
    expect((await describeAt(URL, { ...document, paths })).plan.list).toBe("/items");
    expect((await describeAt(`${URL}/all`, { ...document, paths })).plan.list).toBe("/all");
  });

  it("gives a body where nothing can be read", async () => {
    const body = { content: { "application/json": { example: { name: "given" } } } };
    const document = describeItems("1", { paths: { "/items": { post: { requestBody: body } } } });
    const args = ["--write", "--writable", "/items", "--method", "POST"];
    expect((await describeAt(URL, document, args)).plan.body).toBe('{"name":"given"}');
  });

  it("leaves out what can't be a path", async () => {
    for (const example of ["", "\ud800", "x".repeat(201), null, {}, true]) {
      const { plan } = await describeAt(URL, describeItems(example));
      expect([example, plan.resource]).toEqual([example, undefined]);
    }
    const paths = { "/a b": { get: { responses: { 200: LIST } } }, "no-slash": { get: { responses: { 200: LIST } } } };
    const { plan, notes } = await describeAt(URL, describeItems("1", { paths }));
    expect([plan.list, notes]).toEqual([undefined, ["The description gives no path."]]);
  });
});

describe("references", () => {
  const chain = (length: number): Document =>
    new Document({
      links: Object.fromEntries(
        Array.from({ length: length + 1 }, (_, index) => [
          index,
          index === length ? { found: true } : { $ref: `#/links/${index + 1}` },
        ]),
      ),
    });

  it("are followed so far", () => {
    for (const length of [MAX_REFERENCES - 1, MAX_REFERENCES, MAX_REFERENCES + 1]) {
      const found = chain(length).resolve({ $ref: "#/links/0" });
      // the first leads to the chain
      expect([length, found !== undefined]).toEqual([length, length + 1 <= MAX_REFERENCES]);
    }
  });

  it("that lead to themselves, elsewhere or nowhere are left out", () => {
    const document = new Document({ a: { $ref: "#/b" }, b: { $ref: "#/a" } });
    for (const $ref of [
      "#/a",
      "http://127.0.0.1:9/x.json#/a",
      "other.json",
      "#/%zz",
      "#/nowhere",
      "#",
      "#/__proto__",
    ]) {
      expect([$ref, document.resolve({ $ref })]).toEqual([$ref, undefined]);
    }
  });
});

describe("--openapi", () => {
  async function checkWith(source: string, origin = URL): Promise<CommandResult> {
    return run(["check", origin, "--rate", "1000", "--timeout", "30", "--rules", "json-type", "--openapi", source]);
  }

  it("from a URL sends the headers to the API only", async () => {
    const seen: ScriptedRequest[] = [];
    const answer: Script = (request) => {
      seen.push(request);
      return { body: JSON.stringify(describeItems("1")) };
    };
    await serve(answer, (api) =>
      serve(answer, async (other) => {
        for (const source of [`${api}/openapi.json`, `${other}/openapi.json`]) {
          const args = [
            api,
            "--rate",
            "1000",
            "--rules",
            "json-type",
            "--openapi",
            source,
            "--header",
            "Authorization: Bearer the-token",
          ];
          const { code, out } = await run(["check", ...args]);
          expect([code, out]).toEqual([0, expect.stringContaining("The description gives --list /items")]);
        }
      }),
    );
    const sent = seen.filter(({ target }) => target === "/openapi.json").map(({ headers }) => headers["authorization"]);
    expect(sent).toEqual(["Bearer the-token", undefined]);
  });

  it.each<[string, unknown, string]>([
    ["YAML", "openapi: 3.1.0\npaths: {}\n", "is not JSON. Convert YAML first: npx yaml --json --single"],
    ["Swagger 2", { swagger: "2.0" }, 'is not OpenAPI 3.0 or 3.1; its member openapi is "undefined".'],
    ["a later version", { openapi: "4.0.0" }, 'its member openapi is "4.0.0".'],
    ["a list", [], "is not OpenAPI 3.0 or 3.1"],
    ["null", null, "is not OpenAPI 3.0 or 3.1"],
  ])("refuses %s", async (_title, document, message) => {
    writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document));
    const { code, error } = await checkWith(file);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });

  it("refuses a response that is no description", async () => {
    await serve(
      () => ({ status: 302, headers: { Location: "/elsewhere" } }),
      async (origin) => {
        const { code, error } = await checkWith(`${origin}/openapi.json`, origin);
        expect([code, error]).toEqual([2, expect.stringMatching(/--openapi: GET "http.*" is 302\./)]);
      },
    );
    const { code, error } = await checkWith("http://127.0.0.1:9/openapi.json");
    expect([code, error]).toEqual([2, expect.stringContaining("ECONNREFUSED")]);
  });

  it("has a bound for its length, in a file and from a URL", async () => {
    const text = JSON.stringify(describeItems("1"));
    for (const length of [MAX_DESCRIPTION_LENGTH - 1, MAX_DESCRIPTION_LENGTH, MAX_DESCRIPTION_LENGTH + 1]) {
      const body = text.padEnd(length);
      const isTooLong = length > MAX_DESCRIPTION_LENGTH;
      writeFileSync(file, body);
      await serve(
        ({ target }) => ({ body: target === "/openapi.json" ? body : "{}" }),
        async (origin) => {
          for (const source of [file, `${origin}/openapi.json`]) {
            const { code, error } = await checkWith(source, origin);
            expect([length, code, error.includes("is longer than")]).toEqual([length, isTooLong ? 2 : 0, isTooLong]);
          }
        },
      );
    }
  }, 60_000);

  it("reads so many paths", async () => {
    const paths = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`/p${index}`, {}]));
    for (const count of [MAX_PATHS - 1, MAX_PATHS, MAX_PATHS + 1]) {
      const { plan } = await describeAt(URL, describeItems("1", { paths: paths(count) }));
      expect(plan.description?.templates).toHaveLength(Math.min(count, MAX_PATHS));
    }
  });

  it("never throws for what a description holds, and takes only paths that can be sent", async () => {
    const paths = fc.dictionary(
      fc.string({ maxLength: 8 }).map((text) => `/${text}`),
      fc.jsonValue(),
      { maxKeys: 4 },
    );
    const operation = fc.record({ parameters: fc.jsonValue(), responses: fc.jsonValue() }, { requiredKeys: [] });
    const known = fc.dictionary(fc.constantFrom("/items", "/items/{id}", "/{a}/{b}"), fc.record({ get: operation }));
    await fc.assert(
      fc.asyncProperty(paths, known, fc.jsonValue(), async (some, others, servers) => {
        const { plan } = await describeAt(URL, { openapi: "3.1.0", servers, paths: { ...some, ...others } });
        for (const text of [plan.list, plan.resource]) expect(text ?? "/").toMatch(/^\/[\x21-\x7e]*$/);
      }),
      { numRuns: 50 },
    );
  });
});

it("path-case takes constant segments from the description", async () => {
  const document = describeItems("1", {
    paths: {
      "/{tenant}/joe": {
        get: { parameters: [{ name: "tenant", in: "path", example: "acme" }], responses: { 200: ITEM } },
      },
    },
  });
  writeFileSync(file, JSON.stringify(document));
  const targets: string[] = [];
  const script: Script = ({ target }) => {
    targets.push(target);
    return { status: target === "/acme/joe" ? 200 : 404 };
  };
  await serve(script, (origin) => run(["check", origin, "--rate", "1000", "--rules", "path-case", "--openapi", file]));
  expect(targets).toEqual(["/acme/joe", "/acme/JOE"]);
});
