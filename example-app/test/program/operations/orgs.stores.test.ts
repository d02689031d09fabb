import { createLog } from "../../../src/program/process/log.js";
import {
  activateOrg,
  describeContent,
  formatOrgs,
  removeOrg,
  suspendOrg,
} from "../../../src/program/operations/orgs.js";
import { start } from "../../../src/program/process/start.js";
import { removeContent } from "../../../src/store/records/org-removal.js";
import { setOrgStatus } from "../../../src/store/records/orgs.js";
import type { Store } from "../../../src/store/store.js";
import { exportAll } from "../../../src/transfer/export.js";
import { importText } from "../../../src/transfer/import.js";
import { createClient, insertApiToken, startApi, type ApiClient } from "../../support/api.js";
import { fullOrg, textOf, user } from "../../support/documents.js";
import { buildSettings, call, webfingerPath, type TestServer } from "../../support/server.js";
import { describeStores, type TestDatabase } from "../../support/stores.js";
import { until } from "../../../../test/support/until.js";

const ACME = { org: "acme", defaultOrg: "demo" };
const PATHS = [webfingerPath("joe@example.com"), "/sso/login", "/api/v1/users", "/api/v9", "/nothing"];

describeStores((_engine, database) => {
  let data: TestDatabase;
  let store: Store;
  let server: TestServer;
  let demo: ApiClient["api"];
  let acme: ApiClient["api"];

  beforeEach(async () => {
    data = await database();
    ({ server, api: demo } = await startApi(data, {}, { orgs: [fullOrg("demo"), fullOrg("acme")] }));
    acme = createClient(server, "acme", await insertApiToken(data.options, "acme")).api;
    store = await data.open();
  });
  afterEach(() => server.close());

  /** The response without what differs in every one. */
  const ask = async (host: string, path: string, headers: Record<string, string> = {}) => {
    const {
      status,
      body,
      headers: fields,
    } = await call(server, path, {
      headers: { Host: `${host}:${server.port}`, ...headers },
    });
    const text = JSON.stringify(body)
      .replaceAll(host, "HOST")
      .replace(/"errorId":"[^"]*"/, "");
    return { status, text, fields: Object.keys(fields).sort() };
  };

  /** Wait until a change has reached the server. */
  const becomes = async (ask: () => Promise<{ status: number }>, expected: number): Promise<void> => {
    await until(async () => (await ask()).status === expected);
  };

  const eventsOf = async (): Promise<[string, string, string][]> => {
    const { body } = await demo(`/logs?filter=${encodeURIComponent('eventType sw "org." and actor.id eq "cli"')}`);
    interface Told {
      eventType: string;
      actor: { id: string };
      target: { displayName: string }[];
    }
    const changes = (body as Told[]).filter(({ eventType }) => eventType !== "org.create"); // of the import
    return changes.map(({ eventType, actor, target }) => [eventType, actor.id, target[0]!.displayName]);
  };

  it("answers for a suspended org as for an unknown host, and refuses its tokens", async () => {
    expect((await acme("/users")).status).toBe(200);
    await suspendOrg(store, ACME);
    await becomes(() => acme("/users"), 401);
    for (const host of ["acme.localhost", "id.acme.example"]) {
      for (const path of PATHS) {
        const unknown = await ask(host.replace("acme", "nobody"), path);
        expect(unknown.status).toBe(404);
        expect(await ask(host, path)).toEqual(unknown);
        const headers = { Authorization: `SVC ${"0".repeat(40)}` };
        expect(await ask(host, path, headers)).toEqual(await ask(host.replace("acme", "nobody"), path, headers));
      }
    }
    const refused = await acme("/users");
    expect(refused.body).toMatchObject({ errorCode: "E0000011" });
    expect(refused.headers["www-authenticate"]).toContain("SVC");
    expect((await demo("/users")).status).toBe(200);

    await activateOrg(store, ACME);
    await becomes(() => acme("/users"), 200);
    expect(await formatOrgs(store)).toMatch(/^SUBDOMAIN +STATUS +CREATED +NAME\nacme +ACTIVE .*\ndemo +ACTIVE /);
    expect(await eventsOf()).toEqual([
      ["org.suspend", "cli", "acme"],
      ["org.activate", "cli", "acme"],
    ]);
  });

  it("S9 all nodes notice that an org was suspended", async () => {
    if (data.options.databaseUrl === undefined) return; // SQLite is for one process
    const settings = buildSettings({ ...data.options, databaseUrl: data.options.databaseUrl, publicPort: server.port });
    const other = await start(settings, createLog("silent"));
    const node = { ...server, nextPort: () => Number(new URL(other.url).port) };
    const onOther = () => call(node, PATHS[0]!, { headers: { Host: `acme.localhost:${server.port}` } });
    expect((await onOther()).status).toBe(200);
    await suspendOrg(store, ACME);
    await becomes(() => onOther(), 404);
    await activateOrg(store, ACME);
    await becomes(() => onOther(), 200);
    await removeOrg(store, ACME);
    await becomes(() => onOther(), 404);
    await other.close();
  });

  it("says why an org can't be changed", async () => {
    await expect(suspendOrg(store, { ...ACME, org: "nobody" })).rejects.toThrow(
      'There is no org with the subdomain "nobody"; org list shows all',
    );
    for (const change of [suspendOrg, activateOrg, removeOrg, describeContent]) {
      await expect(change(store, { ...ACME, org: "demo" })).rejects.toThrow("The org demo is the default org");
    }
    await expect(activateOrg(store, ACME)).rejects.toThrow("The org acme is ACTIVE already");
    await suspendOrg(store, ACME);
    await expect(suspendOrg(store, ACME)).rejects.toThrow("The org acme is SUSPENDED already");
    await expect(start(buildSettings({ ...data.options, defaultOrg: "acme" }), createLog("silent"))).rejects.toThrow(
      "--default-org is acme, which is SUSPENDED",
    );
  });

  it("removes an org with all that it has, and nothing of another", async () => {
    const users = Array.from({ length: 1_200 }, (_, i) => user(`u${i}`));
    await importText(store, textOf({ ...fullOrg("acme"), users }));
    const others = await exportOrg("demo");
    const content = await describeContent(store, ACME);
    expect(content).toMatch(/^acme \(The acme org\)\nusers: 1202\nrules: 4\nidentity providers: 2\nzones: 2\n/);
    expect(content).toMatch(
      /\ntrusted origins: 2\nissuers: 2\nAPI tokens: 1\nevents: 12\d\d\nrevisions: 1\ncustom domains: 2$/,
    );

    await removeOrg(store, ACME);
    expect(await countRows("acme")).toEqual({ orgs: 0, rest: 0 });
    expect(await store.findOrgByDomain("id.acme.example")).toBeUndefined();
    expect(await exportOrg("demo")).toEqual(others);
    await becomes(() => acme("/users"), 404);
    expect(await eventsOf()).toEqual([["org.delete", "cli", "acme"]]);
    await importText(store, textOf(fullOrg("acme")));
  });

  it("goes on with a removal that was interrupted", async () => {
    const { id } = (await store.findOrgBySubdomain("acme"))!;
    await store.write((transaction) => setOrgStatus(transaction, id, "REMOVING"));
    expect(await store.write((transaction) => removeContent(transaction, id))).toBe(true);
    await becomes(() => ask("acme.localhost", PATHS[0]!), 404);
    await expect(activateOrg(store, ACME)).rejects.toThrow("is being removed");
    expect(await exportOrg("acme")).toBeUndefined();
    await expect(importText(store, textOf(fullOrg("acme")))).rejects.toThrow("orgs[0]: is being removed");
    await removeOrg(store, ACME);
    expect(await countRows("acme")).toEqual({ orgs: 0, rest: 0 });
  });

  it("exports and imports the status", async () => {
    await suspendOrg(store, ACME);
    expect(await exportOrg("acme")).toMatchObject({ status: "SUSPENDED" });
    expect(await exportOrg("demo")).not.toHaveProperty("status");
    await importText(store, textOf(fullOrg("acme")));
    expect(await store.findOrgBySubdomain("acme")).toMatchObject({ status: "SUSPENDED" });
    await importText(store, textOf({ ...fullOrg("acme"), status: "ACTIVE" }), { defaultOrg: "acme" });
    expect(await store.findOrgBySubdomain("acme")).toMatchObject({ status: "ACTIVE" });
    const suspended = textOf({ ...fullOrg("acme"), status: "SUSPENDED" });
    await expect(importText(store, suspended, { defaultOrg: "acme" })).rejects.toThrow(
      "orgs[0].status: must be ACTIVE: this is the default org",
    );
  });

  async function exportOrg(subdomain: string): Promise<object | undefined> {
    const { orgs } = JSON.parse(await exportAll(store)) as { orgs: { subdomain: string }[] };
    return orgs.find((org) => org.subdomain === subdomain);
  }

  /** Rows of orgs that are not `demo`. */
  async function countRows(subdomain: string): Promise<{ orgs: number; rest: number }> {
    const { id } = (await store.findOrgBySubdomain("demo"))!;
    const orgs = await store.reader.selectFrom("orgs").select("id").where("subdomain", "=", subdomain).execute();
    let rest = 0;
    for (const table of [
      "users",
      "rules",
      "idps",
      "zones",
      "trusted_origins",
      "routing_tests",
      "issuers",
      "api_tokens",
      "org_domains",
      "org_usage",
      "log_heads",
      "log_events",
    ] as const) {
      rest += (await store.reader.selectFrom(table).select("org_id").where("org_id", "<>", id).execute()).length;
    }
    return { orgs: orgs.length, rest };
  }
});
