import { createApiToken } from "etiquette/api-token-verifier";
import { CONSOLE_CREATOR } from "../../../src/model/console-tokens.js";
import { DEFAULT_RATE_LIMITS, type RateLimits } from "../../../src/model/rate-limits.js";
import { insertToken } from "../../../src/store/records/api-tokens.js";
import { lockTokens } from "../../../src/store/records/token-family.js";
import { createClient } from "../../support/api.js";
import { startConsole, type ConsoleClient } from "../../support/console.js";
import { call, type Answer } from "../../support/server.js";
import { describeStores, type TestDatabase } from "../../support/stores.js";

const SESSION = "/console/session";
const USERS = "/api/v1/users";
const NEW_ZONE = { name: "Office", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] };

describeStores((_engine, database) => {
  let db: TestDatabase;
  let client: ConsoleClient;

  beforeEach(async () => {
    db = await database();
  });
  afterEach(() => client.server.close());

  const start = async (...rest: Parameters<typeof startConsole> extends [unknown, ...infer R] ? R : never) => {
    client = await startConsole(db, ...rest);
  };
  const causes = (answer: { body: { errorCauses: { errorSummary: string }[] } }) =>
    answer.body.errorCauses.map(({ errorSummary }) => errorSummary);

  /** Change the times of all sessions or links. */
  async function age(column: "last_used" | "expires", date: string): Promise<void> {
    const store = await db.open();
    await store.write(async (transaction) => {
      if (column === "expires") await transaction.db.updateTable("console_links").set({ expires: date }).execute();
      else await transaction.db.updateTable("console_sessions").set({ last_used: date }).execute();
    });
  }

  describe("signing in", () => {
    it("takes the code of a link once, and makes a token named Console", async () => {
      await start();
      const code = await client.newCode();
      const { answer, cookie } = await client.signIn({ code });
      expect([answer.status, answer.text]).toEqual([204, ""]);
      expect(answer.headers["set-cookie"]).toEqual([
        expect.stringMatching(/^__Host-etiquette-session=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/),
      ]);
      expect(answer.headers["cache-control"]).toBe("private, no-store");

      const shown = await client.visit(cookie, SESSION);
      expect(shown.status).toBe(200);
      expect(shown.body).toMatchObject({
        org: { subdomain: "demo" },
        token: {
          name: expect.stringMatching(/^Console \w{20}$/),
          scopes: expect.arrayContaining(["svc.users.manage"]),
        },
        idleSeconds: 3_600,
        baseUrl: client.origin,
        accountPrefix: "svc:acct:",
      });
      const { body: tokens } = await client.visit(cookie, "/api/v1/apiTokens");
      expect(tokens).toContainEqual(
        expect.objectContaining({ id: shown.body.token.id, createdBy: { type: "Command", id: "console" } }),
      );

      const again = await client.signIn({ code });
      expect([again.answer.status, again.cookie]).toEqual([401, ""]);
      expect(causes(again.answer)).toEqual([
        "The link is not valid here: it works once, for ten minutes. The command console prints a new one.",
      ]);
      expect(again.answer.headers["www-authenticate"]).toBe('SVC realm="svc"');
    });

    it("takes a code once also when many use it at the same time", async () => {
      await start();
      const code = await client.newCode();
      const all = await Promise.all(Array.from({ length: 8 }, () => client.signIn({ code })));
      expect(all.map(({ answer }) => answer.status).sort()).toEqual([204, ...Array.from({ length: 7 }, () => 401)]);
    });

    it("refuses a code that is old, unknown, or of another org", async () => {
      const org = (subdomain: string) => ({ subdomain, name: subdomain });
      await start({}, { orgs: [org("demo"), org("other")] });
      const foreign = await client.newCode("other");
      expect((await client.signIn({ code: foreign })).answer.status).toBe(401);
      expect((await client.signIn({ code: "x".repeat(43) })).answer.status).toBe(401);
      const code = await client.newCode();
      await age("expires", new Date().toISOString());
      expect((await client.signIn({ code })).answer.status).toBe(401);
    });

    it("takes an API token, whose secret is in no response", async () => {
      await start();
      const token = await client.newToken({ name: "Mine" });
      const { answer, cookie } = await client.signIn({ token });
      expect(answer.status).toBe(204);
      expect(JSON.stringify(answer)).not.toContain(token);
      const { body } = await client.visit(cookie, SESSION);
      expect(body.token).toMatchObject({ name: "Mine", expiresAt: null });
      expect((await client.signIn({ token: `${token}x` })).answer.status).toBe(401);
    });

    it.each([
      [{}, "Send either code or token."],
      [{ code: "a", token: "b" }, "Send either code or token."],
      [{ code: "" }, "code: must not be empty"],
      [{ code: 1 }, "code: must be a string"],
      [{ token: "a".repeat(8_193) }, "token: must have at most 8192 characters"],
    ])("refuses the body %j", async (body, cause) => {
      await start();
      const { answer } = await client.signIn(body);
      expect([answer.status, causes(answer)]).toEqual([400, [expect.stringContaining(cause)]]);
    });

    it("refuses a page of another origin, and a request that no page of this one can prove to have made", async () => {
      await start();
      const body = { token: await client.newToken() };
      const post = (headers: Record<string, string>) => call(client.server, SESSION, { method: "POST", body, headers });
      expect((await post({ Origin: "https://evil.example" })).status).toBe(403);
      expect((await post({ Origin: "null" })).status).toBe(403);
      expect((await post({ "Sec-Fetch-Site": "same-site" })).status).toBe(403);
      expect((await post({})).status).toBe(403);
      expect((await post({ "Sec-Fetch-Site": "same-origin" })).status).toBe(204);
    });

    it("keeps the newest 20 sessions of a token", async () => {
      await start();
      const token = await client.newToken();
      const { cookie: first } = await client.signIn({ token });
      await age("last_used", new Date(Date.now() - 120_000).toISOString());
      for (let i = 0; i < 19; i++) await client.signIn({ token });
      expect((await client.visit(first, SESSION)).status).toBe(200);
      await age("last_used", new Date(Date.now() - 120_000).toISOString());
      for (let i = 0; i < 20; i++) await client.signIn({ token });
      expect((await client.visit(first, SESSION)).status).toBe(401);
    });

    it("removes the tokens of earlier links that have expired, unless they made other tokens", async () => {
      await start();
      const parent = await client.signIn({ code: await client.newCode() });
      await client.visit(parent.cookie, "/api/v1/apiTokens", { method: "POST", body: { name: "Job" } });
      const store = await db.open();
      const names = async () =>
        (await store.reader.selectFrom("api_tokens").select("name").orderBy("name").execute()).map(({ name }) => name);
      await client.signIn({ code: await client.newCode() });
      const ended = new Date().toISOString();
      await store.write((transaction) =>
        transaction.db.updateTable("api_tokens").set({ expires: ended }).where("creator_id", "=", "console").execute(),
      );
      await client.signIn({ code: await client.newCode() });
      const left = await names();
      expect(left.filter((name) => name.startsWith("Console"))).toHaveLength(2);
      expect(left).toContain("Job");
    });
  });

  describe("the token of a link", () => {
    it("A4 gives its secret to nobody, and no secret of it is accepted", async () => {
      await start();
      const { cookie } = await client.signIn({ code: await client.newCode() });
      const { token } = (await client.visit(cookie, SESSION)).body;
      const path = `/api/v1/apiTokens/${token.id}`;
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const admin = createClient(client.server, "demo", await client.newToken({ expiresAt }));
      const rotate = { method: "POST", body: {} };
      for (const answer of [
        await admin.api(`https://host${path}/lifecycle/rotate`, rotate),
        await client.visit(cookie, `${path}/lifecycle/rotate`, rotate),
      ]) {
        expect([answer.status, causes(answer)]).toEqual([
          403,
          ["The token is for a session of the console alone, so nobody can get a secret of it."],
        ]);
      }
      expect((await client.visit(cookie, path)).body._links).not.toHaveProperty("rotate");

      const { token: secret, hash } = createApiToken(); // as if somebody had rotated it with an older version
      const store = await db.open();
      await store.write((transaction) =>
        transaction.db
          .updateTable("api_tokens")
          .set({ previous_hash: hash, previous_expires: expiresAt })
          .where("id", "=", token.id)
          .execute(),
      );
      expect((await createClient(client.server, "demo", secret).api("/users")).status).toBe(401);
      expect((await client.signIn({ token: secret })).answer.status).toBe(401);
      expect((await client.visit(cookie, USERS)).status).toBe(200);
    });

    it("S9 is one of 100 at most: the oldest session ends", async () => {
      await start();
      const store = await db.open();
      const org = (await store.findOrgBySubdomain("demo"))!;
      const { cookie: oldest } = await client.signIn({ code: await client.newCode() });
      await store.write(async (transaction) => {
        for (let i = 0; i < 98; i++) {
          await insertToken(transaction, org.id, {
            name: `Console ${i}`,
            scopes: [],
            expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
            addresses: [],
            createdBy: CONSOLE_CREATOR,
          });
        }
      });
      const { cookie: last } = await client.signIn({ code: await client.newCode() }); // n
      expect((await client.visit(oldest, USERS)).status).toBe(200);
      expect((await client.signIn({ code: await client.newCode() })).answer.status).toBe(204); // n + 1
      expect((await client.visit(oldest, USERS)).status).toBe(401);
      expect((await client.visit(last, USERS)).status).toBe(200);
    });
  });

  describe("the limits of requests", () => {
    const limits = (given: Partial<RateLimits>) => ({
      rateLimits: { window: 60, limits: { ...DEFAULT_RATE_LIMITS, ...given } },
    });
    const leftOf = ({ headers }: Answer) => headers["x-rate-limit-remaining"];

    it("S8 count signing in for the address, and for the token", async () => {
      await start(limits({ signOn: 3, write: 1 }));
      const token = await client.newToken();
      const first = await client.signIn({ token });
      expect([first.answer.status, leftOf(first.answer)]).toEqual([204, "0"]);
      expect((await client.signIn({ token })).answer.status).toBe(429); // its token
      expect(leftOf((await client.signIn({ code: await client.newCode() })).answer)).toBe("0");
      const { answer } = await client.signIn({ code: await client.newCode() });
      expect([answer.status, answer.headers["x-rate-limit-limit"]]).toEqual([429, "3"]); // the address
    });

    it("S8 count what is not valid as failures", async () => {
      await start(limits({ failures: 3 }));
      const code = await client.newCode();
      const wrong = [{ code: "x".repeat(43) }, { token: "wrong" }, { code: "y" }];
      for (const [i, body] of wrong.entries()) {
        const { answer } = await client.signIn(body);
        expect([answer.status, answer.headers["x-rate-limit-limit"], leftOf(answer)]).toEqual([
          401,
          "3",
          String(2 - i),
        ]);
      }
      expect((await client.signIn({ code })).answer.status).toBe(429);
    });

    it("S8 count showing and ending a session for its token", async () => {
      await start(limits({ read: 2, write: 2 }));
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const show = async () => (await client.visit(cookie, SESSION)).status;
      expect([await show(), await show(), await show()]).toEqual([200, 200, 429]);
      expect(leftOf(await client.visit(cookie, SESSION, { method: "DELETE" }))).toBe("0");
    });

    it("S9 what is not valid waits for no other writer of the org", async () => {
      await start();
      const store = await db.open();
      const org = (await store.findOrgBySubdomain("demo"))!;
      const statuses = await store.write(async (transaction) => {
        await lockTokens(transaction, org.id);
        await transaction.touch(org.id); // SQLite locks at the first change
        const all = [{ code: "x".repeat(43) }, { token: "wrong" }].map((body) => client.signIn(body));
        return (await Promise.all(all)).map(({ answer }) => answer.status);
      });
      expect(statuses).toEqual([401, 401]);
    });
  });

  describe("a session", () => {
    it("does what its token may do, and is it in the log", async () => {
      await start();
      const { cookie } = await client.signIn({ token: await client.newToken({ name: "Mine" }) });
      const created = await client.visit(cookie, "/api/v1/zones", { method: "POST", body: NEW_ZONE });
      expect(created.status).toBe(200);
      const { token } = (await client.visit(cookie, SESSION)).body;
      const log = await client.visit(cookie, "/api/v1/logs?filter=eventType%20eq%20%22zone.create%22");
      expect(log.body[0].actor).toMatchObject({ id: token.id, displayName: "Mine" });
    });

    it("lacks the scopes that its token lacks", async () => {
      await start();
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const body = { name: "Reader", scopes: ["svc.users.read"] };
      const { token } = (await client.visit(cookie, "/api/v1/apiTokens", { method: "POST", body })).body;
      const reader = await client.signIn({ token });
      expect((await client.visit(reader.cookie, USERS)).status).toBe(200);
      expect((await client.visit(reader.cookie, "/api/v1/zones")).status).toBe(403);
    });

    it.each([
      ["another origin", { Origin: "https://evil.example" }, 403, 403],
      ["another subdomain", { Origin: "https://evil.localhost" }, 403, 403],
      ["another port", { Origin: "https://localhost:1" }, 403, 403],
      ["the same name over http", { Origin: "http://localhost" }, 403, 403],
      ["a frame of another site", { Origin: "null" }, 403, 403],
      ["another site, as the browser says", { Origin: "", "Sec-Fetch-Site": "cross-site" }, 403, 403],
      ["a person who opens the address", { Origin: "", "Sec-Fetch-Site": "none" }, 200, 403],
      ["a program", { Origin: "" }, 200, 403],
      ["a page of this origin, as the browser says", { Origin: "", "Sec-Fetch-Site": "same-origin" }, 200, 200],
    ])("for a request by %s", async (_who, headers, read, write) => {
      await start();
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));
      const send = (path: string, options = {}) =>
        call(client.server, path, { ...options, headers: { Cookie: cookie, ...given } });
      const got = await send(USERS);
      expect([got.status, got.headers["access-control-allow-credentials"]]).toEqual([read, undefined]);
      expect((await send("/api/v1/zones", { method: "POST", body: NEW_ZONE })).status).toBe(write);
    });

    it("is for its own org only", async () => {
      const org = (subdomain: string) => ({ subdomain, name: subdomain });
      await start({}, { orgs: [org("demo"), org("other")] });
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const Host = `other.localhost:${client.server.port}`;
      expect((await call(client.server, USERS, { headers: { Cookie: cookie, Host } })).status).toBe(401);
    });

    it("yields to Authorization", async () => {
      await start();
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const wrong = { Authorization: "SVC wrong" };
      expect((await client.visit(cookie, USERS, { headers: wrong })).status).toBe(401);
      const right = { Authorization: `SVC ${await client.newToken()}`, Origin: "https://evil.example" };
      expect(
        (await client.visit(cookie, "/api/v1/zones", { method: "POST", body: NEW_ZONE, headers: right })).status,
      ).toBe(200);
      expect((await client.visit(cookie, SESSION, { headers: { Authorization: right.Authorization } })).status).toBe(
        400,
      );
    });

    it.each(["", "x", "a".repeat(42), "a".repeat(43), "a".repeat(44), `${"a".repeat(42)}é`])(
      "is none with the cookie %j",
      async (value) => {
        await start();
        const cookie = `__Host-etiquette-session=${Buffer.from(value).toString("latin1")}`;
        expect((await client.visit(cookie, USERS)).status).toBe(401);
      },
    );

    it("ends at signing out, and with it the token of a link, but not what that made", async () => {
      await start();
      const { cookie } = await client.signIn({ code: await client.newCode() });
      const { token } = (await client.visit(cookie, "/api/v1/apiTokens", { method: "POST", body: { name: "Job" } }))
        .body;
      const out = await client.visit(cookie, SESSION, { method: "DELETE" });
      expect([out.status, out.headers["set-cookie"]]).toEqual([
        204,
        ["__Host-etiquette-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict"],
      ]);
      const after = await client.visit(cookie, USERS);
      expect([after.status, causes(after)]).toEqual([401, ["The session is not valid: it may have ended."]]);
      const job = createClient(client.server, "demo", token);
      const tokens = (await job.api("/apiTokens")).body as { name: string; expiresAt: string }[];
      const ofConsole = tokens.find(({ name }) => name.startsWith("Console"))!;
      expect(Date.parse(ofConsole.expiresAt)).toBeLessThanOrEqual(Date.now());
      expect(Date.parse(tokens.find(({ name }) => name === "Job")!.expiresAt)).toBeGreaterThan(Date.now());
    });

    it("leaves a token that was pasted valid at signing out", async () => {
      await start();
      const token = await client.newToken();
      const { cookie } = await client.signIn({ token });
      expect((await client.visit(cookie, SESSION, { method: "DELETE" })).status).toBe(204);
      expect((await createClient(client.server, "demo", token).api("/users")).status).toBe(200);
    });

    it("ends when its token is revoked, or rotated without an overlap", async () => {
      await start();
      const admin = createClient(client.server, "demo", await client.newToken());
      for (const end of [
        (id: string) => admin.api(`/apiTokens/${id}`, { method: "DELETE" }),
        (id: string) => admin.api(`/apiTokens/${id}/lifecycle/rotate`, { method: "POST", body: { overlapSeconds: 0 } }),
      ]) {
        const { cookie } = await client.signIn({ token: await client.newToken() });
        const { token } = (await client.visit(cookie, SESSION)).body;
        expect((await end(token.id)).status).toBeLessThan(300);
        expect((await client.visit(cookie, USERS)).status).toBe(401);
      }
    });

    it("ends when nobody used it for the time of --console-idle", async () => {
      await start({ consoleIdle: 600_000 });
      const { cookie } = await client.signIn({ token: await client.newToken() });
      await age("last_used", new Date(Date.now() - 590_000).toISOString());
      expect((await client.visit(cookie, USERS)).status).toBe(200);
      await age("last_used", new Date(Date.now() - 600_001).toISOString());
      expect((await client.visit(cookie, USERS)).status).toBe(401);
    });

    it("is kept by requests", async () => {
      await start();
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const old = new Date(Date.now() - 600_000).toISOString();
      await age("last_used", old);
      expect((await client.visit(cookie, USERS)).status).toBe(200);
      await client.server.close(); // writes what waits
      const store = await db.open();
      const row = await store.reader.selectFrom("console_sessions").select("last_used").executeTakeFirstOrThrow();
      expect(row.last_used > old).toBe(true);
    });

    it("stores no secret", async () => {
      await start();
      const code = await client.newCode();
      const { cookie } = await client.signIn({ code: await client.newCode() });
      const store = await db.open();
      const stored = JSON.stringify([
        await store.reader.selectFrom("console_links").selectAll().execute(),
        await store.reader.selectFrom("console_sessions").selectAll().execute(),
        await store.reader.selectFrom("log_events").selectAll().execute(),
        client.server.lines,
      ]);
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(cookie.split("=")[1]);
    });
  });

  it("--no-console serves neither pages nor sessions", async () => {
    await start({ consoleFolder: undefined });
    for (const path of ["/console", SESSION]) expect((await call(client.server, path)).status).toBe(404);
    expect((await client.signIn({ token: await client.newToken() })).answer.status).toBe(404);
    expect((await client.visit(`__Host-etiquette-session=${"a".repeat(43)}`, USERS)).status).toBe(401);
  });
});
