import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { generate } from "selfsigned";
import { MAX_BODY_LENGTH, MAX_HEAD_LENGTH } from "../../check/response-parser.js";
import { FORMATS } from "../../check/report/index.js";
import type { RunPlan } from "../../check/run-plan.js";
import { createTestCertificate } from "../support/tls.js";
import { createScriptedServer } from "./support/scripted-server.js";
import { type CommandResult, run } from "./support/terminal.js";

/** Check a server that does `serve` with each connection once it has received something. */
async function checkHostile(serve: (socket: Socket) => void, args: string[] = []): Promise<CommandResult> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => {
      serve(socket);
    });
  });
  try {
    return await checkAt(server, "http", args);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

async function checkAt(server: Server, protocol: string, args: string[]): Promise<CommandResult> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    return await run(["check", `${protocol}://127.0.0.1:${port}/`, "--rate", "1000", ...args]);
  } finally {
    server.close();
  }
}

/** Write `text` until the other side has had enough. */
function writeForever(socket: Socket, text: string): void {
  const write = (): void => {
    while (socket.writable && socket.write(text));
    if (socket.writable) socket.once("drain", write);
  };
  write();
}

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

describe("a server that sends no response", () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ["closes at once", (socket) => socket.end(), "The connection was closed without a response."],
    ["resets the connection", (socket) => socket.resetAndDestroy(), "The connection was closed without a response."],
    [
      "sends an endless header",
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        writeForever(socket, "X-Endless: endless\r\n");
      },
      `The header of the response is longer than ${MAX_HEAD_LENGTH} bytes.`,
    ],
    [
      "sends endless 1xx responses",
      (socket) => {
        writeForever(socket, "HTTP/1.1 102 Processing\r\n\r\n");
      },
      "More than 10 responses are 1xx.",
    ],
    ["speaks another protocol", (socket) => socket.write("220 smtp.example.com\r\n"), "It doesn't speak HTTP/1.x"],
    ["sends half a response", (socket) => socket.end(`${HEAD}Content-Length: 10\r\n\r\n{}`), "closed in the middle"],
    ["sends a malformed length", (socket) => socket.write(`${HEAD}Content-Length: +2\r\n\r\n{}`), "Content-Length"],
    ["sends a field without a colon", (socket) => socket.write(`${HEAD}nonsense\r\n\r\n`), "no colon"],
    ["sends malformed chunks", (socket) => socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`), "chunk"],
    [
      "sends an endless extension of a chunk",
      (socket) => {
        socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2;`);
        writeForever(socket, "x".repeat(1000));
      },
      "The size of a chunk is too long.",
    ],
  ])("%s: exit 2 with the reason", async (_title, serve, reason) => {
    expect(await checkHostile(serve)).toEqual({
      code: 2,
      out: "",
      error: expect.stringMatching(new RegExp(`^etiquette: GET / on 127.0.0.1:\\d+: .*${reason}`)),
    });
  });

  it("never responds: exit 2 after --timeout", async () => {
    const { code, error } = await checkHostile(() => undefined, ["--timeout", "1"]);
    expect([code, error]).toEqual([2, expect.stringContaining("There was no complete response within 1 s.")]);
  });

  it("has an invalid certificate: exit 2, and no request is sent", async () => {
    let requests = 0;
    const server = createTlsServer(await createTestCertificate(), (socket) => {
      socket.on("data", () => (requests += 1));
    });
    const { code, error } = await checkAt(server, "https", ["--header", "Authorization: Bearer the-secret-token"]);
    expect([code, requests]).toEqual([2, 0]);
    expect(error).toMatch(/certificate.*Give the certificate of its CA with --ca\./);
  });

  it("speaks no TLS: exit 2", async () => {
    const server = createScriptedServer(() => ({}));
    expect(await checkAt(server, "https", ["--timeout", "5"])).toMatchObject({ code: 2, out: "" });
  });
});

