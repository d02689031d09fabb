import { PrismaClientKnownRequestError } from "@prisma/client-runtime-utils";
import type { Express, RequestHandler } from "express";
import Database from "libsql";
import fc from "fast-check";
import multer from "multer";
import { Client } from "pg";
import request from "supertest";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { errorFormatter, type ErrorFormatterOptions } from "etiquette/error-formatter";
import { jwtErrors, multerErrors, pgErrors, prismaErrors, sqliteErrors, zodErrors } from "etiquette/library-errors";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { describeIf } from "../../support/requirements.js";

const map = [zodErrors, multerErrors, prismaErrors, pgErrors, sqliteErrors, jwtErrors];

describe.each(EXPRESS_VERSIONS)("the errors of libraries on %s", (_version, express) => {
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
    expect(body).toMatchObject({
      errorCode: code,
      errorCauses: causes.map((errorSummary) => expect.objectContaining({ errorSummary }) as unknown),
    });
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
    await expectError(request(failing(known("P1001", {}))).post("/"), 503, "E0009011", []);
    await expectError(request(failing(known("P2010", { sql: "secret" }))).post("/"), 500, "E0000009", []);
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

  it("E1 reads a conflict of node:sqlite, and a database that is locked", () => {
    const failed = (errcode: unknown, message = "x") =>
      Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
    expect(sqliteErrors(failed(2_067, "UNIQUE constraint failed: users.login"))).toMatchObject({ detail: "login" });
    expect(sqliteErrors(failed(787))).toMatchObject({ code: "E0000195" });
    expect(sqliteErrors(failed(5))).toMatchObject({ code: "E0009011" });
    expect(sqliteErrors(failed(1))).toBeUndefined();
    expect(sqliteErrors(Object.assign(new Error("x"), { code: 5 }))).toBeUndefined();
  });

  it("E1 reads a conflict of PostgreSQL without a value of the row", () => {
    const failed = (code: string, detail?: string) => ({ severity: "ERROR", code, detail, constraint: "secret_key" });
    expect(pgErrors(failed("23505", 'Key (org, "Login")=(acme, joe) already exists.'))).toEqual({
      code: "E0000195",
      detail: "org, Login",
      causes: ["org, Login: another object has this value."],
    });
    const expression = pgErrors(failed("23505", "Key (lower(login))=(joe) already exists."));
    expect(expression).toMatchObject({ detail: "body", causes: ["body: another object has this value."] });
    expect(pgErrors(failed("23505"))).toMatchObject({ detail: "body" });
    expect(pgErrors(failed("23P01"))).toMatchObject({ code: "E0000195" });
    for (const code of ["40001", "40P01", "55P03", "53300", "57P01", "08006"]) {
      expect(pgErrors(failed(code))).toEqual({ code: "E0009011", headers: { "Retry-After": "1" } });
    }
    expect(pgErrors(failed("23514"))).toBeUndefined();
    expect(pgErrors({ code: "23505" })).toBeUndefined();
  });

  it("E1 answers a token of jose that is not valid with a challenge, and tells no more", async () => {
    const key = new TextEncoder().encode("0123456789abcdef0123456789abcdef");
    const token = (claims: object, expiry: number) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256" }).setExpirationTime(expiry).sign(key);
    const late = await token({ aud: "api" }, 1);
    const other = await token({ aud: "other" }, 4_102_444_800);
    const failures = [
      [late, "The token is expired."],
      [other, "The token is not valid."],
      [`${other}x`, "The token is not valid."],
      ["junk", "The token is not valid."],
    ] as const;
    for (const [sent, cause] of failures) {
      const error: unknown = await jwtVerify(sent, key, { audience: "api" }).catch((reason: unknown) => reason);
      const res = request(failing(error)).post("/");
      await expectError(res, 401, "E0000011", [cause]);
      expect((await res).headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
    }
  });

  it.each([
    [{ name: "TokenExpiredError", message: "jwt expired" }, 401],
    [{ name: "JsonWebTokenError", message: "invalid signature" }, 401],
    [{ code: "ERR_JWKS_NO_MATCHING_KEY" }, 401],
    [{ code: "ERR_JWKS_TIMEOUT" }, 503],
    [{ code: "ERR_JWK_INVALID" }, 500],
  ])("E4 answers %j with %d", async (facts, status) => {
    await request(failing(Object.assign(new Error("x"), facts)))
      .post("/")
      .expect(status);
  });

  it.each([19, 20, 21])("E2 has at most 20 causes for %d issues of zod, and cuts long texts", async (count) => {
    const issue = { path: ["x".repeat(500)], message: "y".repeat(500) };
    const error = Object.assign(new Error(), { name: "ZodError", issues: Array<object>(count).fill(issue) });
    const { body } = await request(failing(error)).post("/").expect(400);
    expect(body.errorCauses).toHaveLength(Math.min(count, 20));
    expect(JSON.stringify(body.errorCauses[0]).length).toBeLessThan(700);
  });

  it("never throw, whatever is thrown", () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom("ZodError", "MulterError", "PrismaClientKnownRequestError"),
        (value, name) => {
          const facts = { name, issues: value, code: value, meta: value, severity: "ERROR", detail: value };
          const thrown = [value, Object.assign(new Error("x"), facts), { ...facts, issues: [value] }];
          for (const read of map) thrown.forEach(read);
        },
      ),
    );
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
          "An object that this one refers to doesn't exist, or is in use.",
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
