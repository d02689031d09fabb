import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { edit, freePort, HAPROXY, isInstalled, startProxy, type Proxy } from "../../../test/support/proxies.js";
import { describeIf } from "../../../test/support/requirements.js";
import { until } from "../../../test/support/until.js";
import { rule, samlIdp, textOf, user } from "../support/documents.js";
import { buildPrevious, findPrevious, type Previous } from "../support/previous.js";
import { listeningUrl, programFile, runProgram, type TestProcess } from "../support/server.js";
import { SteadyLoad } from "../support/steady-load.js";
import { administrate, describeCitus, describePostgres, makeFolder } from "../support/stores.js";

jest.setTimeout(480_000);

const NODES = 3;

/** The changes of one org follow each other, so several write. */
const ORGS = ["one", "two", "three", "four"];

/** Requests in a second, of all together. */
const RATE = 200;
const BALANCER = readFileSync(join(__dirname, "../../../docs/examples/haproxy-nodes.cfg"), "utf8");

const previous = findPrevious();

for (const describeOn of [describePostgres, describeCitus]) {
  describeOn((_engine, database) => {
    describeIf(isInstalled(HAPROXY), "behind HAProxy", `HAProxy ${HAPROXY.version[2]}`, () => {
      // a copy without the history can't be mended by installing something, so CI doesn't require it
      (previous ? describe : describe.skip)(titleOf(previous), () => {
        test("nodes are exchanged for this version and back, and no request, write or event is lost", async () => {
          const { options } = await database({ bare: true });
          try {
            await roll({ before: buildPrevious(previous!), later: programFile() }, String(options.databaseUrl));
          } finally {
            await endAll();
          }
        });
      });
    });
  });
}

(previous ? describe : describe.skip)(titleOf(previous), () => {
  test("this version starts on the SQLite database of before, and answers as that one did, with the tokens of before", async () => {
    try {
      await upgradeInPlace({ before: buildPrevious(previous!), later: programFile() });
    } finally {
      await endAll();
    }
  });
});

function titleOf(found: Previous | undefined): string {
  if (!found) return "after the version before (not run: needs the commit of .ci/previous in its history)";
  const packages = found.hasOtherPackages ? ", with the packages of this one" : "";
  return `after the version before${packages}`;
}

const folder = makeFolder();
const running = new Set<TestProcess>();
const proxies: Proxy[] = [];
const loads: SteadyLoad[] = [];

/** Before the database is emptied. */
async function endAll(): Promise<void> {
  for (const load of loads.splice(0)) load.close();
  for (const { child, exit } of running) {
    child.kill("SIGKILL");
    await exit;
  }
  running.clear();
  await Promise.all(proxies.splice(0).map(({ close }) => close()));
}

async function roll(
  { before, later }: Readonly<Record<"before" | "later", string>>,
  databaseUrl: string,
): Promise<void> {
  const env = { DATABASE_URL: databaseUrl, ETIQUETTE_SECRETS: "s".repeat(32) };
  const file = join(mkdtempSync(join(folder, "import-")), "orgs.json");
  const facts = { idps: [samlIdp("Acme")], rules: [rule("acme", "Acme")] };
  writeFileSync(file, textOf(...ORGS.map((subdomain) => ({ subdomain, name: subdomain, ...facts }))));
  await run(before, ["import", file], env);
  const tokens = await Promise.all(ORGS.map((org) => run(before, ["token", "create", "--org", org], env)));

  const ports = await freePorts();
  const start = (program: string, place: number): Promise<TestProcess> => startNode(program, ports[place] ?? 0, env);
  const nodes = await Promise.all(ports.map((_, place) => start(before, place)));
  const { port, areUp } = await balance(ports);
  await until(areUp);
  for (const [place, org] of ORGS.entries()) {
    const token = tokens[place]?.trim().split(/\s+/).at(-1) ?? "";
    loads.push(new SteadyLoad({ port, org, token, rate: RATE / ORGS.length }));
  }
  await Promise.all(loads.map((load) => load.start()));

  const known = await listMigrations(databaseUrl);
  for (const program of [later, before]) {
    for (const [place, node] of nodes.entries()) {
      node.child.kill("SIGTERM");
      expect([await node.exit, node.output.stderr]).toEqual([
        0,
        expect.not.stringMatching(/"level":"(?:error|fatal)"/),
      ]);
      running.delete(node);
      nodes[place] = await start(program, place);
      await until(areUp);
      const errors = nodes.flatMap(({ output }) => output.stderr.match(/^.*"level":"error".*$/gm) ?? []);
      expect([...loads.flatMap(({ faults }) => faults), ...errors]).toEqual([]);
    }
  }
  for (const load of loads) {
    await load.stop();
    await load.check();
    expect(load.faults).toEqual([]);
    await expectEvents(load);
  }
  const isNewer = (await listMigrations(databaseUrl)).length > known.length;
  for (const { output } of nodes) {
    expect(output.stderr.includes("the database is one version newer than this server")).toBe(isNewer);
  }
}

/** What a client reads of an org. The log, which grows meanwhile, is the last. */
const READ = ["/users", "/idps", "/policies?type=IDP_DISCOVERY", "/zones", "/trustedOrigins", "/logs"];

