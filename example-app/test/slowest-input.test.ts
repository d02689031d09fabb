import { fork, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import { dirname, join } from "node:path";
import { insertApiToken } from "./support/api.js";
import { createDescriptions } from "./support/descriptions.js";
import { call, importDocument, listeningUrl, programFile, withoutSettings } from "./support/server.js";
import { makeFolder } from "./support/stores.js";

/*
 * The short form of `npm run torture -- slowest`: it counts the steps that the server takes for each input of the API's
 * description at a quarter of its limit and at the whole. What somebody sends must not cost more than its size. It counts
 * what runs as JavaScript; what the engine does inside of one call, such as a copy of an object, only the long form sees.
 */

const COUNTED_PROGRAM = join(__dirname, "support/counted-program.js");
/** The program with the settings of other tests, see `buildSettings()`. */
const FLAGS = "--http --trusted-proxies loopback --port 0 --rate-limits off --overload-lag off".split(" ");

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

/** How often an input is tried again: the server writes what waited, such as events, now and then. */
const TRIES = 4;

describe("S9 what somebody sends", () => {
  const folder = makeFolder();
  const agent = new http.Agent({ keepAlive: true, timeout: 1_000 });
  let child: ChildProcessWithoutNullStreams;
  let server: { port: number; url: string; ca: undefined };
  let place: Place;
  let token: string;
  let salt = 0;

  beforeAll(async () => {
    await importDocument({ dataFolder: folder }, DOCUMENT);
    child = fork(COUNTED_PROGRAM, [dirname(programFile()), "--data", folder, ...FLAGS], {
      env: withoutSettings(),
      stdio: ["ignore", "pipe", "ignore", "ipc"],
    }) as ChildProcessWithoutNullStreams;
    const url = await listeningUrl({ child, output: { stdout: "", stderr: "" } });
    server = { port: Number(new URL(url).port), url, ca: undefined };
    token = await insertApiToken({ dataFolder: folder }, "contoso");
    const ids: Record<string, string> = {};
    for (const [kind, path] of Object.entries(LISTS)) ids[kind] = await findId(path);
    ids["rules"] = await findId(`/api/v1/policies/${ids["policies"]}/rules`);
    ids["routingTests"] = await findId(`/api/v1/policies/${ids["policies"]}/routingTests`);
    place = { ids, names: { subdomain: "contoso", zones: [ids["zones"]], idps: ["Login"], certificate: "" } };
  });

  afterAll(async () => {
    agent.destroy();
    child.kill("SIGKILL");
    await once(child, "close");
  });

  it.each(OPERATIONS.map((operation) => [operation.id, operation.method, operation.path, operation] as const))(
    "costs as many steps as it is long: %s (%s %s)",
    async (_id, _method, _path, operation) => {
      const tooMany: string[] = [];
      for (const input of listInputs(operation).filter((each) => isTried(operation, each))) {
        const whole = await countSteps(operation, input, 1);
        const cheap = Math.max(PER_BYTE * whole.bytes, FLOOR);
        if (whole.steps <= cheap) continue;
        const quarter = await countSteps(operation, input, QUARTER);
        const most = Math.max(MAX_GROWTH * quarter.steps, cheap);
        if (whole.status !== quarter.status || whole.steps <= most) continue;
        if (await isOnceCheaper(operation, input, most)) continue;
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
    const counted = once(child, "message");
    child.send("count");
    const [steps] = (await counted) as [number];
    return { status, bytes: Buffer.byteLength(sent.body ?? ""), steps };
  }

  async function isOnceCheaper(operation: Operation, input: Input, most: number): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      if ((await countSteps(operation, input, 1)).steps <= most) return true;
    }
    return false;
  }

  async function send({ method, path, headers, body = "" }: Sent): Promise<number> {
    const request = http.request({
      host: "127.0.0.1",
      port: server.port,
      method,
      path,
      agent,
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
    const { body } = await call(server, path, { headers, agent });
    return (body as { id: string }[])[0]?.id ?? "";
  }
});

/** Forms are the same for every operation, but for its limit. */
function isTried({ id, path }: Operation, { kind, member }: Input): boolean {
  return kind !== "form" || (FORMED.has(id) && member === undefined && !path.startsWith("/api/v2"));
}
