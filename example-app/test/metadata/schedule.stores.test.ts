import type { ServerResponse } from "node:http";
import { until } from "../../../test/support/until.js";
import { createRefresher } from "../../src/metadata/refresher.js";
import { createDueRefresh } from "../../src/metadata/refresh-due.js";
import { DEFAULT_QUOTAS } from "../../src/model/quotas.js";
import type { Idp } from "../../src/model/records.js";
import { findDueMetadata } from "../../src/store/records/due-metadata.js";
import { endLease, takeLease } from "../../src/store/records/leases.js";
import { readIdps } from "../../src/store/records/queries.js";
import type { Store } from "../../src/store/store.js";
import { startApi, type ApiClient } from "../support/api.js";
import { fullOrg } from "../support/documents.js";
import { withMetadata } from "../support/metadata-idps.js";
import { LOOPBACK, samlMetadata, startMetadataServer, type MetadataServer } from "../support/metadata-server.js";
import { scrapeUntil } from "../support/metrics.js";
import { importDocument, type TestServer } from "../support/server.js";
import { describeStores, type TestDatabase } from "../support/stores.js";

const DAY = 86_400_000;
const PAST = "2026-01-01T00:00:00.000Z";
const NEW_URL = "https://new.example/sso";

describeStores((_engine, database) => {
  let data: TestDatabase;
  let host: MetadataServer;

  beforeEach(async () => {
    data = await database();
    host = await startMetadataServer(samlMetadata({ url: NEW_URL }));
  });
  afterEach(() => host.close());

  /** The orgs, each with so many providers whose metadata is due. */
  const orgsWith = (count: number, ...subdomains: string[]) => ({
    orgs: subdomains.map((subdomain) => ({
      ...fullOrg(subdomain),
      idps: [
        ...fullOrg(subdomain).idps,
        ...Array.from({ length: count }, (_, i) => withMetadata(`idp ${i}`, host.url)),
      ],
    })),
  });

  const createNode = (store: Store, networks = LOOPBACK) =>
    createDueRefresh({ store, refresher: createRefresher({ networks, interval: DAY }) });
  const never = new AbortController().signal;

  async function readAll(store: Store): Promise<Idp[]> {
    const rows = await store.reader.selectFrom("orgs").select("id").execute();
    return (await Promise.all(rows.map(({ id }) => readIdps(store.reader, id)))).flat().filter((idp) => idp.metadata);
  }

  const urlsOf = (idps: readonly Idp[]) => idps.map(({ protocol }) => protocol.endpoints.sso.url);

  describe("a server", () => {
    let server: TestServer;
    let api: ApiClient["api"];
    afterEach(() => server.close());

    const idpNamed = async (name: string) => (await api(`/idps?q=${name}`)).body[0] as Idp;
    const events = async () => {
      const filter = encodeURIComponent('eventType eq "system.idp.metadata.refresh"');
      return (await api(`/logs?filter=${filter}`)).body;
    };

    async function startWith(metadataNetworks: readonly string[] = LOOPBACK): Promise<void> {
      ({ server, api } = await startApi(data, { metadataNetworks, adminPort: 0 }, { orgs: [fullOrg("demo")] }));
      expect((await api("/idps", { method: "POST", body: withMetadata("Corporate", host.url) })).status).toBe(200);
    }

    test("refreshes a new provider soon, and writes an event of its own", async () => {
      await startWith();
      await until(async () => (await idpNamed("Corporate")).metadata?.lastRefreshed);
      const idp = await idpNamed("Corporate");
      expect(urlsOf([idp])).toEqual([NEW_URL]);
      expect(await events()).toMatchObject([
        {
          actor: { id: "system" },
          transaction: { type: "JOB" },
          outcome: { result: "SUCCESS" },
          target: [{ id: idp.id }],
        },
      ]);
      expect(host.requests).toHaveLength(1);
      await scrapeUntil(server, (samples) =>
        samples.some(
          ({ name, labels, value }) =>
            name === "etiquette_metadata_refreshes_total" && labels["outcome"] === "changed" && value === 1,
        ),
      );
    });

    test("tells a failure once, and tries again later", async () => {
      await startWith([]);
      const store = await data.open();
      const failures = async () => (await readAll(store))[0]?.metadata?.failures;
      await until(async () => (await failures()) === 1);
      const { metadata } = (await readAll(store))[0]!;
      expect(metadata).toMatchObject({ lastRefreshed: null, lastError: "the host has an address that is not public" });
      expect(Date.parse(metadata!.due)).toBeGreaterThan(Date.now() + 200_000);

      await store.write(async ({ db, touch }) => {
        const { org_id: orgId } = await db
          .updateTable("idps")
          .set({ metadata_due: PAST })
          .where("metadata_due", "is not", null)
          .returning("org_id")
          .executeTakeFirstOrThrow();
        await touch(orgId);
      });
      await until(async () => (await failures()) === 2);
      expect(await events()).toHaveLength(1);
      expect(host.requests).toHaveLength(0);
    });

    test("closes while a host keeps it waiting", async () => {
      host.respond(() => undefined);
      await startWith();
      await until(() => host.requests.length === 1);
      await server.close();
      expect((await readAll(await data.open()))[0]?.metadata).toMatchObject({ lastError: null, failures: 0 });
    });
  });

  test("of two nodes that look at the same time one refreshes", async () => {
    await importDocument(data.options, orgsWith(3, "a", "b"));
    const stores = [await data.open(), await data.open()] as const;
    await Promise.all(stores.map((store) => createNode(store)(never)));
    await Promise.all(stores.map((store) => createNode(store)(never)));
    expect(host.requests).toHaveLength(6);
    expect(urlsOf(await readAll(stores[0]))).toEqual(Array.from({ length: 6 }, () => NEW_URL));
  });

  test("a node waits for the lease of another one, and takes it when it has expired", async () => {
    await importDocument(data.options, orgsWith(1, "a"));
    const store = await data.open();
    const lease = { name: "idp-metadata", holder: "another" };
    const take = (holder: string, duration: number) =>
      store.write((transaction) => takeLease(transaction, { ...lease, holder }, duration));
    expect(await take("another", 60_000)).toBe(true);
    expect(await take("another", 60_000)).toBe(true);
    expect(await take("third", 60_000)).toBe(false);
    await createNode(store)(never);
    expect(host.requests).toHaveLength(0);
    expect(await take("another", -1)).toBe(true);
    await createNode(store)(never);
    expect(host.requests).toHaveLength(1);
    expect(await take("third", 60_000)).toBe(true);
    await store.write((transaction) => endLease(transaction, { ...lease, holder: "another" }));
    expect(await take("another", 60_000)).toBe(false);
  });

  test("those that have waited longest come first, and no org has more than two at a time", async () => {
    await importDocument(data.options, orgsWith(3, "a", "b"));
    const store = await data.open();
    const now = new Date(Date.now() + 1_000).toISOString();
    const due = await findDueMetadata(store.reader, now, 16);
    const count = (orgId: string) => due.filter((found) => found.orgId === orgId).length;
    expect(due.map(({ orgId }) => count(orgId))).toEqual([2, 2, 2, 2]);
    expect(await findDueMetadata(store.reader, now, 3)).toEqual(due.slice(0, 3));
    expect(await findDueMetadata(store.reader, PAST, 16)).toEqual([]);
  });

  test("providers and orgs that are off are left alone", async () => {
    const [off, suspended] = orgsWith(1, "a", "b").orgs;
    const idps = off!.idps.map((idp) => ({ ...idp, status: "INACTIVE" }));
    await importDocument(data.options, {
      orgs: [
        { ...off, idps },
        { ...suspended, status: "SUSPENDED" },
      ],
    });
    await createNode(await data.open())(never);
    expect(host.requests).toHaveLength(0);
  });

  test("what is changed or deleted while its metadata is fetched stays so", async () => {
    await importDocument(data.options, orgsWith(2, "a"));
    const store = await data.open();
    const [first, second] = (await readAll(store)) as [Idp, Idp];
    const protocol = {
      ...first.protocol,
      endpoints: { sso: { ...first.protocol.endpoints.sso, url: "https://mine.example/" } },
    };
    const waiting: ServerResponse[] = [];
    host.respond((_, res) => {
      if (waiting.push(res) === 3) res.end(samlMetadata({ url: NEW_URL }));
      if (waiting.length !== 2) return;
      const change = store.write(async ({ db }) => {
        await db
          .updateTable("idps")
          .set({ protocol: JSON.stringify(protocol) })
          .where("id", "=", first.id)
          .execute();
        await db.deleteFrom("idps").where("id", "=", second.id).execute();
      });
      void change.then(() => {
        for (const held of waiting) held.end(samlMetadata({ url: "https://old.example/" }));
      });
    });
    await createNode(store)(never);
    const idps = await readAll(store);
    expect(idps.map(({ id }) => id)).toEqual([first.id]);
    expect(urlsOf(idps)).toEqual([NEW_URL]); // from another attempt
    expect(host.requests).toHaveLength(3);
  });

  test("metadata that would exceed a quota is a failure", async () => {
    await importDocument(data.options, orgsWith(1, "a"));
    const store = await data.open();
    const { sum } = await store.reader
      .selectFrom("org_usage")
      .select(({ fn }) => fn.sum<number>("used").as("sum"))
      .where("quota", "=", "idpBytes")
      .executeTakeFirstOrThrow();
    const quotas = { ...DEFAULT_QUOTAS, idpBytes: sum };
    host.respond(samlMetadata({ url: `https://new.example/${"a".repeat(200)}` }));
    await createNode(await data.open({ quotas }))(never);
    const [idp] = await readAll(store);
    expect(idp?.metadata).toMatchObject({ lastError: "the quota idpBytes of the org is used up", failures: 1 });
  });
});
