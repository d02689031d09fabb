import path from "node:path";
import { DEFAULT_QUOTAS } from "../../src/model/quotas.js";
import { DEFAULT_RATE_LIMITS } from "../../src/model/rate-limits.js";
import { ALL_SCOPES } from "../../src/model/scopes.js";
import { parseCommandLine } from "../../src/program/command-line.js";
import { FLAGS } from "../../src/program/commands/index.js";
import { countCores } from "../../src/program/settings/cores.js";
import { formatHelp } from "../../src/program/help.js";
import type { Settings } from "../../src/program/settings/settings.js";
import { CONSOLE_FOLDER } from "../../src/web/console/pages.js";
import { SETTINGS, variableOf, type SettingName } from "../../src/program/settings/index.js";

/** As short as one may be. */
const SECRET = "s".repeat(32);

function settingsOf(args: string[], env: NodeJS.ProcessEnv = {}): Settings {
  const { name, settings } = parseCommandLine(args, env);
  if (name !== "serve" || !settings) throw new Error(`the command is ${name}`);
  return settings;
}

describe("parseCommandLine()", () => {
  it("takes a value that begins with a hyphen, up to 4,096 characters", () => {
    const folder = `-${"p".repeat(4_095)}`;
    expect(settingsOf(["--data", folder]).dataFolder).toBe(path.resolve(folder));
  });

  it("reads the settings of who watches, at their bounds", () => {
    const parse = (...args: string[]) => settingsOf(args);
    expect(parse("--admin-port", "65535", "--admin-host", "::1", "--drain-delay", "300")).toMatchObject({
      adminPort: 65_535,
      adminHost: "::1",
      drainDelay: 300_000,
    });
    expect(parse("--port", "0", "--admin-port", "0")).toMatchObject({ port: 0, adminPort: 0 });
    expect(parse("--admin-names", "Etiquette.Monitoring, my_service,192.0.2.1,2001:db8::1")).toMatchObject({
      adminNames: ["etiquette.monitoring", "my_service", "192.0.2.1", "2001:db8::1"],
    });
    expect(parse("--metrics-orgs", "demo, acme")).toMatchObject({ metricsOrgs: ["demo", "acme"] });
    const orgs = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`).join(",");
    for (const count of [99, 100]) expect(parse("--metrics-orgs", orgs(count)).metricsOrgs).toHaveLength(count);
    expect(() => parse("--metrics-orgs", orgs(101))).toThrow("--metrics-orgs must be a list of at most 100 subdomains");
  });

  it("has a default for everything", () => {
    expect(settingsOf([])).toEqual({
      port: 8443,
      host: "127.0.0.1",
      dataFolder: path.resolve("data"),
      databaseUrl: undefined,
      demo: true,
      drainDelay: 0,
      migrate: true,
      secrets: [],
      tlsFiles: undefined,
      http: false,
      trustedProxies: [],
      serverTiming: [],
      namespace: "svc",
      apiTokenScheme: "SVC",
      tokenLifetime: 7_776_000_000,
      tokenMaxLifetime: 31_536_000_000,
      tokenOverlap: 86_400_000,
      consoleFolder: CONSOLE_FOLDER,
      consoleIdle: 3_600_000,
      issuerHref: "org",
      issuerRel: "https",
      resourceAliases: ["acct:"],
      strictHeaders: false,
      v1Deprecation: undefined,
      v1Sunset: undefined,
      baseDomain: "localhost",
      publicPort: undefined,
      defaultOrg: "demo",
      rateLimits: { window: 60, limits: DEFAULT_RATE_LIMITS },
      logRetentionDays: 90,
      historyRetentionDays: 90,
      logNoiseRate: 50,
      logDayLimit: 1_073_741_824,
      quotas: DEFAULT_QUOTAS,
      unreadBytes: 16_000_000,
      cacheBytes: 256_000_000,
      workers: 1,
      readMaxLag: 100,
      staleLimit: 86_400_000,
      spoolBytes: 256_000_000,
      searchLimit: 100_000,
      securityContact: [],
      metadataInterval: 86_400_000,
      metadataNetworks: [],
      adminHost: "127.0.0.1",
      adminNames: [],
      metricsOrgs: [],
      adminPort: undefined,
      apiConnections: 6,
      statementTimeout: 10,
      connectionLimits: {
        writeTimeout: 60_000,
        maxConnections: 10_000,
        maxConnectionsPerIp: 1_000,
        maxPendingResponses: 100,
        maxRequestsPerSocket: false,
      },
      overloadLimits: { lag: 250, waiting: 1_000 },
      logLevel: "info",
    });
  });

  it.each<[string, string, Partial<Settings>]>([
    ["port", "0", { port: 0 }],
    ["port", "65535", { port: 65_535 }],
    ["host", "0.0.0.0", { host: "0.0.0.0" }],
    ["host", "::1", { host: "::1" }],
    ["data", "/srv/etiquette", { dataFolder: "/srv/etiquette" }],
    ["database-url", "postgres://u:p@db/x", { databaseUrl: "postgres://u:p@db/x" }],
    ["database-url", "postgresql://db/x", { databaseUrl: "postgresql://db/x" }],
    ["listen-url", "", { listenUrl: undefined }],
    ["read-url", "", { readUrl: undefined }],
    ["read-max-lag", "1", { readMaxLag: 1 }],
    ["read-max-lag", "10000", { readMaxLag: 10_000 }],
    ["stale-limit", "1m", { staleLimit: 60_000 }],
    ["stale-limit", "3650d", { staleLimit: 3_650 * 86_400_000 }],
    ["stale-limit", "0", { staleLimit: 0 }],
    ["spool-limit", "0", { spoolBytes: 0 }],
    ["spool-limit", "1", { spoolBytes: 1_000_000 }],
    ["spool-limit", "1000000", { spoolBytes: 1_000_000_000_000 }],
    ["secrets", SECRET, { secrets: [SECRET] }],
    ["secrets", `${SECRET}, ${"ö".repeat(16)}`, { secrets: [SECRET, "ö".repeat(16)] }],
    ["trusted-proxies", "loopback, 192.0.2.0/24", { trustedProxies: ["loopback", "192.0.2.0/24"] }],
    ["namespace", "acme", { namespace: "acme", apiTokenScheme: "ACME" }],
    ["api-token-scheme", "Token", { apiTokenScheme: "Token" }],
    ["token-lifetime", "90m", { tokenLifetime: 5_400_000, tokenMaxLifetime: 31_536_000_000 }],
    ["token-lifetime", "never", { tokenLifetime: 31_536_000_000 }],
    ["token-max-lifetime", "1d", { tokenLifetime: 86_400_000, tokenMaxLifetime: 86_400_000 }],
    ["token-max-lifetime", "never", { tokenLifetime: 7_776_000_000, tokenMaxLifetime: Infinity }],
    ["console", "false", { consoleFolder: undefined }],
    ["console-idle", "5m", { consoleIdle: 300_000 }],
    ["console-idle", "3650d", { consoleIdle: 315_360_000_000 }],
    ["metadata-interval", "5m", { metadataInterval: 300_000 }],
    ["metadata-interval", "30d", { metadataInterval: 2_592_000_000 }],
    ["metadata-interval", "off", { metadataInterval: false }],
    ["metadata-networks", "10.1.0.0/16, fd00::/8", { metadataNetworks: ["10.1.0.0/16", "fd00::/8"] }],
    ["token-overlap", "1m", { tokenOverlap: 60_000 }],
    ["token-overlap", "3650d", { tokenOverlap: 315_360_000_000 }],
    ["issuer-href", "provider", { issuerHref: "provider" }],
    ["issuer-rel", "echo", { issuerRel: "echo" }],
    ["issuer-rel", "both", { issuerRel: "both" }],
    ["resource-aliases", "acct:,mailto:", { resourceAliases: ["acct:", "mailto:"] }],
    ["resource-aliases", "none", { resourceAliases: [] }],
    ["strict-headers", "true", { strictHeaders: true }],
    ["strict-headers", "1", { strictHeaders: true }],
    ["strict-headers", "false", { strictHeaders: false }],
    ["strict-headers", "0", { strictHeaders: false }],
    ["v1-deprecation", "2027-01-01", { v1Deprecation: new Date("2027-01-01T00:00:00.000Z") }],
    ["v1-sunset", "2028-02-29", { v1Sunset: new Date("2028-02-29T00:00:00.000Z") }],
    ["base-domain", "IdP.example", { baseDomain: "idp.example", publicPort: undefined }],
    ["base-domain", "idp.example:443", { baseDomain: "idp.example", publicPort: 443 }],
    ["default-org", "acme-2", { defaultOrg: "acme-2" }],
    ["rate-limits", "off", { rateLimits: null }],
    ["rate-limits", "on", { rateLimits: { window: 60, limits: DEFAULT_RATE_LIMITS } }],
    [
      "rate-limits",
      "read=1, logs=1000000,window=3600",
      { rateLimits: { window: 3_600, limits: { ...DEFAULT_RATE_LIMITS, read: 1, logs: 1_000_000 } } },
    ],
    ["log-retention", "1", { logRetentionDays: 1, historyRetentionDays: 1 }],
    ["log-retention", "3650", { logRetentionDays: 3650, historyRetentionDays: 3650 }],
    ["history-retention", "3650", { historyRetentionDays: 3650 }],
    ["log-noise-rate", "0", { logNoiseRate: 0 }],
    ["log-noise-rate", "10000", { logNoiseRate: 10_000 }],
    ["log-day-limit", "1", { logDayLimit: 1_048_576 }],
    ["log-day-limit", "1048576", { logDayLimit: 1_099_511_627_776 }],
    ["quotas", "users=5, patternBytes=1000000000000", { quotas: { ...DEFAULT_QUOTAS, users: 5, patternBytes: 1e12 } }],
    ["quotas", "zones=0", { quotas: { ...DEFAULT_QUOTAS, zones: 0 } }],
    ["cache-size", "1", { cacheBytes: 1_000_000 }],
    ["cache-size", "65536", { cacheBytes: 65_536_000_000 }],
    ["log-level", "silent", { logLevel: "silent" }],
  ])("takes --%s %j, also from the environment", (name, value, expected) => {
    const env = variableOf(name as SettingName);
    expect(settingsOf([`--${name}=${value}`])).toMatchObject(expected);
    expect(settingsOf([], { [env]: value })).toMatchObject(expected);
  });

  it("demonstrates in SQLite only, unless it is told what to do", () => {
    const url = ["--database-url", "postgres://db/x"];
    expect(settingsOf([...url, "--listen-url", "postgres://db2/x"])).toMatchObject({ listenUrl: "postgres://db2/x" });
    expect(settingsOf([...url, "--read-url", "postgres://db2/x"])).toMatchObject({ readUrl: "postgres://db2/x" });
    for (const [args, demo] of [
      [[], true],
      [["--database-url="], true],
      [url, false],
      [["--demo", ...url], true],
      [["--no-demo"], false],
      [["--demo=false"], false],
    ] as const) {
      expect([args, settingsOf([...args]).demo]).toEqual([args, demo]);
    }
    expect(settingsOf(["--no-migrate"]).migrate).toBe(false);
    expect(settingsOf([], { ETIQUETTE_MIGRATE: "false" }).migrate).toBe(false);
    expect(settingsOf([], { ETIQUETTE_DEMO: "false" }).demo).toBe(false);
    expect(settingsOf(["--no-demo"], { ETIQUETTE_DEMO: "true" }).demo).toBe(false);
    expect(settingsOf([], { ETIQUETTE_DEMO: "1", DATABASE_URL: "postgres://db/x" }).demo).toBe(true);
  });

  it.each([
    ["write-timeout", "connectionLimits", "writeTimeout", 3_600_000],
    ["max-connections", "connectionLimits", "maxConnections", 1_000_000],
    ["max-connections-per-ip", "connectionLimits", "maxConnectionsPerIp", 1_000_000],
    ["max-pending-responses", "connectionLimits", "maxPendingResponses", 1_000_000],
    ["max-requests-per-socket", "connectionLimits", "maxRequestsPerSocket", 1_000_000],
    ["overload-lag", "overloadLimits", "lag", 3_600_000],
    ["overload-waiting", "overloadLimits", "waiting", 1_000_000],
  ] as const)("takes a limit or off for --%s", (name, group, member, max) => {
    for (const value of [1, max]) {
      expect(settingsOf([`--${name}=${value}`])[group]).toMatchObject({ [member]: value });
      expect(settingsOf([], { [variableOf(name)]: String(value) })[group]).toMatchObject({ [member]: value });
    }
    expect(settingsOf([`--${name}=off`])[group]).toMatchObject({ [member]: false });
    for (const value of ["0", String(max + 1), "-1", "1.5", "1e3", "OFF", "false"]) {
      expect(() => settingsOf([`--${name}=${value}`])).toThrow(
        `--${name} must be an integer from 1 to ${max} or off, not "${value}"`,
      );
    }
  });

  it("takes a value as the next argument, and a switch without one", () => {
    expect(settingsOf(["--port", "9000", "--strict-headers"])).toMatchObject({ port: 9000, strictHeaders: true });
  });

  it("takes the certificate with its key, and plain HTTP with trusted proxies", () => {
    const tlsFiles = { cert: "a.crt", key: "a.key" };
    expect(settingsOf(["--tls-cert", "a.crt", "--tls-key", "a.key"])).toMatchObject({ tlsFiles });
    expect(settingsOf(["--http", "--trusted-proxies", "loopback"])).toMatchObject({ http: true });
  });

  it("takes the end of v1 on the day of its deprecation", () => {
    const day = new Date("2027-06-30T00:00:00.000Z");
    const settings = settingsOf(["--v1-deprecation", "2027-06-30", "--v1-sunset", "2027-06-30"]);
    expect(settings).toMatchObject({ v1Deprecation: day, v1Sunset: day });
  });

  it("takes several workers with PostgreSQL", () => {
    const url = ["--database-url", "postgres://db/x"];
    expect(settingsOf(["--workers", "64", ...url]).workers).toBe(64);
    expect(settingsOf(["--workers", "1"]).workers).toBe(1);
    expect(settingsOf(["--workers", "auto", ...url]).workers).toBe(countCores());
    expect(settingsOf(["--workers", "auto"]).workers).toBe(1); // SQLite is for one process
  });

  it("lets a flag beat its environment variable", () => {
    const env = { ETIQUETTE_PORT: "1", DATABASE_URL: "postgres://db/x", ETIQUETTE_STRICT_HEADERS: "true" };
    expect(settingsOf(["--port=2", "--database-url=", "--strict-headers=false"], env)).toMatchObject({
      port: 2,
      databaseUrl: undefined,
      strictHeaders: false,
    });
  });

  it("takes an empty variable for an absent one, and leaves other programs' variables alone", () => {
    expect(settingsOf([], { ETIQUETTE_PORT: "", PORT: "nonsense" }).port).toBe(8443);
  });

  it.each<[string[], string]>([
    [["--port", "x"], '--port must be an integer from 0 to 65535, not "x"'],
    [["--port", "-1"], '--port must be an integer from 0 to 65535, not "-1"'],
    [["--port", "65536"], '--port must be an integer from 0 to 65535, not "65536"'],
    [["--port", "1e3"], '--port must be an integer from 0 to 65535, not "1e3"'],
    [["--port="], '--port must be an integer from 0 to 65535, not ""'],
    [["--port"], "--port needs a value"],
    [["--port", "1", "--port", "2"], "--port is given twice"],
    [["--prot", "1"], "Unknown setting --prot; --help lists what there is"],
    [["-p"], "Unknown setting -p; --help lists what there is"],
    [[`-${"p".repeat(100_000)}`], "Unknown setting -p; --help lists what there is"],
    [["--data", `-${"p".repeat(4_096)}`], "Unknown setting -p; --help lists what there is"],
    [["--workers", "0"], '--workers must be an integer from 1 to 64, or auto, not "0"'],
    [["--workers", "65"], '--workers must be an integer from 1 to 64, or auto, not "65"'],
    [["--admin-port", "65536"], '--admin-port must be an integer from 0 to 65535, not "65536"'],
    [["--admin-port", ""], '--admin-port must be an integer from 0 to 65535, not ""'],
    [["--admin-port", "8443"], "--admin-port must be another than --port"],
    [["--port", "9464", "--admin-port", "9464"], "--admin-port must be another than --port"],
    [["--admin-names", "a:9464"], '--admin-names must be a list of names and addresses without ports, not "a:9464"'],
    [["--admin-names", "a,,b"], '--admin-names must be a list of names and addresses without ports, not "a,,b"'],
    [["--metrics-orgs", "demo,A"], '--metrics-orgs must be a list of at most 100 subdomains, not "demo,A"'],
    [["--metrics-orgs", "a,,b"], '--metrics-orgs must be a list of at most 100 subdomains, not "a,,b"'],
    [["--admin-host", "a b"], '--admin-host must be an address or a host name, not "a b"'],
    [["--drain-delay", "301"], '--drain-delay must be an integer from 0 to 300, not "301"'],
    [["--drain-delay", "-1"], '--drain-delay must be an integer from 0 to 300, not "-1"'],
    [["--workers", "2"], "--workers needs --database-url: SQLite is for one process"],
    [["--host", "a b"], '--host must be an address or a host name, not "a b"'],
    [["--data="], '--data must not be empty, not ""'],
    [["--database-url", "mysql://u:secret@db"], "--database-url must begin with postgres:// or postgresql://"],
    [["--listen-url", "mysql://u:secret@db"], "--listen-url must begin with postgres:// or postgresql://"],
    [["--listen-url", "postgres://db/x"], "--listen-url needs --database-url"],
    [["--read-url", "mysql://u:secret@db"], "--read-url must begin with postgres:// or postgresql://"],
    [["--read-url", "postgres://db/x"], "--read-url needs --database-url"],
    [["--read-max-lag", "0"], '--read-max-lag must be an integer from 1 to 10000, not "0"'],
    [["--read-max-lag", "10001"], '--read-max-lag must be an integer from 1 to 10000, not "10001"'],
    [["--stale-limit", "0m"], '--stale-limit must be a time of 1m to 3650d, such as 24h, or 0, not "0m"'],
    [["--stale-limit", "3651d"], '--stale-limit must be a time of 1m to 3650d, such as 24h, or 0, not "3651d"'],
    [["--stale-limit", ""], '--stale-limit must be a time of 1m to 3650d, such as 24h, or 0, not ""'],
    [["--spool-limit", "1000001"], '--spool-limit must be an integer from 0 to 1000000, not "1000001"'],
    [["--spool-limit", "-1"], '--spool-limit must be an integer from 0 to 1000000, not "-1"'],
    [["--spool-limit", "off"], '--spool-limit must be an integer from 0 to 1000000, not "off"'],
    [["--spool-limit", ""], '--spool-limit must be an integer from 0 to 1000000, not ""'],
    [["--read-max-lag", "1.5"], '--read-max-lag must be an integer from 1 to 10000, not "1.5"'],
    [["--read-max-lag", ""], '--read-max-lag must be an integer from 1 to 10000, not ""'],
    [["--tls-cert", "a"], "--tls-cert and --tls-key go together"],
    [["--tls-key", "a"], "--tls-cert and --tls-key go together"],
    [["--http"], "--http needs --trusted-proxies: the addresses of the proxy that terminates TLS"],
    [["--http", "--trusted-proxies="], '--trusted-proxies is invalid: "" is not an IP address'],
    [
      ["--http", "--trusted-proxies=loopback", "--tls-cert=a", "--tls-key=a"],
      "--http and --tls-cert exclude each other",
    ],
    [["--http=maybe"], '--http must be true or false, not "maybe"'],
    [["--trusted-proxies", "1"], '--trusted-proxies is invalid: "1" is not an IP address'],
    [["--trusted-proxies", "0.0.0.0/0"], '--trusted-proxies is invalid: "0.0.0.0/0" would trust every address'],
    [["--namespace", "Acme"], "--namespace must be 1 to 32 lower-case letters and digits, a letter first"],
    [["--api-token-scheme", "a b"], "--api-token-scheme must be an authentication scheme"],
    [["--api-token-scheme", "bearer"], "--api-token-scheme must not be Bearer or DPoP"],
    [["--console-idle=4m"], '--console-idle must be a time of 5m to 3650d, such as 30m or 12h, not "4m"'],
    [["--console-idle=x"], '--console-idle must be a time of 5m to 3650d, such as 30m or 12h, not "x"'],
    ...["4m", "31d", "x", ""].map((time): [string[], string] => [
      [`--metadata-interval=${time}`],
      `--metadata-interval must be a time of 5m to 30d, such as 12h, or off, not "${time}"`,
    ]),
    [
      ["--metadata-networks=10.0.0.1/8"],
      '--metadata-networks must be a list of addresses and networks, not "10.0.0.1/8"',
    ],
    ...["token-lifetime", "token-max-lifetime"].map((flag): [string[], string] => [
      [`--${flag}=0d`],
      `--${flag} must be never or a time of 1m to 3650d, such as 90m, 12h or 30d, not "0d"`,
    ]),
    ...["never", "3651d", ""].map((time): [string[], string] => [
      [`--token-overlap=${time}`],
      `--token-overlap must be a time of 1m to 3650d, such as 90m, 12h or 30d, not "${time}"`,
    ]),
    ...[[], ["--token-max-lifetime", "1h"]].map((flags, i): [string[], string] => [
      ["token", "create", "--org=a", "--expires", i === 0 ? "366d" : "61m", ...flags],
      `--expires must not be more than --token-max-lifetime, not "${i === 0 ? "366d" : "61m"}"`,
    ]),
    [["token", "create", "--org=a", "--expires=never"], "--expires must not be more than --token-max-lifetime"],
    ...["", "x", "192.0.2.1,", "192.0.2.1/8"].map((addresses): [string[], string] => [
      ["token", "create", "--org=a", `--addresses=${addresses}`],
      "--addresses is invalid: ",
    ]),
    [["--issuer-href", "idp"], '--issuer-href must be provider or org, not "idp"'],
    [["--issuer-rel", "http"], '--issuer-rel must be https, echo or both, not "http"'],
    [["--resource-aliases", "acct"], "--resource-aliases must be none or a list of URI prefixes such as acct:"],
    [["--resource-aliases", "acct:,"], "--resource-aliases must be none or a list of URI prefixes such as acct:"],
    [["--demo", "--no-demo"], "--no-demo and --demo exclude each other, and come once"],
    [["--no-demo", "--demo"], "--demo is given twice"],
    [["--no-demo", "--no-demo"], "--no-demo and --demo exclude each other, and come once"],
    [["--no-demo=1"], "Unknown setting --no-demo"],
    [["--no-http"], "Unknown setting --no-http"],
    [["--strict-headers=yes"], '--strict-headers must be true or false, not "yes"'],
    ...["", "soon", "2027-02-29", "2027-6-30", "2027-06-30T00:00:00Z"].map((date): [string[], string] => [
      [`--v1-sunset=${date}`],
      `--v1-sunset must be a date such as 2027-06-30, not "${date}"`,
    ]),
    [["--v1-deprecation", "0"], '--v1-deprecation must be a date such as 2027-06-30, not "0"'],
    [["--v1-deprecation=2027-06-30", "--v1-sunset=2027-06-29"], "--v1-sunset must not be before --v1-deprecation"],
    [["--base-domain", "192.0.2.1"], "--base-domain must be a domain name, with or without a port"],
    [["--base-domain", "a..b"], "--base-domain must be a domain name"],
    [["--base-domain", "idp.example:0"], "--base-domain must be a domain name"],
    [["--base-domain", "idp.example:70000"], "--base-domain must be a domain name"],
    [["--base-domain", "https://idp.example"], "--base-domain must be a domain name"],
    [["--default-org", "Acme"], "--default-org must be 1 to 63 lower-case letters, digits and inner hyphens"],
    ...["", "0", "65537", "1.5", "256MB"].map((size): [string[], string] => [
      [`--cache-size=${size}`],
      `--cache-size must be an integer from 1 to 65536, not "${size}"`,
    ]),
    ...[
      "rules",
      "rules=",
      "rules=-1",
      "rules=1000000000001",
      "groups=1",
      "toString=1",
      "rules=1,rules=2",
      "rules=1,",
    ].map((list): [string[], string] => [
      [`--quotas=${list}`],
      "--quotas must be a list such as users=5000,rules=200, each once, up to 1000000000000: " +
        `users, idps, rules, zones, trustedOrigins, apiTokens, routingTests, patterns, patternBytes, userBytes, idpBytes, ruleBytes, zoneBytes, dynamicRules, historyBytes, not "${list}"`,
    ]),
    ...["", "0", "3651", "-1", "1.5", "90d"].map((days): [string[], string] => [
      [`--log-retention=${days}`],
      `--log-retention must be an integer from 1 to 3650, not "${days}"`,
    ]),
    ...["", "of", "read", "read=0", "read=1000001", "window=0", "window=3601", "read=1.5", "reads=1", "read=1,"].map(
      (limits): [string[], string] => [
        [`--rate-limits=${limits}`],
        "--rate-limits must be on, off, or a list such as read=3000,window=60: discovery, signOn, failures, read, write, logs from 1 to 1000000, window from 1 to 3600",
      ],
    ),
    [["--rate-limits=read=1,logs=1,read=2"], "--rate-limits has read twice"],
    [["--log-level", "loud"], '--log-level must be one of trace, debug, info, warn, error, fatal, silent, not "loud"'],
    [["serve"], 'Unknown command "serve"; --help lists what there is'],
    [["import"], "import needs the name of a file"],
    [["import", "a", "b"], 'Unexpected argument "b"'],
    [["export", "a", "b"], 'Unexpected argument "b"'],
    [["import", "a", "--pseudonymize"], "--pseudonymize is for export only"],
    [["import", "a", "--dry-run=yes"], "--dry-run takes no value"],
    [["export", "a", "--dry-run"], "--dry-run is for import, org remove and migrate only"],
    [["import", "a", "--yes"], "--yes is for org remove only"],
    [["export", "--pseudonymize=yes"], "--pseudonymize takes no value"],
    [["console"], "console needs the subdomain of an org, such as --org demo"],
    [["console", "demo", "--org=a"], 'Unexpected argument "demo"'],
    [["console", "--org=a", "--name=b"], "--name is for token create only"],
    [["--console", "--no-console"], "--no-console and --console exclude each other, and come once"],
    [["erase"], "erase needs the login or the id of a user"],
    [["erase", "joe"], "erase needs the subdomain of an org, such as --org demo"],
    [["erase", "joe", "ann", "--org=a"], 'Unexpected argument "ann"'],
    [["erase", "joe", "--org=a", "--name=b"], "--name is for token create only"],
    ...["", "-1", "10001", "1.5"].map((rate): [string[], string] => [
      [`--log-noise-rate=${rate}`],
      `--log-noise-rate must be an integer from 0 to 10000, not "${rate}"`,
    ]),
    ...["", "0", "1048577", "1GiB"].map((limit): [string[], string] => [
      [`--log-day-limit=${limit}`],
      `--log-day-limit must be an integer from 1 to 1048576, not "${limit}"`,
    ]),
    [["token"], "token needs one of the words create, list and revoke, such as token list --org NAME"],
    [["token", "delete"], "token needs one of the words create, list and revoke"],
    [["token", "list"], "token list needs the subdomain of an org, such as --org demo"],
    [["token", "list", "demo"], 'Unexpected argument "demo"'],
    [["token", "list", "--org", "a", "--expires", "1d"], "--expires is for token create only"],
    [["token", "revoke", "--org", "a"], "token revoke needs the id of a token, which token list shows"],
    [["token", "revoke", "1"], "token revoke needs the subdomain of an org, such as --org demo"],
    [["token", "revoke", "1", "2", "--org", "a"], 'Unexpected argument "2"'],
    [["token", "revoke", "1", "--org", "a", "--name", "b"], "--name is for token create only"],
    [
      ["token", "create", "--org", "a", "--name", "b\u200bc"],
      "--name must not have the invisible character U+200B (at index 1)",
    ],
    [["token", "create", "demo"], 'Unexpected argument "demo"'],
    [["token", "create"], "token create needs the subdomain of an org, such as --org demo"],
    [["token", "create", "--org"], "--org needs a value"],
    [["token", "create", "--org", "a", "--org", "b"], "--org is given twice"],
    [["token", "create", "--org", "a", "--for", "b"], "Unknown setting --for"],
    ...["", "0d", "1", "d", "1.5d", "-1d", "01d", "1w", "1D", "1d ", "3651d", "87601h", "5256001m", "99999999m"].map(
      (time): [string[], string] => [
        ["token", "create", "--org=a", `--expires=${time}`],
        `--expires must be never or a time of 1m to 3650d, such as 90m, 12h or 30d, not "${time}"`,
      ],
    ),
    ...["", " a", "a\nb", "x".repeat(129), "😀"].map((name): [string[], string] => [
      ["token", "create", "--org=a", `--name=${name}`],
      `--name must be one line of 1 to 128 characters without white space around it, not ${JSON.stringify(name)}`,
    ]),
    ...["", "users.read", "svc.users.read,", "svc.users.*"].map((scopes): [string[], string] => [
      ["token", "create", "--org=a", `--scopes=${scopes}`],
      `--scopes must be a list of svc.users.read, svc.users.manage, svc.logs.read, `,
    ]),
    ...[[], ["import", "a"], ["export"], ["export", "--org", "a"]].flatMap((words) =>
      ["org", "expires", "name", "scopes", "addresses"]
        .filter((flag) => flag !== "org" || words[0] !== "export")
        .map((flag): [string[], string] => [
          [...words, `--${flag}`, "x"],
          `--${flag} is for ${flag === "org" ? "export, token create, token list, token revoke, console and erase" : "token create"} only`,
        ]),
    ),
  ])("refuses %j in one line", (args, message) => {
    const error = thrownBy(() => parseCommandLine(args, {}));
    expect(error).toMatchObject({ name: "SettingsError", message: expect.stringContaining(message) });
    expect(error.message).not.toContain("\n");
    expect(error.message).not.toContain("secret");
  });

  it.each(["", "hunter".repeat(5), `${SECRET},`, `${SECRET},hunter`])(
    "refuses the secrets %j without repeating them",
    (value) => {
      expect(thrownBy(() => settingsOf(["--secrets", value])).message).toBe(
        "--secrets must have at least 32 bytes each",
      );
    },
  );

  it("names the variable that is invalid or unknown", () => {
    expect(thrownBy(() => settingsOf([], { ETIQUETTE_PORT: "x" })).message).toMatch(/^ETIQUETTE_PORT must be/);
    expect(thrownBy(() => settingsOf([], { DATABASE_URL: "x://secret" })).message).toBe(
      "DATABASE_URL must begin with postgres:// or postgresql://",
    );
    expect(thrownBy(() => settingsOf([], { ETIQUETTE_PROT: "1" })).message).toBe(
      "Unknown environment variable ETIQUETTE_PROT; --help lists what there is",
    );
  });

  it.each<[string[], object]>([
    [["import", "a.json"], { name: "import", request: { file: "a.json", isDryRun: false } }],
    [["import", "a.json", "--dry-run"], { name: "import", request: { file: "a.json", isDryRun: true } }],
    [["export"], { name: "export", request: { file: undefined, org: undefined, pseudonymize: false } }],
    [["export", "a.json", "--org", "acme"], { name: "export", request: { file: "a.json", org: "acme" } }],
    [["export", "--pseudonymize"], { name: "export", request: { file: undefined, pseudonymize: true } }],
    [["console", "--org=demo"], { name: "console", request: { org: "demo" } }],
    [["erase", "joe@example.com", "--org=demo"], { name: "erase", request: { org: "demo", user: "joe@example.com" } }],
    [["export", "a.json", "--data", "x"], { name: "export", request: { file: "a.json" } }],
    [
      ["token", "create", "--org", "demo"],
      {
        name: "token create",
        request: { org: "demo", name: undefined, scopes: ALL_SCOPES, lifetime: 7_776_000_000, addresses: [] },
      },
    ],
    [
      [
        "--org=demo",
        "token",
        "--name",
        "Nightly job",
        "create",
        "--expires",
        "90m",
        "--scopes",
        "acme.users.read, acme.logs.manage,acme.users.read",
        "--addresses",
        "192.0.2.0/24, 2001:db8::1",
        "--namespace",
        "acme",
      ],
      {
        request: {
          org: "demo",
          name: "Nightly job",
          scopes: ["users.read", "logs.manage"],
          lifetime: 5_400_000,
          addresses: ["192.0.2.0/24", "2001:db8::1"],
        },
      },
    ],
    ...Object.entries({ "1m": 60_000, "12h": 43_200_000, "365d": 31_536_000_000, "8760h": 31_536_000_000 }).map(
      ([time, lifetime]): [string[], object] => [
        ["token", "create", "--org=a", "--expires", time],
        { request: { org: "a", name: undefined, scopes: ALL_SCOPES, lifetime, addresses: [] } },
      ],
    ),
    ...Object.entries({ "3650d": 315_360_000_000, "5256000m": 315_360_000_000, never: Infinity }).map(
      ([time, lifetime]): [string[], object] => [
        ["token", "create", "--org=a", "--expires", time, "--token-max-lifetime", "never"],
        { request: { lifetime } },
      ],
    ),
    [["token", "list", "--org", "demo"], { name: "token list", request: { org: "demo" } }],
    [["token", "revoke", "1", "--org", "demo"], { name: "token revoke", request: { org: "demo", id: "1" } }],
    [["--port", "x", "--help"], { name: "help" }],
  ])("takes the command %j", (args, expected) => {
    expect(parseCommandLine(args, {})).toMatchObject(expected);
  });
});

describe("formatHelp()", () => {
  it.each(Object.entries(SETTINGS))("shows --%s with its variable and its default", (name, facts) => {
    const help = formatHelp();
    const env = variableOf(name as SettingName);
    expect(help).toMatch(new RegExp(`^  --${name}\\b.*\\n +${env}\\b.*$`, "m"));
    if ("fallback" in facts) expect(help).toMatch(new RegExp(`${env}, default ${facts.fallback}$`, "m"));
  });
});

describe("formatHelp() on tokens", () => {
  it.each(Object.entries(FLAGS).filter(([, { help }]) => help))("shows --%s", (name, { placeholder, help }) => {
    expect(formatHelp()).toContain(`\n  ${`--${name} ${placeholder}`.padEnd(28)}${help}\n`);
  });
});

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}
