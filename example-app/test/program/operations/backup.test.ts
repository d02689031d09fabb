import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "libsql";
import { describeIf } from "../../../../test/support/requirements.js";
import { createClient, insertApiToken } from "../../support/api.js";
import { rule, samlIdp, textOf } from "../../support/documents.js";
import {
  call,
  listeningUrl,
  runProgram,
  startTestServer,
  webfingerPath,
  type TestServer,
} from "../../support/server.js";
import { formatQuery } from "../../support/logs.js";
import { runBlock, SHELL_BLOCKS } from "../../support/shell-blocks.js";
import { openShell } from "../../support/shell-session.js";
import { describePostgres, makeFolder } from "../../support/stores.js";
import { parseCommandLine } from "../../../src/program/command-line.js";
import { SettingsError } from "../../../src/program/settings/settings.js";
import { importText } from "../../../src/transfer/import.js";
import { exportAll } from "../../../src/transfer/export.js";
import { openStore } from "../../../src/store/store.js";

jest.setTimeout(300_000); // these tests start the program many times

const parent = makeFolder();
const newFolder = (): string => mkdtempSync(join(parent, "data-"));
const newFile = (): string => join(newFolder(), "backup.db");
const modeOf = (file: string): number => statSync(file).mode & 0o777;

/** The exit code and the output of a command. */
async function execute(args: string[], env?: NodeJS.ProcessEnv) {
  const { exit, output } = runProgram(args, env);
  return { code: await exit, ...output };
}

const done = (file: string, ...secrets: string[]) => ({
  code: 0,
  stdout: `${[`${file}: ${statSync(file).size} bytes`, ...secrets].join(", ")}\n`,
  stderr: "",
});
const SECRET_FILES = ["secret.key", "tls.pem"];
const refused = (message: string | RegExp) => ({
  code: 1,
  stdout: "",
  stderr: typeof message === "string" ? `etiquette: ${message}\n` : expect.stringMatching(message),
});

const servers: TestServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function start(dataFolder: string): Promise<TestServer> {
  const server = await startTestServer({ options: { dataFolder } });
  servers.push(server);
  return server;
}

const contentOf = (options: { dataFolder: string; databaseUrl?: string }) =>
  openStore(options).then(async (store) => {
    const text = await exportAll(store);
    await store.close();
    return text;
  });

