import { createApiToken } from "etiquette/api-token-verifier";
import { CONSOLE_CREATOR } from "../../../src/model/console-tokens.js";
import { DEFAULT_RATE_LIMIT_SETTINGS } from "../../../src/model/rate-limits.js";
import { insertToken } from "../../../src/store/records/api-tokens.js";
import { lockTokens } from "../../../src/store/records/token-family.js";
import { createClient, describeApi, type TestOrg } from "../../support/api.js";
import { openConsole, type ConsoleClient } from "../../support/console.js";
import { startTestServer, type Answer } from "../../support/server.js";

const SESSION = "/console/session";
const USERS = "/api/v1/users";
const NEW_ZONE = { name: "Office", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] };

/** Generous limits, unless an org has its own. */
const SETTINGS = { rateLimits: DEFAULT_RATE_LIMIT_SETTINGS };

describeApi((openOrg) => {
  let org: TestOrg;
  let client: ConsoleClient;

  beforeEach(async () => {
    org = await openOrg();
    client = openConsole(org);
  });

  const causes = (answer: { body: { errorCauses: { errorSummary: string }[] } }) =>
    answer.body.errorCauses.map(({ errorSummary }) => errorSummary);

  /** Change the times of all sessions or links of the org. */
  const age = (column: "last_used" | "expires", date: string) =>
    org.store.write(async ({ db }) => {
      const links = db.updateTable("console_links").where("org_id", "=", org.id);
      const sessions = db.updateTable("console_sessions").where("org_id", "=", org.id);
      await (column === "expires" ? links.set({ expires: date }) : sessions.set({ last_used: date })).execute();
    });

  describe("signing in", () => {
    it("takes the code of a link once, and makes a token named Console", async () => {
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
        org: { subdomain: org.subdomain },
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
      const code = await client.newCode();
      const all = await Promise.all(Array.from({ length: 8 }, () => client.signIn({ code })));
      expect(all.map(({ answer }) => answer.status).sort()).toEqual([204, ...Array.from({ length: 7 }, () => 401)]);
    });

    it("refuses a code that is old, unknown, or of another org", async () => {
      const foreign = await client.newCode((await openOrg()).subdomain);
      expect((await client.signIn({ code: foreign })).answer.status).toBe(401);
      expect((await client.signIn({ code: "x".repeat(43) })).answer.status).toBe(401);
      const code = await client.newCode();
      await age("expires", new Date().toISOString());
      expect((await client.signIn({ code })).answer.status).toBe(401);
    });

    it("takes an API token, whose secret is in no response", async () => {
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
      const { answer } = await client.signIn(body);
      expect([answer.status, causes(answer)]).toEqual([400, [expect.stringContaining(cause)]]);
    });

    it("refuses a page of another origin, and a request that no page of this one can prove to have made", async () => {
      const body = { token: await client.newToken() };
      const post = (headers: Record<string, string>) => org.visit(SESSION, { method: "POST", body, headers });
      expect((await post({ Origin: "https://evil.example" })).status).toBe(403);
      expect((await post({ Origin: "null" })).status).toBe(403);
      expect((await post({ "Sec-Fetch-Site": "same-site" })).status).toBe(403);
      expect((await post({})).status).toBe(403);
      expect((await post({ "Sec-Fetch-Site": "same-origin" })).status).toBe(204);
    });

    it("keeps the newest 20 sessions of a token", async () => {
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
      const parent = await client.signIn({ code: await client.newCode() });
      await client.visit(parent.cookie, "/api/v1/apiTokens", { method: "POST", body: { name: "Job" } });
      const { store, id } = org;
      await client.signIn({ code: await client.newCode() });
      const ended = new Date().toISOString();
      await store.write((transaction) =>
        transaction.db
          .updateTable("api_tokens")
          .set({ expires: ended })
          .where("org_id", "=", id)
          .where("creator_id", "=", "console")
          .execute(),
      );
      await client.signIn({ code: await client.newCode() });
      const tokens = await store.reader.selectFrom("api_tokens").select("name").where("org_id", "=", id).execute();
      const left = tokens.map(({ name }) => name);
      expect(left.filter((name) => name.startsWith("Console"))).toHaveLength(2);
      expect(left).toContain("Job");
    });
  });

  describe("the token of a link", () => {
    it("A4 gives its secret to nobody, and no secret of it is accepted", async () => {
      const { cookie } = await client.signIn({ code: await client.newCode() });
      const { token } = (await client.visit(cookie, SESSION)).body;
      const path = `/api/v1/apiTokens/${token.id}`;
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const admin = createClient(org.server, org.subdomain, await client.newToken({ expiresAt }));
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
      await org.store.write((transaction) =>
        transaction.db
          .updateTable("api_tokens")
          .set({ previous_hash: hash, previous_expires: expiresAt })
          .where("org_id", "=", org.id)
          .where("id", "=", token.id)
          .execute(),
      );
      expect((await createClient(org.server, org.subdomain, secret).api("/users")).status).toBe(401);
      expect((await client.signIn({ token: secret })).answer.status).toBe(401);
      expect((await client.visit(cookie, USERS)).status).toBe(200);
    });

    it("S9 is one of 100 at most: the oldest session ends", async () => {
      const { cookie: oldest } = await client.signIn({ code: await client.newCode() });
      await org.store.write(async (transaction) => {
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
    const leftOf = ({ headers }: Answer) => headers["x-rate-limit-remaining"];

    it("S8 count signing in for the address, and for the token", async () => {
      await org.change({ rateLimits: { signOn: 3, write: 1 } });
      const token = await client.newToken();
      const first = await client.signIn({ token });
      expect([first.answer.status, leftOf(first.answer)]).toEqual([204, "0"]);
      expect((await client.signIn({ token })).answer.status).toBe(429); // its token
      expect(leftOf((await client.signIn({ code: await client.newCode() })).answer)).toBe("0");
      const { answer } = await client.signIn({ code: await client.newCode() });
      expect([answer.status, answer.headers["x-rate-limit-limit"]]).toEqual([429, "3"]); // the address
    });

    it("S8 count what is not valid as failures", async () => {
      await org.change({ rateLimits: { failures: 3 } });
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
      await org.change({ rateLimits: { read: 2, write: 2 } });
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const show = async () => (await client.visit(cookie, SESSION)).status;
      expect([await show(), await show(), await show()]).toEqual([200, 200, 429]);
      expect(leftOf(await client.visit(cookie, SESSION, { method: "DELETE" }))).toBe("0");
    });

    it("S9 what is not valid waits for no other writer of the org", async () => {
      const statuses = await org.store.write(async (transaction) => {
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
      const { cookie } = await client.signIn({ token: await client.newToken({ name: "Mine" }) });
      const created = await client.visit(cookie, "/api/v1/zones", { method: "POST", body: NEW_ZONE });
      expect(created.status).toBe(200);
      const { token } = (await client.visit(cookie, SESSION)).body;
      const log = await client.visit(cookie, "/api/v1/logs?filter=eventType%20eq%20%22zone.create%22");
      expect(log.body[0].actor).toMatchObject({ id: token.id, displayName: "Mine" });
    });

    it("lacks the scopes that its token lacks", async () => {
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
      ["another port", { Origin: "https://ORG.localhost:1" }, 403, 403],
      ["the same name over http", { Origin: "http://ORG.localhost" }, 403, 403],
      ["a frame of another site", { Origin: "null" }, 403, 403],
      ["another site, as the browser says", { Origin: "", "Sec-Fetch-Site": "cross-site" }, 403, 403],
      ["a person who opens the address", { Origin: "", "Sec-Fetch-Site": "none" }, 200, 403],
      ["a program", { Origin: "" }, 200, 403],
      ["a page of this origin, as the browser says", { Origin: "", "Sec-Fetch-Site": "same-origin" }, 200, 200],
    ])("for a request by %s", async (_who, headers, read, write) => {
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const given = Object.entries(headers)
        .filter(([, value]) => value !== "")
        .map(([name, value]) => [name, value.replace("ORG", org.subdomain)]);
      const send = (path: string, options = {}) =>
        org.visit(path, { ...options, headers: { Cookie: cookie, ...Object.fromEntries(given) } });
      const got = await send(USERS);
      expect([got.status, got.headers["access-control-allow-credentials"]]).toEqual([read, undefined]);
      expect((await send("/api/v1/zones", { method: "POST", body: NEW_ZONE })).status).toBe(write);
    });

    it("is for its own org only", async () => {
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const other = await openOrg();
      expect((await other.visit(USERS, { headers: { Cookie: cookie } })).status).toBe(401);
    });

    it("yields to Authorization", async () => {
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
        const cookie = `__Host-etiquette-session=${Buffer.from(value).toString("latin1")}`;
        expect((await client.visit(cookie, USERS)).status).toBe(401);
      },
    );

    it("ends at signing out, and with it the token of a link, but not what that made", async () => {
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
      const job = createClient(org.server, org.subdomain, token);
      const tokens = (await job.api("/apiTokens")).body as { name: string; expiresAt: string }[];
      const ofConsole = tokens.find(({ name }) => name.startsWith("Console"))!;
      expect(Date.parse(ofConsole.expiresAt)).toBeLessThanOrEqual(Date.now());
      expect(Date.parse(tokens.find(({ name }) => name === "Job")!.expiresAt)).toBeGreaterThan(Date.now());
    });

    it("leaves a token that was pasted valid at signing out", async () => {
      const token = await client.newToken();
      const { cookie } = await client.signIn({ token });
      expect((await client.visit(cookie, SESSION, { method: "DELETE" })).status).toBe(204);
      expect((await createClient(org.server, org.subdomain, token).api("/users")).status).toBe(200);
    });

    it("ends when its token is revoked, or rotated without an overlap", async () => {
      const admin = createClient(org.server, org.subdomain, await client.newToken());
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
      const server = await startTestServer(org, { consoleIdle: 600_000 });
      client = openConsole(org.at(server));
      const { cookie } = await client.signIn({ token: await client.newToken() });
      await age("last_used", new Date(Date.now() - 590_000).toISOString());
      expect((await client.visit(cookie, USERS)).status).toBe(200);
      await age("last_used", new Date(Date.now() - 600_001).toISOString());
      expect((await client.visit(cookie, USERS)).status).toBe(401);
      await server.close();
    });

    it("is kept by requests", async () => {
      const server = await startTestServer(org);
      client = openConsole(org.at(server));
      const { cookie } = await client.signIn({ token: await client.newToken() });
      const old = new Date(Date.now() - 600_000).toISOString();
      await age("last_used", old);
      expect((await client.visit(cookie, USERS)).status).toBe(200);
      await server.close(); // writes what waits
      const sessions = org.store.reader.selectFrom("console_sessions").select("last_used");
      const row = await sessions.where("org_id", "=", org.id).executeTakeFirstOrThrow();
      expect(row.last_used > old).toBe(true);
    });

    it("stores no secret", async () => {
      const code = await client.newCode();
      const { cookie } = await client.signIn({ code: await client.newCode() });
      const { reader } = org.store;
      const stored = JSON.stringify([
        await reader.selectFrom("console_links").selectAll().execute(),
        await reader.selectFrom("console_sessions").selectAll().execute(),
        await reader.selectFrom("log_events").selectAll().execute(),
        org.server.lines,
      ]);
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(cookie.split("=")[1]);
    });
  });

  it("--no-console serves neither pages nor sessions", async () => {
    const bare = await startTestServer(org, { consoleFolder: undefined });
    org = org.at(bare);
    client = openConsole(org);
    for (const path of ["/console", SESSION]) expect((await org.visit(path)).status).toBe(404);
    expect((await client.signIn({ token: await client.newToken() })).answer.status).toBe(404);
    expect((await client.visit(`__Host-etiquette-session=${"a".repeat(43)}`, USERS)).status).toBe(401);
    await bare.close();
  });
}, SETTINGS);
