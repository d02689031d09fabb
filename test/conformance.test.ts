import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ErrorRequestHandler, RequestHandler } from "express";
import request from "supertest";
import * as etiquette from "etiquette";
import { optionsOf } from "./support/declarations.js";
import { FACTORIES, NO_FACTORIES, PAGED_FILES, WITHOUT_OPTIONS } from "./support/factories.js";
import { EXPRESS_VERSIONS } from "./support/express.js";

const ROOT = path.join(__dirname, "..");

describe("every file with a page", () => {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
    exports: Record<string, { default: string }>;
  };

  it.each(PAGED_FILES)("$name is in the list of factories, so that this suite covers it", ({ name }) => {
    expect([...Object.keys(FACTORIES), ...NO_FACTORIES]).toContain(name);
  });

  it.each(PAGED_FILES)("$name has a page and a test", ({ name, folder, page }) => {
    expect(readdirSync(path.join(ROOT, path.dirname(page)))).toContain(`${name}.md`);
    expect(readdirSync(path.join(ROOT, "test", folder))).toContain(`${name}.test.ts`);
  });

  it.each(PAGED_FILES)("$name has its own path among the exports", ({ name, folder }) => {
    expect(manifest.exports[`./${name}`]?.default).toBe(`./${path.posix.join("dist", folder, name)}.js`);
  });

  it.each(PAGED_FILES)("$name is linked from the README", ({ page }) => {
    expect(readFileSync(path.join(ROOT, "README.md"), "utf8")).toContain(`(${page})`);
  });
});

const factories = Object.entries(FACTORIES).map(([file, factory]) => ({ file, ...factory }));

describe.each(factories)("$name", ({ file, name, factory, required, ...entry }) => {
  const { handler = `${name}Middleware`, member, usage = `app.use(${name}(${required ? "{ … }" : ""}))` } = entry;

  it("is exported by the package", () => {
    expect((etiquette as Record<string, unknown>)[name]).toBe(factory);
  });

  it("returns a function whose name shows in a router's stack", () => {
    const made = factory(required);
    const mountable = member ? (made as Record<string, unknown>)[member] : made;
    expect((mountable as RequestHandler).name).toBe(handler);
  });

  it("leaves frozen options untouched", () => {
    const options = Object.freeze({ ...required });
    expect(() => factory(options)).not.toThrow();
    expect(options).toEqual({ ...required });
  });

  it("takes options without a prototype", () => {
    const options: Record<string, unknown> = Object.assign(Object.create(null) as object, required);
    expect(() => factory(options)).not.toThrow();
  });

  it("takes a member that is undefined as an absent one", () => {
    const { folder = "" } = PAGED_FILES.find((paged) => paged.name === file) ?? {};
    const members = optionsOf(
      path.join(ROOT, folder, `${file}.ts`),
      `${name.charAt(0).toUpperCase()}${name.slice(1)}Options`,
    );
    expect(members.length > 0).toBe(!WITHOUT_OPTIONS.includes(file));
    const options = Object.fromEntries(members.map((option) => [option, undefined]));
    expect(() => factory({ ...options, ...required })).not.toThrow();
  });

  it("refuses an unknown option, naming it", () => {
    expect(() => factory({ ...required, misspelled: true })).toThrow(
      new RegExp(`^${name}: option \`misspelled\` is unknown`),
    );
    expect(() => factory({ ...required, misspelled: true })).toThrow(TypeError);
  });

  it.each([[null], ["strict"], [1], [[]], [() => ({})]])("refuses %p in place of options", (options) => {
    expect(() => factory(options as never)).toThrow(TypeError);
  });

  it.each(EXPRESS_VERSIONS)("says so when it is mounted without being called, on %s", async (_version, express) => {
    const app = express();
    const reported: unknown[] = [];
    const fail: RequestHandler = (_req, _res, next) => {
      next(name === "errorFormatter" ? "an error" : undefined);
    };
    app.use(fail, factory as unknown as RequestHandler);
    const report: ErrorRequestHandler = (error, _req, res, _next) => {
      reported.push(error);
      res.end();
    };
    app.use(report);
    await request(app).get("/");
    expect(reported).toEqual([new TypeError(`${name}: used without a call; write ${usage}`)]);
  });
});
