import type { ErrorRequestHandler, Express, NextFunction, Request, RequestHandler, Response } from "express";
import request from "supertest";
import { errorFormatter } from "../../middleware/error-formatter.js";
import { getEntityTag, tryGetEntityTag, weakEtag, type WeakEtagOptions } from "../../middleware/weak-etag.js";
import { EXPRESS_VERSIONS } from "../support/express.js";
import { exchange, listen, parseAnswer } from "../support/raw-socket.js";

const DAY = 24 * 60 * 60 * 1000;

interface User {
  id: string;
  lastLogin: string;
  profile: Record<string, unknown>;
  revision: number;
}

/** A store whose every step takes a turn of the event loop, as a database's does. */
class Store {
  readonly users = new Map<string, User>();
  writes = 0;

  add(id: string, profile: Record<string, unknown>): void {
    this.users.set(id, { id, lastLogin: "2024-01-01T00:00:00.000Z", profile, revision: 1 });
  }

  async find(id: string): Promise<User | undefined> {
    await turn();
    return this.users.get(id);
  }

  /** `UPDATE … WHERE id = ? AND revision = ?` */
  async replace(current: User, changes: Partial<User>): Promise<User | undefined> {
    await turn();
    if (this.users.get(current.id)?.revision !== current.revision) return undefined;
    const written = { ...current, ...changes, revision: current.revision + 1 };
    this.users.set(current.id, written);
    this.writes++;
    return written;
  }

  /** An update that asks `isAllowed` in the step in which it writes. */
  async update(id: string, changes: Partial<User>, isAllowed: (current?: User) => boolean): Promise<User | undefined> {
    await turn();
    const current = this.users.get(id);
    if (!current || !isAllowed(current)) return undefined;
    const written = { ...current, ...changes, revision: current.revision + 1 };
    this.users.set(id, written);
    this.writes++;
    return written;
  }
}

async function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** For both majors: Express 4 catches no rejection. */
function attempt(handler: (req: Request, res: Response) => Promise<unknown>): RequestHandler {
  return (req: Request, res: Response, next: NextFunction) => {
    handler(req, res).catch(next);
  };
}

