import { toIssuer } from "../../src/store/contract/rows.js";

describe("toIssuer", () => {
  it("gives keys the names that they were stored with, whatever names other JSON had", () => {
    const earlier = JSON.parse(String.raw`{"kid":1,"b\\":1}`) as unknown;
    const row = { org_id: "1", id: "1", issuer: "", audience: "", types: "[]", created: "", last_updated: "" };
    const keys = { keys: [{ kid: "1", "b\n": 1 }] };
    expect(toIssuer({ ...row, keys: JSON.stringify(keys) }).keys).toEqual(keys);
    expect(earlier).toBeDefined();
  });
});
