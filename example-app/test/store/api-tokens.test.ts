import { insertToken, listTokens, removeToken, USE_EVENTS } from "../../src/store/api-tokens.js";
import { appendLogEvents } from "../../src/store/log-events.js";
import { buildEvent } from "../support/logs.js";
import { createOrg, describeStores } from "../support/stores.js";

const VALUES = { name: "Nightly job", scopes: ["users.read"], expiresAt: null };

describeStores((_engine, database) => {
  it("listTokens() knows the last use of a token as long as it is among the last events of the org", async () => {
    const store = await (await database()).open();
    const { id: orgId } = await createOrg(store, { subdomain: "demo", name: "Demo" });
    const issued = await store.write((transaction) => insertToken(transaction, orgId, VALUES));
    const append = (count: number, tokenId: string) => {
      const { actor, ...event } = buildEvent();
      const events = Array.from({ length: count }, () => ({ ...event, actor: { ...actor, id: tokenId } }));
      return store.write((transaction) => appendLogEvents(transaction, orgId, events));
    };
    const lastUse = async () => (await store.read((db) => listTokens(db, orgId))).map((token) => token.lastUse);

    expect(await lastUse()).toEqual([null]);
    await append(1, issued.record.id);
    const [used] = await lastUse();
    expect(used).toMatch(/^\d{4}-/);
    await append(USE_EVENTS - 2, "another");
    expect(await lastUse()).toEqual([used]);
    await append(1, "another");
    expect(await lastUse()).toEqual([used]);
    await append(1, "another");
    expect(await lastUse()).toEqual([null]);
  });

  it("removeToken() removes only the token of this org", async () => {
    const store = await (await database()).open();
    const { id: orgId } = await createOrg(store, { subdomain: "demo", name: "Demo" });
    const other = await createOrg(store, { subdomain: "other", name: "Other" });
    const { record } = await store.write((transaction) => insertToken(transaction, orgId, VALUES));
    const remove = (owner: string, id: string) => store.write((transaction) => removeToken(transaction, owner, id));
    expect(await remove(other.id, record.id)).toBe(false);
    expect(await remove(orgId, "0".repeat(20))).toBe(false);
    expect(await remove(orgId, record.id)).toBe(true);
    expect(await store.read((db) => listTokens(db, orgId))).toEqual([]);
  });
});
