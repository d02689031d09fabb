import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import path from "node:path";
import express from "express";
import request from "supertest";
import { run } from "../../support/run-snippet.js";

/** The apps of docs/guides/other-frameworks.md do what the page says. */
const read = (file: string): string => readFileSync(path.join(__dirname, "../../../docs/examples", file), "utf8");

let server: Server;

const start = async (file: string): Promise<void> => {
  server = await run(read(file), express);
};

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Expects an error object, of this code and these causes. */
async function refused(sent: request.Test, status: number, errorCode: string, ...causes: string[]): Promise<void> {
  const { body, headers } = await sent.expect(status);
  expect(body).toMatchObject({ errorCode, errorId: expect.stringMatching(/./) });
  const errorCauses = (body as { errorCauses: { errorSummary: string }[] }).errorCauses;
  expect(errorCauses.map(({ errorSummary }) => errorSummary)).toEqual(causes);
  expect(headers).toMatchObject({ "cache-control": "no-store", "x-content-type-options": "nosniff" });
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
}

describe("NestJS", () => {
  it("answers with the fields of the suite, and errors in its form", async () => {
    await start("nestjs.ts");
    const found = await request(server).get("/users/1").expect(200, { id: "1", name: "Ann" });
    expect(found.headers["x-svc-request-id"]).toMatch(/^[\w-]{22}$/);
    const tag = String(found.headers["etag"]);
    expect(tag).toMatch(/^W\/"1\.[\w-]{22}"$/);
    await request(server).get("/users/1").set("If-None-Match", tag).expect(304);
    await request(server).post("/users").send({ name: "Bob" }).expect(201, { id: "2", name: "Bob" });

    await refused(request(server).get("/users/2"), 404, "E0000007", "User 2 does not exist.");
    await refused(request(server).post("/users").send({}), 400, "E0000001", "name: is missing.");
    await refused(request(server).get("/nowhere"), 404, "E0000008");
    const missing = await request(server).delete("/users/1").expect(405);
    expect(missing.headers["allow"]).toBe("GET, HEAD, OPTIONS");
    await request(server).post("/users").type("text").send("a").expect(415);
    const malformed = await request(server).post("/users").type("json").send("{").expect(400);
    expect(malformed.body).toMatchObject({ errorCode: "E0000003" });
  });

  it("listens by itself, as the page says", async () => {
    const app = read("nestjs.ts");
    const own = app.replace("createServer(app.getHttpAdapter().getInstance()).listen(3000)", "await app.listen(3000)");
    expect(own).not.toBe(app);
    server = await run(own, express);
    await refused(request(server).get("/users/2"), 404, "E0000007", "User 2 does not exist.");
    await refused(request(server).get("/nowhere"), 404, "E0000008");
  });
});

test("Fastify", async () => {
  await start("fastify.ts");
  const names: string[] = [];
  let url = "/users?filter=name%20gt%20%22Ann%22";
  for (let pages = 0; url !== "" && pages < 5; pages++) {
    const { body, headers } = await request(server).get(url).expect(200);
    names.push((body as { name: string }[]).map(({ name }) => name).join());
    url = /^<https:\/\/api\.example\.com(.+)>; rel="next"$/.exec(headers["link"] ?? "")?.[1] ?? "";
  }
  expect(names).toEqual(["Bob,Cyd", "Dan,Eve"]);

  const wrongFilter = "filter: found the end at offset 7, expected a string in double quotes, a number, true or false.";
  await refused(request(server).get("/users?filter=name%20eq"), 400, "E0000031", wrongFilter);
  await refused(request(server).get("/users?after=x"), 400, "E0000029", "after: it is not a cursor.");

  const put = (id: number, tag: string) =>
    request(server).put(`/users/${id}`).set("If-Match", tag).send({ name: "Ann B." });
  const { headers } = await put(1, "*").expect(200, { id: 1, name: "Ann B." });
  await put(1, String(headers["etag"])).expect(200);
  const stale = "If-Match does not have the current tag of the object; get it again.";
  await refused(put(1, 'W/"1.old"'), 412, "E0000231", stale);
  await refused(put(1, ""), 400, "E0000242", "If-Match has no entity tag.");
  await refused(put(9, "*"), 404, "E0000007");
  await refused(request(server).get("/nowhere"), 404, "E0000007");
  await refused(request(server).put("/users/1").type("json").send("{"), 400, "E0009000");
  await refused(request(server).put("/users/1").type("xml").send("<a/>"), 415, "E0000021");
});

test("Hono", async () => {
  await start("hono.ts");
  await request(server)
    .get("/users?filter=name%20eq%20%22Bob%22")
    .expect(200, [{ id: "2", name: "Bob" }]);
  const { headers } = await request(server).get("/users/1").expect(200, { id: "1", name: "Ann" });
  const tag = String(headers["etag"]);
  expect(tag).toMatch(/^W\/"1\.[\w-]{22}"$/);
  const unchanged = await request(server).get("/users/1").set("If-None-Match", tag).expect(304);
  expect(unchanged.headers["etag"]).toBe(tag);
  await request(server).head("/users/1").set("If-None-Match", tag).expect(304);
  const stale = "If-Match does not have the current tag of the object; get it again.";
  await refused(request(server).get("/users/1").set("If-Match", '"old"'), 412, "E0000231", stale);
  await refused(
    request(server).get("/users/1").set("If-Match", "?"),
    400,
    "E0000242",
    expect.stringMatching(/^If-Match has "\?"/) as string,
  );
  await refused(request(server).get("/users?filter=x"), 400, "E0000031", expect.stringMatching(/^found /) as string);
  await refused(request(server).get("/users/9"), 404, "E0000007");
  await refused(request(server).get("/nowhere"), 404, "E0000007");
});
