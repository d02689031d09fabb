import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { isUnavailable } from "../../src/store/contract/errors.js";
import { findOrgRow } from "../../src/store/records/queries.js";
import { SCHEMA_VERSION } from "../../src/store/schema/versions.js";
import { toPolicy } from "../../src/store/contract/rows.js";
import { importText } from "../../src/transfer/import.js";
import { rule, samlIdp, textOf, user } from "../support/documents.js";
import { readOrgData } from "../support/org-data.js";
import { createOrg, describeStores } from "../support/stores.js";

const NOW = "2026-01-02T03:04:05.678Z";
const clock = () => new Date(NOW);

describeStores((_engine, database) => {
  describe("insertOrg()", () => {
    it("W4 makes an org that ends at itself: with a policy and the default rule", async () => {
      const store = await (await database()).open({ clock });
      const org = await createOrg(store, { subdomain: "acme", name: "Acme", domains: ["z.example", "a.example"] });
      expect(org).toEqual({
        id: expect.stringMatching(/^[0-9A-Za-z]{20}$/),
        subdomain: "acme",
        name: "Acme",
        status: "ACTIVE",
        rateLimits: {},
        signInUrl: null,
        whenProfileUnavailable: "UNAVAILABLE",
        domains: ["z.example", "a.example"],
        created: NOW,
        lastUpdated: NOW,
      });
      expect(await readOrgData(store, org.id)).toEqual({
        revision: 1,
        rules: [
          {
            id: expect.stringMatching(/^[0-9A-Za-z]{20}$/),
            name: "Default Rule",
            priority: 1,
            status: "ACTIVE",
            system: true,
            conditions: {},
            actions: { idp: { providers: [{ type: "SVC" }], idpSelectionType: "SPECIFIC" } },
            created: NOW,
            lastUpdated: NOW,
          },
        ],
        idps: [],
        zones: [],
        trustedOrigins: [],
        issuers: [],
      });
      expect(toPolicy((await findOrgRow(store.reader, "id", org.id))!)).toMatchObject({
        type: "IDP_DISCOVERY",
        system: true,
        created: NOW,
      });
    });

    it("refuses a subdomain or domain that is taken, and leaves nothing of the org", async () => {
      const store = await (await database()).open();
      await createOrg(store, { subdomain: "acme", name: "Acme", domains: ["id.example"] });
      await expect(createOrg(store, { subdomain: "acme", name: "Again" })).rejects.toThrow(/unique/i);
      await expect(createOrg(store, { subdomain: "other", name: "Other", domains: ["id.example"] })).rejects.toThrow(
        /unique/i,
      );
      expect(await store.findOrgBySubdomain("other")).toBeUndefined();
    });
  });

  describe("finding an org", () => {
    it("finds it by its subdomain and each custom domain", async () => {
      const store = await (await database()).open();
      const org = await createOrg(store, { subdomain: "acme", name: "Acme", domains: ["b.example", "a.example"] });
      await createOrg(store, { subdomain: "other", name: "Other" });
      for (const found of [
        await store.findOrgBySubdomain("acme"),
        await store.findOrgByDomain("a.example"),
        await store.findOrgByDomain("b.example"),
      ]) {
        expect(found).toEqual(org);
      }
    });

    it("finds nothing for other values, in other cases, or for SQL", async () => {
      const store = await (await database()).open();
      await createOrg(store, { subdomain: "acme", name: "Acme", domains: ["a.example"] });
      for (const value of ["", "ACME", "acme ", "%", "' or '1'='1"]) {
        expect(await store.findOrgBySubdomain(value)).toBeUndefined();
        expect(await store.findOrgByDomain(value)).toBeUndefined();
        expect(await store.loadRoutingData(value)).toBeUndefined();
        expect(await store.currentRevision(value)).toBeUndefined();
      }
    });

    it("tells whether there is any", async () => {
      const store = await (await database()).open();
      expect(await store.hasOrgs()).toBe(false);
      await createOrg(store, { subdomain: "acme", name: "Acme" });
      expect(await store.hasOrgs()).toBe(true);
    });
  });

  describe("loadRoutingData", () => {
    it("W4 gives the active rules in order, the default rule last", async () => {
      const store = await (await database()).open();
      const rules = [rule("z"), { ...rule("m"), status: "INACTIVE" }, rule("a")];
      await importText(store, textOf({ subdomain: "acme", name: "Acme", rules }));
      const org = await store.findOrgBySubdomain("acme");
      const data = await store.loadRoutingData(org!.id);
      expect([...data!.rules].map(({ name, priority }) => [name, priority])).toEqual([
        ["z", 1],
        ["a", 3],
        ["Default Rule", 4],
      ]);
    });

    it("gives all rules where there are many pages of them", async () => {
      const store = await (await database()).open();
      const rules = Array.from({ length: 4_000 }, (_, i) => rule(`rule ${i}`));
      await importText(store, textOf({ subdomain: "acme", name: "Acme", rules: rules.slice(0, 3_999) }));
      const org = await store.findOrgBySubdomain("acme");
      for (const count of [3_999, 4_000]) {
        await importText(store, textOf({ subdomain: "acme", name: "Acme", rules: rules.slice(0, count) }));
        const data = await store.loadRoutingData(org!.id);
        expect(Array.from(data!.rules, ({ priority }) => priority)).toEqual(
          Array.from({ length: count + 1 }, (_, i) => i + 1),
        );
      }
    });

    it("sorts names by their bytes", async () => {
      const store = await (await database()).open();
      const idps = ["a", "B", "Z", "é", "_", "€", "10", "9"].map(samlIdp);
      await importText(store, textOf({ subdomain: "acme", name: "Acme", idps }));
      const org = await store.findOrgBySubdomain("acme");
      const names = (await readOrgData(store, org!.id)).idps.map(({ name }) => name);
      expect(names).toEqual(["10", "9", "B", "Z", "_", "a", "é", "€"]);
    });

    it("holds nothing of another org", async () => {
      const store = await (await database()).open();
      const other = { subdomain: "other", name: "Other", idps: [samlIdp("Theirs")], rules: [rule("theirs", "Theirs")] };
      await importText(store, textOf(other));
      const org = await createOrg(store, { subdomain: "acme", name: "Acme" });
      expect(await readOrgData(store, org.id)).toMatchObject({ rules: [{ name: "Default Rule" }], idps: [] });
    });
  });

  describe("findUserProfile", () => {
    const NAMES = ["login", "firstName", "level", "remote", "groups", "sizes", "text", "constructor", "none"];

    it("finds attributes of the profile by login in any case of letters, in its own org only", async () => {
      const store = await (await database()).open();
      const more = {
        level: 3.5,
        remote: false,
        groups: ["a", "b"],
        sizes: [1, 2],
        text: 'quote " and €',
        constructor: "x",
      };
      const joerg = { ...user("Jörg@Example.com").profile, ...more };
      const acme = { subdomain: "acme", name: "Acme", users: [{ profile: joerg }] };
      await importText(store, textOf(acme, { subdomain: "other", name: "Other", users: [user("ann@example.com")] }));
      const org = await store.findOrgBySubdomain("acme");
      const other = await store.findOrgBySubdomain("other");
      const find = (orgId: string, login: string, names = NAMES) => store.findUserProfile(orgId, login, names);
      const { login, firstName } = joerg;
      expect(await find(org!.id, "JÖRG@example.COM")).toEqual({ login, firstName, ...more });
      expect(await find(org!.id, "JÖRG@example.COM", ["none", "groups"])).toEqual({ groups: ["a", "b"] });
      expect(await find(org!.id, "JÖRG@example.COM", ["none"])).toBeUndefined();
      expect(await find(org!.id, "JÖRG@example.COM", [])).toBeUndefined();
      expect(await find(org!.id, "jorg@example.com")).toBeUndefined();
      expect(await find(other!.id, "Jörg@Example.com")).toBeUndefined();
      const many = Array.from({ length: 51 }, (_, i) => `attribute${i}`);
      expect(await find(org!.id, "JÖRG@example.COM", many.slice(1))).toBeUndefined();
      expect(await find(org!.id, "JÖRG@example.COM", many)).toEqual(joerg);
    });
  });

  describe("write", () => {
    it("counts one revision a transaction, and none when it fails", async () => {
      const store = await (await database()).open();
      const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
      await store.write(async ({ touch }) => {
        await touch(id);
        await touch(id);
      });
      expect(await store.currentRevision(id)).toBe(2);
      const failed = store.write(async ({ touch }) => {
        await touch(id);
        throw new Error("on purpose");
      });
      await expect(failed).rejects.toThrow("on purpose");
      expect(await store.currentRevision(id)).toBe(2);
    });

    it("loses no change of writers that read before they write", async () => {
      const { open } = await database();
      const stores = [await open(), await open(), await open()];
      const { id } = await createOrg(stores[0]!, { subdomain: "acme", name: "0" });
      await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          stores[i % 3]!.write(async ({ db, touch }) => {
            await touch(id);
            const { name } = await db.selectFrom("orgs").select("name").where("id", "=", id).executeTakeFirstOrThrow();
            await sleep(1);
            await db
              .updateTable("orgs")
              .set({ name: String(Number(name) + 1) })
              .where("id", "=", id)
              .execute();
          }),
        ),
      );
      expect(await stores[1]!.findOrgBySubdomain("acme")).toMatchObject({ name: "30" });
      expect(await stores[2]!.currentRevision(id)).toBe(31);
    });
  });

  describe("read", () => {
    it("sees one moment, and does not wait for a writer", async () => {
      const { open } = await database();
      const store = await open();
      const other = await open();
      const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
      const revisions = await store.read(async (db) => {
        const read = () =>
          db.selectFrom("org_revisions").select("revision").where("org_id", "=", id).executeTakeFirst();
        const before = await read();
        await other.write(({ touch }) => touch(id));
        return [before, await read()];
      });
      expect(revisions).toEqual([{ revision: 1 }, { revision: 1 }]);
      expect(await store.currentRevision(id)).toBe(2);
    });

    it("goes on while a transaction of the same store writes", async () => {
      const store = await (await database()).open();
      const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
      await store.write(async ({ touch }) => {
        await touch(id);
        expect(await store.currentRevision(id)).toBe(1);
      });
      expect(await store.currentRevision(id)).toBe(2);
    });

    it("can't write", async () => {
      const store = await (await database()).open();
      const writing = store.read((db) => db.deleteFrom("orgs").execute());
      await expect(writing).rejects.toThrow(/read-?only/i);
    });
  });

  describe("openStore", () => {
    it("finds what was stored before", async () => {
      const { open } = await database();
      const first = await open();
      const org = await createOrg(first, { subdomain: "acme", name: "Acme" });
      await first.close();
      expect(await (await open()).findOrgBySubdomain("acme")).toEqual(org);
    });

    it("makes the schema once when many open an empty database at the same time", async () => {
      const { open } = await database({ bare: true });
      const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
      await createOrg(stores[7]!, { subdomain: "acme", name: "Acme" });
      expect(await stores[0]!.hasOrgs()).toBe(true);
    });

    it("refuses a database of a newer version in one line", async () => {
      const { open } = await database({ bare: true });
      const store = await open();
      await store.write(async ({ db }) => {
        await sql`insert into kysely_migration (name, timestamp) values ('9999-future', ${NOW})`.execute(db);
      });
      await expect(open()).rejects.toMatchObject({
        name: "StoreError",
        message:
          "The database was made by a newer version of the server (it has the migration 9999-future): update the server",
      });
    });

    it("works with a database that is one version newer, and refuses one that is two", async () => {
      const { open } = await database({ bare: true });
      const store = await open();
      const record = (name: string) =>
        store.write(async ({ db }) => {
          await sql`insert into kysely_migration (name, timestamp) values (${name}, ${NOW})`.execute(db);
        });
      const [next, afterNext] = [`9998-next@${SCHEMA_VERSION + 1}`, `9999-future@${SCHEMA_VERSION + 2}`];
      await record(next);
      const beside = await open();
      expect(beside.newer).toEqual([next]);
      await createOrg(beside, { subdomain: "acme", name: "Acme" });
      await record(afterNext);
      const limit = `this server has ${SCHEMA_VERSION}, and works with ${SCHEMA_VERSION + 1} at most`;
      await expect(open()).rejects.toMatchObject({
        name: "StoreError",
        message: `The database has version ${SCHEMA_VERSION + 2} of the schema (${limit}): update the server`,
      });
    });

    it("ends what is under way when it is closed, even twice", async () => {
      const { open } = await database();
      const store = await open();
      const { id } = await createOrg(store, { subdomain: "acme", name: "Acme" });
      let begun = (): void => undefined;
      const beginning = new Promise<void>((resolve) => (begun = resolve));
      const writing = store.write(async ({ touch }) => {
        begun();
        await sleep(20);
        await touch(id);
      });
      await beginning;
      await Promise.all([store.close(), store.close()]);
      await writing;
      expect(await (await open()).currentRevision(id)).toBe(2);
    });

    it("answers until it is closed", async () => {
      const store = await (await database()).open();
      await expect(store.hasOrgs()).resolves.toBe(false);
      await store.close();
      const error = await store.hasOrgs().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(isUnavailable(error)).toBe(false);
    });
  });
});
