import http from "node:http";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { generate } from "selfsigned";
import { checkCertificate } from "../../../src/program/doctor/certificate.js";
import { checkClock } from "../../../src/program/doctor/clock.js";
import { checkDatabase } from "../../../src/program/doctor/database.js";
import type { Finding } from "../../../src/program/doctor/finding.js";
import { checkFolder } from "../../../src/program/doctor/folder.js";
import { checkNames } from "../../../src/program/doctor/names.js";
import { checkPorts } from "../../../src/program/doctor/ports.js";
import { checkSnapshot, checkSpool } from "../../../src/program/doctor/kept.js";
import { checkTurns } from "../../../src/program/doctor/turns.js";
import { checkProxies } from "../../../src/program/doctor/proxies.js";
import { runProgram, startTestServer } from "../../support/server.js";
import { makeFolder } from "../../support/stores.js";

const parent = makeFolder();
const makeData = (): string => mkdtempSync(join(parent, "data-"));

const DAY_MS = 86_400_000;

/** The levels, texts and remedies in one text each. */
function told(findings: Finding | readonly Finding[]): string[] {
  return [findings].flat().map(({ level, text, remedy }) => [level, text, remedy].filter((part) => part).join(" | "));
}

test("database: a file that is none is a fault", async () => {
  const dataFolder = makeData();
  writeFileSync(join(dataFolder, "etiquette.db"), "no database".repeat(100));
  expect(told((await checkDatabase({ databaseUrl: undefined, dataFolder })).findings)).toEqual([
    expect.stringMatching(
      /^fault \| The database .*etiquette\.db can't be read: .* \| .*restore one if it is damaged$/,
    ),
  ]);
});

test("database: one that isn't there, or has no table, is not made", async () => {
  const settings = { databaseUrl: undefined, dataFolder: makeData() };
  for (let i = 0; i < 2; i++) {
    expect(told((await checkDatabase(settings)).findings)).toEqual(["ok | none yet; the first start creates it"]);
  }
  writeFileSync(join(settings.dataFolder, "etiquette.db"), "");
  for (let i = 0; i < 2; i++) {
    const [first] = told((await checkDatabase(settings)).findings);
    expect(first).toMatch(/^warning \| the next start changes the schema: 0001-discovery, /);
  }
});

