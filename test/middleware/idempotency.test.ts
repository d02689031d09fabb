import type { Express, Request, RequestHandler } from "express";
import request from "supertest";
import { memoryIdempotencyStore } from "../../lib/idempotency/idempotency-stores.js";
import { errorFormatter } from "../../middleware/error-formatter.js";
import {
  getIdempotencyKey,
  idempotency,
  type IdempotencyOptions,
  type IdempotencyStore,
  tryGetIdempotencyKey,
} from "../../middleware/idempotency.js";
import { jsonBody } from "../../middleware/json-body.js";
import { requestId } from "../../middleware/request-id.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { until } from "../support/until.js";

const KEY = '"8e03978e-40d5-43dd-bc93-6894a57f9324"';
const ORDER = { item: "book", count: 1 };

describe.each(EXPRESS_VERSIONS)("idempotency on %s", (_version, express) => {
  let made = 0;
  let log: unknown[] = [];

  beforeEach(() => {
    made = 0;
    log = [];
  });

  const createOrder: RequestHandler = (req, res) => {
    made += 1;
    res
      .set("ETag", `W/"${made}"`)
      .location(`/orders/${made}`)
      .status(201)
      .json({ id: made, ...req.body });
  };

  function serve(options: Partial<IdempotencyOptions> = {}, handler: RequestHandler = createOrder): Express {
    const app = express();
    app.use(requestId(), jsonBody());
    app.use(
      idempotency({
        principal: (req) => req.get("X-User") ?? "joe",
        log: (error) => log.push(error),
        ...options,
      }),
    );
    app.all("/orders", handler);
    app.all("/orders/:id", handler);
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  function order(app: Express, key: string | null = KEY, body: object = ORDER) {
    return request(app)
      .post("/orders")
      .set(key === null ? {} : { "Idempotency-Key": key })
      .send(body);
  }

  it("I1 sends the response of the first request again, byte for byte", async () => {
    const app = serve();
    const first = await order(app).expect(201);
    const again = await order(app).expect(201);

    expect(made).toBe(1);
    expect(again.text).toBe(first.text);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    const timeless = ({ date: _, ...fields }: Record<string, string>) => fields;
    const { "idempotent-replayed": mark, ...same } = timeless(again.headers);
    expect(mark).toBe("true");
    expect(same).toEqual(timeless(first.headers as Record<string, string>));
    expect(same["x-svc-request-id"]).toMatch(/./);
  });

  it("carries requests without a key, with another key, and of other principals out", async () => {
    const app = serve();
    await order(app, null).expect(201);
    await order(app, null).expect(201);
    await order(app).expect(201);
    await order(app, '"another"').expect(201);
    await order(app).set("X-User", "jane").expect(201);
    expect(made).toBe(5);
  });

  it("takes a key without quotes for the same key, and gives it to handlers", async () => {
    const app = serve({}, (req, res) => {
      res.json([getIdempotencyKey(req), tryGetIdempotencyKey(req)]);
    });
    await order(app, '"a\\"b"').expect(200, '["a\\"b","a\\"b"]');
    await order(app, "abc").expect(200, '["abc","abc"]');
    const again = await order(app, '"abc"').expect(200, '["abc","abc"]');
    expect(again.headers["idempotent-replayed"]).toBe("true");
  });

  it("has no key for handlers where none was sent", async () => {
    const app = serve({}, (req, res) => {
      expect(() => getIdempotencyKey(req)).toThrow("idempotency() ran, but this request has no Idempotency-Key");
      res.json(tryGetIdempotencyKey(req) ?? null);
    });
    await order(app, null).expect(200, "null");
    expect(() => getIdempotencyKey({})).toThrow(/^idempotency\(\) did not run/);
  });

  it.each([
    ["an empty key", '""'],
    ["a key of 256 characters", `"${"k".repeat(256)}"`],
    ["a space without quotes", "a b"],
    ["parameters", '"a";b=1'],
    ["an open quote", '"a'],
  ])("I2 refuses %s with 400", async (_what, key) => {
    const { body } = await order(serve(), key).expect(400);
    expect(body).toMatchObject({ errorCode: "E0009000" });
    expect(body.errorCauses[0].errorSummary).toMatch(/^Idempotency-Key .+ is not a string of 1 to 255 characters/);
    expect(made).toBe(0);
  });

  it.each([1, 254, 255])("takes a key of %d characters", async (length) => {
    await order(serve(), `"${"k".repeat(length)}"`).expect(201);
  });

  it("I2 refuses two keys with 400", async () => {
    const res = await request(serve())
      .post("/orders")
      .set("Idempotency-Key", ["a", "b"] as unknown as string)
      .send(ORDER);
    expect(res.status).toBe(400);
    expect(res.body.errorCauses).toEqual([{ errorSummary: "Idempotency-Key comes more than once; send one." }]);
  });

  it("I2 refuses a request without the key that `required` asks for, but not one of another method", async () => {
    const app = serve({ required: true });
    const { body } = await order(app, null).expect(400);
    expect(body).toMatchObject({ errorCode: "E0000028" });
    await request(app).put("/orders").send(ORDER).expect(201);
  });

  it.each([
    ["another body", (app: Express) => order(app, KEY, { ...ORDER, count: 2 })],
    ["a null more", (app: Express) => order(app, KEY, { ...ORDER, gift: null })],
    [
      "another target",
      (app: Express) => request(app).post("/orders?express=1").set("Idempotency-Key", KEY).send(ORDER),
    ],
    ["another method", (app: Express) => request(app).patch("/orders").set("Idempotency-Key", KEY).send(ORDER)],
  ])("I3 refuses the key with %s as 422", async (_what, send) => {
    const app = serve();
    await order(app).expect(201);
    const { body } = await send(app).expect(422);
    expect(body).toMatchObject({ errorCode: "E0009006" });
    expect(made).toBe(1);
  });

  it("I3 compares what `payload` returns in place of the body", async () => {
    const app = serve({ payload: (req) => Buffer.from(req.get("X-Digest") ?? "") });
    await order(app).set("X-Digest", "a").expect(201);
    await order(app, KEY, { other: 1 }).set("X-Digest", "a").expect(201);
    await order(app).set("X-Digest", "b").expect(422);
  });

  it("I4 refuses the key with 409 and Retry-After while the first request is under way", async () => {
    let finish: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let release: () => void = () => undefined;
    const app = serve({}, (req, res) => {
      release = () => {
        void createOrder(req, res, () => undefined);
      };
      finish();
    });
    const first = order(app).then((res) => res);
    await started;
    const second = await order(app).expect(409).expect("Retry-After", "1");
    expect(second.body).toMatchObject({
      errorCode: "E0000195",
      errorSummary: expect.stringContaining("Idempotency-Key"),
    });
    release();
    expect((await first).status).toBe(201);
    await order(app).expect(201);
    expect(made).toBe(1);
  });

  it("I4 carries one of many requests at a time out", async () => {
    const app = serve({}, (req, res) => {
      setImmediate(() => void createOrder(req, res, () => undefined));
    });
    const server = app.listen(0, "127.0.0.1");
    try {
      const statuses = await Promise.all(
        Array.from(
          { length: 20 },
          async () => (await request(server).post("/orders").set("Idempotency-Key", KEY).send(ORDER)).status,
        ),
      );
      expect(made).toBe(1);
      expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
      expect(statuses).toContain(201);
    } finally {
      server.close();
    }
  });

  it("I5 says that it does not know what was done, when the first request never got its result", async () => {
    let now = 0;
    const store = memoryIdempotencyStore({ now: () => now });
    const never = serve({ store, now: () => now, timeout: 10 }, () => {
      made += 1;
    });
    const lost = order(never);
    lost.end(() => undefined);
    await until(() => made === 1);
    lost.abort();
    now = 9_999;
    await order(serve({ store, now: () => now }))
      .expect(409)
      .expect("Retry-After", "1");
    now = 10_000;
    const res = await order(serve({ store, now: () => now })).expect(409);
    expect(res.headers["retry-after"]).toBeUndefined();
    expect(res.body.errorCauses[0].errorSummary).toContain("not known whether it was carried out");
    expect(made).toBe(1);
  });

  it("forgets a key after `expiresIn`", async () => {
    let now = 0;
    const store = memoryIdempotencyStore({ now: () => now });
    const app = serve({ store, now: () => now, expiresIn: 60 });
    await order(app).expect(201);
    now = 59_999;
    await order(app).expect(201);
    expect(made).toBe(1);
    now = 60_000;
    await order(app).expect(201);
    expect(made).toBe(2);
  });

  it("keeps errors too, but not 429 and 503, which ask for another try", async () => {
    for (const status of [400, 404, 500, 501]) {
      made = 0;
      const app = serve({}, (_req, res) => {
        made += 1;
        res.status(status).json({ made });
      });
      await order(app).expect(status);
      await order(app).expect(status, '{"made":1}');
    }
    for (const status of [429, 503]) {
      made = 0;
      const app = serve({}, (_req, res) => {
        made += 1;
        res.status(made === 1 ? status : 201).json({ made });
      });
      await order(app).expect(status);
      await order(app).expect(201, '{"made":2}');
    }
  });

  it("keeps what the error formatter sends for an error of the handler", async () => {
    const app = serve({}, (_req, _res, next) => {
      made += 1;
      next(new Error("secret"));
    });
    const first = await order(app).expect(500);
    const again = await order(app).expect(500);
    expect(again.body.errorId).toBe(first.body.errorId);
    expect(again.headers["x-svc-request-id"]).toBe(first.body.errorId);
    expect(made).toBe(1);
  });

  it("does not keep cookies and CORS fields", async () => {
    const app = serve({}, (_req, res) => {
      res.cookie("session", "secret").set("Access-Control-Allow-Origin", "https://a.example").json({});
    });
    const first = await order(app).expect(200);
    expect(first.headers).toMatchObject({ "access-control-allow-origin": "https://a.example" });
    const again = await order(app).expect(200);
    expect(again.headers).not.toHaveProperty("set-cookie");
    expect(again.headers).not.toHaveProperty("access-control-allow-origin");
  });

  it("keeps what is written in pieces, with the fields of writeHead", async () => {
    const app = serve({}, (_req, res) => {
      made += 1;
      res.writeHead(202, "Taken", { "Content-Type": "text/plain", "X-Number": 7 });
      res.write("a");
      res.write(Buffer.from("b"), () => undefined);
      res.end("63", "hex");
    });
    const first = await order(app).expect(202, "abc").expect("X-Number", "7");
    expect(first.headers["content-length"]).toBe("3");
    await order(app).expect(202, "abc").expect("X-Number", "7").expect("Content-Type", "text/plain");
    expect(made).toBe(1);
  });

  it("keeps the fields of a writeHead with a list", async () => {
    const app = serve({}, (_req, res) => {
      res.writeHead(200, ["X-A", "1", "Link", "<a>", "Link", "<b>"]).end();
    });
    await order(app).expect(200);
    const again = await order(app).expect(200).expect("X-A", "1").expect("Idempotent-Replayed", "true");
    expect(again.headers["link"]).toBe("<a>, <b>");
  });

  it.each([
    [9, "end"],
    [10, "end"],
    [11, "end"],
    [9, "write"],
    [10, "write"],
    [11, "write"],
  ])("keeps a body of up to `maxResponseLength`, here 10 bytes: %d bytes by %s", async (length, method) => {
    const app = serve({ maxResponseLength: 10 }, (_req, res) => {
      made += 1;
      res.type("text");
      if (method === "write") res.write("x".repeat(length));
      res.end(method === "end" ? "x".repeat(length) : undefined);
    });
    const first = await order(app).expect(200);
    expect(first.text).toBe("x".repeat(length));
    const again = await order(app).expect(length > 10 ? 409 : 200);
    if (length > 10)
      expect(again.body.errorCauses[0].errorSummary).toContain("was carried out. Its response has more than 10 bytes");
    expect(made).toBe(1);
  });

  it("sends one response when a handler ends it twice, or fails after it", async () => {
    const app = serve({}, (_req, res, next) => {
      res.json({ first: true });
      expect(res.headersSent).toBe(true);
      res.end("second");
      next(new Error("too late"));
    });
    await order(app).expect(200, '{"first":true}');
    await order(app).expect(200, '{"first":true}');
  });

  it("refuses with 503 when the store can't be asked, and sends what it can't keep", async () => {
    const working = memoryIdempotencyStore();
    const broken = (part: keyof IdempotencyStore): IdempotencyStore => ({
      ...working,
      [part]: () => Promise.reject(new Error("the store is down")),
    });
    await order(serve({ store: broken("add") })).expect(503);
    expect(made).toBe(0);
    await order(serve({ store: broken("set") })).expect(201);
    expect(made).toBe(1);
    expect(log.map(String)).toEqual(["Error: the store is down", "Error: the store is down"]);
    await order(serve({ store: working })).expect(409); // nobody knows
  });

  it("takes a store for each org", async () => {
    const stores: Record<string, IdempotencyStore> = { a: memoryIdempotencyStore(), b: memoryIdempotencyStore() };
    const app = serve({ principal: () => "joe", store: (req) => stores[req.get("X-Org")!]! });
    for (const org of ["a", "b", "a", "b"]) await order(app).set("X-Org", org).expect(201);
    expect(made).toBe(2);
    await order(app).set("X-Org", "c").expect(500);
    expect(made).toBe(2);
  });

  it("is 500 when `principal` returns nothing", async () => {
    await order(serve({ principal: () => "" })).expect(500);
    await order(serve({ principal: (req: Request) => req.get("X-None")! })).expect(500);
    expect(made).toBe(0);
  });

  it.each([
    [{}, "`principal` must be a function"],
    [
      { principal: (): string => "a", store: {} },
      "`store` must be an object with `add`, `set` and `delete`, or a function that returns one",
    ],
    [{ principal: (): string => "a", methods: ["post"] }, "`methods` must be an array of methods in upper case"],
    [{ principal: (): string => "a", expiresIn: 59 }, "`expiresIn` must be an integer from 60 to 2592000"],
    [{ principal: (): string => "a", timeout: 0 }, "`timeout` must be an integer from 1 to 3600"],
    [
      { principal: (): string => "a", maxResponseLength: -1 },
      "`maxResponseLength` must be an integer from 0 to 16777216",
    ],
  ])("refuses the options %j", (options: object, message: string) => {
    expect(() => idempotency(options as unknown as IdempotencyOptions)).toThrow(`idempotency: option ${message}`);
  });
});
