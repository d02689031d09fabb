import { readFileSync } from "node:fs";
import path from "node:path";
import request from "supertest";
import ts from "typescript";
import type { Express } from "express";
import { authenticate, getPrincipal } from "etiquette";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { sectionOf } from "../../support/page-parts.js";

/** The tests that docs/guides/testing.md shows pass, with the app that it shows. */
const page = readFileSync(path.join(__dirname, "../../../docs/guides/testing.md"), "utf8");

type Modules = Readonly<Record<string, unknown>>;

/** Run the first block below a heading as a module, which may use `collect` as the global `test`. */
function load(heading: string, modules: Modules, collect?: unknown): Record<string, unknown> {
  const [, code = ""] = /^```ts\n([^]*?)^```/m.exec(sectionOf(page, heading)) ?? [];
  const { outputText } = ts.transpileModule(code.replace(/^(?=async function)/m, "export "), {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true },
  });
  const exported = {};
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the snippet names what it imports
  const loaded = (id: string): unknown => (id in modules ? modules[id] : require(id));
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is a page of this repository
  new Function("require", "exports", "expect", "test", outputText)(loaded, exported, expect, collect);
  return exported;
}

describe.each(EXPRESS_VERSIONS)("on %s", (_version, version) => {
  const app = load("An app that tests can steer", { express: version });

  test.each([
    ["Jest and Vitest, with supertest", 3],
    ["node:test, without a package", 1],
  ])("%s", async (heading, count) => {
    const tests: (() => unknown)[] = [];
    const collect = (_title: string, run: () => unknown) => tests.push(run);
    const nodes = Object.assign(collect, { default: collect, __esModule: true });
    load(heading, { "./app.js": app, "node:test": nodes }, collect);
    expect(tests).toHaveLength(count);
    jest.spyOn(console, "error").mockImplementation(() => undefined);
    for (const run of tests) await run();
    jest.restoreAllMocks();
  });

  test("Tokens", async () => {
    const { createTestIssuer } = load("Tokens", {}) as {
      createTestIssuer: () => Promise<{ sign: (...claims: string[]) => Promise<string>; verifier: never }>;
    };
    const { sign, verifier } = await createTestIssuer();
    const server = version();
    server.use(
      authenticate({ schemes: { Bearer: verifier, Test: () => ({ subject: "joe", scopes: ["users.read"] }) } }),
    );
    server.get("/", (req, res) => {
      res.json(getPrincipal(req).subject);
    });
    const get = (authorization: string) =>
      request(server as Express)
        .get("/")
        .set("Authorization", authorization);
    await get(`Bearer ${await sign("ann", "users.read")}`).expect(200, '"ann"');
    await get("Test any").expect(200, '"joe"');
    expect(page).toContain('authenticate({ schemes: { Test: () => ({ subject: "joe", scopes: ["users.read"] }) } })');
  });
});
