import { type } from "arktype";
import type { Express, NextFunction, Request, RequestHandler, Response } from "express";
import request from "supertest";
import * as v from "valibot";
import { z } from "zod";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { jsonBody } from "../../middleware/json-body.js";
import { queryParameters, tryGetQuery } from "../../middleware/query-parameters.js";
import { type StandardSchema, validate, type ValidateOptions } from "../../middleware/validate.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

type AnyOptions = ValidateOptions<unknown, unknown, unknown>;

/** A schema of our own making. */
function schema(check: StandardSchema["~standard"]["validate"]): StandardSchema {
  return { "~standard": { version: 1, vendor: "test", validate: check } };
}

const USERS = {
  zod: z.object({ email: z.email(), tags: z.array(z.string()).default([]) }),
  valibot: v.object({ email: v.pipe(v.string(), v.email()), tags: v.optional(v.array(v.string()), []) }),
  arktype: type({ email: "string.email", tags: type("string[]").default(() => []) }),
};

describe.each(EXPRESS_VERSIONS)("validate on %s", (_version, express) => {
  function serve(options: AnyOptions, ...before: RequestHandler[]): Express {
    const app = express();
    app.use(jsonBody({ strict: false }), ...before);
    app.all("/users/:id", validate(options) as unknown as RequestHandler, (req, res) => {
      res.json({ body: req.body as unknown, query: req.query, params: req.params });
    });
    app.use(errorFormatter({ log: false }));
    return app;
  }

  describe.each(Object.entries(USERS))("with %s", (_library, body) => {
    it("E2 has one cause for each field that the schema refuses, with its place", async () => {
      const res = await request(serve({ body }))
        .post("/users/1")
        .send({ email: "joe", tags: ["a", 7] })
        .expect(400);
      expect(res.body).toMatchObject({ errorCode: "E0000001", errorSummary: "Api validation failed: email, tags.1" });
      const { errorCauses } = res.body as { errorCauses: { errorSummary: string }[] };
      expect(errorCauses).toHaveLength(2);
      expect(errorCauses[0]?.errorSummary).toMatch(/^email: .+\.$/);
      expect(errorCauses[1]?.errorSummary).toMatch(/^tags\.1: .+\.$/);
    });

    it("gives the handler the schema's output", async () => {
      const res = await request(serve({ body })).post("/users/1").send({ email: "joe@example.com" }).expect(200);
      expect(res.body).toMatchObject({ body: { email: "joe@example.com", tags: [] }, params: { id: "1" } });
    });
  });

  it("E2 tells the place as a JSON pointer", async () => {
    const app = serve({ body: z.object({ "a/b": z.object({ "~": z.number() }) }) });
    const res = await request(app)
      .post("/users/1")
      .send({ "a/b": { "~": "no" } })
      .expect(400);
    expect((res.body as { errorCauses: unknown[] }).errorCauses).toMatchObject([{ pointer: "/a~1b/~0" }]);
  });

  it("checks the query and the parameters of the path", async () => {
    const options = {
      query: z.object({ limit: z.coerce.number().max(200), tag: z.array(z.string()).optional() }),
      params: z.object({ id: z.coerce.number() }),
    };
    const app = serve(options);
    const good = await request(app).get("/users/7?limit=20&tag=a&tag=b").expect(200);
    expect(good.body).toEqual({ query: { limit: 20, tag: ["a", "b"] }, params: { id: 7 } });
    const bad = await request(app).get("/users/x?limit=900").expect(400);
    expect(bad.body).toMatchObject({ errorSummary: "Api validation failed: id, limit" });
    expect((bad.body as { errorCauses: unknown[] }).errorCauses).toHaveLength(2);
  });

  it("takes the query of queryParameters", async () => {
    const options: AnyOptions = {
      query: z.object({ login: z.string(), tag: z.array(z.string()) }),
      getQuery: tryGetQuery,
    };
    const res = await request(serve(options, queryParameters())).get("/users/1?login=joe+work&tag=a&tag=b").expect(200);
    expect((res.body as { query: unknown }).query).toEqual({ login: "joe+work", tag: ["a", "b"] });
    await request(serve(options)).get("/users/1?login=joe&tag=a&tag=b").expect(200);
  });

  it("says that the body is missing", async () => {
    const res = await request(serve({ body: z.object({}) }))
      .get("/users/1")
      .expect(400);
    expect(res.body).toMatchObject({ errorSummary: "Api validation failed: body" });
  });

  it("names no field where the issue has none", async () => {
    const query = z.object({ a: z.string().optional() }).refine(() => false, "Give a or b");
    const res = await request(serve({ query })).get("/users/1").expect(400);
    expect(res.body).toMatchObject({
      errorSummary: "Api validation failed: request",
      errorCauses: [{ errorSummary: "Give a or b." }],
    });
  });

  it("awaits a schema, and takes what one of them throws as a fault of the program", async () => {
    const later = schema((value) =>
      Promise.resolve(value === 7 ? { value: "seven" } : { issues: [{ message: "not seven" }] }),
    );
    const app = serve({ body: later, params: z.object({ id: z.string() }) });
    const good = await request(app).post("/users/1").set("Content-Type", "application/json").send("7").expect(200);
    expect((good.body as { body: unknown }).body).toBe("seven");
    await request(app).post("/users/1").set("Content-Type", "application/json").send("8").expect(400);
    const faults = [
      schema(() => {
        throw new Error("thrown");
      }),
      schema(() => Promise.reject(new Error("rejected"))),
      schema(() => undefined as never),
      schema(() => Promise.resolve(undefined as never)),
    ];
    for (const body of faults) await request(serve({ body })).post("/users/1").send({}).expect(500);
  });

  it("replaces nothing when one of several schemas refuses", async () => {
    const seen: unknown[] = [];
    const app = express();
    const both = validate({ body: schema(() => ({ issues: [] })), params: schema(() => ({ value: { id: "other" } })) });
    app.all("/users/:id", both as unknown as RequestHandler);
    app.use((_error: unknown, req: Request, res: Response, _next: NextFunction) => {
      seen.push(req.params, req.body);
      res.status(400).end();
    });
    await request(app).post("/users/1").expect(400);
    expect(seen).not.toContainEqual({ id: "other" });
  });

  it.each([
    [19, 19],
    [20, 20],
    [21, 20],
    [100_000, 20],
  ])("E2 tells of %i issues %i", async (count, told) => {
    const issues = Array.from({ length: count }, (_, index) => ({ message: "wrong", path: [{ key: index }] }));
    const res = await request(serve({ body: schema(() => ({ issues })) }))
      .post("/users/1")
      .send({})
      .expect(400);
    expect((res.body as { errorCauses: unknown[] }).errorCauses).toHaveLength(told);
  });

  it("cuts long names, long messages and long paths", async () => {
    const issues = [{ message: "m".repeat(10_000), path: Array<string>(1_000).fill("k".repeat(1_000)) }];
    const res = await request(serve({ body: schema(() => ({ issues })) }))
      .post("/users/1")
      .send({})
      .expect(400);
    expect(res.text.length).toBeLessThan(70_000);
  });

  it("reports what it would refuse, and passes it on unchanged", async () => {
    const reports: unknown[] = [];
    const body = z.object({ n: z.coerce.number() });
    const app = serve({
      body,
      report: true,
      onReport: ({ rule, code, detail }) => reports.push({ rule, code, detail }),
    });
    const bad = await request(app).post("/users/1").send({ n: "x" }).expect(200);
    expect((bad.body as { body: unknown }).body).toEqual({ n: "x" });
    const good = await request(app).post("/users/1").send({ n: "1" }).expect(200);
    expect((good.body as { body: unknown }).body).toEqual({ n: 1 });
    expect(reports).toEqual([{ rule: "E2", code: "E0000001", detail: expect.stringMatching(/^n: /) as string }]);
  });
});

describe("validate()", () => {
  it.each([
    [{}, "at least one of `body`, `query` and `params`"],
    [{ body: {} }, "option `body` must be a schema"],
    [{ query: null }, "option `query` must be a schema"],
    [{ params: { "~standard": { version: 2, validate: () => ({ value: 1 }) } } }, "option `params` must be a schema"],
    [{ body: USERS.zod, getQuery: "req.query" }, "option `getQuery` must be a function"],
  ])("refuses %j", (options, message) => {
    expect(() => validate(options as never)).toThrow(TypeError);
    expect(() => validate(options as never)).toThrow(message);
  });
});