describe("backup and restore", () => {
  it("bring everything back: records, tokens, log, cursors and certificate", async () => {
    const dataFolder = newFolder();
    const server = await start(dataFolder);
    const token = await insertApiToken({ dataFolder }, "demo");
    const { api } = createClient(server, "demo", token);
    for (const login of ["a@example.com", "b@example.com"]) {
      await api("/users", {
        method: "POST",
        body: { profile: { login, email: login, firstName: "A", lastName: "B" } },
      });
    }
    const [, next] = /<([^>]*)>; rel="next"/.exec(String((await api("/users?limit=1")).headers["link"]))!;
    const filter = 'eventType eq "user.lifecycle.create"';
    const events = async (client: typeof api) => (await client(formatQuery({ filter }))).body;

    const file = newFile();
    expect(await execute(["backup", file, "--with-secrets", "--data", dataFolder])).toEqual(
      done(file, ...SECRET_FILES),
    );
    expect(modeOf(file)).toBe(0o600);
    const before = [await events(api), (await api(next!)).body, (await api("/apiTokens")).body];
    const certificate = server.ca;
    await server.close();

    const copy = join(newFolder(), "new");
    const restoring = await execute(["restore", file, "--data", copy]);
    expect(restoring).toEqual(done(join(copy, "etiquette.db"), ...SECRET_FILES));
    expect(readdirSync(copy).sort()).toEqual(["etiquette.db", "secret.key", "tls.pem"]);
    expect(readdirSync(copy).map((name) => modeOf(join(copy, name)))).toEqual([0o600, 0o600, 0o600]);
    const restored = await start(copy);
    expect(restored.ca).toBe(certificate);
    const client = createClient(restored, "demo", token);
    const after = [await events(client.api), (await client.api(next!)).body, (await client.api("/apiTokens")).body];
    // nor when the token was used, which is written later
    const withoutPort = (value: unknown, { port }: TestServer) =>
      JSON.stringify(value)
        .replaceAll(`:${port}`, "")
        .replaceAll(/"lastUsed":"[^"]*"/g, '"lastUsed":null');
    expect(withoutPort(after, restored)).toBe(withoutPort(before, server));
    expect(before[0]).toHaveLength(2);
    expect(await contentOf({ dataFolder: copy })).toBe(await contentOf({ dataFolder }));
    expect(
      new Database(join(copy, "etiquette.db")).prepare("select 1 from sqlite_master where name = 'backup_files'").all(),
    ).toEqual([]);
  });

  it("leave the secrets out unless they are asked for", async () => {
    const dataFolder = newFolder();
    await start(dataFolder);
    const file = newFile();
    expect(await execute(["backup", file, "--data", dataFolder])).toEqual(done(file));
    const bytes = readFileSync(file, "latin1");
    expect(bytes).not.toContain(readFileSync(join(dataFolder, "secret.key"), "latin1"));
    expect(bytes).not.toContain("PRIVATE KEY");
    const copy = newFolder();
    expect(await execute(["restore", file, "--data", copy])).toEqual(done(join(copy, "etiquette.db")));
    expect(readdirSync(copy)).toEqual(["etiquette.db"]);
  });

  it("show the database at one moment while it is written", async () => {
    const dataFolder = newFolder();
    await start(dataFolder);
    const store = await openStore({ dataFolder });
    const rules = Array.from({ length: 3_000 }, (_, i) => rule(`r${i}`, "Contoso"));
    const text = textOf({ subdomain: "acme", name: "Acme", idps: [samlIdp("Contoso")], rules });
    const file = newFile();
    const running = execute(["backup", file, "--data", dataFolder]);
    let imports = 0;
    const progress = { isOver: false };
    void running.finally(() => (progress.isOver = true));
    while (!progress.isOver) await importText(store, text.replaceAll(".example", `.example${++imports}`));
    expect(await running).toEqual(done(file));
    await store.close();

    const copy = new Database(file);
    expect(copy.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    const values = copy
      .prepare(
        "select count(*) as count, count(distinct substr(conditions, instr(conditions, '.example'), 12)) as texts from rules where name like 'r%'",
      )
      .all();
    expect([
      { count: 0, texts: 0 },
      { count: 3_000, texts: 1 },
    ]).toContainEqual(values[0]);
    copy.close();
  });

  it("overwrite nothing and say what to do", async () => {
    const dataFolder = newFolder();
    await start(dataFolder);
    const file = newFile();
    await execute(["backup", file, "--with-secrets", "--data", dataFolder]);
    const backup = readFileSync(file);
    const absent = newFolder();

    expect(await execute(["backup", file, "--data", dataFolder])).toEqual(
      refused(`${file} exists already: name another file`),
    );
    expect(readFileSync(file).equals(backup)).toBe(true);
    expect(await execute(["backup", newFile(), "--data", absent])).toEqual(
      refused(`There is no database ${absent}/etiquette.db`),
    );
    expect(readdirSync(absent)).toEqual([]);
    expect(await execute(["backup", "/dev/null/x", "--data", dataFolder])).toEqual(
      refused(/^etiquette: The backup \/dev\/null\/x can't be written: .*\n$/),
    );

    const advice = "stop the server and move the folder away, or restore into another one with --data";
    const inUse = refused(`${dataFolder}/etiquette.db exists already: ${advice}`);
    expect(await execute(["restore", file, "--data", dataFolder])).toEqual(inUse);
    renameSync(join(dataFolder, "etiquette.db"), join(newFolder(), "moved.db")); // while the server runs
    expect(await execute(["restore", file, "--data", dataFolder])).toEqual(
      refused(`${dataFolder}/etiquette.db-wal exists already: ${advice}`),
    );

    const folder = newFolder();
    writeFileSync(join(folder, "tls.pem"), "mine");
    expect(await execute(["restore", file, "--data", folder])).toEqual(
      refused(`${folder}/tls.pem exists already: ${advice}`),
    );
    expect(readdirSync(folder)).toEqual(["tls.pem"]);
    expect(await execute(["restore", join(folder, "absent"), "--data", folder])).toEqual(
      refused(`There is no database ${folder}/absent`),
    );
  });

  it("refuse what is no backup, and one of a newer version", async () => {
    const [text, foreign, newer] = [newFile(), newFile(), newFile()];
    writeFileSync(text, "no database at all ".repeat(500));
    const other = new Database(foreign);
    other.exec("create table t (a)");
    other.close();
    const dataFolder = newFolder();
    await (await openStore({ dataFolder })).close();
    await execute(["backup", newer, "--data", dataFolder]);
    const changed = new Database(newer);
    changed.exec("insert into kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')");
    changed.close();

    const folder = newFolder();
    for (const [file, message] of [
      [text, /is no database of this server, or is damaged: file is not a database\n$/],
      [foreign, /is no database of this server, or is damaged: it has no orgs\n$/],
      [newer, /^etiquette: The database was made by a newer version of the server .*9999-later/],
    ] as const) {
      expect(await execute(["restore", file, "--data", folder])).toEqual(refused(message));
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it.each([
    [["backup"], "backup needs the name of a new file: npm start -- backup FILE"],
    [["restore"], "restore needs the name of a backup: npm start -- restore FILE"],
    [["restore", "x", "--with-secrets"], "--with-secrets is for backup only"],
    [["backup", "x", "--with-secrets=1"], "--with-secrets takes no value"],
  ])("refuse %j", (args, message) => {
    expect(() => parseCommandLine(args, {})).toThrow(new SettingsError(message));
  });
});

const HAS_TOOLS = ["pg_dump", "pg_restore", "bash"].every((tool) => spawnSync(tool, ["--version"]).status === 0);

/** Runs the commands of the page below this heading. Returns what they print. */
async function runSection(heading: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const shell = openShell(cwd, env);
  try {
    return await runBlock(
      shell,
      SHELL_BLOCKS.find(({ title }) => title === heading)!,
    );
  } finally {
    await shell.close();
  }
}

describeIf(HAS_TOOLS, "docs/guides/backup.md", "pg_dump, pg_restore and bash", () => {
  describePostgres((_engine, database) => {
    it("backs up and restores SQLite, and moves to PostgreSQL, step by step", async () => {
      const cwd = newFolder();
      const server = await start(join(cwd, "data"));
      await runSection("Back up", cwd, {});
      expect(readdirSync(cwd).sort()).toEqual(["data", "full.db", "records.db"]);
      const before = await contentOf({ dataFolder: join(cwd, "data") });
      await server.close();
      await runSection("Restore", cwd, {});
      expect(existsSync(join(cwd, "data/secret.key"))).toBe(true);
      expect(await contentOf({ dataFolder: join(cwd, "data") })).toBe(before);

      const { options } = await database();
      const token = await runSection("Move to PostgreSQL", cwd, { NEW_DATABASE_URL: options.databaseUrl });
      expect(token).toMatch(/^demo: NO_LABEL_BOUNDARY: .*\norgs: 1 created[^]*\netq_[0-9A-Za-z]{33}\n$/);
      expect(await contentOf(options)).toBe(before);
    });

    it("backs up and restores PostgreSQL with its tools, and the program names the commands", async () => {
      const cwd = newFolder();
      const from = (await database()).options;
      await (await startTestServer({ options: from })).close();
      const to = (await database({ bare: true })).options;
      await runSection("On PostgreSQL", cwd, { DATABASE_URL: from.databaseUrl, NEW_DATABASE_URL: to.databaseUrl });
      expect(await contentOf(to)).toBe(await contentOf(from));

      const next = (await database({ bare: true })).options;
      const file = join(cwd, "it's.dump");
      for (const [command, { databaseUrl }] of [
        ["backup", from],
        ["restore", next],
      ] as const) {
        const { code, stdout, stderr } = await execute([command, file, "--data", cwd], { DATABASE_URL: databaseUrl });
        expect([code, stdout]).toEqual([1, ""]);
        const [, line] = /^etiquette: PostgreSQL \w+ its own backups: (pg_.*)\n$/.exec(stderr)!;
        await promisify(execFile)("bash", ["-c", line!]);
      }
      expect(await contentOf(next)).toBe(await contentOf(from));
    });
  });
});

it("the command for PostgreSQL has no password", async () => {
  const { stderr } = await execute(["backup", "x.dump", "--database-url", "postgres://me:secret@db.example/x y"]);
  expect(stderr).toBe(
    "etiquette: PostgreSQL makes its own backups: pg_dump --format=custom --file=x.dump 'postgres://me@db.example/x%20y'\n",
  );
});

it("a restored server starts and answers", async () => {
  const dataFolder = newFolder();
  await (await start(dataFolder)).close();
  const [file, copy] = [newFile(), newFolder()];
  await execute(["backup", file, "--data", dataFolder]);
  await execute(["restore", file, "--data", copy]);
  const program = runProgram(["--port", "0", "--data", copy]);
  const url = await listeningUrl(program);
  const ca = readFileSync(join(copy, "tls.crt"), "utf8");
  expect((await call({ url, port: Number(new URL(url).port), ca }, webfingerPath("joe@example.com"))).status).toBe(200);
  expect(program.output.stderr).not.toContain("API token of the org");
  program.child.kill();
  await program.exit;
});
