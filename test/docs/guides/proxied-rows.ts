import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { parseAnswer } from "../../support/raw-socket.js";
import { type AppOptions, ask, askHttp2, describeResponse, HOST, open, openWebSocket, sendRaw } from "./proxied.js";

/** For each line of the table of docs/guides/behind-a-proxy.md: what happens with one proxy, in the words of its cell. */

interface Start {
  /** Starts the app and the proxy before it, and returns the proxy's port. */
  start: (options?: AppOptions) => Promise<number>;
  /** Starts the proxy before an app that is not there. */
  startAlone: () => Promise<number>;
}

const GZIP = { "Accept-Encoding": "gzip" };

const JSON_HEAD = `POST /seen HTTP/1.1\r\nHost: ${HOST}\r\nContent-Type: application/json\r\nConnection: close\r\n`;

function refusal(answer: string): string {
  const { status, headers, body } = parseAnswer(answer);
  return describeResponse({ status, headers, text: body });
}

async function gzipTag(port: number, path: string) {
  const { headers } = await ask(port, path, { headers: GZIP });
  expect(headers["content-encoding"]).toBe("gzip");
  const tag = headers.etag ?? "";
  const put = await ask(port, path, { method: "PUT", body: "{}", headers: { "If-Match": tag } });
  expect((await ask(port, path, { headers: { "If-None-Match": tag, ...GZIP } })).status).toBe(304);
  return { tag, original: (await ask(port, path)).headers.etag, put: put.status };
}

