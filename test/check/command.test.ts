import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { FORMATS } from "../../check/report/index.js";
import { createScriptedServer, type Script, type ScriptedRequest } from "./support/scripted-server.js";
import { type CommandResult, run } from "./support/terminal.js";

const SECRET = "a-secret-that-nobody-may-see";

let folder: string;
let file: (name: string, text: string) => string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "etiquette-command-"));
  file = (name, text) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Run the command on a scripted server; what it got. */
async function checkScript(
  script: Script,
  args: string[],
  env?: NodeJS.ProcessEnv,
): Promise<CommandResult & { requests: ScriptedRequest[] }> {
  const requests: ScriptedRequest[] = [];
  const server = createScriptedServer((request) => {
    requests.push(request);
    return script(request);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const rate = args.includes("--rate") ? [] : ["--rate", "1000"];
    const result = await run(["check", `http://127.0.0.1:${port}/v1/items`, ...rate, ...args], env);
    return { ...result, requests };
  } finally {
    server.close();
  }
}

describe("the exit code", () => {
  it.each<[string, string, Script, 0 | 1 | 2 | 3 | 4]>([
    ["0 when nothing is found", "json-type", () => ({}), 0],
    ["1 when the worst is of style", "request-id,json-type", () => ({}), 1],
    ["2 when no check could run", "walk", () => ({}), 2],
    ["3 when the worst is of interoperability", "request-id,not-found", () => ({}), 3],
    ["4 when the worst is of security", "nosniff,not-found", () => ({}), 4],
  ])("is %s", async (_title, rule, script, expected) => {
    expect((await checkScript(script, ["--rules", rule])).code).toBe(expected);
  });

  it.each([
    ["style", 1],
    ["interoperability", 0],
    ["security", 0],
  ])("--fail-on %s: a finding of style is %d", async (severity, expected) => {
    const { code, out } = await checkScript(() => ({}), ["--rules", "request-id", "--fail-on", severity]);
    expect([code, out]).toEqual([expected, expect.stringContaining("✗ style: request-id")]);
  });

  it("is 2 when the port is closed", async () => {
    const server = createScriptedServer(() => ({}));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const { code, error } = await run(["check", `http://127.0.0.1:${port}/`]);
    expect([code, error]).toEqual([2, expect.stringContaining("ECONNREFUSED")]);
  });

  it("is 2 when the time limit leaves checks out", async () => {
    const { code, out } = await checkScript(() => ({}), ["--time-limit", "1", "--rate", "1"]);
    expect(code).toBe(2);
    expect(out).toContain("--time-limit sets another");
  });
});

describe("--json", () => {
  const rules = ["--rules", "json-type,nosniff,walk"];

  it("has each check, and with --verbose the requests and responses with what the check set and read", async () => {
    const { out } = await checkScript(() => ({}), [...rules, "--json", "--verbose"]);
    const { url, ...report } = JSON.parse(out);
    const exchange = (response: string) => ({ request: "GET /v1/items HTTP/1.1\r\n\r\n", response });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/items$/);
    expect(report).toEqual({
      complete: true,
      passed: 1,
      findings: 1,
      known: 0,
      skipped: 1,
      requests: 2,
      notes: [],
      checks: [
        {
          id: "nosniff",
          rule: "S6",
          severity: "security",
          title: "Every response sends X-Content-Type-Options: nosniff",
          outcome: "finding",
          known: false,
          message: "The 200 has no such field.",
          mend: "Send the field with each response, failures included.",
          page: "docs/reference/check.md#nosniff",
          exchanges: [exchange("HTTP/1.1 200 Scripted\r\n(no X-Content-Type-Options)\r\n")],
        },
        {
          id: "json-type",
          rule: "S3",
          severity: "interoperability",
          title: "A response with content is JSON",
          outcome: "passed",
          exchanges: [exchange("HTTP/1.1 200 Scripted\r\nContent-Type: application/json\r\n")],
        },
        {
          id: "walk",
          rule: "P5",
          severity: "interoperability",
          title: expect.any(String),
          outcome: "skipped",
          message: "It needs --list.",
          exchanges: [],
        },
      ],
    });
  });

  it("is the same as --format json, and without --verbose has no requests", async () => {
    const [short, long] = [
      await checkScript(() => ({}), [...rules, "--json"]),
      await checkScript(() => ({}), [...rules, "--format", "json"]),
    ];
    const withoutPort = ({ out }: CommandResult): string => out.replaceAll(/:\d{2,}/g, "");
    expect(withoutPort(short)).toBe(withoutPort(long));
    expect(short.out).not.toContain("exchanges");
  });
});

