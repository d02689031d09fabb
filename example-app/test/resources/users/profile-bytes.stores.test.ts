import { importText } from "../../../src/transfer/import.js";
import { startApi, type ApiClient } from "../../support/api.js";
import { textOf } from "../../support/documents.js";
import type { TestServer } from "../../support/server.js";
import { describeStores, type TestDatabase } from "../../support/stores.js";
import { causesOf, createWriter, insertUsers, profile, storedUser } from "../../support/users.js";

const LIMIT = 65_536;
const DEMO = { subdomain: "demo", name: "Demo" };

/** A profile with so many bytes as JSON, in texts that are short enough. */
function sizedProfile(login: string, bytes: number) {
  const texts: string[] = [];
  const build = () => profile(login, { texts });
  const room = () => bytes - Buffer.byteLength(JSON.stringify(build()));
  while (room() > 2_100) texts.push("é".repeat(1_000));
  texts.push("");
  texts[texts.length - 1] = "e".repeat(room());
  return build();
}

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];
  let users: ReturnType<typeof createWriter>;

  beforeEach(async () => {
    data = await database();
    ({ server, api } = await startApi(data, {}, { orgs: [DEMO] }));
    users = createWriter(api);
  });
  afterEach(() => server.close());

  it("S9 a profile has at most 65,536 bytes as JSON, in every operation that writes one", async () => {
    const joe = sizedProfile("joe", LIMIT);
    expect(Buffer.byteLength(JSON.stringify(joe))).toBe(LIMIT);
    expect((await users.post("/users", { profile: sizedProfile("ann", LIMIT - 1) })).status).toBe(200);
    const { status, body } = await users.post("/users", { profile: joe });
    expect([status, body.profile]).toEqual([200, joe]);
    const at = `/users/${body.id}`;
    const more = sizedProfile("joe", LIMIT + 1);
    const refused = [
      await users.post("/users", { profile: sizedProfile("eve", LIMIT + 1) }),
      await users.post(at, { profile: more }),
      await users.send("PUT", at, { profile: more }),
      await users.patch(at, [{ op: "add", path: "/profile/nickName", value: "" }], "json-patch"),
      await users.patch(at, { profile: { nickName: "" } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.errorCode])).toEqual(Array(5).fill([400, "E0000001"]));
    expect(causesOf(refused[0]!)).toEqual(["profile: has 65537 bytes as JSON; at most 65536 are allowed"]);
    const { texts, ...v2 } = sizedProfile("eve", LIMIT + 1) as { texts?: string[]; firstName: string };
    const second = await api(`https://localhost:${server.port}/api/v2/users`, {
      method: "POST",
      body: { ...v2, name: { given: "Joe", family: "Doe" }, attributes: { texts } },
    });
    expect([second.status, causesOf(second)[0]]).toEqual([
      400,
      "attributes: has 65537 bytes as JSON; at most 65536 are allowed",
    ]);
    expect((await api(at)).body.profile).toEqual(joe);
  });

  it("S9 a profile that is longer already works, and can change and shrink, but not grow", async () => {
    const user = storedUser("joe");
    const long = sizedProfile("joe", 70_000);
    await insertUsers(data.options, [{ ...user, profile: long }]);
    const at = `/users/${user.id}`;
    const put = (body: object) => users.send("PUT", at, { profile: body });
    expect((await api(at)).body.profile).toEqual(long);
    expect((await users.post(`${at}/lifecycle/suspend`)).status).toBe(200);
    expect((await put({ ...long, firstName: "Jim" })).status).toBe(200);
    expect(causesOf(await put({ ...long, firstName: "Jimm" }))).toEqual([
      "profile: has 70001 bytes as JSON; at most 65536 are allowed, or the 70000 that it has",
    ]);
    expect((await put(sizedProfile("joe", 69_999))).status).toBe(200);
    expect((await put(sizedProfile("joe", 70_000))).status).toBe(400);

    const store = await data.open();
    const file = (bytes: number) => textOf({ ...DEMO, users: [{ profile: sizedProfile("joe", bytes) }] });
    await importText(store, file(69_998));
    await importText(store, file(69_998));
    await expect(importText(store, file(69_999), { source: "x.json" })).rejects.toThrow(
      /^x\.json:\d+: orgs\[0\]\.users\[0\]\.profile: has 69999 bytes as JSON; at most 65536 are allowed, or the 69998 that it has$/,
    );
    expect((await users.send("DELETE", at)).status).toBe(204);
    expect((await users.send("DELETE", at)).status).toBe(204);
    await importText(store, file(LIMIT));
    await expect(importText(store, file(LIMIT + 1))).rejects.toThrow("at most 65536 are allowed");
  });
});
