import { formatOrgs } from "../../src/program/operations/orgs.js";
import { formatTokens } from "../../src/program/operations/tokens.js";
import { importText } from "../../src/transfer/import.js";
import { insertApiToken, startApi, type ApiClient } from "../support/api.js";
import { fullOrg, samlIdp, textOf, trustedOrigin, user, zone } from "../support/documents.js";
import { findEvents } from "../support/logs.js";
import type { TestServer } from "../support/server.js";
import { describeStores, withStore, type TestDatabase } from "../support/stores.js";
import { causesOf, insertUsers, profile, storedUser } from "../support/users.js";

const HIDDEN = "Off\u202eices";
const CAUSE = "must not have the invisible character U+202E (at index 3)";
const ORG = { idp: { providers: [{ type: "SVC" }] } };

describeStores((_engine, database) => {
  let data: TestDatabase;
  let server: TestServer;
  let api: ApiClient["api"];

  beforeEach(async () => {
    data = await database();
    ({ server, api } = await startApi(data));
  });
  afterEach(() => server.close());

  const post = (path: string, body: object) => api(path, { method: "POST", body });

  test("names and logins with characters that nobody sees are refused, with the place", async () => {
    const rules = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}/rules`;
    const patterns = [{ matchType: "EQUALS", value: HIDDEN }];
    const bodies: [path: string, body: object, place: string][] = [
      ["/zones", zone(HIDDEN), "name"],
      ["/idps", samlIdp(HIDDEN), "name"],
      ["/trustedOrigins", { ...trustedOrigin("New"), name: HIDDEN }, "name"],
      ["/apiTokens", { name: HIDDEN, scopes: ["svc.users.read"] }, "name"],
      [rules, { name: HIDDEN, actions: ORG }, "name"],
      [
        rules,
        { name: "R", actions: ORG, conditions: { userIdentifier: { type: "IDENTIFIER", patterns } } },
        "conditions.userIdentifier.patterns[0].value",
      ],
      ["/users", { profile: profile(HIDDEN) }, "profile.login"],
      ["/users", { profile: profile("a", { lastName: HIDDEN }) }, "profile.lastName"],
    ];
    for (const [path, body, place] of bodies) {
      const answer = await post(path, body);
      expect([path, answer.status, causesOf(answer)]).toEqual([path, 400, [`${place}: ${CAUSE}`]]);
    }
    const v2 = { login: "a", email: "a@x", name: { given: HIDDEN, family: "B" } };
    const answer = await post("https://host/api/v2/users", v2);
    expect([answer.status, causesOf(answer)]).toEqual([400, [`name.given: ${CAUSE}`]]);
    // the org's own attributes are no names: words of Persian and of Indic scripts have U+200C and U+200D
    expect((await post("/users", { profile: profile("b", { note: "می\u200cخواهم" }) })).status).toBe(200);
  });

  test("a user who has such a login can change in every other way", async () => {
    await insertUsers(data.options, [storedUser(HIDDEN)]);
    const [{ id, profile: before }] = (await api("/users?limit=200")).body.filter(
      ({ profile: { login } }: { profile: { login: string } }) => login === HIDDEN,
    );
    const patch = (changes: object) => api(`/users/${id}`, { method: "POST", body: { profile: changes } });
    expect(await patch({ floor: 4 })).toMatchObject({ status: 200, body: { profile: { login: HIDDEN, floor: 4 } } });
    const put = (login: string) => api(`/users/${id}`, { method: "PUT", body: { profile: { ...before, login } } });
    expect((await put(HIDDEN)).status).toBe(200);
    const refused = await put(`x${HIDDEN}`);
    expect([refused.status, causesOf(refused)]).toEqual([
      400,
      ["profile.login: must not have the invisible character U+202E (at index 4)"],
    ]);
    expect((await post(`/users/${id}/lifecycle/suspend`, {})).status).toBe(200);
    expect((await patch({ login: "offices" })).status).toBe(200);
  });

  test("a zone that has such a name works, and gets another one when it is replaced", async () => {
    const { id } = (await post("/zones", zone("Offices"))).body;
    await withStore(data.options, (store) =>
      store.write(({ db }) => db.updateTable("zones").set({ name: HIDDEN }).where("id", "=", id).execute()),
    );
    expect(await api(`/zones/${id}`)).toMatchObject({ status: 200, body: { name: HIDDEN } });
    expect((await post(`/zones/${id}/lifecycle/deactivate`, {})).status).toBe(200);
    const put = (name: string) => api(`/zones/${id}`, { method: "PUT", body: zone(name) });
    const refused = await put(HIDDEN);
    expect([refused.status, causesOf(refused)]).toEqual([400, [`name: ${CAUSE}`]]);
    expect((await put("Offices")).status).toBe(200);
  });

  test("tables of the command line and faults of an import show them by their code", async () => {
    await insertApiToken(data.options, "demo", [], { name: HIDDEN });
    await withStore(data.options, async (store) => {
      await store.write(({ db }) => db.updateTable("orgs").set({ name: HIDDEN }).execute());
      expect(await formatTokens(store, "demo", "svc.")).toContain("  Off\\u202eices  ");
      expect(await formatOrgs(store)).toMatch(/ Off\\u202eices$/m);
      const document = {
        ...fullOrg("acme"),
        name: HIDDEN,
        users: [{ profile: { ...user("a").profile, login: HIDDEN } }],
        zones: [zone(HIDDEN)],
      };
      const error = await importText(store, textOf(document), { source: "x.json" }).catch((reason: unknown) => reason);
      const { message } = error as Error;
      for (const place of ["name", "users[0].profile.login", "zones[0].name"]) {
        expect(message).toMatch(new RegExp(`^x\\.json:\\d+: orgs\\[0\\]\\.${place.replace(/[[\]]/g, "\\$&")}: `, "m"));
        expect(message).toContain(`orgs[0].${place}: ${CAUSE}`);
      }
    });
  });

  test("the reason of an event has no such character", async () => {
    const { headers, body } = await api("/users/a%1B[31m%E2%80%AEb");
    expect(body.errorSummary).toContain("\u202e");
    const [event] = await findEvents({ api }, String(headers["x-svc-request-id"]));
    expect(event?.outcome.reason).toContain("a\\u001b[31m\\u202eb");
  });
});