describe("data folder", () => {
  const SETTINGS = { databaseUrl: undefined, secrets: [] };

  it("is for this user only", async () => {
    const dataFolder = makeData();
    writeFileSync(join(dataFolder, "secret.key"), "", { mode: 0o600 });
    writeFileSync(join(dataFolder, "tls.crt"), "", { mode: 0o644 });
    expect(told(await checkFolder({ ...SETTINGS, dataFolder }))).toEqual([`ok | ${dataFolder} is for this user only`]);
    chmodSync(join(dataFolder, "secret.key"), 0o640);
    chmodSync(dataFolder, 0o755);
    expect(told(await checkFolder({ ...SETTINGS, dataFolder }))).toEqual([
      expect.stringMatching(/^fault \| others can use \S+ \(mode 755\) \| chmod 700 /),
      expect.stringMatching(/^fault \| others can use \S+secret\.key \(mode 640\) \| chmod 600 /),
    ]);
  });

  it("tells of events that wait in it, and of those that can't be read", async () => {
    const dataFolder = makeData();
    expect([...(await checkSpool({ dataFolder })), ...(await checkSnapshot({ dataFolder }))]).toEqual([]);
    writeFileSync(join(dataFolder, "snapshot"), "123");
    utimesSync(join(dataFolder, "snapshot"), 0, 60);
    expect(told(await checkSnapshot({ dataFolder }))).toEqual([
      `ok | the snapshot ${dataFolder}/snapshot has 3 bytes, and was current at 1970-01-01T00:01:00.000Z`,
    ]);
    const folder = join(dataFolder, "spool");
    mkdirSync(folder);
    for (const name of ["spool-a-1.events", "spool-a-2.events", "spool-b-1.events.unreadable"]) {
      writeFileSync(join(folder, name), "12345");
      utimesSync(join(folder, name), 0, name.includes("-1.") ? 0 : 60);
    }
    expect(told(await checkSpool({ dataFolder }))).toEqual([
      `ok | events wait in ${folder} for the database: 10 bytes, the oldest of 1970-01-01T00:00:00.000Z`,
      expect.stringMatching(/^warning \| events in \S+ can't be read: 5 bytes, .* \| start with the secrets/),
    ]);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    expect(told(await checkSpool({ dataFolder }))[0]).toMatch(/^fault \| ENOTDIR/);
  });

  it("may be absent, but must be a folder", async () => {
    const absent = join(makeData(), "a", "b");
    expect(told(await checkFolder({ ...SETTINGS, dataFolder: absent }))).toEqual([
      `ok | ${absent} does not exist; the first start creates it`,
    ]);
    const file = join(makeData(), "file");
    writeFileSync(file, "");
    expect(told(await checkFolder({ ...SETTINGS, dataFolder: file }))[0]).toMatch(/^fault \| \S+ is no folder \| /);
    expect(told(await checkFolder({ ...SETTINGS, dataFolder: join(file, "x") }))[0]).toMatch(/^fault \| ENOTDIR/);
  });

  it("has a secret that other nodes don't know", async () => {
    const settings = { databaseUrl: "postgres://x/y", dataFolder: makeData() };
    expect(told(await checkFolder({ ...settings, secrets: [] }))[0]).toMatch(
      /^warning \| the secret is in this folder.* --secrets/,
    );
    expect(told(await checkFolder({ ...settings, secrets: ["s".repeat(32)] }))).toEqual([
      expect.stringMatching(/^ok /),
    ]);
  });
});

describe("certificate", () => {
  const now = new Date();

  async function files(names: string[], { begin = -1, end = 90 } = {}): Promise<{ cert: string; key: string }> {
    const folder = makeData();
    const { cert, private: key } = await generate([{ name: "commonName", value: "test" }], {
      keyType: "ec",
      notBeforeDate: new Date(now.getTime() + begin * DAY_MS),
      notAfterDate: new Date(now.getTime() + end * DAY_MS),
      extensions: [{ name: "subjectAltName", altNames: names.map((value) => ({ type: 2 as const, value })) }],
    });
    const paths = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
    writeFileSync(paths.cert, cert);
    writeFileSync(paths.key, key);
    return paths;
  }

  const check = (tlsFiles: { cert: string; key: string } | undefined, overrides = {}) =>
    checkCertificate({ tlsFiles, http: false, dataFolder: parent, baseDomain: "idp.example", ...overrides }, now);
  const NAMES = ["idp.example", "*.idp.example"];

  it("is valid, and for the base domain and its subdomains", async () => {
    expect(told(await check(await files(NAMES)))[0]).toMatch(/^ok \| valid until .*, for idp\.example and its orgs$/);
    expect(told(await check(await files(["other.example"])))).toEqual([
      expect.stringMatching(/^fault \| it is not for idp\.example \| /),
      expect.stringMatching(/^warning \| it is not for \*\.idp\.example \| /),
    ]);
  });

  it.each([
    ["ended", { begin: -9, end: -1 }, /^fault \| it ended on .* \| renew it/],
    ["will end soon", { end: 20 }, /^warning \| it ends on .* \| renew it/],
    ["has not begun", { begin: 1 }, /^fault \| it is valid only from .* \| check the clock/],
  ])("is reported when it %s", async (_title, dates, expected) => {
    expect(told(await check(await files(NAMES, dates)))).toEqual([expect.stringMatching(expected)]);
  });

  it("is reported when it is absent, or its key is another's", async () => {
    const [one, other] = [await files(NAMES), await files(NAMES)];
    expect(told(await check({ cert: one.cert, key: other.key }))[0]).toMatch(
      /^fault \| The key in --tls-key .* is not that/,
    );
    expect(told(await check({ cert: join(parent, "none"), key: one.key }))[0]).toMatch(
      /^fault \| --tls-cert can't be read/,
    );
  });

  it("may be generated, or the proxy's", async () => {
    expect(told(await check(undefined, { http: true }))).toEqual(["ok | none: the proxy terminates TLS"]);
    expect(told(await check(undefined, { dataFolder: makeData() }))[0]).toMatch(/^ok \| none yet/);
    const dataFolder = makeData();
    const { cert } = await files(NAMES, { begin: -9, end: -1 });
    writeFileSync(join(dataFolder, "tls.pem"), readFileSync(cert, "utf8"));
    expect(told(await check(undefined, { dataFolder }))[0]).toMatch(/^fault \| its authority .* ended on/);
    writeFileSync(join(dataFolder, "tls.pem"), "damaged");
    expect(told(await check(undefined, { dataFolder }))[0]).toMatch(
      /^fault \| \S+tls\.pem can't be read or is damaged/,
    );
  });
});

describe("clock", () => {
  it.each([
    [2_000, "ok | 2 s from the database's"],
    [-2_000, "ok | 2 s from the database's"],
    [
      2_100,
      "fault | the database's is 2.1 s ahead | keep the clocks in sync, such as with chrony or systemd-timesyncd",
    ],
    [
      -60_000,
      "fault | the database's is 60 s behind | keep the clocks in sync, such as with chrony or systemd-timesyncd",
    ],
  ])("%d ms from the database's", async (clockLead, expected) => {
    expect(told(await checkClock({ clockLead }, parent))).toEqual([expected]);
  });

  it("is behind when a file is from the future", async () => {
    const folder = makeData();
    const file = join(folder, "etiquette.db");
    writeFileSync(file, "");
    expect(told(await checkClock(undefined, folder))).toEqual(["ok | no file of the data folder is from the future"]);
    utimesSync(file, new Date(), new Date(Date.now() + DAY_MS));
    expect(told(await checkClock(undefined, folder))[0]).toMatch(
      /^fault \| a file of the data folder is from \d{4}-.*, which is to come \|/,
    );
    expect(told(await checkClock(undefined, join(folder, "none")))[0]).toMatch(/^ok /);
  });
});

describe("DNS", () => {
  const known =
    (...hosts: string[]) =>
    (host: string) =>
      hosts.includes(host) ? Promise.resolve({ address: "192.0.2.7" }) : Promise.reject(new Error("ENOTFOUND"));

  it("has the base domain and its subdomains", async () => {
    expect(told(await checkNames("localhost", known()))).toEqual(["ok | localhost needs none"]);
    expect(told(await checkNames("idp.example", known("idp.example", "any-org.idp.example")))).toEqual([
      "ok | idp.example is 192.0.2.7, and its subdomains are 192.0.2.7",
    ]);
    expect(told(await checkNames("idp.example", known("idp.example")))[0]).toMatch(
      /^warning \| the subdomains of idp\.example .*\*\.idp\.example/,
    );
    expect(told(await checkNames("idp.example", known()))[0]).toMatch(
      /^fault \| idp\.example has no address: ENOTFOUND \| add an A/,
    );
    expect(told(await checkNames("none.invalid"))[0]).toMatch(/^fault \| none\.invalid has no address/);
  });
});

test.each([
  [false, "127.0.0.1", [], "ok | none are trusted"],
  [true, "127.0.0.1", ["loopback"], "ok | trusted are loopback"],
  [true, "0.0.0.0", ["10.0.0.0/8", "fc00::/7"], "ok | trusted are 10.0.0.0/8, fc00::/7"],
  [true, "localhost", ["10.0.0.1"], /^fault \| only this machine reaches localhost.* \| add loopback/],
  [true, "::1", ["10.0.0.1"], /^fault \| only this machine reaches ::1/],
  [false, "0.0.0.0", ["10.0.0.0/7"], /^warning \| 10\.0\.0\.0\/7 is wide/],
  [false, "0.0.0.0", ["fc00::/6"], /^warning \| fc00::\/6 is wide/],
])("proxies: http %s on %s, trusting %j", (http, host, trustedProxies, expected) => {
  const [first] = told(checkProxies({ http, host, trustedProxies }));
  if (typeof expected === "string") expect(first).toBe(expected);
  else expect(first).toMatch(expected);
});

describe("ports", () => {
  const PLACE = { host: "127.0.0.1", http: false, adminHost: "127.0.0.1", adminPort: undefined };

  it("are free, used by the server itself, or in the way", async () => {
    const other = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    expect(told(await checkPorts({ ...PLACE, port, adminPort: port }))).toEqual([
      `fault | Port ${port} on 127.0.0.1 is in use | stop what listens there or choose another with --port`,
      `fault | Port ${port} on 127.0.0.1 is in use | stop what listens there or choose another with --admin-port`,
    ]);
    other.close();
    await once(other, "close");
    expect(told(await checkPorts({ ...PLACE, port }))).toEqual([`ok | ${port} on 127.0.0.1 is free`]);
    expect(told(await checkPorts({ ...PLACE, port, host: "192.0.2.1" }))[0]).toMatch(
      /^fault \| 192\.0\.2\.1 is no address of this machine/,
    );
  });

  it("may be those of the running server", async () => {
    const server = await startTestServer({ options: { dataFolder: makeData() } }, { adminPort: 0 });
    const adminPort = Number(new URL(String(server.adminUrl)).port);
    const findings = told(await checkPorts({ ...PLACE, port: server.port, adminPort }));
    await server.close();
    expect(findings).toEqual([
      `ok | a server runs at ${server.port} on 127.0.0.1`,
      `ok | a server runs at ${adminPort} on 127.0.0.1`,
    ]);
  });
});

describe("event loop", () => {
  const adminHost = "127.0.0.1";
  const check = async (adminPort: number | undefined) => told([await checkTurns({ adminHost, adminPort })])[0];

  it("is what a running server tells of its long turns", async () => {
    let metrics = "";
    const server = http.createServer((_req, res) => res.end(metrics)).listen(0, adminHost);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await check(port)).toBe("ok | no turn took more than 20 ms since the start");
    metrics = [
      'etiquette_long_turns_total{operation="background",worker="1"} 0',
      'etiquette_long_turns_total{operation="GET /api/v1/users/:id",worker="1"} 2',
      'etiquette_long_turns_total{operation="webfinger",worker="2"} 40',
      'etiquette_longest_turn_seconds{operation="webfinger",worker="2"} 0.0214',
      'etiquette_longest_turn_seconds{operation="GET /api/v1/users/:id",worker="1"} 0.3406',
    ].join("\n");
    expect(await check(port)).toMatch(
      /^warning \| 42 turns took more than 20 ms since the start, the longest 341 ms: GET \/api\/v1\/users\/:id \| look for/,
    );
    server.close();
    await once(server, "close");
    expect(await check(port)).toBe(`ok | no server at ${port} on 127.0.0.1 tells how long its turns were`);
    expect(await check(undefined)).toBe("ok | only a server with --admin-port tells how long its turns were");
  });
});

