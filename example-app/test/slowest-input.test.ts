/** @jest-environment node */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import { Session, type Profiler } from "node:inspector";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import type * as Api from "./support/api.js";
import type * as Descriptions from "./support/descriptions.js";
import type * as Server from "./support/server.js";
import type * as Stores from "./support/stores.js";

/*
 * The short form of `npm run torture -- slowest`: it counts the steps that the server takes for each input of the API's
 * description at a quarter of its limit and at the whole. What somebody sends must not cost more than its size. It counts
 * what runs as JavaScript; what the engine does inside of one call, such as a copy of an object, only the long form sees.
 */

const ROOT = join(__dirname, "../..");

/** It counts loops only in what is compiled later, and V8 keeps what it compiled before. */
setFlagsFromString("--no-compilation-cache");
const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

const { insertApiToken } = jest.requireActual<typeof Api>("./support/api.js");
const { createDescriptions } = jest.requireActual<typeof Descriptions>("./support/descriptions.js");
const { call, startTestServer } = jest.requireActual<typeof Server>("./support/server.js");
const { makeFolder } = jest.requireActual<typeof Stores>("./support/stores.js");

/** What is not the server, but runs in this process. */
const OTHERS = /[\\/](?:test|torture)[\\/]/;

/** How many times the steps at a quarter those at the whole may be: four, and some. */
const MAX_GROWTH = 6;

/** Fewer steps than these are no cost, nor are so many for each byte of a body: the members of a long one are counted byte by byte. */
const FLOOR = 50_000;
const PER_BYTE = 6;

const QUARTER = 1 / 4;

interface Input {
  readonly kind: string;
  readonly name?: string;
  /** The member of the body that has it. */
  readonly member?: string;
}
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly bytes: number;
}
interface Place {
  readonly ids: Readonly<Record<string, string>>;
  readonly names: object;
}
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const {
  createRequest,
  listInputs,
  listOperations,
  OTHERS: UNDESCRIBED,
} = jest.requireActual<{
  createRequest: (operation: Operation, options: { input?: Input; fill?: number; salt?: number; place: Place }) => Sent;
  listInputs: (operation: Operation) => Input[];
  listOperations: (descriptions: unknown[]) => Operation[];
  OTHERS: readonly { mount: string }[];
}>("../../tools/torture/slowest/operations.js");

/** In bytes: the longest body here. How the steps grow shows in a part of what the server takes. */
const BYTES = 16_384;

const OPERATIONS = listOperations(Object.values(createDescriptions())).map((operation) => ({
  ...operation,
  bytes: Math.min(operation.bytes, BYTES),
}));

/** The operations whose bodies have also every form that is no shape: a body of 4 MiB, and one of 1 MiB. */
const FORMED = new Set(["importOrg", "createUser"]);

const DOCUMENT = {
  orgs: [
    {
      subdomain: "contoso",
      name: "Contoso",
      idps: [
        {
          name: "Login",
          type: "OIDC",
          protocol: {
            type: "OIDC",
            endpoints: { sso: { url: "https://idp.example/authorize", binding: "HTTP-REDIRECT" } },
          },
        },
      ],
      zones: [{ name: "Zone" }],
      trustedOrigins: [{ name: "Page", origin: "https://page.example", scopes: [{ type: "CORS" }] }],
      users: ["user0", "user1"].map((name) => ({
        profile: {
          login: `${name}@hostile.example`,
          email: `${name}@hostile.example`,
          firstName: "Ann",
          lastName: "Ames",
        },
      })),
      routingTests: [{ name: "Test", login: "ann", expected: { provider: { idp: "Login" } } }],
      rules: [{ name: "First", actions: { idp: { providers: [{ idp: "Login" }] } } }],
    },
  ],
};

/** The lists of an org, by the word in the path of a record. */
const LISTS = {
  apiTokens: "/api/v1/apiTokens",
  idps: "/api/v1/idps",
  policies: "/api/v1/policies?type=IDP_DISCOVERY",
  trustedOrigins: "/api/v1/trustedOrigins",
  users: "/api/v1/users?sortBy=profile.login&sortOrder=desc",
  zones: "/api/v1/zones",
};

