import { readFileSync } from "node:fs";
import path from "node:path";
import { PrismaClientKnownRequestError } from "@prisma/client-runtime-utils";
import type { Express, RequestHandler } from "express";
import Database from "libsql";
import multer from "multer";
import { Client } from "pg";
import request from "supertest";
import ts from "typescript";
import { z } from "zod";
import { errorFormatter, type ErrorFormatterOptions } from "etiquette/error-formatter";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { describeIf } from "../support/requirements.js";

/** The functions of docs/guides/library-errors.md, with the errors of the packages that they are for. */
type Recipe = Extract<NonNullable<ErrorFormatterOptions["map"]>, (...given: never[]) => unknown>;

const page = readFileSync(path.join(__dirname, "../../docs/guides/library-errors.md"), "utf8");

/** The blocks after the first, which mounts what they export. */
const recipes = Object.assign({}, ...blocksOf(page).slice(1).map(evaluate)) as Record<string, Recipe>;
const NAMES = ["fromMulter", "fromZod", "fromPostgres", "fromPrisma", "fromSqlite"];

function map(error: unknown, req: Parameters<Recipe>[1]): ReturnType<Recipe> {
  return NAMES.map((name) => recipes[name]?.(error, req)).find((mapped) => mapped !== undefined);
}

it("the page mounts the functions that it shows", () => {
  expect(Object.keys(recipes)).toEqual([...NAMES, "fromBodyParser"]);
  const [first = ""] = blocksOf(page);
  for (const name of NAMES) expect(first).toContain(`${name}(error)`);
});

