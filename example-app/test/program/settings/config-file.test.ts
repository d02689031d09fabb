import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseCommandLine } from "../../../src/program/command-line.js";
import { readConfigFile } from "../../../src/program/settings/config-file.js";
import { SETTING_NAMES, SETTINGS } from "../../../src/program/settings/index.js";
import { makeFolder } from "../../support/stores.js";

const parent = makeFolder();

/** A file of its own with this text. */
function write(text: string, name = "etiquette.toml"): string {
  const file = join(mkdtempSync(join(parent, "config-")), name);
  writeFileSync(file, text);
  return file;
}

const textsOf = (file: string) =>
  Object.fromEntries(Array.from(readConfigFile(file), ([name, { text }]) => [name, text]));

const settingsOf = (args: string[], env: NodeJS.ProcessEnv = {}) => parseCommandLine(args, env).settings!;

describe("--config", () => {
  it("reads TOML, with comments, and each type of value", () => {
    const file = write(`
      # where
      port = 9443            # a number
      host = '::1'
      http = true
      trusted-proxies = ["loopback", "192.0.2.0/24"]
      quotas = ["users=5000", "rules=200"]
      v1-deprecation = 2027-06-30
      security-contact = []
    `);
    expect(settingsOf(["--config", file])).toMatchObject({
      port: 9_443,
      host: "::1",
      http: true,
      trustedProxies: ["loopback", "192.0.2.0/24"],
      quotas: { users: 5_000, rules: 200 },
      v1Deprecation: new Date("2027-06-30T00:00:00.000Z"),
      securityContact: [],
    });
  });

  it("reads JSON with comments", () => {
    const file = write(`{ "port": 9443, /* who */ "trusted-proxies": ["loopback"], "demo": false }`, "etiquette.json");
    expect(textsOf(file)).toEqual({ port: "9443", "trusted-proxies": "loopback", demo: "false" });
  });

  it("takes every setting but its own name", () => {
    const values = SETTING_NAMES.filter((name) => name !== "config").map((name) => {
      const { placeholder } = SETTINGS[name] as { placeholder?: string };
      return `${name} = ${placeholder === undefined ? "true" : '"x"'}`;
    });
    expect(readConfigFile(write(values.join("\n"))).size).toBe(SETTING_NAMES.length - 1);
  });

  it("gives way to variables, and these to flags", () => {
    const file = write('port = 1\nhost = "10.0.0.1"\nnamespace = "acme"');
    const env = { ETIQUETTE_CONFIG: file, ETIQUETTE_PORT: "2", ETIQUETTE_HOST: "10.0.0.2" };
    expect(settingsOf(["--port", "3"], env)).toMatchObject({ port: 3, host: "10.0.0.2", namespace: "acme" });
    expect(settingsOf([], { ETIQUETTE_CONFIG: "", ETIQUETTE_PORT: "2" })).toMatchObject({ port: 2 });
    expect(settingsOf(["--config", write("port = 4")], env)).toMatchObject({ port: 2, namespace: "svc" });
  });

  it("begins relative paths in its own folder, for every command", () => {
    const file = write('data = "store"\ntls-cert = "/etc/a.pem"\ntls-key = "../b.pem"');
    const folder = join(file, "..");
    for (const command of [[], ["org", "list"]]) {
      expect(settingsOf([...command, "--config", file])).toMatchObject({
        dataFolder: join(folder, "store"),
        tlsFiles: { cert: "/etc/a.pem", key: join(folder, "../b.pem") },
      });
    }
  });

  it.each([
    ["prot = 1", "etiquette.toml has an unknown setting, prot"],
    ['config = "other.toml"', "etiquette.toml has an unknown setting, config"],
    ["__proto__ = 1", "etiquette.toml has an unknown setting, __proto__"],
    ["[server]\nport = 1", "etiquette.toml has an unknown setting, server"],
    [
      "[port]\na = 1",
      "port in etiquette.toml must be a text, a number, true, false, or a list of texts without commas",
    ],
    ['trusted-proxies = ["10.0.0.1,10.0.0.2"]', "trusted-proxies in etiquette.toml must be a text, a number"],
    ["trusted-proxies = [[]]", "trusted-proxies in etiquette.toml must be a text, a number"],
    ["port = 1\nport = 2", "etiquette.toml is no TOML, in line 2: trying to redefine"],
    ["port = ", "etiquette.toml is no TOML, in line 1: "],
    ["port = 70000", 'port in etiquette.toml must be an integer from 0 to 65535, not "70000"'],
    ["port = 1.5", 'port in etiquette.toml must be an integer from 0 to 65535, not "1.5"'],
    ["port = true", 'port in etiquette.toml must be an integer from 0 to 65535, not "true"'],
    ['secrets = "short-and-secret"', "secrets in etiquette.toml must have at least 32 bytes each"],
    ['data = ""', 'data in etiquette.toml must not be empty, not ""'],
  ])("refuses %j", (text, message) => {
    expect(() => settingsOf(["--config", write(text)])).toThrow(message);
  });

  it("never shows a secret", () => {
    expect(() => settingsOf(["--config", write('secrets = "short-and-secret"')])).not.toThrow("short-and-secret");
  });

  it.each([
    ["[]", "etiquette.json is no JSON object, in line 1: it must be an object"],
    ["", "etiquette.json is no JSON object, in line 1: "],
    ['{\n"port": 1,\n}', "etiquette.json is no JSON object, in line 3: "],
    ['{ "port": 1, "port": 2 }', "etiquette.json has port twice"],
    ['{ "port": null }', "port in etiquette.json must be a text, a number"],
    ['{ "port": {} }', "port in etiquette.json must be a text, a number"],
    ['{ "host": [null] }', "host in etiquette.json must be a text, a number"],
  ])("refuses the JSON %j", (text, message) => {
    expect(() => settingsOf(["--config", write(text, "etiquette.json")])).toThrow(message);
  });

  it("must be there, and no longer than 1,048,576 characters", () => {
    expect(() => settingsOf(["--config", join(parent, "none.toml")])).toThrow(
      "The file of --config can't be read: ENOENT",
    );
    expect(() => settingsOf(["--config", parent])).toThrow("The file of --config can't be read: EISDIR");
    const long = (length: number) => write(`# ${"x".repeat(length - 2)}`);
    expect(() => settingsOf(["--config", long(1_048_575)])).not.toThrow();
    expect(() => settingsOf(["--config", long(1_048_576)])).not.toThrow();
    expect(() => settingsOf(["--config", long(1_048_577)])).toThrow("longer than 1048576 characters");
  });
});

