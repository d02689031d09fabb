import { Agent } from "node:https";
import type { Store } from "../../src/store/store.js";
import { createClient, insertApiToken, listApiOperations } from "../support/api.js";
import { fullOrg, samlIdp } from "../support/documents.js";
import { buildSettings, call, startTestServer, type Answer, type TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const OPERATIONS = listApiOperations({
  settings: { ...buildSettings(), secrets: ["s".repeat(32)] },
  store: {} as Store,
});

/** As they stand in a URL: U+0000, U+001B, U+007F, U+0085. */
const CONTROLS = ["%00", "%1B", "%7F", "%C2%85"];

/** The parameters that each list reads; a list of resources with names reads those of `NAMED`. */
const NAMED = ["q", "limit", "after", "before"];
const READ: Readonly<Record<string, readonly string[]>> = {
  "GET /api/v1/apiTokens": ["limit", "after", "before"],
  "GET /api/v1/idps": [...NAMED, "type"],
  "GET /api/v1/logs": [...NAMED, "filter", "since", "until", "sortOrder"],
  "GET /api/v1/policies": ["limit", "after", "before", "type"],
  "GET /api/v1/policies/:policyId/revisions": ["limit", "after", "before", "target", "since", "until"],
  "GET /api/v1/policies/:policyId/revisions/:revision": ["limit", "after", "before", "target"],
  "GET /api/v1/policies/:policyId/revisions/:revision/diff": ["limit", "after", "before", "from"],
  "GET /api/v1/policies/:policyId/decisions": ["limit", "after", "before", "since", "until", "ruleId"],
  "GET /api/v1/policies/:policyId/findings": ["limit", "after", "before", "type", "ruleId"],
  "GET /api/v1/policies/:policyId/routingTests": ["limit", "after", "before"],
  "GET /api/v1/policies/:policyId/rules": ["limit", "after", "before"],
  "GET /api/v1/policies/:policyId/trace": [
    ...["limit", "after", "before", "resource", "clientIp", "userAgent", "revision", "at"],
  ],
  "GET /api/v1/trustedOrigins": NAMED,
  "GET /api/v1/zones": NAMED,
  ...Object.fromEntries(
    ["v1", "v2"].flatMap((version) => [
      [`GET /api/${version}/users`, [...NAMED, "filter", "search", "sortBy", "sortOrder"]],
      [`POST /api/${version}/users`, ["activate"]],
    ]),
  ),
};
const PARAMETERS = [...new Set(Object.values(READ).flat())];
/** They are 400 where nothing reads them, whatever their value. */
const SELECTING = ["filter", "search", "q"];

const isExpression = (name: string) => name === "filter" || name === "search";

/** The text of a parameter around the characters. */
function around(operation: string, name: string): [before: string, after: string] {
  if (isExpression(name)) return [`${operation.endsWith("/logs") ? "uuid" : "id"} eq "a`, '"'];
  if (["since", "until", "at"].includes(name)) return ["2026-01-05T09:00:00.000Z", ""];
  return [name === "resource" ? "svc:acct:a" : "", ""];
}

/** What must be there beside the parameter, so that nothing else is wrong. */
const REST: Readonly<Record<string, string>> = {
  "GET /api/v1/policies": "type=IDP_DISCOVERY",
  "GET /api/v1/policies/:policyId/revisions/:revision/diff": "from=1",
  "GET /api/v1/policies/:policyId/trace": "resource=svc:acct:a",
};

const NEW_USER = { profile: { login: "new", email: "a@b.example", firstName: "A", lastName: "B", x: ["c"] } };
const NEW_USER_V2 = {
  login: "newer",
  email: "a@b.example",
  name: { given: "A", family: "B" },
  attributes: { x: "c", y: ["d"] },
};

/** A sound body of each operation that reads one. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /api/v1/apiTokens": {
    name: "New",
    scopes: ["svc.users.read"],
    expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
  },
  "POST /api/v1/idps": samlIdp("New"),
  "POST /api/v1/policies/:policyId/rules": {
    name: "New",
    conditions: {
      userIdentifier: { type: "ATTRIBUTE", attribute: "x", patterns: [{ matchType: "EQUALS", value: "y" }] },
      network: { connection: "ZONE", include: ["ALL_ZONES"] },
    },
    actions: { idp: { providers: [{ type: "SVC" }] } },
  },
  "POST /api/v1/policies/:policyId/routingTests": {
    name: "New",
    login: "joe",
    userAgent: "a",
    expected: { provider: { type: "SVC" } },
  },
  "POST /api/v1/policies/:policyId/preview": {
    rule: { name: "New", actions: { idp: { providers: [{ type: "SVC" }] } } },
    logins: [{ login: "joe" }],
  },
  "POST /api/v1/trustedOrigins": { name: "New", origin: "https://new.example", scopes: [{ type: "CORS" }] },
  "POST /api/v1/users": NEW_USER,
  "POST /api/v2/users": NEW_USER_V2,
  "POST /api/v1/zones": { name: "New", gateways: [{ type: "CIDR", value: "192.0.2.0/24" }] },
};

describeStores((_engine, database) => {
  let server: TestServer;
  let agent: Agent;
  let ids: Readonly<Record<string, string>>;
  let ask: (operation: string, path: string, body?: unknown) => Promise<Answer>;

  beforeEach(async () => {
    const made = await database();
    server = await startTestServer(made, {}, { orgs: [{ ...fullOrg("demo"), domains: [] }] });
    agent = new Agent({ keepAlive: true });
    const { api } = createClient(server, "demo", await insertApiToken(made.options, "demo"));
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    ids = {
      ":policyId": policy.id,
      ":revision": "1",
      ":ruleId": "0".repeat(20),
      ":testId": "0".repeat(20),
      ":id": "0".repeat(20),
    };
    ask = (operation, path, body) => {
      const [method = ""] = operation.split(" ");
      if (method === "GET") return api(`https://host${path}`, { agent });
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      return api(`https://host${path}`, { method, body, agent, headers: { "Content-Type": type } });
    };
  });
  afterEach(async () => {
    agent.destroy();
    await server.close();
  });

  /** A sound body for an operation that reads one before it looks for the record. */
  const bodyOf = (operation: string) => BODIES[operation.replace(/^PUT (.*)\/:\w+$/, "POST $1")] ?? {};

  const pathOf = (operation: string, more: Readonly<Record<string, string>> = {}) =>
    operation.replace(/^\S+ /, "").replace(/:\w+/g, (name) => more[name] ?? ids[name] ?? "");

  test("S5 a control character in an id is 404, wherever a path has an id", async () => {
    for (const operation of OPERATIONS) {
      for (const name of operation.match(/:\w+/g) ?? []) {
        for (const id of ["%00", `${"0".repeat(10)}%00${"0".repeat(9)}`, "%C2%85"]) {
          const { status, body } = await ask(operation, pathOf(operation, { [name]: id }), bodyOf(operation));
          expect({ operation, id, status, code: body.errorCode }).toEqual({
            operation,
            id,
            status: 404,
            code: "E0000007",
          });
        }
      }
    }
  });

  test("S5 a control character in a parameter is 400 where the parameter is read, and ignored elsewhere", async () => {
    for (const operation of OPERATIONS) {
      const read = READ[operation] ?? [];
      const rest = REST[operation] ?? "";
      const expected = (await ask(operation, `${pathOf(operation)}?${rest}`)).status;
      const unread = PARAMETERS.filter((name) => !read.includes(name) && !SELECTING.includes(name));
      const ignored = unread.map((name) => `${name}=%00`);
      const { status } = await ask(operation, `${pathOf(operation)}?${[rest, ...ignored].join("&")}`);
      expect({ operation, status }).toEqual({ operation, status: expected });

      for (const name of read) {
        for (const control of CONTROLS) {
          const [before, after] = around(operation, name);
          const value = `${encodeURIComponent(before)}${control}${encodeURIComponent(after)}`;
          const beside = rest.startsWith(`${name}=`) ? "" : rest;
          const answer = await ask(operation, `${pathOf(operation)}?${name}=${value}&${beside}`);
          // U+007F and above may be in the literals of an expression, as in JSON
          const isLiteral = isExpression(name) && !/^%[01]/.test(control);
          expect({ operation, name, control, status: answer.status }).toEqual({
            operation,
            name,
            control,
            status: isLiteral ? expected : 400,
          });
        }
      }
    }
  });

  test("F2 an escaped U+0000 in a literal of an expression is 400", async () => {
    for (const [operation, parameters] of Object.entries(READ)) {
      for (const name of parameters.filter(isExpression)) {
        const text = encodeURIComponent(around(operation, name).join("\\u0000"));
        const { status, body } = await ask(operation, `${pathOf(operation)}?${name}=${text}`);
        expect({ operation, status, code: body.errorCode }).toEqual({ operation, status: 400, code: "E0000031" });
      }
    }
  });

  test("S5 U+0000 in a text of a body is 400", async () => {
    for (const [operation, body] of Object.entries(BODIES)) {
      for (const faulty of withEachText(body, (text) => `${text}\0`)) {
        const { status, body: error } = await ask(operation, pathOf(operation), faulty);
        expect({ faulty, status, code: error.errorCode }).toEqual({ faulty, status: 400, code: "E0000001" });
      }
      expect((await ask(operation, pathOf(operation), body)).status).toBe(200);
    }
  });

  test("S5 a control character in the queries of WebFinger and sign-on is 400, and in an id 404", async () => {
    for (const control of CONTROLS) {
      for (const [path, expected] of [
        [`/.well-known/webfinger?resource=svc:acct:a${control}`, 400],
        [`/.well-known/webfinger?resource=svc:acct:a&rel=${control}`, 200],
        [`/sso/login?login=a${control}b`, 400],
        [`/sso/idps/SVC?login_hint=a${control}b`, 400],
        [`/sso/idps/${control}`, 404],
        [`/sso/idps/${"0".repeat(19)}${control}`, 404],
      ] as const) {
        const { status } = await call(server, path, { agent });
        expect({ path, status }).toEqual({ path, status: expected });
      }
    }
  });
});

/** Copies of `value`, each with one of its texts replaced. */
function withEachText(value: unknown, replace: (text: string) => string): unknown[] {
  if (typeof value === "string") return [replace(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    withEachText(member, replace).map((faulty) => {
      if (!Array.isArray(value)) return { ...value, [key]: faulty };
      return value.map((element: unknown, i) => (String(i) === key ? faulty : element));
    }),
  );
}
