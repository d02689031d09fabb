import { createServer, type IncomingMessage, OutgoingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { constantHeader, headerWriter, readHeader } from "../../../lib/express/index.js";

const setCache = constantHeader("Cache-Control", "no-cache");

/** The header lines that a response has on the wire. */
async function linesOf(respond: (res: ServerResponse) => void): Promise<string[]> {
  const server = createServer((_req, res) => {
    res.sendDate = false;
    respond(res);
    res.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const sent = request({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.resume();
  await once(response, "end");
  server.close();
  const { rawHeaders } = response;
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : []));
}

describe("constantHeader", () => {
  it("sets a header as setHeader does", async () => {
    const lines = await linesOf((res) => {
      setCache(res);
    });
    expect(lines).toContain("Cache-Control: no-cache");
  });

  it("replaces an earlier one of any case, and is replaced and removed", async () => {
    const lines = await linesOf((res) => {
      res.setHeader("cache-control", "public");
      setCache(res);
      expect(res.getHeaderNames()).toEqual(["cache-control"]);
      constantHeader("X-A", "1")(res);
      res.removeHeader("x-a");
      constantHeader("X-B", "1")(res);
      res.setHeader("x-b", "2");
    });
    expect(lines.filter((line) => /^(?:cache|x-)/i.test(line))).toEqual(["Cache-Control: no-cache", "x-b: 2"]);
  });

  it("leaves the next response alone when a line is appended to it", async () => {
    const withTwo = await linesOf((res) => {
      setCache(res);
      res.appendHeader("Cache-Control", "private");
    });
    const withOne = await linesOf((res) => {
      setCache(res);
    });
    expect([withTwo, withOne].map((lines) => lines.filter((line) => line.startsWith("Cache")).length)).toEqual([2, 1]);
  });

  it("calls a setHeader that somebody put on the response or on the prototype of all", async () => {
    const seen: unknown[] = [];
    const watch = (object: OutgoingMessage): void => {
      const original = Reflect.get(object, "setHeader") as (...args: unknown[]) => unknown;
      Reflect.set(object, "setHeader", function (this: OutgoingMessage, ...args: unknown[]) {
        seen.push(...args);
        return Reflect.apply(original, this, args);
      });
    };
    await linesOf((res) => {
      watch(res);
      setCache(res);
    });
    expect(seen).toEqual(["Cache-Control", "no-cache"]);

    const { prototype } = OutgoingMessage;
    const original = Object.getOwnPropertyDescriptor(prototype, "setHeader")!;
    watch(prototype as OutgoingMessage);
    try {
      await linesOf((res) => {
        setCache(res);
      });
    } finally {
      Object.defineProperty(prototype, "setHeader", original);
    }
    expect(seen.slice(2)).toContain("Cache-Control");
  });

  it("throws like setHeader after the header was sent", async () => {
    let thrown: unknown;
    await linesOf((res) => {
      res.flushHeaders();
      try {
        setCache(res);
      } catch (error) {
        thrown = error;
      }
    });
    expect(thrown).toMatchObject({ code: "ERR_HTTP_HEADERS_SENT" });
  });

  it.each([
    ["A B", "1"],
    ["", "1"],
    ["A", "1\n2"],
    ["A", "\u0100"],
  ])("is a TypeError for the name %j with the value %j", (name, value) => {
    expect(() => constantHeader(name, value)).toThrow(expect.objectContaining({ name: "TypeError" })); // one of Node's own
  });
});

describe("headerWriter", () => {
  it("sets another value for each response", async () => {
    const write = headerWriter("X-Id");
    for (const id of ["a", "b"]) {
      const lines = await linesOf((res) => {
        write(res, id);
      });
      expect(lines).toContain(`X-Id: ${id}`);
    }
  });
});

describe("readHeader", () => {
  it("returns what getHeader does, before and after the header was sent", async () => {
    await linesOf((res) => {
      expect(readHeader(res, "x-a")).toBeUndefined();
      res.setHeader("X-A", "1");
      res.setHeader("X-B", ["1", "2"]);
      setCache(res);
      const read = () => ["x-a", "x-b", "cache-control", "x-c"].map((name) => readHeader(res, name));
      expect(read()).toEqual(["1", ["1", "2"], "no-cache", undefined]);
      res.flushHeaders();
      expect(read()).toEqual(["1", ["1", "2"], "no-cache", undefined]);
    });
  });

  it("calls a getHeader that somebody put on the response", async () => {
    await linesOf((res) => {
      res.getHeader = () => "own";
      expect(readHeader(res, "x-a")).toBe("own");
    });
  });
});
