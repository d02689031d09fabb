import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import Database from "libsql";
import { sql } from "kysely";
import { openStore, type Store } from "../../src/store/store.js";
import { createOrg, makeFolder } from "../support/stores.js";

const run = promisify(execFile);

const parent = makeFolder();
let count = 0;
const newFolder = () => join(parent, `folder-${count++}`);

const opened: Store[] = [];
async function open(dataFolder: string): Promise<Store> {
  const store = await openStore({ dataFolder });
  opened.push(store);
  return store;
}
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Root may write everywhere. */
function itUnlessRoot(title: string, test: () => Promise<void>): void {
  if (process.getuid?.() === 0) it.skip(`${title} (not run: needs a user other than root)`, test);
  else it(title, test);
}

describe("openStore on SQLite", () => {
  it("makes the folder and the files for this user alone", async () => {
    const folder = join(newFolder(), "deep", "er");
    await createOrg(await open(folder), { subdomain: "acme", name: "Acme" });
    expect(mode(folder)).toBe("700");
    for (const name of ["etiquette.db", "etiquette.db-wal", "etiquette.db-shm"]) {
      expect([name, mode(join(folder, name))]).toEqual([name, "600"]);
    }
  });

  it("is durable, and checks references", async () => {
    const store = await open(newFolder());
    const settings = await store.write(async ({ db }) => {
      const pragma = async (name: string) => (await sql.raw(`pragma ${name}`).execute(db)).rows[0];
      return Object.assign({}, await pragma("journal_mode"), await pragma("synchronous"), await pragma("foreign_keys"));
    });
    expect(settings).toEqual({ journal_mode: "wal", synchronous: 2, foreign_keys: 1 });
    const orphan = store.write(({ db }) =>
      db.insertInto("org_domains").values({ org_id: "none", domain: "a.example", position: 0 }).execute(),
    );
    await expect(orphan).rejects.toThrow(/FOREIGN KEY/);
  });

  it("leaves everything in the one file when it closes", async () => {
    const folder = newFolder();
    const store = await open(folder);
    await createOrg(store, { subdomain: "acme", name: "Acme" });
    const other = await open(folder);
    await other.close();
    await store.close();
    expect(statSync(join(folder, "etiquette.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  it("keeps the locks of the stores that are open when another one opens and closes the file", async () => {
    const dataFolder = newFolder();
    const store = await open(dataFolder);
    await (await openStore({ dataFolder })).close();
    const script = `
      const database = new (require("libsql"))(process.argv[1]);
      try { database.exec("pragma journal_mode = delete"); console.log("unlocked"); }
      catch ({ code }) { console.log(code); }`;
    const file = join(dataFolder, "etiquette.db");
    const { stdout } = await run(process.execPath, ["-e", script, file], { cwd: __dirname });
    expect(stdout).toBe("SQLITE_BUSY\n"); // only who has the file alone may do that
    await store.hasOrgs();
  });

  it("says in one line that the folder can't be made", async () => {
    const file = newFolder();
    writeFileSync(file, "");
    await expect(open(join(file, "data"))).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/^The database .*etiquette\.db can't be written: E.*$/),
    });
  });

  it("says in one line that a folder stands where the file should", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "etiquette.db"), { recursive: true });
    await expect(open(folder)).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/^The database .* can't be written: it is a folder$/),
    });
  });

  itUnlessRoot("says in one line that the folder is read-only", async () => {
    const folder = newFolder();
    mkdirSync(folder, { mode: 0o500 });
    await expect(open(folder)).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/^The database .* can't be written: EACCES.*$/),
    });
  });

  itUnlessRoot("says in one line that a folder with a database has become read-only", async () => {
    const folder = newFolder();
    await (await open(folder)).close();
    chmodSync(folder, 0o500);
    await expect(open(folder)).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/^The database .* can't be opened: .*$/),
    });
    chmodSync(folder, 0o700);
  });

  it.each([
    ["text", Buffer.from("This is no database. ".repeat(1_000))],
    ["half a page", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(50, 1)])],
    ["a header and rubbish", Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(8_192, 0xab)])],
  ])("says in one line that the file is damaged: %s", async (_what, bytes) => {
    const folder = newFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, "etiquette.db"), bytes);
    await expect(open(folder)).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/etiquette\.db is damaged or no SQLite database: put back a copy.*$/),
    });
  });

  it("starts afresh from an empty file", async () => {
    const folder = newFolder();
    mkdirSync(folder);
    writeFileSync(join(folder, "etiquette.db"), "");
    expect(await (await open(folder)).hasOrgs()).toBe(false);
  });
});

describe("a file that another process has locked", () => {
  it("is waited for without blocking the thread", async () => {
    const folder = newFolder();
    const store = await open(folder);
    const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
    const locker = new Database(join(folder, "etiquette.db"));
    locker.exec("begin immediate");

    let written = false;
    const writing = store.write(({ touch }) => touch(id)).then(() => (written = true));
    for (let i = 0; i < 10; i++) {
      await sleep(10);
      expect(await store.currentRevision(id)).toBe(1);
    }
    expect(written).toBe(false);
    locker.exec("commit");
    locker.close();
    await writing;
    expect(await store.currentRevision(id)).toBe(2);
  });

  it("is waited for half a minute by all writers together", async () => {
    const folder = newFolder();
    const store = await open(folder);
    const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
    const locker = new Database(join(folder, "etiquette.db"));
    locker.exec("begin immediate");
    const now = jest.spyOn(performance, "now").mockReturnValue(0);
    const writing = Promise.allSettled([1, 2, 3].map(() => store.write(({ touch }) => touch(id))));
    await sleep(50);
    now.mockReturnValue(30_001);
    const refused = { status: "rejected", reason: expect.objectContaining({ code: "SQLITE_BUSY" }) };
    expect(await writing).toEqual([refused, refused, refused]);
    locker.exec("commit");
    locker.close();
    await store.write(({ touch }) => touch(id));
    expect(await store.currentRevision(id)).toBe(2);
    now.mockRestore();
  });

  it("is waited for when it is opened", async () => {
    const folder = newFolder();
    await open(folder);
    const locker = new Database(join(folder, "etiquette.db"));
    locker.exec("begin immediate");
    const opening = open(folder);
    await sleep(100);
    locker.exec("commit");
    locker.close();
    expect(await (await opening).hasOrgs()).toBe(false);
  });

  it("is waited for half a minute, then one line says so", async () => {
    const folder = newFolder();
    await open(folder);
    const locker = new Database(join(folder, "etiquette.db"));
    locker.exec("begin immediate");
    const now = jest.spyOn(performance, "now").mockReturnValue(0);
    const opening = open(folder);
    const failed = expect(opening).rejects.toMatchObject({
      name: "StoreError",
      message: expect.stringMatching(/^The database .*etiquette\.db is locked by another process$/),
    });
    await sleep(50);
    now.mockReturnValue(30_001);
    await failed;
    now.mockRestore();
    locker.exec("rollback");
    locker.close();
  });
});
