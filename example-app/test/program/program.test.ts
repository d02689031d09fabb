import { exec, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import net from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeIf } from "../../../test/support/requirements.js";
import { createLog } from "../../src/program/process/log.js";
import { start as startInProcess } from "../../src/program/process/start.js";
import {
  buildSettings,
  call,
  importDocument,
  webfingerPath,
  type Answer,
  type TestProcess,
} from "../support/server.js";
import { until } from "../../../test/support/until.js";
import { declarePrograms, type ServerProcess } from "../support/programs.js";
import { withStore } from "../support/stores.js";

jest.setTimeout(60_000);

const JOE = webfingerPath("joe@example.com");

/** What the first start on a database says on the standard error. */
const FIRST_START =
  /^Try it: .*\nConsole, once within ten minutes: the link in the file .*\/first-link\nAPI token of the org demo, valid for 24 hours, in the file .*\/first-token\nUse it: .*\n$/;

const TOKEN_REGEXP = /^etq_[0-9A-Za-z]{33}\n$/;

const HAS_SIGNALS = process.platform !== "win32";
const HAS_CURL = spawnSync("curl", ["--version"]).status === 0;

const { newFolder, run, start } = declarePrograms();

describe("the program", () => {
  it("writes no log with the level silent", async () => {
    const silent = await start(newFolder(), "--log-level", "silent");
    await call(silent, JOE);
    silent.child.kill("SIGTERM");
    await silent.exit; // it has written all
    expect(silent.output.stderr).toMatch(FIRST_START);
  });

  it("prints its settings and ends", async () => {
    const { exit, output } = run(["--help"]);
    expect(await exit).toBe(0);
    expect(output.stdout).toMatch(/--port NUMBER .*\n +ETIQUETTE_PORT, default 8443\n/);
    expect(output.stderr).toBe("");
  });

  it.each<[string[], NodeJS.ProcessEnv, number, string | RegExp]>([
    [["--prot", "1"], {}, 2, "etiquette: Unknown setting --prot; --help lists what there is\n"],
    [[], { ETIQUETTE_LOG_LEVEL: "loud" }, 2, /^etiquette: ETIQUETTE_LOG_LEVEL must be one of .*, not "loud"\n$/],
    [["--tls-cert", "/absent", "--tls-key", "/absent"], {}, 2, /^etiquette: --tls-(cert|key) can't be read: .*\n$/],
    [["--data", "/dev/null/x"], {}, 1, /^etiquette: The database \/dev\/null\/x\/\S+ can't be written: .*\n$/],
    [
      ["--database-url", "postgres://127.0.0.1:1/x"],
      {},
      1,
      /^etiquette: The database .*127\.0\.0\.1:1\/x can't be opened: .*\n$/,
    ],
    [
      [],
      { ETIQUETTE_DEFAULT_ORG: "acme" },
      2,
      "etiquette: --default-org is acme, but no org has this subdomain; import the org first\n",
    ],
    [["import", "/absent.json"], {}, 1, /^etiquette: .*absent\.json.*\n$/],
  ])("stops with one line: %j %j", async (args, env, code, message) => {
    const { exit, output } = run([...args, ...(args.includes("--data") ? [] : ["--data", newFolder()])], env);
    expect(await exit).toBe(code);
    expect(output.stderr).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
    expect(output.stdout).toBe("");
  });

  it("exports what it holds, to the standard output or a file of the user's own, and imports it", async () => {
    const [data, copy] = [newFolder(), newFolder()];
    await (await startInProcess(buildSettings({ dataFolder: data }), createLog("silent"))).close();
    const exported = run(["export", "--data", data]);
    expect(await exported.exit).toBe(0);
    expect(JSON.parse(exported.output.stdout).orgs[0].subdomain).toBe("demo");

    const file = join(copy, "export.json");
    expect(await run(["export", file, "--data", data]).exit).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(exported.output.stdout);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const imported = run(["import", file, "--data", copy]);
    expect(await imported.exit).toBe(0);
    expect(imported.output.stdout).toMatch(/^orgs: 1 created/m);
    const again = run(["export", "--data", copy]);
    await again.exit;
    expect(again.output.stdout).toBe(exported.output.stdout);
  });

  it("token create gives the token the name, the scopes and the expiry that are asked for", async () => {
    const data = newFolder();
    const server = await start(data, "--namespace", "acme", "--api-token-scheme", "SVC");
    const flags = ["--name", "Nightly job", "--expires", "30d", "--scopes", "acme.apiTokens.read,acme.users.manage"];
    const made = run(["token", "create", "--org=demo", ...flags, "--data", data, "--namespace", "acme"]);
    expect(await made.exit).toBe(0);
    const { body } = await askWith(server, made.output.stdout.trim());
    const [token, ...others] = body; // it lists only tokens whose scopes it has
    expect(others).toEqual([]);
    expect(token).toMatchObject({ name: "Nightly job", scopes: ["acme.apiTokens.read", "acme.users.manage"] });
    expect(Date.parse(token.expiresAt) - Date.parse(token.created)).toBe(30 * 86_400_000);
  });
});

/** The tokens in the files that the programs name. */
function firstTokens(...programs: TestProcess[]): string[] {
  return programs.flatMap(({ output }) =>
    [...output.stderr.matchAll(/in the file (.*first-token)$/gm)].map(([, file]) => readFileSync(file!, "utf8").trim()),
  );
}

/** What the API answers to `token` in the demonstration org. */
async function askWith(server: Parameters<typeof call>[0], token: string): Promise<Answer> {
  return call(server, "/api/v1/apiTokens", { headers: { Authorization: `SVC ${token}` } });
}

describe("the program on an empty folder", () => {
  const programs = declarePrograms(afterAll);
  const data = programs.newFolder();
  let server: ServerProcess;
  beforeAll(async () => {
    server = await programs.start(data);
  });

  it("says on the standard output where it listens, and nothing else", () => {
    expect(server.output.stdout).toBe(`etiquette listening on ${server.url}\n`);
    expect(server.url).toMatch(/^https:\/\/localhost:\d+$/);
  });

  it("writes its log as lines of JSON on the standard error, as the level says", async () => {
    const { output } = server;
    const { headers } = await call(server, JOE);
    await until(() => output.stderr.includes("}\n"));
    const lines = output.stderr.split("\n").filter((line) => line.startsWith("{"));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: "info",
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        requestId: headers["x-svc-request-id"],
      }),
    ]);
  });

  it("token create prints a token that works, and nothing else", async () => {
    const made = run(["token", "create", "--org", "demo", "--data", data]);
    expect(await made.exit).toBe(0);
    expect(made.output).toEqual({ stdout: expect.stringMatching(TOKEN_REGEXP), stderr: "" });
    const { status, body } = await askWith(server, made.output.stdout.trim());
    expect([status, body.length]).toEqual([200, 2]);
    expect(body[0]).toMatchObject({ name: expect.stringMatching(/^Command line /) });
  });

  it.each([
    [["--org", "nobody"], 1, 'There is no org with the subdomain "nobody"'],
    [["--org", "demo", "--name", "First start"], 1, 'The org demo has a token with the name "First start"'],
    [[], 2, "token create needs the subdomain of an org, such as --org demo"],
    [
      ["--org", "demo", "--expires", "1w"],
      2,
      '--expires must be never or a time of 1m to 3650d, such as 90m, 12h or 30d, not "1w"',
    ],
  ])("token create stops with one line: %j", async (args, code, message) => {
    const { exit, output } = run(["token", "create", ...args, "--data", data]);
    expect(await exit).toBe(code);
    expect(output).toEqual({ stdout: "", stderr: `etiquette: ${message}\n` });
  });

  describeIf(HAS_CURL, "the commands that it prints", "curl", () => {
    it("use the token", async () => {
      const [, command = ""] = /^Use it: (curl .*)$/m.exec(server.output.stderr) ?? [];
      const { stdout } = await promisify(exec)(`${command} --silent --show-error`);
      expect(JSON.parse(stdout)).toEqual([]);
    });

    it("answers", async () => {
      const [, command = ""] = /^Try it: (curl .*)$/m.exec(server.output.stderr) ?? [];
      const { stdout } = await promisify(exec)(`${command} --silent --show-error`);
      expect(JSON.parse(stdout)).toMatchObject({ subject: "svc:acct:joe@example.com", links: [{ rel: "svc:idp" }] });
    });
  });
});

