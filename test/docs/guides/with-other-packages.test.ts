import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import path from "node:path";
import request from "supertest";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { run } from "../../support/run-snippet.js";

/** The apps of docs/guides/with-other-packages.md do what the page says. */
const EXAMPLES = path.join(__dirname, "../../../docs/examples");

describe.each(EXPRESS_VERSIONS)("on %s", (_version, express) => {
  let server: Server;
  let warned: jest.SpyInstance;

  async function start(file: string): Promise<void> {
    warned = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    server = await run(readFileSync(path.join(EXAMPLES, file), "utf8"), express);
  }

  afterEach(async () => {
    expect(warned.mock.calls.flat().filter((line) => String(line).includes("order"))).toEqual([]);
    jest.restoreAllMocks();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** As the proxy that ends TLS sends it. */
  const sent = (test: request.Test) =>
    test.set("Host", "api.example").set("X-Forwarded-Proto", "https").set("X-Forwarded-For", "203.0.113.7");

  test("sign in, with passport, express-session and helmet", async () => {
    await start("passport.ts");
    const refused = await sent(request(server).get("/session")).expect(401);
    expect(refused.body).toMatchObject({ errorCode: "E0000011", errorId: refused.headers["x-svc-request-id"] });
    expect(refused.headers).toMatchObject({
      "content-security-policy": expect.any(String),
      "strict-transport-security": "max-age=31536000",
    });
    await sent(request(server).post("/session").send({ name: "Ann", password: "?" })).expect(401);
    await sent(request(server).post("/session").type("form").send("name=Ann&password=secret")).expect(415);

    const signedIn = await sent(request(server).post("/session").send({ name: "Ann", password: "secret" })).expect(201);
    const [cookie = ""] = signedIn.headers["set-cookie"] as unknown as string[];
    expect(cookie).toMatch(/^__Host-session=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const withCookie = (test: request.Test) => sent(test).set("Cookie", cookie.split(";", 1));
    await withCookie(request(server).get("/session")).expect(200, { name: "Ann" });
    await request(server).get("/session").set("X-Forwarded-Proto", "http").set("Cookie", cookie).expect(403);
    await withCookie(request(server).delete("/session")).expect(204);
    await withCookie(request(server).get("/session")).expect(401);
    await withCookie(request(server).patch("/session")).expect(405);
  });

  test("uploads, with multer", async () => {
    await start("multer.ts");
    const upload = (name: string, size: number) =>
      request(server).post("/photos").attach(name, Buffer.alloc(size), "a.png");
    await upload("photo", 1_048_576).expect(201, { bytes: 1_048_576 });
    const large = await upload("photo", 1_048_577).expect(413);
    expect(large.body).toMatchObject({ errorCode: "E0009003", errorCauses: [{ errorSummary: "File too large" }] });
    expect((await upload("other", 1).expect(400)).body).toHaveProperty("errorCode", "E0000001");
    await request(server).post("/photos").type("form").send("a=1").expect(415);
  });

  test("compression, with tags", async () => {
    await start("compression.ts");
    const get = (encoding: string) => request(server).get("/text").set("Accept-Encoding", encoding);
    const [packed, plain] = [await get("gzip").expect(200), await get("identity").expect(200)];
    expect([packed.headers["content-encoding"], plain.headers["content-encoding"]]).toEqual(["gzip", undefined]);
    expect(packed.body).toEqual(plain.body);
    const tag = String(packed.headers["etag"]);
    expect(plain.headers["etag"]).toBe(tag);
    const unchanged = await get("gzip").set("If-None-Match", tag).expect(304);
    expect(unchanged.headers).not.toHaveProperty("content-encoding");
  });
});
