import { readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { refreshSnapshot, type SnapshotOptions } from "../../src/snapshot/refresh-snapshot.js";
import { createSnapshotSealer, openSnapshot, type SnapshotEntry } from "../../src/snapshot/snapshot-file.js";
import { setOrgStatus } from "../../src/store/records/orgs.js";
import type { Store } from "../../src/store/store.js";
import { createOrg, describeStores } from "../support/stores.js";

const SECRET = "s".repeat(32);

describeStores((_engine, database) => {
  let store: Store;
  let path: string;
  let ids: string[];

  beforeEach(async () => {
    const { options, open } = await database();
    store = await open();
    path = join(options.dataFolder, "snapshot");
    ids = [];
    for (const subdomain of ["a", "b", "c"]) ids.push((await createOrg(store, { subdomain, name: subdomain })).id);
    ids.sort();
  });

  const refresh = (more: Partial<SnapshotOptions> = {}, isStopped?: () => boolean) =>
    refreshSnapshot({ store, path, sealer: createSnapshotSealer([SECRET]), ...more }, isStopped);

  async function read(secrets = [SECRET]) {
    const snapshot = await openSnapshot(path, createSnapshotSealer(secrets));
    const orgs: SnapshotEntry[][] = [];
    for (const org of snapshot.orgs) {
      const entries: SnapshotEntry[] = [];
      for await (const entry of snapshot.read(org)) entries.push(entry);
      orgs.push(entries);
    }
    await snapshot.close();
    return { ...snapshot, entries: orgs };
  }
  const placesOf = (id: string, { orgs }: Awaited<ReturnType<typeof read>>) => orgs.find((org) => org.id === id);
  const bytesOf = (id: string, file: Buffer, found: Awaited<ReturnType<typeof read>>) => {
    const { start = 0, end = 0 } = placesOf(id, found) ?? {};
    return file.subarray(start, end);
  };

  it("has every org with its status, and its rules, and only what has changed is read again", async () => {
    await refresh();
    const [first, file] = [await read(), readFileSync(path)];
    expect(first.orgs.map(({ id }) => id).sort()).toEqual(ids);
    expect(first.entries[0]).toMatchObject([
      ["org", { org: { status: "ACTIVE" }, whenProfileUnavailable: "UNAVAILABLE", trustedOrigins: [] }],
      ["rule", { system: true }],
    ]);
    await store.write((transaction) => setOrgStatus(transaction, ids[0]!, "SUSPENDED"));
    await refresh();
    const [second, later] = [await read(), readFileSync(path)];
    const statuses = second.entries.map(([entry]) => (entry?.[0] === "org" ? entry[1].org.status : undefined));
    expect(statuses.sort()).toEqual(["ACTIVE", "ACTIVE", "SUSPENDED"]);
    expect(bytesOf(ids[1]!, later, second)).toEqual(bytesOf(ids[1]!, file, first));
    expect(bytesOf(ids[0]!, later, second)).not.toEqual(bytesOf(ids[0]!, file, first));
  });

  it("without a change only its time is new; another secret writes it anew", async () => {
    await refresh();
    const file = readFileSync(path);
    utimesSync(path, 0, 0);
    await refresh();
    expect(readFileSync(path)).toEqual(file);
    expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
    const other = "t".repeat(32);
    await refresh({ sealer: createSnapshotSealer([other]) });
    expect((await read([other])).entries).toHaveLength(3);
    await expect(read()).rejects.toThrow("the snapshot is damaged, or was written with another secret");
  });

  it.each([
    [2, 2],
    [3, 3],
    [4, 3],
  ])("S9 has at most so many orgs: of three, with a limit of %i, %i", async (maxOrgs, count) => {
    await refresh({ maxOrgs });
    expect((await read()).orgs).toHaveLength(count);
  });

  it("S9 no org begins after the limit of bytes, and a full snapshot is not written again and again", async () => {
    await refresh();
    const { end = 0 } = (await read()).orgs[0] ?? {};
    const limits = [end - 1, end, end + 1];
    const counts: number[] = [];
    for (const maxBytes of limits) {
      await refresh({ maxBytes, sealer: createSnapshotSealer([String(maxBytes).padStart(32, "x")]) });
      counts.push((await read([String(maxBytes).padStart(32, "x")])).orgs.length);
    }
    expect(counts).toEqual([1, 2, 2]);
    const file = readFileSync(path);
    await refresh({ maxBytes: end + 1, sealer: createSnapshotSealer([String(end + 1).padStart(32, "x")]) });
    expect(readFileSync(path)).toEqual(file);
  });

  it("a server that ends leaves the file that was there", async () => {
    await refresh();
    const file = readFileSync(path);
    await store.write((transaction) => setOrgStatus(transaction, ids[0]!, "SUSPENDED"));
    await expect(refresh({}, () => true)).rejects.toThrow("the server ends");
    expect(readFileSync(path)).toEqual(file);
  });
});