test("the file in docs/guides/operating.md is as it says", () => {
  const page = readFileSync(join(__dirname, "../../../../docs/guides/operating.md"), "utf8");
  const [, text = ""] = /^```toml\n([^]*?)^```/m.exec(page) ?? [];
  expect(settingsOf(["--config", write(text)])).toMatchObject({ dataFolder: "/var/lib/etiquette", http: true });
});

describe("a variable that ends in _FILE", () => {
  const SECRET = "s".repeat(32);

  it.each([
    ["DATABASE_URL_FILE", "postgres://u:p@db/x", { databaseUrl: "postgres://u:p@db/x" }],
    ["ETIQUETTE_SECRETS_FILE", `${SECRET},${SECRET}2`, { secrets: [SECRET, `${SECRET}2`] }],
  ])("%s names the file with the value", (variable, text, expected) => {
    for (const end of ["", "\n", "\r\n"]) {
      expect(settingsOf([], { [variable]: write(text + end, "secret") })).toMatchObject(expected);
    }
    expect(settingsOf([], { [variable]: "" })).toEqual(settingsOf([]));
  });

  it("goes not together with the value", () => {
    const env = { ETIQUETTE_SECRETS: SECRET, ETIQUETTE_SECRETS_FILE: write(SECRET) };
    expect(() => settingsOf([], env)).toThrow("ETIQUETTE_SECRETS and ETIQUETTE_SECRETS_FILE exclude each other");
  });

  it("must name a file that can be read, of 65,536 characters at most", () => {
    const read = (file: string) => () => settingsOf([], { ETIQUETTE_SECRETS_FILE: file });
    expect(read(join(parent, "none"))).toThrow("The file of ETIQUETTE_SECRETS_FILE can't be read: ENOENT");
    for (const length of [65_535, 65_536]) expect(read(write("s".repeat(length)))).not.toThrow();
    expect(read(write("s".repeat(65_537)))).toThrow(
      "The file of ETIQUETTE_SECRETS_FILE is longer than 65536 characters",
    );
    for (const text of ["", "\n"]) expect(read(write(text))).toThrow("The file of ETIQUETTE_SECRETS_FILE is empty");
    expect(() => settingsOf([], { DATABASE_URL_FILE: write("") })).toThrow("The file of DATABASE_URL_FILE is empty");
    expect(read(write("short"))).toThrow("ETIQUETTE_SECRETS_FILE must have at least 32 bytes each");
  });

  it("is for secrets only", () => {
    expect(() => settingsOf([], { ETIQUETTE_PORT_FILE: write("1") })).toThrow(
      "Unknown environment variable ETIQUETTE_PORT_FILE",
    );
  });
});
