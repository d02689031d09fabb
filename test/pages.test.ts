import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import path from "node:path";
import { optionsOf } from "./support/declarations.js";
import { EXPRESS_VERSIONS } from "./support/express.js";
import { PAGED_FILES, WITHOUT_OPTIONS } from "./support/factories.js";
import { block, run } from "./support/run-snippet.js";

/**
 * Every middleware has a page, and the page is true: its first `js` block is run as it stands, the request of
 * its first `http` block is sent to it, and the answer must be the one that the page shows. `…` stands for anything.
 */
const ROOT = path.join(__dirname, "..");

const SECTIONS = ["Options", "Errors", "Order", "Limits", "Security"];

describe.each(PAGED_FILES)("the page of $name", ({ name, folder, page: file }) => {
  const page = readFileSync(path.join(ROOT, file), "utf8");

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