export const ROWS: Readonly<Record<string, (start: Start) => Promise<string>>> = {
  "HTTP/2 from the client": async ({ start }) => `HTTP/${(await askHttp2(await start(), "/seen")).version} to the app`,

  "`Host: api.example.com:8443`": async ({ start }) => {
    const { seen } = await ask(await start(), "/seen", { headers: { Host: `${HOST}:8443` } });
    return seen.fields["host"] === `${HOST}:8443` ? "as sent" : "changed";
  },

  "a forged `X-Forwarded-For`, `-Host`, `-Proto`": async ({ start }) => {
    const headers = { "X-Forwarded-For": "192.0.2.6", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http" };
    const { seen } = await ask(await start(), "/seen", { headers });
    expect(seen).toMatchObject({ address: "127.0.0.9", ip: "127.0.0.9", secure: true, hostname: HOST });
    return "replaced";
  },

  "a chunked body": async ({ start }) => {
    const sent = { method: "POST", headers: { "Transfer-Encoding": "chunked" }, body: "[]" };
    const { fields } = (await ask(await start(), "/seen", sent)).seen;
    return "content-length" in fields ? "`Content-Length`" : String(fields["transfer-encoding"]);
  },

  "a POST without a length": async ({ start }) => {
    const answer = await sendRaw(await start(), `POST /seen HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
    const { status, body } = parseAnswer(answer);
    if (status !== 200) return refusal(answer);
    expect(JSON.parse(body)).toHaveProperty("fields.content-length", "0");
    return "200, `Content-Length: 0`";
  },

  "`Expect: 100-continue`": async ({ start }) => {
    const sent = { method: "POST", headers: { Expect: "100-continue" }, body: "[]", patient: true };
    const { fields } = (await ask(await start(), "/seen", sent)).seen;
    return "expect" in fields ? "passed on" : "the proxy answers";
  },

  "another `Expect`": async ({ start }) => {
    const res = await ask(await start(), "/seen", { method: "POST", headers: { Expect: "tea" }, body: "[]" });
    if (res.status !== 200) return describeResponse(res);
    expect(res.seen.fields).not.toHaveProperty("expect");
    return "200, removed";
  },

  "a field that `Connection` names": async ({ start }) => {
    const headers = { Connection: "close, x-own", "X-Own": "1" };
    const { fields } = (await ask(await start(), "/seen", { headers })).seen;
    return "x-own" in fields ? "passed on" : "removed";
  },

  "a header of 12 KB": async ({ start }) =>
    String((await ask(await start(), "/seen", { headers: { "X-Large": "x".repeat(12_000) } })).status),

  "a header of 20 KB": async ({ start }) =>
    describeResponse(await ask(await start(), "/seen", { headers: { "X-Large": "x".repeat(20_000) } })),

  "110 header fields": async ({ start }) => {
    const headers = Object.fromEntries(Array.from({ length: 110 }, (_, index) => [`X-${index}`, "1"]));
    return describeResponse(await ask(await start(), "/seen", { headers }));
  },

  "a body over `limit` of `jsonBody`": async ({ start }) =>
    describeResponse(await ask(await start(), "/seen", { method: "POST", body: `"${"x".repeat(200_000)}"` })),

  "a body slower than `requestTimeout`": async ({ start }) => {
    const port = await start({ requestTimeout: 500 });
    const answer = await sendRaw(port, `${JSON_HEAD}Content-Length: 7\r\n\r\n{"a"`, () => setTimeout(2_000), ":1}");
    return parseAnswer(answer).status === 200 ? "200" : refusal(answer);
  },

  "a WebSocket": async ({ start }) => {
    const socket = openWebSocket(await start({ echoes: true }), "/echo");
    const message = async () => String((await once(socket, "message"))[0]);
    const seen = JSON.parse(await message()) as Record<string, string>;
    expect(seen).toMatchObject({ host: HOST, "x-forwarded-for": "127.0.0.9", "x-forwarded-proto": "https" });
    socket.send("hello");
    expect(await message()).toBe("hello");
    socket.close(4001);
    expect(await once(socket, "close")).toEqual([4001, Buffer.alloc(0)]);
    return "passed on";
  },

  "a WebSocket to an app without them": async ({ start }) => {
    const socket = openWebSocket(await start(), "/echo");
    const [, res] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
    const text = Buffer.concat((await res.toArray()) as Buffer[]).toString();
    return describeResponse({ status: res.statusCode ?? 0, headers: res.headers, text });
  },

  "a response header of 12 KB": async ({ start }) => {
    const { status, headers } = await ask(await start(), "/large-header");
    expect(headers["x-large"]).toHaveLength(12_000);
    return String(status);
  },

  "the first part of a stream": async ({ start }) => {
    const sent = open(await start(), "/events", { method: "GET", headers: { Accept: "text/event-stream" } });
    sent.end();
    const [res] = (await once(sent, "response")) as [IncomingMessage];
    const [first] = (await once(res, "data")) as [Buffer];
    expect(String(first)).toBe("data: hello\n\n"); // while the stream is open
    sent.on("error", () => undefined).destroy();
    return "at once";
  },

  "a 304": async ({ start }) => {
    const port = await start();
    const { headers } = await ask(port, "/weak");
    const res = await ask(port, "/weak", { headers: { "If-None-Match": headers.etag ?? "" } });
    expect([res.status, res.text, res.headers.etag]).toEqual([304, "", headers.etag]);
    return "passed on";
  },

  "gzip, on a weak tag": async ({ start }) => {
    const { tag, original, put } = await gzipTag(await start(), "/weak");
    expect([tag, put]).toEqual([original, 200]);
    return "stays";
  },

  "gzip, on a strong tag": async ({ start }) => {
    const { tag, put } = await gzipTag(await start(), "/strong");
    expect(put).toBe(tag.startsWith("W/") ? 412 : 200);
    return tag.startsWith("W/") ? "weakened" : "stays, which is wrong";
  },

  "gzip, `Vary: Accept-Encoding`": async ({ start }) => {
    const port = await start();
    const varies = async (headers: Record<string, string>) =>
      (await ask(port, "/weak", { headers })).headers.vary?.includes("Accept-Encoding");
    expect(await varies(GZIP)).toBe(true);
    return (await varies({})) ? "always" : "if compressed";
  },

  "HEAD with gzip": async ({ start }) => {
    const port = await start();
    const length = async (method: string, headers: Record<string, string>) =>
      (await ask(port, "/weak", { method, headers })).headers["content-length"];
    const head = await length("HEAD", GZIP);
    if (head === undefined) return "no length";
    return head === (await length("GET", {})) ? "the length without gzip" : "a wrong length";
  },

  "no app runs": async ({ startAlone }) => {
    const port = await startAlone();
    let res = await ask(port, "/seen");
    // a proxy that asks for /readyz needs a while to know
    for (let waited = 0; res.status !== 503 && waited < 20; waited++) {
      await setTimeout(200);
      res = await ask(port, "/seen");
    }
    return describeResponse(res);
  },
};