describe.each(EXPRESS_VERSIONS)("docs/guides/library-errors.md on %s", (_version, express) => {
  let logged: unknown[] = [];
  beforeEach(() => {
    logged = [];
  });

  function serve(handlers: RequestHandler | RequestHandler[], options: ErrorFormatterOptions = { map }): Express {
    const app = express();
    const done: RequestHandler = (req, res) => res.json({ body: req.body as unknown });
    app.post("/", handlers, done);
    app.use(errorFormatter({ log: (error) => logged.push(error), ...options }));
    return app;
  }

  function failing(error: unknown): Express {
    return serve((_req, _res, next) => {
      next(error);
    });
  }

  async function expectError(sent: request.Test, status: number, code: string, causes: unknown[]): Promise<void> {
    const { body } = await sent.expect(status);
    expect(body).toMatchObject({ errorCode: code, errorCauses: causes.map((errorSummary) => ({ errorSummary })) });
  }

  describe("multer", () => {
    const upload = multer({ limits: { fileSize: 4, files: 1, fieldNameSize: 8 } }).single("photo");
    const form = "multipart/form-data; boundary=x";

    it("E1 maps its limits", async () => {
      const large = request(serve(upload)).post("/").attach("photo", Buffer.from("12345"), "a.png");
      await expectError(large, 413, "E0009003", ["photo: File too large."]);
      expect(logged).toEqual([expect.objectContaining({ name: "MulterError", code: "LIMIT_FILE_SIZE" })]);
      const small = request(serve(upload)).post("/").attach("photo", Buffer.from("1234"), "a.png");
      await small.expect(200);
    });

    it("E1 maps unexpected fields", async () => {
      const other = request(serve(upload)).post("/").attach("video", Buffer.from("1"), "a.mp4");
      await expectError(other, 400, "E0000001", ["video: Unexpected file field."]);
      const two = request(serve(upload))
        .post("/")
        .attach("photo", Buffer.from("1"), "a")
        .attach("b", Buffer.from("1"), "b");
      await expectError(two, 400, "E0000001", [expect.stringMatching(/^\w+: \w[\w ]+\.$/)]);
    });

    it.each([
      ["without a boundary", "multipart/form-data", "--x--\r\n", "Multipart: Boundary not found."],
      ["that ends early", form, '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1', "Unexpected end of form."],
      ["with a malformed part", form, "--x\r\nnonsense\r\n\r\n1\r\n--x--\r\n", "Malformed part header."],
    ])("E1 maps a body %s", async (_case, type, body, cause) => {
      await expectError(request(serve(upload)).post("/").set("Content-Type", type).send(body), 400, "E0000003", [
        cause,
      ]);
    });
  });

  it("E1 maps a ZodError: one cause for each field", async () => {
    const User = z.object({ login: z.string(), tags: z.array(z.number()) });
    const parse: RequestHandler = (req, _res, next) => {
      const { success, error } = User.safeParse(req.body);
      next(success ? undefined : error);
    };
    const sent = request(serve([express.json(), parse]))
      .post("/")
      .send({ login: 1, tags: [1, "a"] });
    await expectError(sent, 400, "E0000001", [
      "login: Invalid input: expected string, received number.",
      "tags.1: Invalid input: expected number, received string.",
    ]);
    await request(serve([express.json(), parse]))
      .post("/")
      .send({ login: "joe", tags: [] })
      .expect(200);
    const whole = request(failing(z.string().safeParse(1).error)).post("/");
    await expectError(whole, 400, "E0000001", ["body: Invalid input: expected string, received number."]);
  });

  it("E1 maps Prisma's known errors, of an engine and of a driver adapter", async () => {
    const known = (code: string, meta: Record<string, unknown>) =>
      new PrismaClientKnownRequestError("failed", { code, clientVersion: "7.0.0", meta });
    const unique = known("P2002", { modelName: "User", target: ["login", "org"] });
    await expectError(request(failing(unique)).post("/"), 409, "E0000195", [
      "login, org: another object has this value.",
    ]);
    const adapted = known("P2002", { driverAdapterError: { cause: { constraint: { fields: ["login"] } } } });
    await expectError(request(failing(adapted)).post("/"), 409, "E0000195", ["login: another object has this value."]);
    await expectError(request(failing(known("P2003", {}))).post("/"), 409, "E0000195", [expect.any(String)]);
    const missing = await request(failing(known("P2025", { modelName: "User" })))
      .post("/")
      .expect(404);
    expect(missing.body).toMatchObject({ errorSummary: "Not found: Resource not found (User)" });
    await expectError(request(failing(known("P1001", {}))).post("/"), 500, "E0000009", []);
  });

  it("E1 maps a conflict in SQLite", async () => {
    const database = new Database(":memory:");
    database.exec("CREATE TABLE users (org TEXT, login TEXT, UNIQUE (org, login))");
    const insert: RequestHandler = (_req, _res, next) => {
      try {
        database.prepare("INSERT INTO users VALUES ('acme', 'joe')").run();
        next();
      } catch (error) {
        next(error);
      }
    };
    const app = serve(insert);
    await request(app).post("/").expect(200);
    await expectError(request(app).post("/"), 409, "E0000195", ["org, login: another object has this value."]);
    database.close();
  });

  it("E1 leaves other errors as they are", async () => {
    const codes = [Object.assign(new Error("secret"), { code: "23505" }), new Error("secret"), "secret"];
    for (const error of codes) {
      const { body } = await request(failing(error)).post("/").expect(500);
      expect(JSON.stringify(body)).not.toContain("secret");
    }
    expect(logged).toEqual(codes);
  });

  describe("express.json and express.urlencoded", () => {
    const parsers = [express.json({ limit: 20 }), express.urlencoded({ extended: false, parameterLimit: 2 })];

    it.each<[string, Record<string, string>, string, number, string]>([
      ["malformed JSON", { "Content-Type": "application/json" }, '{"a":', 400, "E0000003"],
      ["a large body", { "Content-Type": "application/json" }, '{"a":"12345678901234567890"}', 413, "E0009003"],
      ["many parameters", { "Content-Type": "application/x-www-form-urlencoded" }, "a=1&b=2&c=3", 413, "E0009003"],
      ["a charset", { "Content-Type": "application/json; charset=latin1" }, "{}", 415, "E0000021"],
      ["an encoding", { "Content-Type": "application/json", "Content-Encoding": "zip" }, "{}", 415, "E0000021"],
    ])("E1 need no map for %s", async (_case, fields, body, status, code) => {
      const res = await request(serve(parsers, {})).post("/").set(fields).send(body).expect(status);
      expect(res.body).toMatchObject({ errorCode: code });
    });

    it("E1 quote the body, which the map leaves out", async () => {
      const sent = () =>
        request(serve(parsers, { map: recipes["fromBodyParser"]! }))
          .post("/")
          .type("json")
          .send("secret");
      await expectError(sent(), 400, "E0000003", ["The body is not JSON."]);
    });
  });

  describeIf(
    Boolean(process.env["DATABASE_URL"]),
    "PostgreSQL",
    "DATABASE_URL, the address of a PostgreSQL database",
    () => {
      const client = new Client({ connectionString: process.env["DATABASE_URL"] });
      beforeAll(async () => {
        await client.connect();
        await client.query("CREATE TEMP TABLE orgs (id integer PRIMARY KEY)");
        await client.query(
          "CREATE TEMP TABLE users (login text CONSTRAINT users_login_key UNIQUE, org integer REFERENCES orgs (id))",
        );
        await client.query("INSERT INTO users VALUES ('joe')");
      });
      afterAll(() => client.end());

      async function errorOf(sql: string): Promise<unknown> {
        return client.query(sql).then(
          () => undefined,
          (error: unknown) => error,
        );
      }

      it("E1 maps a conflict without the values of the row", async () => {
        const error = await errorOf("INSERT INTO users VALUES ('joe')");
        const res = await request(failing(error)).post("/").expect(409);
        const causes = [{ errorSummary: "login: another object has this value." }];
        expect(res.body).toMatchObject({ errorCode: "E0000195", errorCauses: causes });
        expect(JSON.stringify(res.body)).not.toContain("joe");
        expect(logged).toEqual([error]);
      });

      it("E1 maps a missing reference, and what may be tried again", async () => {
        const missing = await errorOf("INSERT INTO users VALUES ('ann', 7)");
        await expectError(request(failing(missing)).post("/"), 409, "E0000195", [
          "body: the object doesn't exist, or is in use.",
        ]);
        const deadlock = await errorOf("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40P01'; END $$");
        const res = await request(failing(deadlock)).post("/").expect(503);
        expect(res.headers["retry-after"]).toBe("1");
        const syntax = await errorOf("SELEKT 1");
        await expectError(request(failing(syntax)).post("/"), 500, "E0000009", []);
      });
    },
  );
});

function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```js\n([^]*?)^```/gm)].map(([, block = ""]) => block);
}

function evaluate(block: string): object {
  const { outputText } = ts.transpileModule(block, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true },
  });
  const exported = {};
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-require-imports -- the text is a page of this repository
  new Function("require", "exports", outputText)((id: string): unknown => require(id), exported);
  return exported;
}
