import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import cors from "cors";
import type { Express } from "express";
import { createServer } from "../../../lib/server/create-server.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { exchange, listen, open, parseAnswer, readUntilClose } from "../../support/raw-socket.js";
import { createTestCertificate } from "../../support/tls.js";

const CLOSED_SILENTLY = "closed silently";

/** `plain` is what Node and Express do alone: never the error object. */
interface Case {
  title: string;
  /** Sent as it stands, LF as CR LF. */
  request: string;
  plain: number | typeof CLOSED_SILENTLY;
  status: number;
  code: string;
  causes: string[];
}

function post(fields: string, body = ""): string {
  return `POST / HTTP/1.1\nHost: a\n${fields}\n\n${body}`;
}

const REQUEST_LINE =
  "The request line must be a method, a target without spaces, and HTTP/1.1, with a space between them and CR LF at the end.";
const LENGTH = "send one decimal number below 2^64.";

function badRequest(title: string, request: string, plain: Case["plain"], cause: string): Case {
  return { title, request, plain, status: 400, code: "E0009000", causes: [cause] };
}

const CASES: Case[] = [
  // the request line
  badRequest(
    "a request that is none",
    "junk\n\n",
    400,
    'The request line "junk" is not a method, a target and HTTP/1.1.',
  ),
  badRequest(
    "a TLS handshake on a plain port",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    400,
    "A TLS handshake came to a port that speaks plain HTTP; use http://.",
  ),
  badRequest("a space in the target", "GET /a b HTTP/1.1\nHost: a\n\n", 400, REQUEST_LINE),
  badRequest("another protocol", "GET / HTPP/1.1\nHost: a\n\n", 400, REQUEST_LINE),
  badRequest(
    "a control character in the target",
    "GET /\x01 HTTP/1.1\nHost: a\n\n",
    400,
    "The request target holds the byte 0x01; percent-encode it.",
  ),
  badRequest(
    "a target in UTF-8",
    "GET /\xc3\xa9 HTTP/1.1\nHost: a\n\n",
    400,
    "The request target holds the byte 0xc3; percent-encode it.",
  ),
  badRequest(
    "a relative target",
    "GET users HTTP/1.1\nHost: a\n\n",
    400,
    'The request target must be a path that begins with "/".',
  ),
  badRequest(
    "an asterisk with another method than OPTIONS",
    "GET * HTTP/1.1\nHost: a\n\n",
    200,
    'The request target is "*"; send a path that begins with "/".',
  ),
  badRequest(
    "an absolute target that is not the host's",
    "GET http://evil.example/x HTTP/1.1\nHost: a\n\n",
    200,
    'The request target is "http://evil.example/x" and Host is "a"; they must name the same host.',
  ),
  badRequest(
    "an absolute target with userinfo",
    "GET http://user@a/x HTTP/1.1\nHost: a\n\n",
    200,
    'The request target is "http://user@a/x"; it has no valid host.',
  ),
  badRequest(
    "an absolute target of another scheme",
    "GET ftp://a/x HTTP/1.1\nHost: a\n\n",
    200,
    'The request target is "ftp://a/x"; this server is no proxy for "ftp".',
  ),
  {
    title: "an unknown method",
    request: "FOO / HTTP/1.1\nHost: a\n\n",
    plain: 400,
    status: 501,
    code: "E0009010",
    causes: [],
  },
  {
    title: "HTTP/2.0 in the request line",
    request: "GET / HTTP/2.0\nHost: a\n\n",
    plain: 200,
    status: 505,
    code: "E0009012",
    causes: [],
  },
  { title: "HTTP/1.2", request: "GET / HTTP/1.2\nHost: a\n\n", plain: 400, status: 505, code: "E0009012", causes: [] },
  { title: "HTTP/0.9", request: "GET /\n\n", plain: 200, status: 505, code: "E0009012", causes: [] },
  {
    title: "the preface of HTTP/2",
    request: "PRI * HTTP/2.0\n\nSM\n\n",
    plain: 400,
    status: 505,
    code: "E0009012",
    causes: [],
  },
  {
    title: "CONNECT",
    request: "CONNECT a:1 HTTP/1.1\nHost: a:1\n\n",
    plain: CLOSED_SILENTLY,
    status: 501,
    code: "E0009010",
    causes: [],
  },

  // Host
  badRequest("a missing Host", "GET / HTTP/1.1\n\n", 400, "The request has no Host; send one."),
  badRequest(
    "two Host lines",
    "GET / HTTP/1.1\nHost: a\nhost: b\n\n",
    200,
    'Host comes 2 times, first as "a", then as "b"; send one.',
  ),
  badRequest(
    "the same Host twice",
    "GET / HTTP/1.0\nHost: a\nHost: a\n\n",
    200,
    'Host comes 2 times, first as "a", then as "a"; send one.',
  ),
  badRequest(
    "a Host with userinfo",
    "GET / HTTP/1.1\nHost: user@x/..\n\n",
    200,
    'Host is "user@x/.."; send a name or an address, with an optional port, such as "api.example.com:8443".',
  ),
  badRequest(
    "an empty Host",
    "GET / HTTP/1.1\nHost:\n\n",
    200,
    'Host is ""; send a name or an address, with an optional port, such as "api.example.com:8443".',
  ),

  // header lines
  badRequest(
    "a header line without colon",
    "GET / HTTP/1.1\nHost: a\nnocolon\n\n",
    400,
    'The header line "nocolon" has no colon.',
  ),
  badRequest("a header line without name", "GET / HTTP/1.1\nHost: a\n: x\n\n", 400, 'A header line begins with ":".'),
  badRequest(
    "a space in a field name",
    "GET / HTTP/1.1\nHost: a\nBad Name: x\n\n",
    400,
    'The field name that begins with "Bad" holds the byte 0x20, which no field name can hold.',
  ),
  badRequest(
    "a bracket in a field name",
    "GET / HTTP/1.1\nHost: a\nX-(Y): x\n\n",
    400,
    'The field name that begins with "X-" holds "(", which no field name can hold.',
  ),
  badRequest(
    "a control character in a field value",
    "GET / HTTP/1.1\nHost: a\nX-Note: b\x01c\n\n",
    400,
    'The field "X-Note" holds the byte 0x01, which no field value can hold.',
  ),
  badRequest(
    "NUL in a field value",
    "GET / HTTP/1.1\nHost: a\nX-Note: b\x00c\n\n",
    400,
    'The field "X-Note" holds the byte 0x00, which no field value can hold.',
  ),
  badRequest(
    "a folded line",
    "GET / HTTP/1.1\nHost: a\nX-Note: b\n c\n\n",
    400,
    "A header line begins with white space; write each field on one line.",
  ),
  badRequest(
    "white space before the first field",
    "GET / HTTP/1.1\n Host: a\n\n",
    400,
    "A header line begins with white space; write each field on one line.",
  ),
  badRequest(
    "CR in a field value",
    "GET / HTTP/1.1\nHost: a\nX-Note: b\rc\n\n",
    400,
    "A line must end with CR LF, and must not contain CR or LF elsewhere.",
  ),

  // length
  ...["abc", "+7", "-1", "0x7", "7, 7", "99999999999999999999"].map((length) =>
    badRequest(
      `Content-Length: ${length}`,
      post(`Content-Length: ${length}`),
      400,
      `Content-Length is "${length}"; ${LENGTH}`,
    ),
  ),
  badRequest("an empty Content-Length", post("Content-Length:"), 400, `Content-Length is invalid; ${LENGTH}`),
  badRequest(
    "two Content-Length lines",
    post("Content-Length: 7\nContent-Length: 7", "1234567"),
    400,
    "Content-Length comes twice; send one.",
  ),
  ...["Content-Length: 7\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\nContent-Length: 7"].map((fields) =>
    badRequest(
      fields.replace("\n", " with "),
      post(fields, "0\n\n"),
      400,
      "Content-Length and Transfer-Encoding come together; send one of them.",
    ),
  ),
  ...["gzip, chunked", "gzip", "identity"].map((coding) =>
    badRequest(
      `Transfer-Encoding: ${coding}`,
      post(`Transfer-Encoding: ${coding}`, "0\n\n"),
      200,
      `Transfer-Encoding is "${coding}"; only "chunked" is supported.`,
    ),
  ),
  badRequest(
    "chunked before another coding",
    post("Transfer-Encoding: chunked, gzip", "0\n\n"),
    400,
    'Transfer-Encoding is not "chunked", the only one accepted.',
  ),
  badRequest(
    "Transfer-Encoding in HTTP/1.0",
    "POST / HTTP/1.0\nTransfer-Encoding: chunked\n\n0\n\n",
    200,
    "HTTP/1.0 has no Transfer-Encoding; send a Content-Length.",
  ),
  badRequest(
    "an end in the midst of the header",
    "GET / HTTP/1.1\nHost: a\n",
    400,
    "The connection ended before the request was complete.",
  ),

  // size, expectation, upgrade
  {
    title: "a header that is too large",
    request: `GET / HTTP/1.1\nHost: a\nX-Note: ${"x".repeat(17_000)}\n\n`,
    plain: 431,
    status: 431,
    code: "E0009009",
    causes: ["The request line and the header have more than 16384 bytes."],
  },
  {
    title: "a target that is too large",
    request: `GET /${"x".repeat(17_000)} HTTP/1.1\nHost: a\n\n`,
    plain: 431,
    status: 431,
    code: "E0009009",
    causes: ["The request line and the header have more than 16384 bytes."],
  },
  {
    title: "too many header lines",
    request: `GET / HTTP/1.1\nHost: a\n${"a:\n".repeat(100)}\n`,
    plain: 200,
    status: 431,
    code: "E0009009",
    causes: ["The header has more than 100 lines."],
  },
  {
    title: "another expectation",
    request: "GET / HTTP/1.1\nHost: a\nExpect: tea\n\n",
    plain: 417,
    status: 417,
    code: "E0009005",
    causes: ['Expect is "tea"; only 100-continue is supported.'],
  },
  {
    title: "another expectation beside 100-continue",
    request: "POST / HTTP/1.1\nHost: a\nContent-Length: 0\nExpect: 100-continue, tea\n\n",
    plain: 100,
    status: 417,
    code: "E0009005",
    causes: ['Expect is "100-continue, tea"; only 100-continue is supported.'],
  },
  {
    title: "an upgrade that nobody listens for",
    request: "GET / HTTP/1.1\nHost: a\nConnection: keep-alive, Upgrade\nUpgrade: websocket\n\n",
    plain: 200,
    status: 426,
    code: "E0009007",
    causes: ['Upgrade is "websocket"; this server supports only HTTP/1.1.'],
  },
];