describe("npm start -- doctor", () => {
  it("prints what it found, ends with 0, and creates nothing", async () => {
    const data = join(makeData(), "new");
    const { output, exit } = runProgram(["doctor", "--data", data, "--port", "0"]);
    expect([await exit, output.stderr]).toEqual([0, ""]);
    const checks = output.stdout
      .trim()
      .split("\n")
      .map((line) => line.split(/ {2,}/).slice(0, 2));
    expect(checks).toEqual(
      [
        ...Array<string>(3).fill("settings"),
        "database",
        "data folder",
        "certificate",
        "clock",
        "DNS",
        "proxies",
        "ports",
        "event loop",
      ].map((name) => ["ok", name]),
    );
    expect(() => {
      rmSync(data, { recursive: true });
    }).toThrow("ENOENT");
  });

  it("ends with 1 after a fault, and says what to mend", async () => {
    const data = makeData();
    mkdirSync(join(data, "etiquette.db"), { mode: 0o700 });
    const { output, exit } = runProgram(["doctor", "--data", data, "--port", "0"]);
    expect([await exit, output.stderr]).toEqual([1, "etiquette: 1 fault\n"]);
    expect(output.stdout).toMatch(/^fault {4}database {5}The database .*\n {22}→ check who owns/m);
  });

  it("prints JSON for programs", async () => {
    const { output, exit } = runProgram(["doctor", "--json", "--data", makeData(), "--port", "0"]);
    expect(await exit).toBe(0);
    expect(JSON.parse(output.stdout)).toHaveLength(11);
  });

  it("shows each setting and where it comes from, without secrets, and a file of secrets that others may read", async () => {
    const data = makeData();
    const config = join(makeData(), "etiquette.toml");
    writeFileSync(config, `secrets = "${"s".repeat(32)}"\nlog-level = "warn"`, { mode: 0o644 });
    const args = ["doctor", "--config", config, "--data", data, "--no-console"];
    const { output, exit } = runProgram(args, { ETIQUETTE_PORT: "0" });
    expect(await exit).toBe(0);
    expect(output.stdout.match(/^\S+ +settings +.*(?:\n +→.*)?/gm)).toEqual([
      "ok       settings     each is valid; all but these have their default",
      "ok       settings     secrets is *** (secrets in etiquette.toml)",
      "ok       settings     log-level is warn (log-level in etiquette.toml)",
      "ok       settings     port is 0 (ETIQUETTE_PORT)",
      `ok       settings     config is ${config} (--config)`,
      `ok       settings     data is ${data} (--data)`,
      "ok       settings     console is false (--no-console)",
      `warning  settings     others may read the file with secrets\n                      → chmod 600 ${config}`,
    ]);
    expect(output.stdout).not.toContain("sss");
  });

  it.each([
    [["doctor", "--port", "x"], 'etiquette: --port must be an integer from 0 to 65535, not "x"\n'],
    [["doctor", "x"], 'etiquette: Unexpected argument "x"; --help lists what there is\n'],
    [["export", "--json"], "etiquette: --json is for doctor only\n"],
  ])("refuses %j", async (args, expected) => {
    const { output, exit } = runProgram(args);
    expect([await exit, output.stderr]).toEqual([2, expected]);
  });
});
