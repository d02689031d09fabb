import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import express from "express";
import express4 from "express4";
import request from "supertest";
import { parseArguments } from "../../../check/command-line/parse.js";
import { runChecks } from "../../../check/engine.js";
import { sectionOf } from "../../support/page-parts.js";
import { edit } from "../../support/proxies.js";
import { listen } from "../../support/raw-socket.js";
import { block, run } from "../../support/run-snippet.js";

const execute = promisify(execFile);

/** The apps of docs/tutorials/new-api.md work, and `etiquette check` finds in them what the page says. */
const page = readFileSync(path.join(__dirname, "../../../docs/tutorials/new-api.md"), "utf8");

/** What the suite takes the place of. */
const WITHOUT_SUITE = {
  'app.use("/api", guards)': "app.use(express.json())",
  'app.use("/api", fallbacks);': "",
  "createServer(app)": "app",
};

const COMMON_JS = readFileSync(path.join(__dirname, "../../../docs/examples/new-api.cjs"), "utf8");

describe.each([
  ["Express 5, ES modules", block(page, "js"), express],
  ["Express 4, CommonJS", COMMON_JS, express4],
])("the app on %s", (_title, after, version) => {
  const servers: Server[] = [];

  async function start(snippet: string): Promise<Server> {
    const server = await run(snippet, version);
    servers.push(server);
    return server;
  }

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  /** The ids of the findings of the command that the page shows. */
  async function check(server: Server): Promise<string[]> {
    const [, url = "", args = ""] = /^npx etiquette check http:\/\/localhost:3000(\S+) (.*)$/m.exec(page) ?? [];
    const origin = `http://127.0.0.1:${await listen(server)}`;
    const { plan, checks } = parseArguments([origin + url, "--rate", "1000", ...args.split(" ")]);
    const { results } = await runChecks(plan, checks);
    return results.filter(({ outcome }) => outcome === "finding").map((result) => result.check.id);
  }

  it("works, and has the error object under /api only", async () => {
    const server = await start(after);
    await request(server).get("/api/users/1").expect(200, { id: "1", name: "Ann" });
    await request(server).post("/api/users").send({ name: "Bob" }).expect(201, { id: "2", name: "Bob" });
    await request(server)
      .get("/api/users")
      .expect(200, [
        { id: "1", name: "Ann" },
        { id: "2", name: "Bob" },
      ]);
    for (const [sent, code] of [
      [request(server).get("/api/users/9"), "E0000008"],
      [request(server).post("/api/users").type("json").send('{"name":'), "E0000003"],
      [request(server).post("/api/users").type("form").send("name=Bob"), "E0000021"],
      [request(server).get("/api/users").set("X-Forwarded-For", "192.0.2.1"), "E0000006"],
    ] as const) {
      const { body, headers } = await sent;
      expect(body).toMatchObject({ errorCode: code, errorId: headers["x-svc-request-id"] });
    }
    const home = await request(server).get("/").set("Accept", "text/html").expect(200, "<h1>Users</h1>");
    expect(home.headers).not.toHaveProperty("x-svc-request-id");
  });

  it("answers the commands of the page as it says", async () => {
    const server = await start(after);
    const origin = `http://127.0.0.1:${await listen(server)}`;
    const commands = block(sectionOf(page, "3. Try it"), "sh").replaceAll("http://localhost:3000", origin);
    const printed = [];
    for (const command of commands.split("\n")) {
      const { stdout } = await execute("bash", ["-c", command.replace("curl", "curl --silent --show-error")]);
      printed.push(stdout.replace(/(?<="errorId":")[^"]+/, "…"));
    }
    expect(printed.join("\n")).toBe(block(sectionOf(page, "3. Try it"), "text"));
  });

  it("is found to have what the page says, with and without the suite", async () => {
    jest.spyOn(console, "error").mockImplementation(() => undefined);
    jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const before = await check(await start(edit(after, WITHOUT_SUITE)));
    const newer = "transfer-encoding-empty"; // Node 22 and later refuse it themselves
    expect(page).toContain(
      `found ${before.filter((id) => id !== newer).length + 1} things in the same app without the suite, on Node 20`,
    );
    const left = [...page.matchAll(/^\| (\[.*?) +\|/gm)].flatMap(([, cell = ""]) => cell.match(/(?<=#)[\w-]+/g) ?? []);
    expect(await check(await start(after))).toEqual(left);
    jest.restoreAllMocks();
  });

  it("is mended by what the page says", async () => {
    const mended = edit(after, {
      "const app = express();": 'const app = express();\napp.enable("case sensitive routing");\napp.disable("etag");',
      "suite();": 'suite({ queryParameters: { single: ["limit"] } });',
    });
    const found = await check(await start(mended));
    expect(found).not.toEqual(expect.arrayContaining(["path-case"]));
    expect(found).not.toEqual(expect.arrayContaining(["parameter-twice"]));
  });
});