async function upgradeInPlace({ before, later }: Readonly<Record<"before" | "later", string>>): Promise<void> {
  const data = mkdtempSync(join(folder, "data-"));
  const file = join(data, "orgs.json");
  const facts = { idps: [samlIdp("Acme")], rules: [rule("acme", "Acme")], users: [user("ann@example.com")] };
  writeFileSync(file, textOf({ subdomain: "acme", name: "Acme", ...facts }));
  await run(before, ["import", file], {}, data);
  const token = (await run(before, ["token", "create", "--org", "acme"], {}, data)).trim();

  const port = await freePort();
  const old = await startNode(before, port, {}, data);
  const ask = (path: string, method = "GET", body?: object): Promise<Answer> =>
    askNode({ port, token }, path, method, body);
  const ben = await ask("/api/v1/users", "POST", user("ben@example.com"));
  expect(ben.status).toBe(200);
  const walk = async (): Promise<Answer[]> => {
    const login = await ask("/.well-known/webfinger?resource=svc:acct:ann@acme.example");
    return [login, ...(await Promise.all(READ.map((path) => ask(`/api/v1${path}`))))];
  };
  const known = await walk();
  expect(known.map(({ status }) => status)).toEqual(known.map(() => 200));
  old.child.kill("SIGTERM");
  expect(await old.exit).toBe(0);

  await startNode(later, port, {}, data);
  const found = await walk();
  expect(found.slice(0, -1)).toMatchObject(known.slice(0, -1)); // members may have been added
  const events = (answers: readonly Answer[]): string[] =>
    (answers.at(-1)!.body as { uuid: string }[]).map(({ uuid }) => uuid);
  expect(events(known)).not.toEqual([]);
  expect(events(found)).toEqual(expect.arrayContaining(events(known)));
  const { id } = ben.body as { id: string };
  expect(await ask(`/api/v1/users/${id}`, "POST", { profile: { firstName: "Benjamin" } })).toHaveProperty(
    "status",
    200,
  );
}

interface Answer {
  readonly status: number | undefined;
  readonly body: unknown;
}

async function askNode(
  { port, token }: { port: number; token: string },
  path: string,
  method: string,
  body?: object,
): Promise<Answer> {
  const headers = { Host: "acme.localhost", "X-Forwarded-Proto": "https", Authorization: `SVC ${token}` };
  const content = body === undefined ? {} : { "Content-Type": "application/json" };
  const request = http.request({ host: "127.0.0.1", port, path, method, headers: { ...headers, ...content } });
  request.end(body && JSON.stringify(body));
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) as unknown };
}

async function expectEvents(load: SteadyLoad): Promise<void> {
  const asked = [...load.written, ...load.read];
  let missing: string[] = asked;
  await until(async () => {
    const found = await load.readEvents();
    missing = asked.filter((id) => !found.has(id));
    return missing.length === 0;
  }).catch(() => undefined);
  expect(missing).toEqual([]);
}

async function listMigrations(databaseUrl: string): Promise<unknown[]> {
  return administrate("select name from kysely_migration", databaseUrl);
}

async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv, data = folder): Promise<string> {
  const { exit, output } = runProgram([...args, "--data", data], env, [program]);
  expect([await exit, output.stderr]).toEqual([0, expect.anything()]);
  return output.stdout;
}

async function startNode(
  program: string,
  port: number,
  env: NodeJS.ProcessEnv,
  data = mkdtempSync(join(folder, "node-")),
): Promise<TestProcess> {
  const flags = ["--http", "--trusted-proxies", "127.0.0.1", "--drain-delay", "3", "--port", String(port)];
  const unlimited = ["--rate-limits", "off", "--overload-lag", "off", "--log-level", "warn"]; // the machine may be busy otherwise
  const node = runProgram([...flags, ...unlimited, "--data", data], env, [program]);
  running.add(node);
  await listeningUrl(node);
  return node;
}

async function freePorts(): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < NODES) ports.add(await freePort());
  return [...ports];
}

/** HAProxy with the configuration for users, which asks more often here. */
async function balance(ports: readonly number[]): Promise<{ port: number; areUp: () => Promise<boolean> }> {
  const socket = join(mkdtempSync(join(folder, "haproxy-")), "stats");
  const servers = ports.map((port, place) => `server node${place + 1} 127.0.0.1:${port}`);
  const config = edit(BALANCER, {
    "bind :443 ssl crt /etc/haproxy/idp.example.pem": "bind :443",
    "server node1 10.0.0.1:8080\n  server node2 10.0.0.2:8080": servers.join("\n  "),
    "timeout connect 2s": "timeout connect 2s\n  timeout check 5s",
    "inter 2s": "inter 200ms",
  });
  const proxy = await startProxy(HAPROXY, `global\n  stats socket ${socket} level user\n${config}`);
  proxies.push(proxy);
  await until(() => existsSync(socket)); // HAProxy listens there last
  const areUp = async (): Promise<boolean> => {
    const client = net.connect(socket).setEncoding("utf8");
    client.write("show stat\n");
    const rows = (await text(client)).split("\n").filter((row) => row.startsWith("etiquette,node"));
    return rows.length === NODES && rows.every((row) => row.split(",")[17] === "UP");
  };
  return { port: proxy.port, areUp };
}
