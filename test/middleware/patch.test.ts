import type { Express, RequestHandler } from "express";
import request from "supertest";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { getPatch, patch, PATCH_TYPES, tryGetPatch, type PatchOptions } from "../../middleware/patch.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const [JSON_PATCH, MERGE_PATCH] = PATCH_TYPES;

describe.each(EXPRESS_VERSIONS)("patch on %s", (_version, express) => {
  let stored: unknown;

  beforeEach(() => {
    stored = { id: "00u1", status: "ACTIVE", profile: { login: "ada", firstName: "Ada" }, tags: ["a"] };
  });

  function serve(
    options: PatchOptions = {},
    { parser = true, log = (_: unknown): unknown => undefined } = {},
  ): Express {
    const app = express();
    if (parser) app.use(express.json({ type: [...PATCH_TYPES, "application/json"], limit: "2mb" }));
    app.use(patch(options));
    app.all("/", (req, res) => {
      if (req.method === "PATCH") stored = getPatch(req).apply(stored);
      res.json({ stored, type: tryGetPatch(req)?.type });
    });
    app.use(errorFormatter({ log }));
    return app;
  }

  function send(app: Express, body: unknown, type = JSON_PATCH) {
    return request(app)
      .patch("/")
      .set("Content-Type", type)
      .send(typeof body === "string" ? body : JSON.stringify(body));
  }

  it("V4 applies a JSON Patch", async () => {
    const res = await send(serve(), [{ op: "replace", path: "/profile/firstName", value: "Augusta" }]).expect(200);
    expect(res.body).toMatchObject({ stored: { profile: { login: "ada", firstName: "Augusta" } }, type: JSON_PATCH });
  });

  it("V4 applies a JSON Merge Patch, its type written in any case and with a charset", async () => {
    const type = "Application/Merge-Patch+JSON; charset=UTF-8";
    const res = await send(serve(), { profile: { firstName: null }, tags: [] }, type).expect(200);
    expect(res.body).toMatchObject({ stored: { profile: { login: "ada" }, tags: [] }, type: MERGE_PATCH });
    expect(res.text).not.toContain("firstName");
  });

  describe("of a document with a Date", () => {
    const created = "2026-01-31T08:00:00.000Z";
    beforeEach(() => {
      stored = { created: new Date(created), name: "Ann", seen: [new Date(created)] };
    });

    it.each([
      [[{ op: "test", path: "/created", value: created }], 200],
      [[{ op: "test", path: "/created", value: {} }], 409],
      [[{ op: "test", path: "/seen", value: [created] }], 200],
      [[{ op: "replace", path: "/created", value: created }], 200],
      [[{ op: "replace", path: "/created", value: "2026-01-31T08:00:00.001Z" }], 403],
      [[{ op: "replace", path: "/created", value: {} }], 403],
      [[{ op: "add", path: "/created/x", value: 1 }], 409],
      [[{ op: "replace", path: "/name", value: "Bob" }], 200],
    ])("V4 compares its text: %j is %d", async (operations, status) => {
      await send(serve({ readOnly: ["/created"] }), operations).expect(status);
    });

    it("V4 has its text in the result", async () => {
      const copied = [{ op: "copy", from: "/created", path: "/name" }];
      const { body } = (await send(serve(), copied).expect(200)) as { body: object };
      expect(body).toMatchObject({ stored: { name: created, created, seen: [created] } });
      expect(stored).toEqual({ name: created, created, seen: [created] });
    });

    it("V4 merges a patch into its text", async () => {
      await send(serve({ readOnly: ["/created"] }), { created: {} }, MERGE_PATCH).expect(403);
      await send(serve({ immutable: ["/created"] }), { created, name: null }, MERGE_PATCH).expect(200);
      expect(stored).toEqual({ created, seen: [created] });
    });

    it("says what has no form in JSON, as a programming error", async () => {
      stored = { tags: new Map() };
      const causes: unknown[] = [];
      await send(serve({}, { log: (error) => causes.push(error) }), []).expect(500);
      expect(String(causes[0])).toContain('TypeError: A value of type Map at "/tags" has no form in JSON');
    });
  });

  it.each(["application/json", "text/plain", "application/merge-patch+json; charset=latin1", "json"])(
    "V4 answers %s with 415 and Accept-Patch",
    async (type) => {
      const res = await send(serve({}, { parser: false }), {}, type).expect(415);
      expect(res.headers["accept-patch"]).toBe(PATCH_TYPES.join(", "));
      expect(res.body).toMatchObject({ errorCode: "E0000021" });
      expect((res.body as { errorCauses: { errorSummary: string }[] }).errorCauses[0]!.errorSummary).toContain(type);
    },
  );

  it("V4 answers a patch without Content-Type, and one of a type that is switched off, with 415", async () => {
    await request(serve()).patch("/").expect(415);
    const res = await send(serve({ consumes: [MERGE_PATCH] }), []).expect(415);
    expect(res.headers["accept-patch"]).toBe(MERGE_PATCH);
  });

  it("leaves other methods alone", async () => {
    const res = await request(serve()).put("/").send({ a: 1 }).expect(200);
    expect(res.body).not.toHaveProperty("type");
    expect(() => getPatch({})).toThrow(/^patch\(\) did not run/);
  });

  it("says of another method that there is no patch, not that it did not run", async () => {
    const app = express();
    app.use(patch(), ((req, res) => {
      expect(tryGetPatch(req)).toBeUndefined();
      expect(() => getPatch(req)).toThrow("patch() ran, but the method of this request is not PATCH");
      res.end();
    }) satisfies RequestHandler);
    await request(app).put("/").expect(200);
  });

  it.each([
    ["malformed", "{}", 400, "E0000003", "A JSON Patch must be an array of operations."],
    ["no JSON", "[", 400, "E0000003", expect.any(String)],
    [
      "__proto__",
      [{ op: "add", path: "/__proto__/a", value: 1 }],
      400,
      "E0000003",
      'Operation 0: "path" names "__proto__".',
    ],
    ["path", [{ op: "remove", path: "/none" }], 409, "E0000195", 'Operation 0: there is nothing at "/none".'],
    [
      "test",
      [{ op: "test", path: "/id", value: "x" }],
      409,
      "E0000195",
      'Operation 0: the value at "/id" is different.',
    ],
  ])(
    "V4 answers a patch with a fault (%s), and the document stays as it was",
    async (_fault, body, status, code, cause) => {
      const before = structuredClone(stored);
      const res = await send(serve(), body).expect(status);
      expect(res.body).toMatchObject({ errorCode: code, errorCauses: [{ errorSummary: cause as string }] });
      expect(stored).toEqual(before);
    },
  );

  it("V4 refuses __proto__ in a merge patch", async () => {
    await send(serve(), '{"profile":{"__proto__":{"admin":true}}}', MERGE_PATCH).expect(400);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([
    [99, 200],
    [100, 200],
    [101, 413],
  ])("V4 answers %d operations with %d", async (count, status) => {
    const operations = Array.from({ length: count }, () => ({ op: "test", path: "/id", value: "00u1" }));
    const res = await send(serve(), operations).expect(status);
    if (status === 413) expect(res.body).toMatchObject({ errorCode: "E0009003" });
  });

  it.each([
    [-1, 200],
    [0, 200],
    [1, 422],
  ])("V4 answers a result of %d characters more than a mebibyte with %d", async (more, status) => {
    const value = "x".repeat(1_048_576 - '{"a":""}'.length + more);
    const res = await send(serve(), [{ op: "replace", path: "", value: { a: value } }]).expect(status);
    if (status === 422) expect(res.body).toMatchObject({ errorCode: "E0009006" });
  });

  const nest = (levels: number): unknown => (levels === 0 ? 0 : [nest(levels - 1)]);

  it.each([
    [999, 200],
    [1000, 200],
    [1001, 422],
  ])("V4 answers a result of %d levels with %d, from either kind of patch", async (levels, status) => {
    const half = Math.floor(levels / 2);
    stored = { a: nest(half - 1) };
    const operations = [{ op: "add", path: `/a${"/0".repeat(half - 1)}`, value: nest(levels - half) }];
    const res = await send(serve(), operations).expect(status);
    if (status === 422) {
      const errorSummary = "The result of the patch has more than 1000 levels of arrays and objects.";
      expect(res.body).toMatchObject({ errorCode: "E0009006", errorCauses: [{ errorSummary }] });
      expect(stored).toEqual({ a: nest(half - 1) });
    }
    await send(serve(), { a: nest(levels - 1) }, MERGE_PATCH).expect(status);
  });

  it("V4 answers copies of the whole into its deepest member, which double the depth, with 422", async () => {
    stored = { a: 0 };
    const operations = Array.from({ length: 11 }, (_, index) => ({
      op: "copy",
      from: "",
      path: "/a".repeat(2 ** index),
    }));
    const res = await send(serve(), operations).expect(422);
    expect(res.body).toMatchObject({ errorCode: "E0009006" });
    expect(stored).toEqual({ a: 0 });
  });

  it.each([
    [9_999, 200],
    [10_000, 200],
    [10_001, 422],
  ])("V4 answers a result of %d members and elements with %d, from either kind of patch", async (count, status) => {
    const value = { a: Array.from({ length: count - 2 }, () => 0), b: 0 };
    const res = await send(serve(), [{ op: "replace", path: "", value }]).expect(status);
    if (status === 422) {
      const errorSummary = "The result of the patch has more than 10000 members and elements.";
      expect(res.body).toMatchObject({ errorCode: "E0009006", errorCauses: [{ errorSummary }] });
    }
    stored = {};
    await send(serve(), value, MERGE_PATCH).expect(status);
  });

  it("V4 takes other limits of depth and members", async () => {
    const [deep, wide] = [{ a: [[]] }, { a: 0, b: 0, c: 0 }];
    for (const [options, value, status] of [
      [{ maxDepth: 3 }, deep, 200],
      [{ maxDepth: 2 }, deep, 422],
      [{ maxMembers: 3 }, wide, 200],
      [{ maxMembers: 2 }, wide, 422],
    ] as const) {
      await send(serve(options), [{ op: "replace", path: "", value }]).expect(status);
    }
  });

  it.each(["/a".repeat(10_000), `/${"a".repeat(50_000)}`])(
    "V4 repeats no more than the beginning of a long pointer",
    async (path) => {
      const res = await send(serve(), [{ op: "test", path, value: 0 }]).expect(409);
      expect(res.text.length).toBeLessThan(500);
    },
  );

  it.each([
    [{ maxSteps: 4 }, 200],
    [{ maxSteps: 3 }, 413],
  ])("V4 takes, with %j, a patch of four steps: %d", async (options, status) => {
    const operations = [
      { op: "add", path: "/b", value: 1 },
      { op: "add", path: "/c", value: 1 },
      { op: "add", path: "/d", value: 1 },
    ];
    const before = (stored = { a: 0 });
    const res = await send(serve(options), operations).expect(status);
    if (status === 200) return;
    expect(res.body).toMatchObject({
      errorCode: "E0009003",
      errorCauses: [{ errorSummary: "Operation 2: with it the patch takes more than 3 steps; send smaller patches." }],
    });
    expect(stored).toBe(before);
  });

  it("V4 refuses a large object that is copied again and again", async () => {
    const value = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`n${index}`, 0]));
    const operations = [
      { op: "add", path: "/b", value },
      ...Array.from({ length: 49 }, () => [
        { op: "copy", from: "/b", path: "/c" },
        { op: "add", path: "/c/x", value: 1 },
      ]).flat(),
    ];
    const res = await send(serve(), operations).expect(413);
    expect(res.body).toMatchObject({ errorCode: "E0009003" });
  });

  it("V4 answers twenty copies, a million times the document, with 422", async () => {
    const operations = Array.from({ length: 20 }, (_, index) => ({ op: "copy", from: "", path: `/copy${index}` }));
    await send(serve(), operations).expect(422);
  });

  it.each([
    ["its own pointer", [{ op: "replace", path: "/id", value: "x" }], JSON_PATCH],
    ["removal", [{ op: "remove", path: "/id" }], JSON_PATCH],
    ["the whole", [{ op: "replace", path: "", value: {} }], JSON_PATCH],
    ["move", [{ op: "move", from: "/id", path: "/other" }], JSON_PATCH],
    ["a merge patch", { id: null }, MERGE_PATCH],
    ["a merge patch of another shape", [1], MERGE_PATCH],
  ])("V4 lets nothing change a read-only attribute: by %s", async (_way, body, type) => {
    const res = await send(serve({ readOnly: ["/id"] }), body, type).expect(403);
    expect(res.body).toMatchObject({
      errorCode: "E0000077",
      errorSummary: "Cannot modify the id attribute because it is read-only.",
      errorCauses: [{ errorSummary: "/id" }],
    });
  });

  it("V4 lets a patch pass that leaves a read-only attribute as it is", async () => {
    await send(serve({ readOnly: ["/id", "/none"] }), { id: "00u1", profile: {} }, MERGE_PATCH).expect(200);
  });

  it("V4 lets an immutable attribute be added, and then stay", async () => {
    const app = serve({ immutable: ["/profile/external"] });
    await send(app, { profile: { external: { a: 1 } } }, MERGE_PATCH).expect(200);
    await send(app, { profile: { external: { a: 1 } } }, MERGE_PATCH).expect(200);
    const res = await send(app, { profile: { external: { a: 2 } } }, MERGE_PATCH).expect(403);
    expect(res.body).toMatchObject({
      errorCode: "E0000078",
      errorSummary: "Cannot modify the profile.external attribute because it is immutable.",
    });
  });

  it("answers a patch without a body with 400", async () => {
    for (const length of ["0", undefined]) {
      const req = request(serve()).patch("/").set("Content-Type", MERGE_PATCH);
      if (length !== undefined) void req.set("Content-Length", length);
      const res = await req.expect(400);
      expect(res.body).toMatchObject({ errorCauses: [{ errorSummary: "The request has no body." }] });
    }
  });

  it("takes an empty object for the merge patch that it is", async () => {
    await send(serve(), "{}", MERGE_PATCH).expect(200);
  });

  it("says so when no body parser ran", async () => {
    const reported: unknown[] = [];
    const app = express();
    app.use(patch(), errorFormatter({ log: (error) => reported.push(error) }));
    await send(app, "[]").expect(500);
    expect(String(reported[0])).toContain("mount jsonBody({ consumes: PATCH_TYPES }) before patch()");
  });
});