/** Node 20 alone lets it through. */
const EMPTY_CODING = post("Transfer-Encoding:", "0\n\n");

/** The body goes wrong after the application has the request, which waits for the rest. */
const BODY_CASES = [
  [
    "a chunk without size",
    post("Transfer-Encoding: chunked", "zz\nabc\n0\n\n"),
    "A chunk of the body must begin with its size, a hexadecimal number of bytes.",
  ],
  [
    "a chunk size beyond bounds",
    post("Transfer-Encoding: chunked", "fffffffffffffffff\nabc"),
    "A chunk of the body must begin with its size, a hexadecimal number of bytes.",
  ],
  [
    "a chunk longer than its size",
    post("Transfer-Encoding: chunked", "3\nabcd\n0\n\n"),
    "The request can't be parsed: Expected LF after chunk data.",
  ],
  [
    "a trailer with a space in its name",
    post("Transfer-Encoding: chunked", "0\nX Y: a\n\n"),
    'The field name that begins with "X" holds the byte 0x20, which no field name can hold.',
  ],
] as const;

const wire = (request: string): string => request.replaceAll("\n", "\r\n");

describe.each(EXPRESS_VERSIONS)("protocol errors on %s", (_version, express) => {
  describe.each(["http", "https"] as const)("over %s", (scheme) => {
    const tls = scheme === "https";
    const app: Express = express();
    const seen: string[] = [];
    app.use((req, res) => {
      seen.push(`${req.method} ${req.url}`);
      res.setHeader("X-Svc-Request-Id", "id-of-the-middleware");
      res.setHeader("X-Other", "not for a refusal");
      if (req.headers.origin !== undefined)
        cors({ origin: req.headers.origin, exposedHeaders: "ETag" })(req, res, () => 0);
      if (req.get("Transfer-Encoding") === "chunked") req.resume().on("end", () => res.end());
      else res.end();
    });

    let server: Server;
    let plain: Server;
    let port: number;
    let plainPort: number;

    beforeAll(async () => {
      const certificate = await createTestCertificate();
      server = tls ? createServer(app, { tls: certificate }) : createServer(app);
      plain = tls ? createHttpsServer(certificate, app) : createHttpServer(app);
      port = await listen(server);
      plainPort = await listen(plain);
    });
    beforeEach(() => (seen.length = 0));
    afterAll(() => {
      server.close();
      plain.close();
    });

    function expectErrorObject(text: string, status: number, code: string, causes: readonly string[]): void {
      const answer = parseAnswer(text);
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject({
        date: expect.stringMatching(/ GMT$/) as string,
        connection: expect.stringMatching(/^close\b/) as string,
        "content-type": "application/json; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "content-length": String(answer.body.length),
      });
      const errorObject = JSON.parse(answer.body) as Record<string, unknown>;
      expect(errorObject).toEqual({
        errorCode: code,
        errorSummary: expect.any(String) as string,
        errorLink: code,
        errorId: answer.headers["x-svc-request-id"],
        errorCauses: causes.map((errorSummary) => ({ errorSummary })),
      });
      expect(errorObject["errorId"]).toMatch(/^[A-Za-z0-9_-]{22}$|^id-of-the-middleware$/);
    }

    it.each(CASES)("E5 D1 answers $title with $status $code and an id, and closes", async (row) => {
      const halfClose = row.title.startsWith("an end");
      const text = await exchange(port, wire(row.request), { tls, halfClose });
      expectErrorObject(text, row.status, row.code, row.causes);
      expect(seen).toEqual([]);

      const plainText = await exchange(plainPort, wire(row.request), { tls, halfClose: true });
      expect(plainText).not.toContain("errorCode");
      expect(plainText.slice(0, 12)).toBe(row.plain === CLOSED_SILENTLY ? "" : `HTTP/1.1 ${row.plain}`);
    });

    it("E5 V3 answers an empty Transfer-Encoding with 400", async () => {
      const answer = parseAnswer(await exchange(port, wire(EMPTY_CODING), { tls }));
      expect(answer.status).toBe(400);
      expect(answer.body).toContain("E0009000");
      expect(seen).toEqual([]);
      expect(await exchange(plainPort, wire(EMPTY_CODING), { tls, halfClose: true })).not.toContain("errorCode");
    });

    it.each(BODY_CASES)(
      "E5 D1 answers %s in the body with 400 under the request's own id",
      async (_title, request, cause) => {
        const text = await exchange(port, wire(request), { tls });
        expectErrorObject(text, 400, "E0009000", [cause]);
        expect(parseAnswer(text).headers["x-svc-request-id"]).toBe("id-of-the-middleware");
        expect(seen).toEqual(["POST /"]);

        const plainText = await exchange(plainPort, wire(request), { tls, halfClose: true });
        expect(plainText).toBe("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n");
      },
    );

    it("O3 keeps the CORS fields and Vary of the response that is not sent, and no others", async () => {
      const [, request] = BODY_CASES[0];
      const sent = wire(request).replace("Host: a", "Host: a\r\nOrigin: https://app.example.com");
      const { status, headers } = parseAnswer(await exchange(port, sent, { tls }));
      expect([status, headers]).toMatchObject([
        400,
        {
          vary: "Origin",
          "access-control-allow-origin": "https://app.example.com",
          "access-control-expose-headers": "ETag",
        },
      ]);
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
      expect(headers).not.toHaveProperty("x-other");
      expect(parseAnswer(await exchange(port, wire(request), { tls })).headers).not.toHaveProperty("vary");
    });

    it("E5 D1 answers 413 when chunk extensions are too long", async () => {
      const request = post("Transfer-Encoding: chunked", `3;${"x".repeat(20_000)}\nabc\n0\n\n`);
      expectErrorObject(await exchange(port, wire(request), { tls }), 413, "E0009003", [
        "The chunk extensions are too long.",
      ]);
    });

    it("E5 D1 answers a request that ends in the midst of its body with 400", async () => {
      const request = "POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n5\nab";
      const text = await exchange(port, wire(request), { tls, halfClose: true });
      expectErrorObject(text, 400, "E0009000", ["The connection ended before the request was complete."]);
    });

    it("D1 gives every answer another id", async () => {
      const ids = new Set<string | undefined>();
      for (let count = 0; count < 3; count++) {
        ids.add(parseAnswer(await exchange(port, "junk\r\n\r\n", { tls })).headers["x-svc-request-id"]);
      }
      expect(ids.size).toBe(3);
    });

    it("E5 answers HEAD without a body, with the length that it would have", async () => {
      const answer = parseAnswer(await exchange(port, "HEAD / HTTP/1.1\r\n\r\n", { tls }));
      expect(answer.status).toBe(400);
      expect(Number(answer.headers["content-length"])).toBeGreaterThan(100);
      expect(answer.body).toBe("");
    });

    it("E5 lets a 426 name a protocol that would do (RFC 9110 section 15.5.22)", async () => {
      const request = "GET / HTTP/1.1\nHost: a\nConnection: upgrade\nUpgrade: websocket\n\n";
      const { headers } = parseAnswer(await exchange(port, wire(request), { tls }));
      expect(headers).toMatchObject({ connection: "close, upgrade", upgrade: "HTTP/1.1" });
    });

    it.each([
      ["HTTP/1.0 without Host", "GET /x HTTP/1.0\n\n", "GET /x"],
      ["a Host with a port", "GET /x HTTP/1.1\nHost: api.example.com:8443\nConnection: close\n\n", "GET /x"],
      ["a Host that is an IPv6 address", "GET /x HTTP/1.1\nHost: [::1]:80\nConnection: close\n\n", "GET /x"],
      [
        "an absolute target of the same host",
        "GET http://A.example/x HTTP/1.1\nHost: a.example\nConnection: close\n\n",
        "GET http://A.example/x",
      ],
      ["OPTIONS *", "OPTIONS * HTTP/1.1\nHost: a\nConnection: close\n\n", "OPTIONS *"],
      ["a path that begins with two slashes", "GET //evil/x HTTP/1.1\nHost: a\nConnection: close\n\n", "GET //evil/x"],
      ["empty lines before the request", "\n\nGET /x HTTP/1.1\nHost: a\nConnection: close\n\n", "GET /x"],
      [
        "Content-Length: 007",
        "POST /x HTTP/1.1\nHost: a\nContent-Length: 007\nConnection: close\n\n1234567",
        "POST /x",
      ],
      [
        "Transfer-Encoding: Chunked",
        "POST /x HTTP/1.1\nHost: a\nTransfer-Encoding: Chunked\nConnection: close\n\n0\n\n",
        "POST /x",
      ],
      ["100 header lines", `GET /x HTTP/1.1\nHost: a\nConnection: close\n${"a:\n".repeat(98)}\n`, "GET /x"],
      [
        "an upgrade to h2c, as of curl --http2",
        "GET /x HTTP/1.1\nHost: a\nConnection: Upgrade, HTTP2-Settings, close\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\n\n",
        "GET /x",
      ],
      [
        "an Upgrade that Connection does not name",
        "GET /x HTTP/1.1\nHost: a\nConnection: close\nUpgrade: websocket\n\n",
        "GET /x",
      ],
      ["an Upgrade in HTTP/1.0", "GET /x HTTP/1.0\nConnection: upgrade\nUpgrade: websocket\n\n", "GET /x"],
    ])("lets %s through", async (_title, request, expected) => {
      expect(parseAnswer(await exchange(port, wire(request), { tls })).status).toBe(200);
      expect(seen).toEqual([expected]);
    });
  });

  it("S1 E5 answers plain HTTP on the HTTPS port with 403 E0000006 in plain text", async () => {
    const certificate = await createTestCertificate();
    const app = express();
    const server = createServer(app, { tls: certificate });
    const plain = createHttpsServer(certificate, app);
    const port = await listen(server);
    const plainPort = await listen(plain);
    const request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    const answer = parseAnswer(await exchange(port, request));
    expect(answer.status).toBe(403);
    expect(answer.headers).toMatchObject({ connection: "close", "content-type": "application/json; charset=utf-8" });
    expect(JSON.parse(answer.body)).toMatchObject({
      errorCode: "E0000006",
      errorId: answer.headers["x-svc-request-id"],
      errorCauses: [{ errorSummary: "This port speaks HTTPS and the request came in plain HTTP; use https://." }],
    });
    expect(await exchange(plainPort, request)).not.toContain("errorCode");

    // what is neither gets what TLS has to say, at most an alert
    expect(await exchange(port, "\x16\x03\x01\x00\x05junk!")).not.toContain("HTTP");
    const socket = await open(port);
    const closed = readUntilClose(socket);
    socket.end();
    expect(await closed).toBe("");
    server.close();
    plain.close();
  });

  it("closes a connection on which no TLS handshake comes", async () => {
    const server = createServer(express(), { tls: await createTestCertificate(), headersTimeout: 100 });
    expect(await exchange(await listen(server), "")).toBe("");
    server.close();
  });
});
