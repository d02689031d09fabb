import { setTimeout as sleep } from "node:timers/promises";
import { createTokenUses } from "../../src/access/token-uses.js";
import { insertToken, listTokens } from "../../src/store/records/api-tokens.js";
import { createClient, startApi } from "../support/api.js";
import { countTurns } from "../support/count-turns.js";
import { createOrg, describeStores } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const TOKEN = { name: "Job", scopes: [], expiresAt: null, addresses: [], createdBy: null };

describeStores((_engine, database) => {
  test("the API shows within seconds that a token was used, and many requests are one use", async () => {
    const { server, api } = await startApi(await database());
    const { id, token } = (await api("/apiTokens", { method: "POST", body: { name: "Job" } })).body;
    const lastUsed = async () => (await api(`/apiTokens/${id}`)).body.lastUsed as string | null;
    expect(await lastUsed()).toBeNull();
    const { api: use } = createClient(server, "demo", token);
    expect((await use("/users")).status).toBe(200);
    const used = await until(lastUsed);
    expect(used).toMatch(/^\d{4}-\d\d-\d\dT/);
    for (let i = 0; i < 20; i++) await use("/users");
    await sleep(1_000);
    expect(await lastUsed()).toBe(used);
    await server.close();
  });

  test("a request that is refused is no use", async () => {
    const db = await database();
    const { server, api } = await startApi(db);
    const body = { name: "Job", addresses: ["192.0.2.1"] };
    const { id, token } = (await api("/apiTokens", { method: "POST", body })).body;
    expect((await createClient(server, "demo", token).api("/users")).status).toBe(401);
    await server.close();
    const store = await db.open();
    const row = await store.reader.selectFrom("api_tokens").selectAll().where("id", "=", id).executeTakeFirst();
    expect(row?.last_used).toBeNull();
  });

  test("uses are written once a minute, whichever node notes them, and when a node closes", async () => {
    const store = await (await database()).open();
    const { id: orgId } = await createOrg(store, { subdomain: "demo", name: "Demo" });
    const { record } = await store.write((transaction) => insertToken(transaction, orgId, TOKEN));
    const lastUsed = async () => (await store.read((db) => listTokens(db, orgId)))[0]!.lastUsed;
    let writes = 0;
    let now = START;
    const counting = {
      write: (work: Parameters<typeof store.write>[0]) => {
        writes++;
        return store.write(work);
      },
    } as Pick<typeof store, "write">;
    const node = () => createTokenUses({ store: counting, log: { warn: jest.fn() }, now: () => now });

    /** What a node does that is asked at this time, and has read `known`. */
    async function useAt(passed: number, known: string | null, times = 1): Promise<void> {
      now = START + passed;
      const uses = node();
      for (let i = 0; i < times; i++) uses.note(orgId, record.id, known);
      await uses.close();
    }
    const first = new Date(START).toISOString();
    await useAt(0, null, 100);
    expect([await lastUsed(), writes]).toEqual([first, 1]);
    await useAt(59_999, first);
    expect([await lastUsed(), writes]).toEqual([first, 1]);
    await useAt(30_000, null); // had read the token before the first use was written
    expect([await lastUsed(), writes]).toEqual([first, 2]);
    await useAt(60_000, first);
    expect(await lastUsed()).toBe(first);
    await useAt(60_001, first);
    expect(await lastUsed()).toBe(new Date(START + 60_001).toISOString());
  });

  test("requests go on between the uses that are written together", async () => {
    const write = jest.fn().mockResolvedValue(undefined);
    const uses = createTokenUses({ store: { write }, log: { warn: jest.fn() } });
    for (let i = 0; i < 20; i++) uses.note("org", `token ${i}`, null);
    expect(await countTurns(() => uses.close())).toBeGreaterThanOrEqual(20);
    expect(write).toHaveBeenCalledTimes(20);
  });

  test("uses that can't be written are lost, and the program log says so", async () => {
    const store = await (await database()).open();
    const warn = jest.fn();
    const uses = createTokenUses({ store: { write: () => Promise.reject(new Error("down")) }, log: { warn } });
    uses.note("org", "token", null);
    await uses.close();
    expect(warn.mock.calls).toEqual([[{ err: expect.any(Error), lost: 1 }, "uses of API tokens were not recorded"]]);
    await store.close();
  });
});
