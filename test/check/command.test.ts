import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
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
  it.each<[string, string, Script, 0 | 1 | 2]>([
    ["0 when nothing is found", "json-type", () => ({}), 0],
    ["1 when something is found", "nosniff", () => ({}), 1],
    ["2 when no check could run", "walk", () => ({}), 2],
  ])("is %s", async (_title, rule, script, expected) => {
    expect((await checkScript(script, ["--rules", rule])).code).toBe(expected);
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
  it("has each check with its requests and responses", async () => {
    const { out } = await checkScript(() => ({}), ["--rules", "json-type,nosniff,walk", "--json"]);
    const { url, ...report } = JSON.parse(out);
    const exchange = {
      request: expect.stringMatching(/^GET \/v1\/items HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/),
      response: expect.stringMatching(/^HTTP\/1\.1 200 Scripted\r\n[^]*\r\n\r\n\{\}$/),
    };
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1\/items$/);
    expect(report).toEqual({
      complete: true,
      passed: 1,
      findings: 1,
      skipped: 1,
      requests: 2,
      notes: [],
      checks: [
        {
          id: "nosniff",
          rule: "S6",
          title: "Every response sends X-Content-Type-Options: nosniff",
          outcome: "finding",
          message: "The 200 has no such field.",
          mend: "Send the field with each response, failures included.",
          page: "docs/reference/check.md#nosniff",
          exchanges: [exchange],
        },
        {
          id: "json-type",
          rule: "S3",
          title: "A response with content is JSON",
          outcome: "passed",
          exchanges: [exchange],
        },
        {
          id: "walk",
          rule: "P5",
          title: expect.any(String),
          outcome: "skipped",
          message: "It needs --list.",
          exchanges: [],
        },
      ],
    });
  });
});

describe("the text", () => {
  it("says what was found, how to mend it, and shows what was sent and received", async () => {
    const { out } = await checkScript(() => ({}), ["--rules", "nosniff"]);
    expect(out.replaceAll(/127\.0\.0\.1:\d+/g, "HOST"))
      .toBe(`✗ S6  nosniff: Every response sends X-Content-Type-Options: nosniff
      The 200 has no such field.
      Mend: Send the field with each response, failures included.
      Page: docs/reference/check.md#nosniff
      > GET /v1/items HTTP/1.1
      > Host: HOST
      > Connection: close
      > Accept: application/json
      > User-Agent: etiquette-check
      < HTTP/1.1 200 Scripted
      < Content-Type: application/json
      < Content-Length: 2
      <
      < {}


0 passed, 1 found, 0 not checked, with 2 requests.
`);
  });
});

describe("--header", () => {
  /** It repeats what it got in every way. */
  const echo: Script = ({ headers: { authorization = "" } }) => ({
    headers: {
      "X-Echo": authorization,
      Link: `<https://a.example/?token=${encodeURIComponent(authorization)}>; rel="self"`,
    },
    body: JSON.stringify({ authorization, token: authorization.split(" ").at(-1) }),
  });

  it.each<[string, () => string[], NodeJS.ProcessEnv]>([
    ["on the command line", () => ["--header", `Authorization: Bearer ${SECRET}`], {}],
    ["in a file", () => ["--header", `@${file("secret", `\nAuthorization: Bearer ${SECRET}\r\n`)}`], {}],
    ["in the environment", () => [], { ETIQUETTE_CHECK_HEADERS: `Authorization: Bearer ${SECRET}` }],
  ])("%s is sent and never shown", async (_title, args, env) => {
    for (const format of [["--json"], []]) {
      const { out, error, requests } = await checkScript(echo, [...args(), "--rules", "nosniff,S3", ...format], env);
      expect(requests.every(({ headers }) => headers["authorization"] === `Bearer ${SECRET}`)).toBe(true);
      expect(out).toContain("Authorization: …");
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
    const script: Script = () => ({ body: JSON.stringify({ secret }) });
    const { out } = await checkScript(script, ["--rules", "nosniff", "--header", `X-Key: ${secret}`]);
    expect(out).toContain("> X-Key: …\n");
    expect(out.includes(secret)).toBe(!hidden);
  });
});

describe("a 429", () => {
  it("is no finding, but the run is not complete", async () => {
    const script: Script = ({ index }) => (index < 1 ? {} : { status: 429 });
    const { code, out } = await checkScript(script, ["--rules", "json-type,V3"]);
    expect(code).toBe(2);
    expect(out).toContain("✓ S3  json-type");
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
    const script: Script = ({ method }) => ({ status: method === "PUT" ? 503 : 200 });
    const { out } = await checkScript(script, ["--write", "--writable", "/v1/items/1", "--rules", "tag-stale"]);
    expect(out).toContain("Look at /v1/items/1: the write that restores it is 503.");
  });

  it("sends --body with --method in place of what GET returns", async () => {
    const body = file("body.json", '{"name":"given"}');
    const args = ["--write", "--writable", "/v1/items/1", "--method", "PATCH", "--body", body, "--rules", "write-tag"];
    const { requests } = await checkScript(() => ({}), args);
    expect(requests.slice(1).map(({ method, body }) => [method, body])).toEqual([
      ["PATCH", '{"name":"given"}'],
      ["PATCH", '{"name":"given"}'],
    ]);
  });
});
