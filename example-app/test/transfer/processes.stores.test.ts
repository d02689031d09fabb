import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { importFile } from "../../src/transfer/import.js";
import { rule, samlIdp, textOf } from "../support/documents.js";
import { readOrgData } from "../support/org-data.js";
import { supportFile } from "../support/server.js";
import { administrate, createOrg, describeStores, makeFolder, type TestDatabase } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

const folder = makeFolder();

function writeDocument(name: string, ...orgs: object[]): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, textOf(...orgs));
  return path;
}

/** Starts a process that imports files at the same time, each through a store of its own. */
function startImport({ options }: TestDatabase, ...files: string[]): ChildProcess {
  return spawn(process.execPath, [supportFile("import-process.js"), JSON.stringify(options), ...files], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Whether the import of a process is in the middle of its transaction. */
async function isWriting({ options: { databaseUrl, dataFolder } }: TestDatabase): Promise<boolean> {
  if (databaseUrl === undefined) {
    const log = statSync(join(dataFolder, "etiquette.db-wal"), { throwIfNoEntry: false });
    return (log?.size ?? 0) > 1_000_000; // pages that did not fit into the cache before the commit
  }
  const rows = await administrate(
    `select 1 from pg_stat_activity where datname = '${new URL(databaseUrl).pathname.slice(1)}'
     and state <> 'idle' and query like 'insert into "rules"%'`,
    databaseUrl,
  );
  return rows.length > 0;
}

describeStores((engine, database) => {
  it("leaves all or nothing of an import that is killed in the middle, and the next one works", async () => {
    const db = await database();
    const rules = Array.from({ length: 10_000 }, (_, i) => rule(`r${i}`, "Contoso"));
    const file = writeDocument("large", { subdomain: "acme", name: "Acme", idps: [samlIdp("Contoso")], rules });

    const child = startImport(db, file);
    const exited = once(child, "exit");
    while (!(await isWriting(db))) {
      expect(child.exitCode).toBeNull();
      await sleep(2);
    }
    child.kill("SIGKILL");
    expect(await exited).toEqual([null, "SIGKILL"]);

    const store = await db.open();
    expect(await store.findOrgBySubdomain("acme")).toBeUndefined();
    expect(await store.hasOrgs()).toBe(false);
    expect(await importFile(store, file)).toMatchObject({ rules: { created: 10_000 } });
    const { id } = (await store.findOrgBySubdomain("acme"))!;
    expect((await readOrgData(store, id)).rules).toHaveLength(10_001);
  }, 110_000);

  it("loses nothing of twenty imports of different orgs at the same time", async () => {
    const db = await database();
    const orgs = Array.from({ length: 20 }, (_, i) => ({
      subdomain: `org${i}`,
      name: `Org ${i}`,
      domains: [`id.org${i}.example`],
      idps: [samlIdp("Contoso")],
      rules: Array.from({ length: 100 }, (_, k) => rule(`r${k}`, "Contoso")),
    }));
    const files = orgs.map((org) => writeDocument(`${engine}-${org.subdomain}`, org));

    const children = [0, 1, 2, 3].map((i) => startImport(db, ...files.slice(i * 5, i * 5 + 5)));
    const exits = await Promise.all(children.map((child) => once(child, "exit")));
    expect(exits).toEqual(Array(4).fill([0, null]));

    const store = await db.open();
    for (const { subdomain } of orgs) {
      const org = await store.findOrgByDomain(`id.${subdomain}.example`);
      expect(org).toMatchObject({ subdomain });
      expect((await readOrgData(store, org!.id)).rules.map(({ priority }) => priority)).toEqual(
        Array.from({ length: 101 }, (_, i) => i + 1),
      );
    }
  }, 110_000);

  it("loses nothing of imports of one org at the same time", async () => {
    const db = await database();
    const files = Array.from({ length: 6 }, (_, i) =>
      writeDocument(`${engine}-part${i}`, { subdomain: "acme", name: "Acme", rules: [rule(`r${i}`), rule("last")] }),
    );
    const children = [files.slice(0, 3), files.slice(3)].map((part) => startImport(db, ...part));
    expect(await Promise.all(children.map((child) => once(child, "exit")))).toEqual(Array(2).fill([0, null]));

    const store = await db.open();
    const { id } = (await store.findOrgBySubdomain("acme"))!;
    const rules = (await readOrgData(store, id)).rules;
    expect(rules.map(({ priority }) => priority)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(rules.map(({ name }) => name).sort()).toEqual(["Default Rule", "last", "r0", "r1", "r2", "r3", "r4", "r5"]);
    expect(rules[7]!.system).toBe(true);
  }, 110_000);

  it("tells a running server of an import by another process", async () => {
    const db = await database();
    const store = await db.open();
    const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
    let heard = 0;
    const watcher = store.watchChanges(() => heard++);
    const child = startImport(
      db,
      writeDocument(`${engine}-change`, { subdomain: "acme", name: "Acme", rules: [rule("r")] }),
    );
    expect(await once(child, "exit")).toEqual([0, null]);

    await until(() => heard > 0);
    expect((await readOrgData(store, id)).rules).toHaveLength(2);
    await watcher.close();
  });
});
