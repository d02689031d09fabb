import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import path from "node:path";
import request from "supertest";
import { followPages } from "etiquette/follow-pages";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { sectionOf } from "../../support/page-parts.js";
import { edit } from "../../support/proxies.js";
import { block, run } from "../../support/run-snippet.js";

/** The app of docs/guides/offset-to-cursor.md serves both. */
const page = readFileSync(path.join(__dirname, "../../../docs/guides/offset-to-cursor.md"), "utf8");

describe.each(EXPRESS_VERSIONS)("on %s", (_version, express) => {
  const app = block(page, "ts");
  let server: Server;

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

  test("a client with offset gets what it got, and learns that it ends", async () => {
    server = await run(app, express);
    const { body, headers } = await request(server).get("/users?offset=5&limit=4").expect(200);
    expect([body.total, ids(body.rows)]).toEqual([7, [6, 7]]);
    expect(headers).toMatchObject({ deprecation: "@1767225600", sunset: "Thu, 01 Jan 2037 00:00:00 GMT" });
    expect(new Date(headers["sunset"] ?? "").toUTCString()).toBe(headers["sunset"]);
    expect(headers).not.toHaveProperty("link");
  });

  test("another client walks with cursors, once through all", async () => {
    server = await run(app, express);
    const local = async (url: string) => {
      const { pathname, search } = new URL(url);
      const res = await request(server)
        .get(pathname + search)
        .expect(200);
      return new Response(res.text, { headers: { Link: String(res.headers["link"]) } });
    };
    const pages: number[][] = [];
    for await (const { rows } of followPages(local as typeof fetch, "https://api.example.com/users")) {
      pages.push(ids(rows as { id: number }[]));
    }
    expect(pages).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    await request(server).get("/users?limit=1000").expect(400);
  });

  test("in the end a client with offset is told", async () => {
    const [, end = ""] = /^```ts\n([^]*?)^```/m.exec(sectionOf(page, "The end")) ?? [];
    const [imported = "", route = ""] = end.split("\n\n");
    const first = 'app.get("/users", onlyWithout("offset"), cursors,';
    const after = edit(app, {
      [first]: `${route}\n${first}`,
      "import express, {": `${imported}\nimport express, {`,
    });
    server = await run(after, express);
    const { body } = await request(server).get("/users?offset=5").expect(400);
    expect(body.errorCauses).toEqual([{ errorSummary: "offset: pages have cursors; follow Link." }]);
    await request(server).get("/users").expect(200);
  });
});