describe("the first start", () => {
  it("puts a token that works for a day into a file; later ones don't, also when it was revoked, and have the same data", async () => {
    const data = newFolder();
    const first = await start(data);
    expect(first.output.stderr).toMatch(FIRST_START);
    const [token = ""] = firstTokens(first);
    expect(first.output.stderr).not.toContain(token);
    expect(statSync(join(data, "first-token")).mode & 0o777).toBe(0o600);
    const { body } = await askWith(first, token);
    expect(body).toMatchObject([{ name: "First start" }]);
    expect(Date.parse(body[0].expiresAt) - Date.parse(body[0].created)).toBe(86_400_000);
    const headers = { Authorization: `SVC ${token}` };
    expect((await call(first, `/api/v1/apiTokens/${body[0].id}`, { method: "DELETE", headers })).status).toBe(204);
    const answer = await call(first, JOE);
    first.child.kill("SIGKILL");
    await first.exit;

    const second = await start(data);
    expect(second.output.stderr).toMatch(/^Try it: .*\n$/);
    expect((await askWith(second, token)).status).toBe(401);
    expect(second.ca).toBe(first.ca);
    const again = await call(second, JOE);
    expect(again.body.links[0].properties["svc:idp:id"]).toBe(answer.body.links[0].properties["svc:idp:id"]);
  });

  it("shows the token on a terminal, and writes no file", async () => {
    const dataFolder = newFolder();
    const server = await startInProcess(buildSettings({ dataFolder }), createLog("silent"), true);
    const [, token = ""] = /, valid for 24 hours, shown only now: (\S+)\nUse it: /.exec(server.firstAccess!) ?? [];
    const ca = readFileSync(join(dataFolder, "tls.crt"), "utf8");
    const answer = await askWith({ url: server.url, port: Number(new URL(server.url).port), ca }, token);
    expect(answer.body).toMatchObject([{ name: "First start" }]);
    expect(existsSync(join(dataFolder, "first-token"))).toBe(false);
    await server.close();
  });

  it.each([["--no-demo"], ["--demo=false"]])("creates nothing with %s", async (flag) => {
    const data = newFolder();
    const server = await start(data, flag);
    expect(server.output.stderr).toBe(
      "No org is served on the base domain: import one, or start with --demo on an empty database\n",
    );
    expect((await call(server, JOE)).status).toBe(404);
    expect(existsSync(join(data, "first-token"))).toBe(false);
    server.child.kill();
    await server.exit;
    expect(await withStore({ dataFolder: data }, (store) => store.hasOrgs())).toBe(false);
  });

  it("creates nothing beside an imported org", async () => {
    const data = newFolder();
    await importDocument({ dataFolder: data }, { orgs: [{ subdomain: "acme", name: "Acme" }] });
    const server = await start(data, "--demo");
    expect(server.output.stderr).toMatch(/^No org is served/);
    expect(existsSync(join(data, "first-token"))).toBe(false);
  });

  it("is none when the port is in use, so that the next one makes the token, in place of that of an earlier database", async () => {
    const data = newFolder();
    writeFileSync(join(data, "first-token"), "old", { mode: 0o644 });
    const taken = net.createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as net.AddressInfo;
    const { exit, output } = run(["--port", String(port), "--data", data]);
    expect(await exit).toBe(1);
    expect(output).toEqual({
      stdout: "",
      stderr: `etiquette: Port ${port} on 127.0.0.1 is in use: stop what listens there or choose another with --port\n`,
    });
    taken.close();

    const next = await start(data);
    expect(next.output.stderr).toMatch(FIRST_START);
    expect((await askWith(next, firstTokens(next)[0]!)).status).toBe(200);
    expect(statSync(join(data, "first-token")).mode & 0o777).toBe(0o600);
  });
});

(HAS_SIGNALS ? describe : describe.skip)("the program and signals", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("ends well on %s", async (signal) => {
    const { child, exit, output } = await start(newFolder());
    child.kill(signal);
    expect(await exit).toBe(0);
    expect(output.stderr).toMatch(FIRST_START);
  });

  it("takes a signal that comes twice at once, as with Ctrl-C under npm, for one", async () => {
    const { child, exit } = await start(newFolder());
    child.kill("SIGINT");
    child.kill("SIGINT");
    expect(await exit).toBe(0);
  });
});
