import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { connect, Server as NetServer, type AddressInfo } from "node:net";
import path from "node:path";
import ts from "typescript";
import { optionsOf } from "./support/declarations.js";
import { EXPRESS_VERSIONS } from "./support/express.js";
import { PAGED_FILES, WITHOUT_OPTIONS } from "./support/factories.js";

/**
 * Every middleware has a page beside it, and the page is true: its first `js` block is run as it stands, the request of
 * its first `http` block is sent to it, and the answer must be the one that the page shows. `…` stands for anything.
 */
const ROOT = path.join(__dirname, "..");

const SECTIONS = ["Options", "Errors", "Order", "Limits", "Security"];

describe.each(PAGED_FILES)("the page of $name", ({ name, folder }) => {
  const page = readFileSync(path.join(ROOT, folder, `${name}.md`), "utf8");

  it.each(SECTIONS)("has the section %s", (section) => {
    expect(page).toContain(`\n## ${section}\n`);
  });

  it("names every option of its interfaces", () => {
    const options = optionsOf(path.join(ROOT, folder, `${name}.ts`));
    expect(options.length > 0).toBe(!WITHOUT_OPTIONS.includes(name));
    for (const option of options) expect(page).toMatch(new RegExp(`\`[^\`\n]*\\b${option}\\b[^\`\n]*\``));
  });

  it.each(EXPRESS_VERSIONS)("shows an answer that its snippet gives on %s", async (_version, express) => {
    const snippet = block(page, "js");
    const exchange = block(page, "http");
    const blank = exchange.search(/\n\n(?=HTTP\/1\.1 )/);
    const requestText = exchange.slice(0, blank);
    const expected = exchange.slice(blank + 2);

    const server = await run(snippet, express);
    try {
      const answer = await send(server, requestText);
      expectAnswer(answer, expected);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("the README", () => {
  const readme = readFileSync(path.join(ROOT, "README.md"), "utf8");

  it.each(EXPRESS_VERSIONS)("has an example that runs on %s", async (_version, express) => {
    const server = await run(block(readme, "js"), express);
    try {
      const created =
        'POST /users HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 14\n\n{"name":"Bob"}';
      expectAnswer(await send(server, created), 'HTTP/1.1 200 OK\nX-Svc-Request-Id: …\n\n{"name":"Bob"}');
      expectAnswer(
        await send(server, "GET /users HTTP/1.1\nHost: localhost"),
        'HTTP/1.1 200 OK\n\n[{"name":"Ann"},{"name":"Bob"}]',
      );
      const missing = await send(server, "DELETE /users HTTP/1.1\nHost: localhost");
      expectAnswer(missing, "HTTP/1.1 405 Method Not Allowed\nAllow: GET, HEAD, OPTIONS, POST");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

function block(page: string, language: string): string {
  const match = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "m").exec(page);
  if (!match?.[1]) throw new Error(`the page has no ${language} block`);
  return match[1].trim();
}

/** Run a snippet; whatever it makes listen is made to listen on a free port of the loopback. */
async function run(snippet: string, express: unknown): Promise<Server> {
  const { outputText } = ts.transpileModule(snippet, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true },
  });
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the snippet names what it imports
  const load = (id: string): unknown => (id === "express" ? express : require(id));
  const servers: Server[] = [];
  const prototype = NetServer.prototype as { listen: (...args: unknown[]) => unknown };
  const { listen } = prototype;
  prototype.listen = function listenOnFreePort(this: Server) {
    servers.push(this);
    return listen.call(this, 0, "127.0.0.1");
  };
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is a page of this repository
    new Function("require", "exports", outputText)(load, {});
  } finally {
    prototype.listen = listen;
  }
  const [server] = servers;
  if (!server) throw new Error("the snippet listens nowhere");
  Object.assign(server, { httpAllowHalfOpen: true }); // an answer that takes its time is sent all the same
  if (!server.listening) await once(server, "listening");
  return server;
}

async function send(server: Server, text: string): Promise<string> {
  const [head = "", ...rest] = text.split("\n\n");
  const body = rest.join("\n\n");
  const bytes = Buffer.from(`${head.replaceAll("\n", "\r\n")}\r\n\r\n${body}`);
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.end(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString().replaceAll("\r\n", "\n");
}

function expectAnswer(answer: string, expected: string): void {
  const [head = "", ...bodyParts] = expected.split("\n\n");
  const [statusLine = "", ...fields] = head.split("\n");
  const [answerHead = "", ...answerBody] = answer.split("\n\n");
  const answerLines = answerHead.split("\n");
  expect(answerLines[0]).toBe(statusLine);
  for (const field of fields) {
    expect(answerLines.filter((line) => pattern(field).test(line))).toHaveLength(1);
  }
  const body = bodyParts.join("\n\n").trim();
  if (body !== "") expect(compact(answerBody.join("\n\n"))).toMatch(pattern(compact(body)));
}

/** `…` stands for anything; field names in any case. */
function pattern(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("…", ".*");
  return new RegExp(`^${escaped}$`, "is");
}

/** JSON is shown with white space that the wire does not have. */
function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text.trim();
  }
}
