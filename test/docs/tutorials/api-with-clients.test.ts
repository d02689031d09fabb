import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import path from "node:path";
import request from "supertest";
import { countApart } from "../../support/count-apart.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { sectionOf } from "../../support/page-parts.js";
import { edit } from "../../support/proxies.js";
import { exchange, listen } from "../../support/raw-socket.js";
import { block, run } from "../../support/run-snippet.js";

/** The snippets of docs/tutorials/api-with-clients.md do what the page says. docs/guides/adopted-app.md has its app. */
const page = readFileSync(path.join(__dirname, "../../../docs/tutorials/api-with-clients.md"), "utf8");
const snippetOf = (heading: string) => block(sectionOf(page, heading), "js");

/** The text blocks of the step that reads the counts: a line of the log, and the table. */
const [LOGGED = "", TABLE = ""] = [...sectionOf(page, "2. Read the counts").matchAll(/^```text\n([^]*?)\n```/gm)].map(
  ([, text = ""]) => text,
);

/** What the snippets of later steps leave out. */
const IMPORTS = 'import express from "express";\nimport { createServer, suite } from "etiquette";\n';
const ROUTES = `app.post("/users", (req, res) => res.status(201).json(req.body));
app.use((error, req, res, next) => res.status(error.status).json({ own: error.code }));`;

describe.each(EXPRESS_VERSIONS)("docs/tutorials/api-with-clients.md on %s", (_version, express) => {
  let server: Server;

  async function start(snippet: string): Promise<void> {
    server = await run(snippet, express, { etiquette: countApart() });
  }

  afterEach(async () => {
    jest.restoreAllMocks();
    server.closeAllConnections();
    await once(server.close(), "close");
  });

  const post = (type: string, from = "203.0.113.7") =>
    request(server)
      .post("/users")
      .set({ "User-Agent": "Java/11", "X-Forwarded-For": from, "X-Forwarded-Proto": "https", "Content-Type": type })
      .send('{"name":"Ann"}');

  it("step 1 refuses nothing, and step 2 shows its log and its counts", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    await start(snippetOf("1. Report"));
    await post("application/json").expect(201, { name: "Ann" });
    for (let count = 0; count < 41; count++) await post("text/plain").expect(201);
    const scan = 'GET /login.php?a="b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const port = await listen(server);
    for (let count = 0; count < 3; count++) expect(await exchange(port, scan)).toMatch(/^HTTP\/1.1 404/);

    const { text } = await request(server).get("/report").expect(200);
    expect(text).toBe(TABLE);
    expect(warn.mock.calls.map(([line]) => line as unknown)).toEqual([LOGGED, expect.stringContaining("(Q1, ")]);
  });

  it("step 4 enforces some guards, with the app's own error handler, and reports the others", async () => {
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const snippet = snippetOf("4. Enforce what is quiet");
    await start(
      `${IMPORTS}${snippet}\nconst app = express();\napp.use(guards);\n${ROUTES}\napp.use(fallbacks);\napp.listen(3000);`,
    );
    await post("text/plain").expect(201);
    await post("application/json").set("X-Forwarded-Proto", "http").expect(403, { own: "E0000006" });
    await request(server)
      .get("/nowhere")
      .expect(404, /Cannot GET/);
  });

  it("step 5 enforces everything, and errors have the format of the app", async () => {
    const snippet = edit(snippetOf("5. Finish"), { "// the routes": ROUTES.split("\n", 1)[0] ?? "" });
    await start(`${IMPORTS}const app = express();\n${snippet}`);
    await post("application/json").expect(201, { name: "Ann" });
    const { body } = await post("text/plain").expect(415);
    expect(body).toEqual({ error: expect.stringContaining("text/plain") as string });
  });
});
