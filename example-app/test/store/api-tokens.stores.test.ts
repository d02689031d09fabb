import { insertToken, listTokens, removeToken, type NewToken } from "../../src/store/records/api-tokens.js";
import { createOrg, describeStores } from "../support/stores.js";

const VALUES: NewToken = {
  name: "Nightly job",
  scopes: ["users.read"],
  expiresAt: null,
  addresses: [],
  createdBy: null,
};

describeStores((_engine, database) => {
  it("removeToken() removes only the token of this org, with those below it", async () => {
    const store = await (await database()).open();
    const { id: orgId } = await createOrg(store, { subdomain: "demo", name: "Demo" });
    const other = await createOrg(store, { subdomain: "other", name: "Other" });
    const insert = async (org: string, name: string, creator?: string) => {
      const createdBy = creator === undefined ? null : ({ type: "ApiToken", id: creator } as const);
      const values = { ...VALUES, name, createdBy };
      return (await store.write((transaction) => insertToken(transaction, org, values))).record.id;
    };
    const parent = await insert(orgId, "parent");
    const child = await insert(orgId, "child", parent);
    const grandchild = await insert(orgId, "grandchild", child);
    const sibling = await insert(orgId, "sibling");
    const stranger = await insert(other.id, "stranger", parent);

    const remove = async (owner: string, id: string) =>
      (await store.write((transaction) => removeToken(transaction, owner, id))).map((token) => token.id);
    const idsOf = async (org: string) => (await store.read((db) => listTokens(db, org))).map(({ id }) => id);
    expect(await remove(other.id, parent)).toEqual([]);
    expect(await remove(orgId, "0".repeat(20))).toEqual([]);
    expect(await remove(orgId, parent)).toEqual([parent, child, grandchild]);
    expect(await idsOf(orgId)).toEqual([sibling]);
    expect(await idsOf(other.id)).toEqual([stranger]);
  });
});
