import request from "supertest";
import { exchange, parseAnswer } from "../../support/raw-socket.js";
import { expectError, type GetRunning, signIn } from "./running.js";

/** What browsers send. */
const PAGE = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

export function testPages(running: GetRunning): void {
  describe("pages", () => {
    it("shows the form", async () => {
      const { text } = await request(running().server).get("/").set("Accept", PAGE).expect(200);
      expect(text).toContain('<form method="post" action="/login">');
    });

    it("shows it to a client that reads only HTML", async () => {
      await request(running().server).get("/").set("Accept", "text/html").expect(200, /<form/);
    });

    it("has a style sheet", async () => {
      await request(running().server)
        .get("/app.css")
        .set("Accept", "text/css")
        .expect(200)
        .expect("Content-Type", /^text\/css/);
    });

    it("has a picture", async () => {
      await request(running().server)
        .get("/logo.svg")
        .set("Accept", "image/avif,image/webp,image/svg+xml")
        .expect(200)
        .expect("Content-Type", "image/svg+xml");
    });

    it("sends the fields of helmet", async () => {
      const { headers } = await request(running().server).get("/").expect(200);
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-frame-options": "SAMEORIGIN" });
    });

    it("is healthy for a load balancer, which asks over HTTP by address", async () => {
      await request(running().server).get("/healthz").set("Host", "10.0.0.7:3000").expect(200, "ok");
    });

    it("has nothing elsewhere", async () => {
      expectError(await request(running().server).get("/nowhere").expect(404), "not_found", "There is nothing here.");
    });

    it("keeps the request id of the proxy", async () => {
      const { headers, body } = await request(running().server).get("/nowhere").set("X-Request-Id", "edge-7");
      expect([headers["x-request-id"], body.requestId]).toEqual(["edge-7", "edge-7"]);
    });
  });

  describe("accounts", () => {
    it("signs in with the form of the page", async () => {
      const agent = request.agent(running().server);
      const sent = agent.post("/login").type("form").set("Accept", PAGE).send("name=ann&password=correct+horse");
      const { headers } = await sent.expect(303).expect("Location", "/");
      expect(headers["set-cookie"]?.[0]).toMatch(/^sid=.*HttpOnly; SameSite=Lax$/);
      await agent.get("/api/me").expect(200, { name: "ann" });
    });

    it("signs in with JSON", async () => {
      const agent = await signIn(running());
      await agent.get("/api/me").expect(200, { name: "ann" });
    });

    it("sends a secure cookie behind the proxy", async () => {
      const sent = request(running().server).post("/login").set("X-Forwarded-Proto", "https");
      const { headers } = await sent.send({ name: "ann", password: "correct horse" }).expect(201);
      expect(headers["set-cookie"]?.[0]).toContain("Secure");
    });

    it("refuses a wrong password", async () => {
      const sent = request(running().server).post("/login").type("form").send("name=ann&password=horse");
      expectError(await sent.expect(401), "bad_credentials", "The name or the password is wrong.");
    });

    it("lets somebody try three times a minute", async () => {
      const attempt = () => request(running().server).post("/login").send({ name: "eve", password: "1234" });
      for (let count = 0; count < 3; count++) await attempt().expect(401);
      const res = await attempt().expect(429).expect("Retry-After", "60");
      expectError(res, "too_many_attempts", "Wait a minute.");
    });

    it("knows nobody without a session", async () => {
      expectError(await request(running().server).get("/api/me").expect(401), "not_signed_in", "Sign in first.");
    });

    it("signs out", async () => {
      const agent = await signIn(running());
      await agent.post("/logout").expect(204);
      await agent.get("/api/me").expect(401);
    });

    it("signs out a script, which sends POST without a length", async () => {
      const head = "POST /logout HTTP/1.1\r\nHost: localhost\r\nUser-Agent: curl/7.88\r\nConnection: close\r\n\r\n";
      expect(parseAnswer(await exchange(running().port, head)).status).toBe(204);
    });
  });
}