describe("the text", () => {
  const broken: Script = ({ target }) =>
    target.includes("unknown")
      ? { status: 404, headers: { "X-Content-Type-Options": "no" } }
      : { headers: { "X-Content-Type-Options": "nosniff", "X-Other": "1" } };

  it("has a line for each finding, and none for what passed", async () => {
    const { out } = await checkScript(broken, ["--rules", "nosniff,json-type,walk"]);
    expect(out).toBe(`✗ security: nosniff (S6): Every response sends X-Content-Type-Options: nosniff. The 404 has no.
– Not checked: walk. It needs --list.

1 passed, 1 found, 1 not checked, with 3 requests.
How to mend them: --verbose, or docs/reference/check.md
`);
  });

  it("--verbose: says how to mend it, and shows what the check set and read", async () => {
    const { out } = await checkScript(broken, ["--rules", "nosniff,json-type", "--verbose"]);
    expect(out).toBe(`✗ security: nosniff (S6): Every response sends X-Content-Type-Options: nosniff. The 404 has no.
    Mend: Send the field with each response, failures included.
    Page: docs/reference/check.md#nosniff
    > GET /v1/etiquette-check-unknown HTTP/1.1
    < HTTP/1.1 404 Scripted
    < X-Content-Type-Options: no
    <
    < {}

✓ S3 json-type: A response with content is JSON.

1 passed, 1 found, 0 not checked, with 3 requests.
`);
  });
});

describe("a message", () => {
  it("is cut after 500 characters", async () => {
    for (const length of [499, 500, 501]) {
      const fixed = "Content-Type is ; expected application/json.".length;
      const script: Script = () => ({ headers: { "Content-Type": "x".repeat(length - fixed) } });
      const { out } = await checkScript(script, ["--rules", "json-type", "--json"]);
      const { message } = JSON.parse(out).checks[0];
      expect([length, message.length, message.endsWith("…")]).toEqual([length, Math.min(length, 500), length > 500]);
    }
  });
});

describe("--header", () => {
  /** It repeats what it got in every way. */
  const echo: Script = ({ headers: { authorization = "" } }) => ({
    headers: {
      "X-Echo": authorization,
      Link: `</?token=${encodeURIComponent(authorization)}>; rel="self"`,
    },
    body: JSON.stringify({ authorization, token: authorization.split(" ").at(-1) }),
  });

  it.each<[string, () => string[], NodeJS.ProcessEnv]>([
    ["on the command line", () => ["--header", `Authorization: Bearer ${SECRET}`], {}],
    ["in a file", () => ["--header", `@${file("secret", `\nAuthorization: Bearer ${SECRET}\r\n`)}`], {}],
    ["in the environment", () => [], { ETIQUETTE_CHECK_HEADERS: `Authorization: Bearer ${SECRET}` }],
  ])("%s is sent and never shown", async (_title, args, env) => {
    for (const format of Object.keys(FORMATS)) {
      const chosen = ["--rules", "nosniff,S3,link-lines,not-found", "--list", "/v1/items", "--verbose"];
      const { out, error, requests } = await checkScript(echo, [...args(), ...chosen, "--format", format], env);
      expect(requests.every(({ headers }) => headers["authorization"] === `Bearer ${SECRET}`)).toBe(true);
      expect(out).toContain("…");
      expect(out + error).not.toContain(SECRET);
    }
  });
});

describe("secrets", () => {
  it.each([
    ["1234567", false],
    ["12345678", true],
    ["123456789", true],
  ])("%s is hidden in responses: %s", async (secret, hidden) => {
    const script: Script = () => ({ status: 404, body: JSON.stringify({ secret }) });
    const { out } = await checkScript(script, ["--rules", "nosniff", "--verbose", "--header", `X-Key: ${secret}`]);
    expect(out).toContain("secret");
    expect(out.includes(secret)).toBe(!hidden);
  });
});