describe("a server that sends too much", () => {
  it.each<[string, string, string]>([
    ["announces 1 GB and sends it", `${HEAD}Content-Length: 1073741824\r\n\r\n`, "x".repeat(65_536)],
    ["sends an endless body", `${HEAD}\r\n`, "x".repeat(65_536)],
    ["sends endless chunks", `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, `ffff\r\n${"x".repeat(65_535)}\r\n`],
  ])("%s: the rest is left unread", async (_title, head, part) => {
    const serve = (socket: Socket): void => {
      socket.write(head);
      writeForever(socket, part);
    };
    const { code, out } = await checkHostile(serve, ["--rules", "nosniff,date-form"]);
    expect(code).toBe(4);
    expect(out).toContain("✗ security: nosniff");
    expect(out).toContain(`Not checked: date-form. The response is longer than ${MAX_BODY_LENGTH} bytes.\n`);
  });

  it("announces 1 GB and sends nothing: exit 2 after --timeout", async () => {
    const serve = (socket: Socket): void => void socket.write(`${HEAD}Content-Length: 1073741824\r\n\r\n`);
    expect(await checkHostile(serve, ["--timeout", "1"])).toMatchObject({ code: 2 });
  });
});

describe("the bounds of a response", () => {
  const withBody = (length: number): string => `${HEAD}Content-Length: ${length}\r\n\r\n"${"x".repeat(length - 2)}"`;
  const withHead = (length: number): string => {
    const head = `${HEAD}Content-Length: 2\r\nX: `;
    return `${head}${"x".repeat(length - head.length)}\r\n\r\n{}`;
  };
  const withInterim = (count: number): string =>
    `${"HTTP/1.1 102 Processing\r\n\r\n".repeat(count)}${HEAD}Content-Length: 2\r\n\r\n{}`;

  it.each<[string, number, (size: number) => string, string]>([
    ["bytes of the body", MAX_BODY_LENGTH, withBody, "The response is longer than"],
    ["bytes of the header", MAX_HEAD_LENGTH, withHead, "The header of the response is longer than"],
    ["responses before it", 10, withInterim, "More than 10 responses are 1xx."],
  ])("are %s: %d", async (_title, max, build, fault) => {
    for (const size of [max - 1, max, max + 1]) {
      const { code, out, error } = await checkHostile((socket) => socket.write(build(size)), ["--rules", "date-form"]);
      expect([size, code]).toEqual([size, size > max ? 2 : 0]);
      expect((out + error).includes(fault)).toBe(size > max);
    }
  });
});

describe("a response", () => {
  it.each<[string, string]>([
    ["in chunks", `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n`],
    ["until the end of the connection", `${HEAD}\r\n{}`],
    ["after an informational one", `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${HEAD}Content-Length: 2\r\n\r\n{}`],
  ])("%s is read, also byte by byte", async (_title, bytes) => {
    for (const size of [1, bytes.length]) {
      const serve = (socket: Socket): void => {
        socket.setNoDelay(true);
        for (let index = 0; index < bytes.length; index += size) socket.write(bytes.slice(index, index + size));
        socket.end();
      };
      const { code, out } = await checkHostile(serve, ["--rules", "json-type", "--format", "json"]);
      expect([code, JSON.parse(out).checks[0].outcome]).toEqual([0, "passed"]);
    }
  });

  /** ESC, C1 controls, and what turns or hides text; in UTF-8, one character a byte. */
  const ruling = Buffer.from("\x1b[31mred\x07\x85\x9b\u202e\u2066\u200b\ufeff\u2028").toString("latin1");
  const raw = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
  const linesOf = ({ out, error }: CommandResult) => `${out}\n${error}`.split("\n");
  const body = JSON.stringify([{ id: "1", created: "RULING" }]).replace(
    "RULING",
    ruling.replaceAll("\x1b", "").replace("\x07", ""),
  );

  it.each<[string, string, string[]]>([
    ["status text", `HTTP/1.1 200 ${ruling}\r\nContent-Length: 2\r\n\r\n{}`, ["--rules", "json-type"]],
    [
      "a header name",
      `HTTP/1.1 200 OK\r\nAccess-Control-${ruling}: 1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      ["--rules", "origin-null"],
    ],
    [
      "a header value",
      `HTTP/1.1 200 OK\r\nContent-Type: text/${ruling}\r\nContent-Length: 2\r\n\r\n{}`,
      ["--rules", "json-type"],
    ],
    ["a body", `${HEAD.replace("200", "500")}Content-Length: ${body.length}\r\n\r\n${body}`, ["--rules", "nosniff"]],
    ["no HTTP", `HTTP/${ruling}\r\n\r\n`, ["--rules", "json-type"]],
  ])("can't rule the terminal with %s", async (_title, bytes, args) => {
    const serve = (socket: Socket): void => void socket.end(Buffer.from(bytes, "latin1"));
    for (const format of Object.keys(FORMATS)) {
      const result = await checkHostile(serve, [...args, "--verbose", "--format", format]);
      expect([format, linesOf(result).filter((line) => raw.test(line))]).toEqual([format, []]);
      if (format === "json" && result.out !== "") expect(JSON.parse(result.out)).toHaveProperty("checks");
      if (format === "text") expect(linesOf(result).join("\n")).toContain("\\u009b");
    }
  });

  it("can't rule the terminal with the name in its certificate", async () => {
    const { private: key, cert } = await generate([{ name: "commonName", value: "a\x1b[31m\u202eb" }], {
      keyType: "ec",
    });
    const folder = mkdtempSync(path.join(tmpdir(), "etiquette-hostile-"));
    const ca = path.join(folder, "ca.pem");
    writeFileSync(ca, cert);
    const server = createTlsServer({ key, cert }, (socket) => socket.destroy());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const { code, error } = await run(["check", `https://localhost:${port}/`, "--ca", ca]);
      expect([code, error]).toEqual([2, expect.stringContaining("a\\u001b[31m")]);
      expect(raw.test(error.trimEnd())).toBe(false);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });

  it("can't rule the terminal with what a note repeats", () => {
    const note = "Look at /\x9b\u202e\n";
    const report = { results: [], requests: 0, complete: true, notes: [note] };
    const plan = { url: new URL("http://a") } as RunPlan;
    const context = { plan, page: "", verbose: false, isKnown: () => false, file: undefined };
    for (const [format, { formatReport }] of Object.entries(FORMATS)) {
      const text = formatReport(report, context);
      expect([format, text.split("\n").filter((line) => raw.test(line))]).toEqual([format, []]);
      if (format === "json") expect(JSON.parse(text)).toHaveProperty("notes", [note]);
      if (format === "text") expect(text).toContain("Look at /\\u009b\\u202e\\u000a\n");
    }
  });

  it("is not followed elsewhere: a redirect is a response like any other", async () => {
    const targets: string[] = [];
    const server = createScriptedServer(({ target }) => {
      targets.push(target);
      return { status: 302, headers: { Location: "http://127.0.0.1:1/elsewhere" } };
    });
    const { code, out } = await checkAt(server, "http", ["--rules", "json-type"]);
    expect([code, targets]).toEqual([2, ["/"]]);
    expect(out).toContain("Not checked: json-type. GET / is 302; ");
  });

  it("links to a page on another host, which gets no request", async () => {
    const link = '<http://127.0.0.2:1/v1/items?after=x>; rel="next"';
    const server = createScriptedServer(() => ({ headers: { Link: link }, body: '[{"id":"1"}]' }));
    const { code, out } = await checkAt(server, "http", ["--list", "/v1/items", "--rules", "walk"]);
    expect([code, out]).toEqual([2, expect.stringContaining("next leads to another host, 127.0.0.2:1.")]);
  });
});