describe("patch options", () => {
  it.each([
    [{ consumes: [] }, "consumes"],
    [{ consumes: ["application/json"] }, "consumes"],
    [{ maxOperations: 0 }, "maxOperations"],
    [{ maxOperations: 10_001 }, "maxOperations"],
    [{ maxSteps: 0 }, "maxSteps"],
    [{ maxSteps: 10_000_001 }, "maxSteps"],
    [{ maxResultSize: 0 }, "maxResultSize"],
    [{ maxResultSize: 1.5 }, "maxResultSize"],
    [{ maxDepth: 0 }, "maxDepth"],
    [{ maxDepth: 2_001 }, "maxDepth"],
    [{ maxMembers: 0 }, "maxMembers"],
    [{ maxMembers: 1_000_001 }, "maxMembers"],
    [{ readOnly: ["id"] }, "readOnly"],
    [{ readOnly: "/id" }, "readOnly"],
    [{ immutable: ["/~"] }, "immutable"],
  ])("refuses %j", (options, option) => {
    expect(() => patch(options as never)).toThrow(`patch: option \`${option}\` must be`);
  });

  it.each([
    { maxOperations: 1 },
    { maxOperations: 10_000 },
    { maxSteps: 1 },
    { maxSteps: 10_000_000 },
    { maxResultSize: 1 },
    { maxResultSize: 1_073_741_824 },
    { maxDepth: 1 },
    { maxDepth: 2_000 },
    { maxMembers: 1 },
    { maxMembers: 1_000_000 },
  ])("takes %j", (options) => {
    expect(() => patch(options)).not.toThrow();
  });
});