it("hides a secret also where a response is cut", async () => {
  for (let before = 2030; before <= 2050; before += 1) {
    const script: Script = () => ({ status: 404, body: "x".repeat(before) + SECRET });
    const { out } = await checkScript(script, [
      "--rules",
      "nosniff",
      "--json",
      "--verbose",
      "--header",
      `X-Key: ${SECRET}`,
    ]);
    expect(out).not.toContain(SECRET.slice(0, 4));
  }
});

describe("a 429", () => {
  it("is no finding, but the run is not complete", async () => {
    const script: Script = ({ index }) => (index < 1 ? {} : { status: 429 });
    const { code, out } = await checkScript(script, ["--rules", "json-type,V3"]);
    expect(code).toBe(2);
    expect(out).toContain("1 passed, 0 found");
    expect(out).toContain("field-name-space. The API refuses more requests (429).\n");
    expect(out).toContain("The API refused requests with 429; --rate sets how many a second are sent.");
  });

  it("to the first request is exit 2", async () => {
    const { code, error } = await checkScript(() => ({ status: 429 }), []);
    expect([code, error]).toEqual([2, "etiquette: The API refuses more requests (429).\n"]);
  });
});

describe("a path that is not there", () => {
  it.each(["--list", "--resource"])("%s: its checks can't run", async (option) => {
    const script: Script = ({ target }) => ({ status: target.startsWith("/nowhere") ? 404 : 200 });
    const { code, out } = await checkScript(script, [option, "/nowhere", "--rules", "walk,P2,T2"]);
    expect([code, out]).toEqual([2, expect.stringContaining("GET /nowhere is 404; ")]);
    expect(out).not.toContain("✗");
  });
});

describe("--rate", () => {
  it("keeps requests apart", async () => {
    const began = performance.now();
    const { requests } = await checkScript(() => ({ status: 400 }), ["--rules", "length-invalid", "--rate", "20"]);
    // a lower bound: a slow machine takes longer
    expect(performance.now() - began).toBeGreaterThan((requests.length - 2) * 45);
    expect(requests.length).toBeGreaterThan(2);
  });
});

describe("without --write", () => {
  it("only GET, HEAD and OPTIONS are sent", async () => {
    const args = ["--list", "/v1/items", "--resource", "/v1/items/1", "--origin", "https://app.example.com"];
    const { requests } = await checkScript(() => ({}), [...args, "--timeout", "2"]);
    expect(requests.length).toBeGreaterThan(50);
    const whole = requests.filter(({ target }) => target !== ""); // this server takes the last chunk for a request
    expect([...new Set(whole.map(({ method }) => method))].sort()).toEqual(["GET", "HEAD", "OPTIONS"]);
  });
});

describe("--write", () => {
  it("writes the object as it was at the end", async () => {
    const bodies: string[] = [];
    const args = ["--write", "--writable", "/v1/items/1", "--field", "/name", "--rules", "lost-update,tag-stale"];
    const script: Script = ({ method, body }) => {
      if (method === "PUT") bodies.push(body);
      return { headers: { ETag: 'W/"1"' }, body: '{"id":"1","name":"before"}' };
    };
    const { requests } = await checkScript(script, args);
    expect(new Set(requests.filter(({ method }) => method !== "GET").map(({ target }) => target))).toEqual(
      new Set(["/v1/items/1"]),
    );
    expect(bodies.slice(-2).at(-1)).toBe('{"id":"1","name":"before"}');
    expect(bodies).toContain('{"id":"1","name":"etiquette check 1"}');
  });

  it("says so when the object can't be restored", async () => {
    let writes = 0;
    const script: Script = ({ method }) => ({ status: method === "PUT" && (writes += 1) > 1 ? 503 : 200 });
    const { out } = await checkScript(script, ["--write", "--writable", "/v1/items/1", "--rules", "tag-stale"]);
    expect(out).toContain("Look at /v1/items/1: the write that restores it is 503.");
  });

  it("sends --body with --method in place of what GET returns", async () => {
    const body = file("body.json", '{"name":"given"}');
    const args = ["--write", "--writable", "/v1/items/1", "--method", "PATCH", "--body", body, "--rules", "write-tag"];
    const { requests } = await checkScript(() => ({}), args);
    const writes = requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    expect(writes).toEqual(['{"name":"given"}', '{"name":"given"}', '{"name":"given"}']);
  });
});