describe.each(EXPRESS_VERSIONS)("weakEtag on %s", (_version, express) => {
  function appWith(options: Partial<WeakEtagOptions> = {}, store = seeded()): Express {
    const app = express();
    app.disable("etag");
    app.use(express.json());
    const source = options.revision === undefined ? { fields: ["id", "profile"] } : {};
    app.use(weakEtag({ ...source, ...options }));
    app.get(
      "/users/:id",
      attempt(async (req, res) => {
        const user = await store.find(req.params["id"] as string);
        if (user) getEntityTag(req).send(user);
        else res.status(404).json({});
      }),
    );
    app.post("/users", (req, res) => {
      const { id, profile } = req.body as User;
      store.add(id, profile);
      res.status(201);
      getEntityTag(req).send(store.users.get(id)!, { id });
    });
    const save = attempt(async (req) => {
      const etag = getEntityTag(req);
      const saved = await etag.compareAndSet(
        async () => (await store.find(req.params["id"] as string)) ?? null,
        async (current) => {
          if (current) return store.replace(current, { profile: { ...current.profile, ...req.body.profile } });
          store.add(req.params["id"] as string, req.body.profile as Record<string, unknown>);
          return store.find(req.params["id"] as string);
        },
      );
      etag.send(saved);
    });
    app.post("/users/:id", save);
    app.put("/users/:id", save);
    app.patch("/users/:id", save);
    app.delete(
      "/users/:id",
      attempt(async (req, res) => {
        getEntityTag(req).assert(await store.find(req.params["id"] as string));
        store.users.delete(req.params["id"] as string);
        res.status(204).end();
      }),
    );
    app.get("/tagged.txt", (req, res) => {
      getEntityTag(req).set({ id: "txt" });
      res.type("text").send("text");
    });
    app.get("/typed", (req, res) => {
      res.type("text/csv").set("Content-Length", "3").set("Cache-Control", "max-age=5").set("X-Kept", "1");
      getEntityTag(req).send({ id: "typed" });
    });
    app.get("/untagged", (_req, res) => {
      res.json({ hello: "world" });
    });
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }

  function seeded(): Store {
    const store = new Store();
    store.add("1", { firstName: "Joe", email: "joe@example.com" });
    return store;
  }

  async function tagOf(app: Express, id = "1"): Promise<string> {
    return (await request(app).get(`/users/${id}`)).headers["etag"]!;
  }

  function expectError(response: request.Response, status: number, code: string, cause: string): void {
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ errorCode: code, errorCauses: [{ errorSummary: cause }] });
    expect(response.headers["etag"]).toBeUndefined();
  }

  describe("answers", () => {
    it("T1 T2 sends a weak tag with a GET, and keeps it out of shared caches", async () => {
      const response = await request(appWith()).get("/users/1");
      expect(response.status).toBe(200);
      expect(response.headers["etag"]).toMatch(/^W\/"1\.[\w-]{22}"$/);
      expect(response.headers["cache-control"]).toBe("private, no-cache");
      expect(response.body.profile.firstName).toBe("Joe");
    });

    it("T1 sends the same tag with HEAD, without the body", async () => {
      const app = appWith();
      const response = await request(app).head("/users/1");
      expect(response.headers["etag"]).toBe(await tagOf(app));
      expect(response.headers["cache-control"]).toBe("private, no-cache");
    });

    it("T1 sends the tag with what was created, and the status and body that the handler chose", async () => {
      const app = appWith();
      const response = await request(app)
        .post("/users")
        .send({ id: "2", profile: { a: 1 } });
      expect(response.status).toBe(201);
      expect(response.body).toEqual({ id: "2" });
      expect(response.headers["etag"]).toBe(await tagOf(app, "2"));
    });

    it("T2 sends the same tag from another node, and when only lastLogin changed", async () => {
      const store = seeded();
      const tag = await tagOf(appWith({}, store));
      store.users.set("1", { ...store.users.get("1")!, lastLogin: "2025-01-01T00:00:00.000Z" });
      expect(await tagOf(appWith({}, store))).toBe(tag);
    });

    it("T2 sends the revision where the store counts, and hashes nothing", async () => {
      const app = appWith({ revision: "revision", version: 12 });
      expect(await tagOf(app)).toBe('W/"12.1"');
      await request(app).post("/users/1").send({});
      expect(await tagOf(app)).toBe('W/"12.2"');
    });

    it("T6 puts no tag on other answers", async () => {
      const response = await request(appWith()).get("/untagged");
      expect(response.headers["etag"]).toBeUndefined();
      expect(response.headers["cache-control"]).toBeUndefined();
    });

    it("T1 tags an answer that is no JSON", async () => {
      const response = await request(appWith()).get("/tagged.txt");
      expect(response.text).toBe("text");
      expect(response.headers["etag"]).toMatch(/^W\/"1\./);
      expect(response.headers["cache-control"]).toBe("private, no-cache");
    });

    it("gives an object without the fields to the error handler", async () => {
      const app = express();
      app.get("/", weakEtag({ fields: ["id"] }), (req) => {
        getEntityTag(req).send({ name: "x" });
      });
      const report: ErrorRequestHandler = (error, _req, res, _next) => res.status(500).send((error as Error).message);
      app.use(report);
      const response = await request(app).get("/");
      expect(response.text).toBe("weakEtag: an object has none of the fields id");
    });
  });

  describe("If-None-Match", () => {
    it.each([
      ["the tag", (tag: string) => tag],
      ["its strong form", (tag: string) => tag.slice(2)],
      ["a list that has it", (tag: string) => `"a,b" , ${tag},W/"c"`],
      ["*", () => "*"],
    ])("T6 answers 304 with the tag to %s", async (_name, format) => {
      const app = appWith();
      const tag = await tagOf(app);
      for (const method of ["get", "head"] as const) {
        const response = await request(app)[method]("/users/1").set("If-None-Match", format(tag));
        expect(response.status).toBe(304);
        expect(response.headers).toMatchObject({ etag: tag, "cache-control": "private, no-cache" });
        expect([undefined, ""]).toContain(response.text);
      }
    });

    it.each(["no-cache", "max-age=0", "no-store, no-cache"])(
      "T6 answers 304 also when the client adds Cache-Control: %s",
      async (cacheControl) => {
        const app = appWith();
        const response = await request(app)
          .get("/users/1")
          .set({ "If-None-Match": await tagOf(app), "Cache-Control": cacheControl, Pragma: "no-cache" });
        expect(response.status).toBe(304);
      },
    );

    it("T6 answers 304 to fetch, which adds Cache-Control: no-cache by itself", async () => {
      const app = appWith();
      const tag = await tagOf(app);
      const server = app.listen(0, "127.0.0.1");
      try {
        const port = await listen(server);
        const response = await fetch(`http://127.0.0.1:${port}/users/1`, { headers: { "If-None-Match": tag } });
        expect([response.status, response.headers.get("etag")]).toEqual([304, tag]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    it.each(['W/"1.x"', '"2.5", "abc"', 'W/"1."', '"*"'])("T6 answers 200 to %s", async (sent) => {
      const response = await request(appWith()).get("/users/1").set("If-None-Match", sent);
      expect(response.status).toBe(200);
      expect(response.body.id).toBe("1");
    });

    it("T6 answers 200 once the object has changed", async () => {
      const app = appWith();
      const tag = await tagOf(app);
      await request(app)
        .post("/users/1")
        .send({ profile: { firstName: "Ann" } });
      const response = await request(app).get("/users/1").set("If-None-Match", tag);
      expect(response.status).toBe(200);
      expect(response.headers["etag"]).not.toBe(tag);
    });

    it("T6 sends with 304 what a 200 would have, and nothing about a body", async () => {
      const response = await request(appWith()).get("/typed").set("If-None-Match", "*");
      expect(response.status).toBe(304);
      expect(response.headers).toMatchObject({ "x-kept": "1", "cache-control": "max-age=5" });
      expect(Object.keys(response.headers)).not.toEqual(expect.arrayContaining(["content-type"]));
      expect(Object.keys(response.headers)).not.toEqual(expect.arrayContaining(["content-length"]));
    });

    it("T6 joins the lines of a field that comes several times", async () => {
      const app = appWith();
      const tag = await tagOf(app);
      const server = app.listen(0, "127.0.0.1");
      try {
        const lines = `If-None-Match: "a,"\r\nIf-None-Match: ${tag}`;
        const text = await exchange(
          await listen(server),
          `GET /users/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n\r\n`,
        );
        expect(parseAnswer(text).status).toBe(304);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });

    it("T3 lets PUT with * create, and not replace", async () => {
      const app = appWith();
      const put = (id: string) =>
        request(app)
          .put(`/users/${id}`)
          .set("If-None-Match", "*")
          .send({ profile: { a: 1 } });
      expect((await put("2")).status).toBe(200);
      expectError(await put("2"), 412, "E0000231", "If-None-Match excludes the object that exists.");
    });

    it("T3 evaluates If-Match before If-None-Match", async () => {
      const app = appWith();
      const tag = await tagOf(app);
      const get = (ifMatch: string) => request(app).get("/users/1").set({ "If-Match": ifMatch, "If-None-Match": tag });
      expect((await get(tag)).status).toBe(304);
      expectError(
        await get('W/"1.x"'),
        412,
        "E0000231",
        "If-Match and If-None-Match do not both allow the current object; get it again.",
      );
    });
  });

  describe("If-Match", () => {
    it.each(["post", "put", "patch"] as const)(
      "T3 saves with the tag, and answers %s with the new one",
      async (method) => {
        const app = appWith();
        const tag = await tagOf(app);
        const changes = { profile: { email: `${method}@example.com` } };
        const send = () => request(app)[method]("/users/1").set("If-Match", tag).send(changes);
        const response = await send();
        expect(response.status).toBe(200);
        expect(response.body.profile).toEqual({ firstName: "Joe", email: `${method}@example.com` });
        expect(response.headers["etag"]).not.toBe(tag);
        expect(response.headers["etag"]).toBe(await tagOf(app));

        const again = await send();
        expectError(again, 412, "E0000231", "If-Match does not have the current tag of the object; get it again.");
        expect(again.body.errorSummary).toBe("ETag value doesn't match.");
      },
    );

    it("T3 writes nothing when the tag differs", async () => {
      const store = seeded();
      const app = appWith({}, store);
      for (const method of ["post", "put", "patch", "delete"] as const) {
        expect((await request(app)[method]("/users/1").set("If-Match", 'W/"1.x"').send({})).status).toBe(412);
      }
      expect(store.writes).toBe(0);
      expect(store.users.size).toBe(1);
    });

    it("T3 deletes with the tag", async () => {
      const app = appWith();
      const response = await request(app)
        .delete("/users/1")
        .set("If-Match", await tagOf(app));
      expect(response.status).toBe(204);
    });

    it.each([
      ["a list", (tag: string) => `"other", W/"a,b",, ${tag}`, 200],
      ["a list without it", () => '"other", W/"a,b"', 412],
      ["*", () => "*", 200],
      ["the strong form, compared weakly", (tag: string) => tag.slice(2), 200],
    ])("T3 takes %s", async (_name, format, status) => {
      const app = appWith();
      const response = await request(app)
        .post("/users/1")
        .set("If-Match", format(await tagOf(app)))
        .send({});
      expect(response.status).toBe(status);
    });

    it("T3 wants an object that exists, also for *", async () => {
      const store = seeded();
      const app = appWith({}, store);
      for (const sent of ["*", 'W/"1.x"']) {
        const response = await request(app).put("/users/9").set("If-Match", sent).send({});
        expectError(response, 412, "E0000231", "If-Match requires that the object exists; it does not.");
      }
      expect(store.users.has("9")).toBe(false);
    });

    it.each([
      ["", "If-Match has no entity tag."],
      ["abc", 'If-Match has "abc" at offset 0, where a tag such as W/"1.abc" is expected.'],
      ['W/"a', 'If-Match has "W/\\"a" at offset 0, where a tag such as W/"1.abc" is expected.'],
      ['"a", *', 'If-Match has "*" at offset 5, where a tag such as W/"1.abc" is expected.'],
      [`"${"a".repeat(4095)}"`, "If-Match is longer than 4096 characters."],
    ])("T3 refuses %j", async (sent, cause) => {
      const store = seeded();
      const response = await request(appWith({}, store)).post("/users/1").set("If-Match", sent).send({});
      expectError(response, 400, "E0000242", cause);
      expect(response.body.errorSummary).toBe("ETag syntax is invalid.");
      expect(store.writes).toBe(0);
    });

    it("T6 refuses a malformed If-None-Match", async () => {
      const response = await request(appWith()).get("/users/1").set("If-None-Match", "abc");
      const cause = 'If-None-Match has "abc" at offset 0, where a tag such as W/"1.abc" is expected.';
      expectError(response, 400, "E0000242", cause);
    });

    it("leaves a preflight alone", async () => {
      const response = await request(appWith()).options("/users/1").set("If-Match", "junk");
      expect(response.status).toBe(200);
    });

    it("T3 ignores If-Unmodified-Since and If-Modified-Since: there is no modification date", async () => {
      const app = appWith();
      const since = "Mon, 01 Jan 1990 00:00:00 GMT";
      expect((await request(app).post("/users/1").set("If-Unmodified-Since", since).send({})).status).toBe(200);
      const future = "Mon, 01 Jan 2090 00:00:00 GMT";
      expect((await request(app).get("/users/1").set("If-Modified-Since", future)).status).toBe(200);
    });
  });

  describe("concurrent writers", () => {
    async function race(app: Express, headers: Record<string, string>): Promise<Record<number, number>> {
      const server = app.listen(0, "127.0.0.1");
      try {
        await listen(server);
        const writers = Array.from({ length: 50 }, async (_, index) =>
          request(server)
            .post("/users/1")
            .set(headers)
            .send({ profile: { [`from${index}`]: index } }),
        );
        const counts: Record<number, number> = {};
        for (const { status } of await Promise.all(writers)) counts[status] = (counts[status] ?? 0) + 1;
        return counts;
      } finally {
        server.closeAllConnections();
        server.close();
      }
    }

    it("T4 exactly one of fifty with the same tag wins", async () => {
      const store = seeded();
      const app = appWith({}, store);
      expect(await race(app, { "If-Match": await tagOf(app) })).toEqual({ 200: 1, 412: 49 });
      expect(store.writes).toBe(1);
    });

    it("T4 each of fifty without a tag has its change kept", async () => {
      const store = seeded();
      expect(await race(appWith({}, store), {})).toEqual({ 200: 50 });
      expect(Object.keys(store.users.get("1")!.profile)).toHaveLength(52);
    });

    it("T4 exactly one of fifty wins when the store itself asks", async () => {
      const store = seeded();
      const app = express();
      app.use(express.json(), weakEtag({ fields: ["profile"] }));
      app.post(
        "/users/:id",
        attempt(async (req, res) => {
          const etag = getEntityTag(req);
          const changes = { profile: req.body.profile as Record<string, unknown> };
          const saved = await store.update("1", changes, (current) => etag.matches(current));
          if (saved) etag.send(saved);
          else res.status(412).json({});
        }),
      );
      app.get("/users/:id", (req) => {
        getEntityTag(req).send(store.users.get("1")!);
      });
      expect(await race(app, { "If-Match": await tagOf(app) })).toEqual({ 200: 1, 412: 49 });
      expect(store.writes).toBe(1);
    });

    it("T4 writes again when the change in between carried no meaning", async () => {
      const store = seeded();
      const replace = store.replace.bind(store);
      store.replace = async (current, changes) => {
        store.replace = replace;
        store.users.set("1", { ...current, lastLogin: "2025-01-01T00:00:00.000Z", revision: 2 });
        return replace(current, changes);
      };
      const app = appWith({}, store);
      const response = await request(app)
        .post("/users/1")
        .set("If-Match", await tagOf(app))
        .send({ profile: { a: 1 } });
      expect(response.status).toBe(200);
      expect(store.users.get("1")).toMatchObject({
        lastLogin: "2025-01-01T00:00:00.000Z",
        profile: { a: 1 },
        revision: 3,
      });
    });

    it.each([[undefined], [null], [false]])("T4 gives up after 100 writes that returned %p", async (nothing) => {
      const app = express();
      let writes = 0;
      app.post(
        "/",
        weakEtag({ fields: ["id"] }),
        attempt(async (req) =>
          getEntityTag(req).compareAndSet(
            () => ({ id: 1 }),
            () => {
              writes++;
              return nothing;
            },
          ),
        ),
      );
      app.use(errorFormatter({ log: () => undefined }));
      const response = await request(app).post("/");
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({
        errorCode: "E0000195",
        errorSummary: "Api validation failed due to conflict: concurrent changes",
        errorCauses: [{ errorSummary: "The object was changed 100 times by others in the meantime; try again." }],
      });
      expect(writes).toBe(100);
    });

    it.each([[0], [""], ["saved"]])("T4 takes %p for something written", async (written) => {
      const app = express();
      app.post(
        "/",
        weakEtag({ fields: ["id"] }),
        attempt(async (req, res) => {
          const saved = await getEntityTag(req).compareAndSet<null, unknown>(
            () => null,
            () => written,
          );
          res.json({ saved });
        }),
      );
      expect((await request(app).post("/")).body).toEqual({ saved: written });
    });
  });

  describe("option previous", () => {
    const replacedAt = new Date(Date.UTC(2024, 0, 1));
    const end = replacedAt.getTime() + 7 * DAY;
    const next: Partial<WeakEtagOptions> = {
      version: 2,
      fields: ["profile.email"],
      previous: [{ version: 1, fields: ["id", "profile"], replacedAt }],
    };

    it.each([
      [end - 1, 200, 304],
      [end, 412, 200],
      [end + 1, 412, 200],
    ])("T5 accepts tags of the old version for seven days: at %i", async (time, writeStatus, readStatus) => {
      const store = seeded();
      const old = await tagOf(appWith({}, store));
      const app = appWith({ ...next, now: () => time }, store);

      const read = await request(app).get("/users/1").set("If-None-Match", old);
      expect(read.status).toBe(readStatus);
      expect(read.headers["etag"]).toMatch(/^W\/"2\./);
      const write = await request(app).post("/users/1").set("If-Match", old).send({});
      expect(write.status).toBe(writeStatus);
    });

    it("T5 answers an old tag of an object that has changed since with 412", async () => {
      const store = seeded();
      const old = await tagOf(appWith({}, store));
      const app = appWith({ ...next, now: () => 0 }, store);
      await request(app)
        .post("/users/1")
        .send({ profile: { firstName: "Ann" } });
      expect((await request(app).post("/users/1").set("If-Match", old).send({})).status).toBe(412);
    });

    it("T5 reads the time of the machine by default", async () => {
      const store = seeded();
      const old = await tagOf(appWith({}, store));
      const replacedMinutesAgo = (minutes: number) => [
        { version: 1, fields: ["id", "profile"], replacedAt: new Date(Date.now() - minutes * 60_000) },
      ];
      const statusWith = async (previous: WeakEtagOptions["previous"]) =>
        (
          await request(appWith({ ...next, previous: previous! }, store))
            .get("/users/1")
            .set("If-None-Match", old)
        ).status;
      expect(await statusWith(replacedMinutesAgo(7 * 24 * 60 - 5))).toBe(304);
      expect(await statusWith(replacedMinutesAgo(7 * 24 * 60 + 5))).toBe(200);
    });
  });

  describe("option required", () => {
    const app = appWith({ required: true });

    it.each(["post", "put", "patch", "delete"] as const)("T3 refuses %s without a precondition", async (method) => {
      for (const headers of [{}, { "If-None-Match": 'W/"1.x"' }]) {
        const response = await request(app)[method]("/users/1").set(headers);
        const cause = `${method.toUpperCase()} needs If-Match with the ETag of the object that you read; "*" stands for any.`;
        expectError(response, 428, "E0009008", cause);
      }
    });

    it("T3 lets reads pass, and writes that carry one", async () => {
      const tag = await tagOf(app);
      expect((await request(app).head("/users/1")).status).toBe(200);
      expect((await request(app).options("/users/1")).status).toBe(200);
      expect((await request(app).post("/users/1").set("If-Match", tag).send({})).status).toBe(200);
      expect((await request(app).post("/users/1").set("If-Match", "*").send({})).status).toBe(200);
      expect(
        (
          await request(app)
            .put("/users/2")
            .set("If-None-Match", "*")
            .send({ profile: { a: 1 } })
        ).status,
      ).toBe(200);
    });
  });

  describe("option strength", () => {
    it("T3 makes strong tags, and compares If-Match strongly, If-None-Match weakly", async () => {
      const app = appWith({ strength: "strong" });
      const tag = await tagOf(app);
      expect(tag).toMatch(/^"1\./);
      const post = (sent: string) => request(app).post("/users/1").set("If-Match", sent).send({});
      expect((await post(`W/${tag}`)).status).toBe(412);
      expect((await post(tag)).status).toBe(200);
      expect((await request(app).get("/users/1").set("If-None-Match", `W/${tag}`)).status).toBe(304);
    });
  });

  describe("getEntityTag", () => {
    it("throws, naming the middleware, when it did not run", () => {
      expect(() => getEntityTag({})).toThrow(/^weakEtag\(\) did not run for this request/);
      expect(tryGetEntityTag({})).toBeUndefined();
    });

    it("tells tag and outcome to a handler that does the rest itself", async () => {
      const app = express();
      app.all("/", weakEtag({ revision: "v" }), (req, res) => {
        const etag = tryGetEntityTag(req)!;
        res.json([etag.format({ v: 1 }), etag.evaluate({ v: 1 }), etag.evaluate(null), etag.matches({ v: 1 })]);
      });
      const ask = async (method: "get" | "put", headers: Record<string, string>) =>
        (await request(app)[method]("/").set(headers)).body;
      expect(await ask("put", { "If-Match": 'W/"1.1"' })).toEqual(['W/"1.1"', "proceed", "failed", true]);
      expect(await ask("put", { "If-Match": 'W/"1.2"' })).toEqual(['W/"1.1"', "failed", "failed", false]);
      expect(await ask("get", { "If-None-Match": 'W/"1.1"' })).toEqual(['W/"1.1"', "not-modified", "proceed", false]);
      expect(await ask("get", {})).toEqual(['W/"1.1"', "proceed", "proceed", true]);
    });
  });
});

describe("weakEtag: options", () => {
  it.each([
    [{}, "weakEtag: give either option `fields` or option `revision`"],
    [{ fields: [] }, 'weakEtag: option `fields` must be a non-empty array of different paths such as "profile.email"'],
    [{ fields: ["id"], required: 1 }, "weakEtag: option `required` must be a boolean"],
    [{ fields: ["id"], strength: "hard" }, 'weakEtag: option `strength` must be "weak" or "strong"'],
    [{ fields: ["id"], now: 5 }, "weakEtag: option `now` must be a function"],
  ])("refuses %j", (options, message) => {
    expect(() => weakEtag(options as never)).toThrow(new TypeError(message));
  });
});
