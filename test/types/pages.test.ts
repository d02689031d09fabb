import { compile } from "../support/compile.js";
import { FACTORIES } from "../support/factories.js";
import { MODULES } from "../support/snippets.js";

const FACTORY_NAMES = [...Object.values(FACTORIES).map(({ name }) => name), "createBodyVerifier"];

/** Each mounts a factory without calling it. */
const UNCALLED = new Map(
  FACTORY_NAMES.flatMap((name) =>
    [`express().use(${name})`, `express().get("/users/:id", ${name})`, `express.json({ verify: ${name} })`].map(
      (call) => [call, `import express from "express";\nimport { ${name} } from "etiquette";\n${call};\n`] as const,
    ),
  ),
);

const ROUTES = new Map(
  ["requestId()", "weakEtag({ revision: 'version' })", "suite().guards", "suite().parts.requestId"].flatMap((handler) =>
    [
      `app.get("/users/:id", handler, (req) => { const id: string = req.params.id; });`,
      `app.route("/users/:id").put(handler, async (req) => { const id: string = req.params.id; });`,
      `app.get("/users/:id", [handler], (req: Request<User>) => { const id: string = req.params.id; });`,
      `app.post<User, 1, { a: 2 }>("/", handler, (req, res) => { const two: 2 = req.body.a; res.json(1); });`,
      `app.get("/users/:id", handler, (req, res) => { res.json(req.params.id); }, errorFormatter());`,
      `const plain: RequestHandler[] = [handler]; const own: RequestHandler<User> = handler;`,
    ].map(
      (use) =>
        [
          `${handler}: ${use}`,
          `import express, { type Request, type RequestHandler } from "express";\n` +
            `import { errorFormatter, requestId, suite, weakEtag } from "etiquette";\n` +
            `interface User { id: string }\nconst app = express();\nconst handler = ${handler};\n${use}\n`,
        ] as const,
    ),
  ),
);

describe.each([
  ["Express 4", "express4"],
  ["Express 5", "express"],
])("with the types of %s", (_version, types) => {
  let errors: ReadonlyMap<string, string[]>;

  beforeAll(async () => {
    errors = await compile(new Map([...MODULES, ...ROUTES, ...UNCALLED]), types);
  }, 120_000);

  it.each([...MODULES.keys()])("the code of %s compiles as TypeScript", (page) => {
    expect(errors.get(page)).toEqual([]);
  });

  it.each([...ROUTES.keys()])("%s", (route) => {
    expect(errors.get(route)).toEqual([]);
  });

  it.each([...UNCALLED.keys()])("%s is refused", (call) => {
    expect(errors.get(call)).toEqual([expect.stringMatching(/^3: TS(2769|2322)/)]);
  });
});
