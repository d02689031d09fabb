import { execFile } from "node:child_process";
import { OutgoingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import type { Express, Response } from "express";
import { createFastResponse } from "../../../lib/express/fast-responses.js";
import { createHeaderStore } from "../../../lib/express/header-store.js";
import { createServer } from "../../../lib/server/index.js";
import { sharedShapes } from "../../../middleware/shared-shapes.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";
import { listen } from "../../support/raw-socket.js";

const FASTER = ["header", "send", "set", "setHeader"];

const prototypeOf = (object: object): object => Object.getPrototypeOf(object) as object;

/** `prototype` with other functions, as if it were Express's own. */
function copyOf(prototype: Response, changes: object): Response {
  return Object.assign(Object.create(ServerResponse.prototype), prototype, changes) as Response;
}

async function get(app: Express): Promise<{ text: string; headers: Headers }> {
  const server = createServer(app);
  try {
    const response = await fetch(`http://127.0.0.1:${await listen(server)}/`);
    return { text: await response.text(), headers: response.headers };
  } finally {
    server.close();
  }
}

describe.each(EXPRESS_VERSIONS)("createServer({ accelerate }) on %s", (_version, express) => {
  it("puts faster functions between app.response and Express, in this version of Node and of Express", () => {
    const app = express();
    const names = Object.keys(app.response);
    createServer(app);
    const fast = prototypeOf(app.response);
    expect(Object.keys(fast).sort()).toEqual(FASTER);
    expect(prototypeOf(fast)).toBe(express.response);
    expect(Object.keys(app.response)).toEqual(names);
  });

  it("does so once for an app, and with the same functions for all apps", () => {
    const [app, other] = [express(), express()];
    createServer(app);
    createServer(app);
    createServer(other);
    expect(prototypeOf(prototypeOf(app.response))).toBe(express.response);
    expect(prototypeOf(other.response)).toBe(prototypeOf(app.response));
  });

  it("changes nothing when false", () => {
    const app = express();
    createServer(app, { accelerate: false });
    expect(prototypeOf(app.response)).toBe(express.response);
  });

  it("changes nothing where Express's functions are not the original ones", () => {
    const own = (): undefined => undefined;
    expect(createFastResponse(copyOf(express.response, {}))).toBeDefined();
    for (const name of ["set", "header", "send", "end"]) {
      expect([name, createFastResponse(copyOf(express.response, { [name]: own }))]).toEqual([name, undefined]);
    }
    expect(createFastResponse(Object.create(express.response) as Response)).toBeUndefined();
  });

  it("leaves the header store to Node where setHeader is not the original one", () => {
    const setHeader = (): undefined => undefined;
    expect(createHeaderStore(express.response)).toBeDefined();
    expect(createHeaderStore(copyOf(express.response, { setHeader }))).toBeUndefined();
    expect(Object.keys(createFastResponse(copyOf(express.response, { setHeader })) ?? {})).not.toContain("setHeader");
  });

  describe("calls what is replaced later", () => {
    const restore: (() => void)[] = [];
    afterEach(() => {
      for (const undo of restore.splice(0)) undo();
    });

    /** Make the function count its calls. */
    function count(target: object, name: string): () => number {
      const functions = target as Record<string, (...values: unknown[]) => unknown>;
      const descriptor = Object.getOwnPropertyDescriptor(target, name);
      const original = functions[name]!;
      let calls = 0;
      functions[name] = function (...values) {
        calls += 1;
        return original.apply(this, values);
      };
      restore.push(() => {
        if (descriptor) Object.defineProperty(target, name, descriptor);
        else Reflect.deleteProperty(target, name);
      });
      return () => calls;
    }

    it.each([
      ["send of Express", "send", (): object => express.response],
      ["set of Express", "set", (): object => express.response],
      ["header of Express", "header", (): object => express.response],
      ["json of Express", "json", (): object => express.response],
      ["setHeader of Node", "setHeader", (): object => OutgoingMessage.prototype],
      ["setHeader of a response", "setHeader", (): object => ServerResponse.prototype],
      ["end of Node", "end", (): object => OutgoingMessage.prototype],
    ])("%s", async (_title, name, find) => {
      const app = express();
      createServer(app);
      app.get("/", (_req, res) => res.header("X-A", "1").json({ hello: "world" }));
      const calls = count(find(), name);
      const { text, headers } = await get(app);
      expect(text).toBe('{"hello":"world"}');
      expect(headers.get("etag")).toBe('W/"11-IkjuL6CqqtmReFMfkkvwC0sKj04"');
      expect(calls()).toBeGreaterThan(0);
    });

    it("set of the application, for the fields of the body too", async () => {
      const app = express();
      app.get("/", (_req, res) => res.json({ hello: "world" }));
      createServer(app);
      const { set } = app.response as { set: (this: Response, ...values: unknown[]) => Response };
      const names: unknown[] = [];
      app.response.set = function (this: Response, ...values: unknown[]) {
        names.push(values[0]);
        return set.apply(this, values);
      };
      await get(app);
      expect(names).toEqual(["Content-Type", "Content-Type", "Content-Length", "ETag"]);
    });
  });

  it.each(["before", "after"])("reads by get of the application, replaced %s createServer", async (when) => {
    const app = express();
    app.get("/", (_req, res) => res.json({ hello: "world" }));
    const names: unknown[] = [];
    if (when === "after") createServer(app);
    const { get: original } = app.response as { get: (this: Response, name: string) => unknown };
    Object.assign(app.response, {
      get(this: Response, name: string) {
        names.push(name);
        return original.call(this, name);
      },
    });
    if (when === "before") createServer(app);
    expect((await get(app)).text).toBe('{"hello":"world"}');
    expect(names.map(String).map((name) => name.toLowerCase())).toEqual(
      expect.arrayContaining(["content-type", "transfer-encoding", "etag"]),
    );
  });

  it("refuses a content type that is not valid in a field", async () => {
    const app = express();
    app.get("/", (_req, res) => {
      expect(() => res.set("Content-Type", "text/html\nX-A: 1")).toThrow(
        expect.objectContaining({ code: "ERR_INVALID_CHAR" }),
      );
      res.send("text");
    });
    expect((await get(app)).text).toBe("text");
  });
});

describe("OpenTelemetry", () => {
  interface Report {
    readonly isFast: boolean;
    readonly spans: readonly { readonly kind: number; readonly attributes: Readonly<Record<string, unknown>> }[];
  }

  /** `SpanKind.SERVER` */
  const SERVER = 1;

  it("sees the same spans as on a server of node:http, with the request id as an attribute", async () => {
    const trace = async (server: string): Promise<Report> => {
      const script = path.join(__dirname, "../../support/traced-server.js");
      const { stdout } = await promisify(execFile)(process.execPath, [script, server]);
      return JSON.parse(stdout) as Report;
    };
    const sorted = ({ spans }: Report): string[] => spans.map((span) => JSON.stringify(span)).sort();
    const plain = await trace("plain");
    const fast = await trace("fast");
    expect([plain.isFast, fast.isFast]).toEqual([false, true]);
    expect(sorted(fast)).toEqual(sorted(plain));
    expect(plain.spans.length).toBeGreaterThan(30);
    const servers = fast.spans.filter(({ kind }) => kind === SERVER);
    const ids = servers.map(({ attributes }) => attributes["http.response.header.x-svc-request-id"]);
    expect(ids).toEqual(servers.map((_, i) => [i])); // each has the id of its own response
  }, 30_000);
});

describe.each(EXPRESS_VERSIONS)("sharedShapes({ accelerate }) under app.listen on %s", (_version, express) => {
  it.each([true, false])("has the same functions for the app when true: %s", async (accelerate) => {
    const app = express();
    app.use(sharedShapes({ accelerate }));
    app.get("/", (_req, res) => res.set("X-A", "1").json({ hello: "world" }));
    const server = app.listen(0, "127.0.0.1");
    try {
      const port = await listen(server);
      for (let i = 0; i < 2; i++) {
        const response = await fetch(`http://127.0.0.1:${port}/`);
        expect(await response.text()).toBe('{"hello":"world"}');
        expect(response.headers.get("etag")).toBe('W/"11-IkjuL6CqqtmReFMfkkvwC0sKj04"');
        expect(response.headers.get("x-a")).toBe("1");
      }
    } finally {
      server.close();
    }
    const above = prototypeOf(app.response);
    expect(above === express.response).toBe(!accelerate);
    if (accelerate) expect([prototypeOf(above), Object.keys(above).sort()]).toEqual([express.response, FASTER]);
  });
});