describe("S9 what somebody sends", () => {
  const folder = makeFolder();
  let server: Server.TestServer;
  let place: Place;
  let token: string;
  let salt = 0;

  beforeAll(async () => {
    const settings = { http: true, trustedProxies: ["loopback"] };
    server = await startTestServer({ options: { dataFolder: folder } }, settings, DOCUMENT);
    token = await insertApiToken({ dataFolder: folder }, "contoso");
    const ids: Record<string, string> = {};
    for (const [kind, path] of Object.entries(LISTS)) ids[kind] = await findId(path);
    ids["rules"] = await findId(`/api/v1/policies/${ids["policies"]}/rules`);
    ids["routingTests"] = await findId(`/api/v1/policies/${ids["policies"]}/routingTests`);
    place = { ids, names: { subdomain: "contoso", zones: [ids["zones"]], idps: ["Login"], certificate: "" } };
  });

  afterAll(async () => {
    session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
    await server.close();
  });

  it.each(OPERATIONS.map((operation) => [operation.id, operation.method, operation.path, operation] as const))(
    "costs as many steps as it is long: %s (%s %s)",
    async (_id, _method, _path, operation) => {
      const tooMany: string[] = [];
      for (const input of listInputs(operation).filter((each) => isTried(operation, each))) {
        const whole = await countSteps(operation, input, 1);
        if (whole.steps < FLOOR) continue;
        const quarter = await countSteps(operation, input, QUARTER);
        const most = Math.max(MAX_GROWTH * quarter.steps, PER_BYTE * whole.bytes, FLOOR);
        if (whole.status !== quarter.status || whole.steps <= most) continue;
        const again = await countSteps(operation, input, 1); // what waited, such as events, is written now and then
        if (again.steps <= most) continue;
        tooMany.push(
          `${input.kind} ${String(input.name)}: ${quarter.steps} steps at a quarter, ${whole.steps} at the whole`,
        );
      }
      expect(tooMany).toEqual([]);
    },
    240_000, // an import has hundreds of inputs
  );

  it("is all of what the app mounts", () => {
    const source = readFileSync(join(__dirname, "../src/app.ts"), "utf8");
    const mounted = [...source.matchAll(/app\.use\(\s*"(\/[^"]*)"/g)].map(([, path]) => path);
    const known = new Set(UNDESCRIBED.map(({ mount }) => mount));
    expect(mounted.filter((path) => path === undefined || !known.has(path))).toEqual([]);
  });

  /** The steps of our code and of what it calls in JavaScript, while it handles a request, and since the one before. */
  async function countSteps(operation: Operation, input: Input, fill: number) {
    const sent = createRequest(operation, { input, fill, salt: ++salt, place });
    const status = await send(sent);
    expect(status).not.toBe(500);
    const own = takeCoverage().filter(({ url }) => url.includes(ROOT) && !OTHERS.test(url.slice(ROOT.length)));
    return { status, bytes: Buffer.byteLength(sent.body ?? ""), steps: own.reduce(sumOf, 0) };
  }

  async function send({ method, path, headers, body = "" }: Sent): Promise<number> {
    const request = http.request({
      host: "127.0.0.1",
      port: server.port,
      method,
      path,
      agent: server.agent,
      headers: {
        Host: "contoso.localhost",
        "X-Forwarded-Proto": "https",
        Authorization: `SVC ${token}`,
        ...(body !== "" && { "Content-Length": String(Buffer.byteLength(body)) }),
        ...headers,
      },
    });
    request.end(body);
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    response.resume();
    await once(response, "end");
    return response.statusCode ?? 0;
  }

  async function findId(path: string): Promise<string> {
    const headers = { Host: "contoso.localhost", "X-Forwarded-Proto": "https", Authorization: `SVC ${token}` };
    const { body } = await call(server, path, { headers });
    return (body as { id: string }[])[0]?.id ?? "";
  }
});

/** What ran since the last call. */
function takeCoverage(): readonly Profiler.ScriptCoverage[] {
  let taken: readonly Profiler.ScriptCoverage[] = [];
  session.post("Profiler.takePreciseCoverage", (error, { result }) => {
    if (error) throw error;
    taken = result;
  });
  return taken;
}

function sumOf(sum: number, { functions }: Profiler.ScriptCoverage): number {
  return functions.reduce((all, { ranges }) => ranges.reduce((part, { count }) => part + count, all), sum);
}

/** Forms are the same for every operation, but for its limit. */
function isTried({ id, path }: Operation, { kind, member }: Input): boolean {
  return kind !== "form" || (FORMED.has(id) && member === undefined && !path.startsWith("/api/v2"));
}
