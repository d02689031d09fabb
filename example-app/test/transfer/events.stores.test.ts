import { sql } from "kysely";
import { issuer, rule, samlIdp, textOf, trustedOrigin, user, zone } from "../support/documents.js";
import { startApi } from "../support/api.js";
import { formatQuery } from "../support/logs.js";
import { describeStores, type TestDatabase } from "../support/stores.js";
import type { LogEvent } from "../../src/model/records.js";
import { exportAll } from "../../src/transfer/export.js";
import { importText } from "../../src/transfer/import.js";

const CHANGES = "target pr";

describeStores((engine, database) => {
  /** Import into a running server; the events of changes that its log then has in addition, as `type target`. */
  async function importing(data: TestDatabase) {
    const { server, api } = await startApi(data);
    const store = await data.open();
    let seen = 0;
    const list = async (): Promise<LogEvent[]> => (await api(formatQuery({ filter: CHANGES, limit: 1_000 }))).body;
    seen = (await list()).length;
    return {
      server,
      api,
      store,
      list,
      run: async (...orgs: object[]) => {
        const summary = await importText(store, textOf(...orgs));
        const events = (await list()).slice(seen);
        seen += events.length;
        return {
          summary,
          events,
          told: events.map(({ eventType, target }) => `${eventType} ${target![0]!.alternateId}`),
        };
      },
    };
  }

  const demo = (members: object) => ({ subdomain: "demo", name: "Demonstration", ...members });

  it("writes one event per record that changes, and none for the others", async () => {
    const { server, run, list } = await importing(await database());
    expect((await list()).map(({ eventType, actor }) => `${eventType} ${actor.id}`)).toEqual([
      "org.create cli",
      "system.idp.lifecycle.create cli",
      "policy.rule.add cli",
      "policy.rule.add cli",
      "system.api_token.create cli",
    ]);
    const records = {
      idps: [samlIdp("Contoso")],
      zones: [zone("Office")],
      trustedOrigins: [trustedOrigin("Console")],
      issuers: [issuer("a"), issuer("b")],
      users: [user("joe"), user("ann")],
      rules: [rule("first"), rule("second")],
    };
    const first = await run(demo(records));
    expect(first.told).toEqual([
      "system.idp.lifecycle.create Contoso",
      "zone.create Office",
      "security.trusted_origin.create Console",
      "security.issuer.create https://a.example.com",
      "security.issuer.create https://b.example.com",
      "user.lifecycle.create joe",
      "user.lifecycle.create ann",
      "policy.rule.add first",
      "policy.rule.add second",
    ]);
    expect((await run(demo(records))).told).toEqual([]);

    const changed = {
      ...records,
      domains: ["id.demo.example"],
      issuers: [issuer("b")],
      users: [{ ...user("joe"), status: "SUSPENDED" }, { profile: { ...user("ann").profile, level: 4 } }],
      rules: [rule("second"), rule("first")],
      defaultRule: { actions: { idp: { providers: [{ idp: "Contoso" }] } } },
    };
    const second = await run(demo(changed));
    expect(second.told).toEqual([
      "org.update demo",
      "security.issuer.delete https://a.example.com",
      "user.lifecycle.suspend joe",
      "user.account.update_profile ann",
      "policy.rule.update Default Rule",
      "policy.rule.update second",
      "policy.rule.update first",
    ]);
    expect(second.summary.rules).toEqual({ created: 0, updated: 3, unchanged: 0 });

    const [event, last] = [second.events[0]!, second.events.at(-1)!];
    expect(event).toMatchObject({
      displayMessage: "Update Org",
      severity: "INFO",
      actor: { id: "cli", type: "Command", alternateId: "cli", displayName: "import", detailEntry: null },
      outcome: { result: "SUCCESS", reason: null },
      client: { ipAddress: null, zone: null },
      transaction: { type: "JOB", id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      debugContext: { debugData: { requestId: event.transaction.id, requestUri: "", url: "" } },
    });
    expect(last.target).toMatchObject([
      { type: "PolicyRule" },
      { type: "Policy", displayName: "Idp Discovery Policy" },
    ]);
    expect(new Set(second.events.map(({ transaction }) => transaction.id)).size).toBe(1);
    expect(second.events[0]!.transaction.id).not.toBe(first.events[0]!.transaction.id);
    await server.close();
  });

  it("has a partition for its events, also in a database that no server has started on", async () => {
    if (engine === "SQLite") return;
    const store = await (await database({ bare: true })).open();
    await importText(store, textOf({ subdomain: "acme", name: "Acme" }));
    const { rows } = await sql`select tableoid::regclass::text as partition from log_events`.execute(store.reader);
    expect(rows).toEqual([{ partition: expect.stringMatching(/^log_events_\d{8}(_\d+)?$/) }]);
  });

  it("writes no event of an import that fails", async () => {
    const { server, store, list } = await importing(await database());
    const before = await list();
    const broken = textOf(demo({ zones: [zone("Office")] }), { subdomain: "demo", name: "x" });
    await expect(importText(store, broken)).rejects.toThrow("is there twice");
    expect(await list()).toEqual(before);
    await server.close();
  });

  it("tells of the demonstration's records that an export replaces", async () => {
    const from = await database();
    await (await startApi(from)).server.close();
    const text = await exportAll(await from.open());
    const { server, store, list } = await importing(await database());
    const before = (await list()).length;
    await importText(store, text);
    expect((await list()).slice(before).map(({ eventType }) => eventType)).toEqual([
      "org.update",
      "system.idp.lifecycle.delete",
      "policy.rule.delete",
      "policy.rule.delete",
      "system.idp.lifecycle.create",
      "policy.rule.add",
      "policy.rule.add",
    ]);
    await server.close();
  });

  it("writes the events of more records than fit into one statement, in order", async () => {
    const { server, run, list } = await importing(await database());
    const rules = Array.from({ length: 1_201 }, (_, i) => rule(`r${i}`));
    const { summary } = await run(demo({ rules }));
    expect(summary.rules.created).toBe(1_201);
    const store = await list();
    expect(store).toHaveLength(1_000);
    expect(store.slice(5).map(({ target }) => target![0]!.displayName)).toEqual(
      rules.slice(0, 995).map(({ name }) => name),
    );
    await server.close();
  });

  it("finds every change with the filter of docs/reference/api/logs.md, and no request", async () => {
    const { server, api, list } = await importing(await database());
    const before = (await list()).length;
    const send = (path: string, body?: object, method = "POST") => api(path, { method, body: body ?? "" });
    const idp = (await send("/idps", samlIdp("Contoso"))).body;
    await send(`/idps/${idp.id}/lifecycle/deactivate`);
    await send(`/idps/${idp.id}`, undefined, "DELETE");
    const token = (await send("/apiTokens", { name: "t" })).body;
    await send(`/apiTokens/${token.id}`, undefined, "DELETE");
    await send("/zones", zone("Office"));
    await send("/trustedOrigins", trustedOrigin("Console"));
    await send("/users", user("joe"));
    await send("/zones", zone("Office")); // fails
    await api("/zones");
    await api("/nothing");
    const events = (await list()).slice(before);
    expect(events.map(({ eventType }) => eventType)).toEqual([
      "system.idp.lifecycle.create",
      "system.idp.lifecycle.deactivate",
      "system.idp.lifecycle.delete",
      "system.api_token.create",
      "system.api_token.revoke",
      "zone.create",
      "security.trusted_origin.create",
      "user.lifecycle.create",
      "user.lifecycle.activate",
    ]);
    await server.close();
  });
});
