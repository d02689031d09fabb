import { readFileSync } from "node:fs";
import path from "node:path";
import type { Express } from "express";
import createError, { isHttpError } from "http-errors";
import request from "supertest";
import { apiError } from "etiquette/api-error";
import { errorFormatter } from "etiquette/error-formatter";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { rowsBelow, sectionOf } from "../../support/page-parts.js";
import { edit } from "../../support/proxies.js";
import { block, run } from "../../support/run-snippet.js";

/** The app of docs/guides/from-http-errors.md does what the page says, before and after, and so does each line of its tables. */
const page = readFileSync(path.join(__dirname, "../../../docs/guides/from-http-errors.md"), "utf8");

/** The error that a cell of a table makes. */
function make(cell: string): unknown {
  const code = cell.replaceAll("`", "");
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is a page of this repository
  return (new Function("createError", "apiError", "cause", `return ${code}`) as (...names: unknown[]) => unknown)(
    createError,
    apiError,
    undefined,
  );
}

describe.each(EXPRESS_VERSIONS)("on %s", (_version, express) => {
  async function get(snippet: string, url: string) {
    const server = await run(snippet, express);
    try {
      return await request(server).get(url);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  async function send(error: unknown) {
    const app = express();
    app.get("/", (_req, _res, next) => {
      next(error);
    });
    app.use(errorFormatter({ log: false }));
    return request(app as Express).get("/");
  }

  const before = block(page, "ts");
  const sections = [...sectionOf(page, "1. Replace the error handler").matchAll(/^```ts\n([^]*?)^```/gm)];
  const [formatter = "", ownFormat = ""] = sections.map(([, code = ""]) => code);

  test("the app, before and after, and in its own format", async () => {
    expect((await get(before, "/users/2")).body).toEqual({ error: "There is no such user" });
    const [imported = "", use = ""] = formatter.split("\n\n");
    const after = edit(before, {
      "app.use(sendError);": use,
      "import createError from": `${imported}\nimport createError from`,
    });
    const { status, body } = await get(after, "/users/2");
    expect([status, body.errorCode, body.errorCauses]).toEqual([
      404,
      "E0000007",
      [{ errorSummary: "There is no such user" }],
    ]);
    expect((await get(after, "/users/1")).body).toEqual({ id: "1", name: "Ann" });
    const own = await get(edit(after, { [use.trim()]: ownFormat }), "/users/2");
    expect([own.status, own.body]).toEqual([404, { error: "There is no such user" }]);
  });

  test.each(rowsBelow(page, "1. Replace the error handler"))(
    "%s is %s",
    async (cell = "", status, code, shown = "") => {
      const [, text = ""] = /"(.*?)"/.exec(cell) ?? [];
      const res = await send(make(cell));
      expect([String(res.status), `\`${res.body.errorCode}\``]).toEqual([status, code]);
      expect(res.body.errorCauses).toEqual(shown === "a cause" ? [{ errorSummary: text }] : []);
      expect(res.headers["retry-after"]).toBe(shown === "the field `Retry-After`" ? "5" : undefined);
      if (shown.startsWith("nothing") && text !== "") expect(res.text).not.toContain(text);
    },
  );

  test.each(rowsBelow(page, "2. Say more where it helps"))(
    "%s and %s have the same status",
    async (first = "", second = "") => {
      const [old, next] = [make(first), make(second)];
      expect((await send(next)).status).toBe((await send(old)).status);
      expect(isHttpError(next)).toBe(!second.includes("new Error"));
    },
  );

  test("a 5xx never shows its message, also with expose: true", async () => {
    expect((await send(createError(500, "a secret", { expose: true }))).text).not.toContain("secret");
  });
});
