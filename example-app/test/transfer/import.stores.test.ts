import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashApiToken } from "etiquette/api-token-verifier";
import { ALL_SCOPES } from "../../src/model/scopes.js";
import type { Store } from "../../src/store/store.js";
import { exportAll } from "../../src/transfer/export.js";
import type { ImportError } from "../../src/transfer/faults.js";
import { importFile, importText } from "../../src/transfer/import.js";
import { seedDemo } from "../../src/transfer/seed.js";
import { fullOrg, issuer, rule, samlIdp, textOf, trustedOrigin, user, zone } from "../support/documents.js";
import { readOrgData } from "../support/org-data.js";
import { createOrg, describeStores, makeFolder } from "../support/stores.js";

const FIRST = "2026-01-01T00:00:00.000Z";
const LATER = "2026-02-01T00:00:00.000Z";

let now = FIRST;
beforeEach(() => {
  now = FIRST;
});
const clock = () => new Date(now);

const none = { created: 0, updated: 0, unchanged: 0 };
const acme = (members: object = {}) => ({ subdomain: "acme", name: "Acme", ...members });

async function dataOf(store: Store, subdomain = "acme") {
  const org = await store.findOrgBySubdomain(subdomain);
  return { org: org!, ...(await readOrgData(store, org!.id)) };
}

const ruleNames = async (store: Store) =>
  (await dataOf(store)).rules.map(({ name, priority }) => `${priority} ${name}`);

/** The message of the error that an import of `text` fails with. */
async function failureOf(store: Store, text: string): Promise<string> {
  const error = await importText(store, text, { source: "x.json" }).then(
    () => undefined,
    (reason: unknown) => reason as Error,
  );
  expect(error).toMatchObject({ name: "ImportError" });
  return error!.message;
}

const folder = makeFolder();

describeStores((_engine, database) => {
  const open = async () => (await database()).open({ clock });

  describe("importText", () => {
    it("stores an org with all that belongs to it", async () => {
      const store = await open();
      const summary = await importText(store, textOf(fullOrg("acme")));
      expect(summary).toEqual({
        orgs: { ...none, created: 1 },
        idps: { ...none, created: 2 },
        zones: { ...none, created: 2 },
        trustedOrigins: { ...none, created: 2 },
        issuers: { ...none, created: 2 },
        rules: { ...none, created: 3 },
        routingTests: none,
        users: { ...none, created: 2 },
      });
      const stamps = { created: FIRST, lastUpdated: FIRST };
      const { org, revision, rules, idps, zones } = await dataOf(store);
      expect(revision).toBe(1);
      expect(org).toMatchObject({
        name: "The acme org",
        domains: ["id.acme.example", "login.acme.example"],
        rateLimits: { discovery: 12_000, logs: 30 },
        ...stamps,
      });
      expect(idps).toEqual([
        { ...samlIdp("Contoso"), id: expect.any(String), status: "ACTIVE", metadata: null, ...stamps },
        { ...fullOrg("acme").idps[1], id: expect.any(String), metadata: null, ...stamps },
      ]);
      const [empty, office] = zones;
      expect(zones).toEqual([
        { id: empty!.id, type: "IP", name: "Empty", status: "INACTIVE", gateways: [], proxies: [], ...stamps },
        { id: office!.id, type: "IP", ...zone("Office"), status: "ACTIVE", ...stamps },
      ]);
      expect(rules[0]).toEqual({
        id: expect.any(String),
        name: "first",
        priority: 1,
        status: "ACTIVE",
        system: false,
        conditions: {
          ...fullOrg("acme").rules[0]!.conditions,
          network: { connection: "ZONE", include: [office!.id, "ALL_ZONES"], exclude: [empty!.id] },
        },
        actions: {
          idp: {
            providers: [
              { type: "SAML2", id: idps[0]!.id },
              { type: "GOOGLE", id: idps[1]!.id },
            ],
            idpSelectionType: "SPECIFIC",
          },
        },
        ...stamps,
      });
      expect(rules.map(({ name }) => name)).toEqual(["first", "third", "Default Rule"]);
      const { profile } = user("Joe@Example.com");
      expect(await store.findUserProfile(org.id, "joe@example.com", Object.keys(profile))).toEqual(profile);
    });

    it("changes nothing the second time, in whatever order the keys are", async () => {
      const store = await open();
      await importText(store, textOf(fullOrg("acme")));
      const before = [await dataOf(store), await exportAll(store)];
      now = LATER;
      const heard: unknown[] = [];
      const watcher = store.watchChanges((orgId) => orgId !== undefined && heard.push(orgId));

      const reversed = (value: unknown): unknown =>
        Array.isArray(value)
          ? value.map(reversed)
          : typeof value === "object" && value !== null
            ? Object.fromEntries(
                Object.entries(value)
                  .reverse()
                  .map(([key, member]) => [key, reversed(member)]),
              )
            : value;
      for (const text of [textOf(fullOrg("acme")), textOf(reversed(fullOrg("acme"))), await exportAll(store)]) {
        const summary = await importText(store, text);
        expect(Object.values(summary).filter(({ created, updated }) => created + updated > 0)).toEqual([]);
      }
      expect([await dataOf(store), await exportAll(store)]).toEqual(before);
      expect(heard).toEqual([]);
      await watcher.close();
    });

    it("updates what differs, and only that", async () => {
      const store = await open();
      await importText(store, textOf(fullOrg("acme")));
      const before = await dataOf(store);
      now = LATER;
      const changed = fullOrg("acme");
      changed.idps[0]!.protocol.endpoints.sso.url = "https://new.example/";
      changed.name = "New name";
      const summary = await importText(store, textOf(changed));
      expect(summary).toMatchObject({
        orgs: { updated: 1 },
        idps: { updated: 1, unchanged: 1 },
        rules: { unchanged: 3 },
      });

      const after = await dataOf(store);
      expect(after.revision).toBe(2);
      expect(after.org).toEqual({ ...before.org, name: "New name", lastUpdated: LATER });
      expect(after.idps[0]).toMatchObject({ id: before.idps[0]!.id, created: FIRST, lastUpdated: LATER });
      expect(after.idps[0]!.protocol.endpoints.sso.url).toBe("https://new.example/");
      expect([after.idps[1], after.zones, after.rules]).toEqual([before.idps[1], before.zones, before.rules]);
    });

    it("keeps what the file leaves out, and replaces a list of domains", async () => {
      const store = await open();
      await importText(store, textOf(fullOrg("acme")));
      const before = await dataOf(store);
      const { subdomain, name, idps } = fullOrg("acme");
      const google = { ...idps[1]!, status: undefined };
      await importText(store, textOf({ subdomain, name, idps: [google], zones: [{ name: "Office" }] }));
      expect(await dataOf(store)).toEqual(before);

      await importText(store, textOf({ subdomain, name, domains: ["login.acme.example"] }));
      expect((await dataOf(store)).org.domains).toEqual(["login.acme.example"]);
      expect(await store.findOrgByDomain("id.acme.example")).toBeUndefined();
      await importText(store, textOf({ subdomain, name, domains: [] }));
      expect(await store.findOrgByDomain("login.acme.example")).toBeUndefined();
    });

    it("S8 replaces the rate limits as a whole, and keeps them when the file has none", async () => {
      const store = await open();
      const { subdomain, name } = fullOrg("acme");
      const limitsAfter = async (more: object) => {
        await importText(store, textOf({ subdomain, name, ...more }));
        const { org, revision } = await dataOf(store);
        return [org.rateLimits, revision];
      };
      expect(await limitsAfter({})).toEqual([{}, 1]);
      expect(await limitsAfter({ rateLimits: { read: 1, logs: 2 } })).toEqual([{ read: 1, logs: 2 }, 2]);
      expect(await limitsAfter({})).toEqual([{ read: 1, logs: 2 }, 2]);
      expect(await limitsAfter({ rateLimits: { logs: 2, read: 1 } })).toEqual([{ read: 1, logs: 2 }, 2]);
      expect(await limitsAfter({ rateLimits: { write: 3 } })).toEqual([{ write: 3 }, 3]);
      expect(await limitsAfter({ rateLimits: {} })).toEqual([{}, 4]);
    });

    it("changes users without a new revision, and dates their states", async () => {
      const store = await open();
      await importText(store, textOf(acme({ users: [user("joe"), { ...user("ann"), status: "STAGED" }] })));
      const users = async () =>
        (await store.read((db) => db.selectFrom("users").selectAll().orderBy("login").execute())).map(
          ({ login, status, created, activated, status_changed, last_updated }) =>
            [login, status, created, activated, status_changed, last_updated].join(" "),
        );
      expect(await users()).toEqual([
        `ann STAGED ${FIRST}  ${FIRST} ${FIRST}`,
        `joe ACTIVE ${FIRST} ${FIRST} ${FIRST} ${FIRST}`,
      ]);
      now = LATER;
      const changed = [
        { ...user("JOE"), status: "SUSPENDED" },
        { ...user("ann"), status: "ACTIVE" },
      ];
      expect(await importText(store, textOf(acme({ users: changed })))).toMatchObject({ users: { updated: 2 } });
      expect(await users()).toEqual([
        `ann ACTIVE ${FIRST} ${LATER} ${LATER} ${LATER}`,
        `joe SUSPENDED ${FIRST} ${FIRST} ${LATER} ${LATER}`,
      ]);
      expect((await dataOf(store)).revision).toBe(1);
    });

    it("imports many users, and finds each again", async () => {
      const store = await open();
      const users = Array.from({ length: 1_201 }, (_, i) => user(`User-${i}`));
      await importText(store, textOf(acme({ users })));
      expect(await importText(store, textOf(acme({ users })))).toMatchObject({ users: { unchanged: 1_201 } });
    });
  });

  describe("trusted origins", () => {
    const origins = async (store: Store) =>
      JSON.parse(await exportAll(store)).orgs[0].trustedOrigins.map(
        ({ name, origin, status }: Record<string, string>) => `${name} ${origin} ${status}`,
      );
    const [one, two] = [trustedOrigin("One"), trustedOrigin("Two")];

    it("O2 are believed when they are ACTIVE and have the scope CORS", async () => {
      const store = await open();
      await importText(store, textOf(acme({ trustedOrigins: [one, { ...two, scopes: [{ type: "REDIRECT" }] }] })));
      expect(await dataOf(store)).toMatchObject({ revision: 1, trustedOrigins: [one.origin] });
      await importText(store, textOf(acme({ trustedOrigins: [{ ...one, status: "INACTIVE" }] })));
      expect(await dataOf(store)).toMatchObject({ revision: 2, trustedOrigins: [] });
    });

    it("keep their status where the file is silent, and may change places", async () => {
      const store = await open();
      await importText(store, textOf(acme({ trustedOrigins: [{ ...one, status: "INACTIVE" }, two] })));
      const swapped = [
        { ...one, origin: two.origin },
        { ...two, origin: one.origin },
      ];
      const summary = await importText(store, textOf(acme({ trustedOrigins: swapped })));
      expect(summary.trustedOrigins).toEqual({ ...none, updated: 2 });
      expect(await origins(store)).toEqual([`One ${two.origin} INACTIVE`, `Two ${one.origin} ACTIVE`]);
    });

    it("can't take the origin of a record that the file does not name", async () => {
      const store = await open();
      await importText(store, textOf(acme({ trustedOrigins: [one] })));
      const text = textOf(acme({ trustedOrigins: [{ ...two, origin: one.origin }] }));
      expect(await failureOf(store, text)).toBe('x.json:9: orgs[0].trustedOrigins[0].origin: is that of "One" already');
      expect(await origins(store)).toEqual([`One ${one.origin} ACTIVE`]);
    });
  });

  describe("issuers", () => {
    const issuersOf = async (store: Store) => (await dataOf(store)).issuers;

    it("A1 are stored, with their keys, and exported", async () => {
      const store = await open();
      const { publicKey } = generateKeyPairSync("ed25519");
      const inline = { ...issuer("a"), keys: { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1" }] } };
      await importText(store, textOf(acme({ issuers: [inline, issuer("b")] })));
      expect(await issuersOf(store)).toMatchObject([inline, issuer("b")]);
      expect(JSON.parse(await exportAll(store)).orgs[0].issuers).toMatchObject([inline, issuer("b")]);
      expect((await importText(store, await exportAll(store))).issuers).toEqual({ ...none, unchanged: 2 });
      expect((await dataOf(store)).revision).toBe(1);
    });

    it("A1 keep the types of their tokens, unless the file says otherwise", async () => {
      const store = await open();
      const typesAfter = async (members: object) => {
        await importText(store, textOf(acme({ issuers: [{ ...issuer("a"), ...members }] })));
        return (await issuersOf(store)).map(({ types }) => types);
      };
      expect(await typesAfter({})).toEqual([["at+jwt"]]);
      expect(await typesAfter({ types: ["JWT"] })).toEqual([["JWT"]]);
      expect(await typesAfter({ audience: "other" })).toEqual([["JWT"]]);
      expect(JSON.parse(await exportAll(store)).orgs[0].issuers).toMatchObject([{ types: ["JWT"] }]);
    });

    it("A1 are replaced whole: what a list leaves out is trusted no longer", async () => {
      const store = await open();
      await importText(store, textOf(acme({ issuers: [issuer("a"), issuer("b")] })));
      const [before] = await issuersOf(store);
      now = LATER;
      expect(await importText(store, textOf(acme()))).toMatchObject({ orgs: { unchanged: 1 } });
      expect(await issuersOf(store)).toHaveLength(2);

      const changed = { ...issuer("a"), audience: "other" };
      const summary = await importText(store, textOf(acme({ issuers: [changed, issuer("c")] })));
      expect(summary).toMatchObject({
        orgs: { updated: 1 },
        issuers: { created: 1, updated: 1, unchanged: 0 },
      });
      expect(await issuersOf(store)).toEqual([
        { ...before, audience: "other", lastUpdated: LATER },
        { ...issuer("c"), types: ["at+jwt"], id: expect.any(String), created: LATER, lastUpdated: LATER },
      ]);
      expect((await dataOf(store)).revision).toBe(2);
      await importText(store, textOf(acme({ issuers: [] })));
      expect(await issuersOf(store)).toEqual([]);
    });
  });

  describe("the order of rules", () => {
    it("W4 is that of the file; other rules follow in their order, the default rule comes last", async () => {
      const store = await open();
      await importText(store, textOf(acme({ rules: ["a", "b", "c", "d"].map((name) => rule(name)) })));
      now = LATER;
      const summary = await importText(store, textOf(acme({ rules: [rule("d"), rule("x"), rule("b")] })));
      expect(summary.rules).toEqual({ created: 1, updated: 2, unchanged: 0 });
      expect(await ruleNames(store)).toEqual(["1 d", "2 x", "3 b", "4 a", "5 c", "6 Default Rule"]);
      expect((await dataOf(store)).rules.every(({ lastUpdated }) => lastUpdated === LATER)).toBe(true);
    });

    it("stays where the file does not change it", async () => {
      const store = await open();
      await importText(store, textOf(acme({ rules: ["a", "b", "c"].map((name) => rule(name)) })));
      now = LATER;
      const summary = await importText(store, textOf(acme({ rules: [rule("a"), rule("c"), rule("b")] })));
      expect(summary.rules).toEqual({ created: 0, updated: 2, unchanged: 1 });
      const { rules } = await dataOf(store);
      expect(rules.map(({ name, lastUpdated }) => [name, lastUpdated])).toEqual([
        ["a", FIRST],
        ["c", LATER],
        ["b", LATER],
        ["Default Rule", FIRST],
      ]);
    });

    it("is turned around whole, over more rules than one statement takes", async () => {
      const store = await open();
      const rules = Array.from({ length: 1_100 }, (_, i) => rule(`r${i}`));
      await importText(store, textOf(acme({ rules })));
      await importText(store, textOf(acme({ rules: [...rules].reverse() })));
      const names = (await dataOf(store)).rules.map(({ name }) => name);
      expect(names).toEqual([...rules.map(({ name }) => name).reverse(), "Default Rule"]);
    });

    it("is untouched by a file that names no rules", async () => {
      const store = await open();
      await importText(store, textOf(acme({ rules: [rule("a"), rule("b")] })));
      for (const members of [{}, { rules: [] }]) await importText(store, textOf(acme(members)));
      expect(await ruleNames(store)).toEqual(["1 a", "2 b", "3 Default Rule"]);
      expect((await dataOf(store)).revision).toBe(1);
    });
  });

  describe("what the store holds already", () => {
    it("can be referred to by name", async () => {
      const store = await open();
      await importText(store, textOf(acme({ idps: [samlIdp("Contoso")], zones: [zone("Office")] })));
      const network = { connection: "ZONE", include: ["Office"] };
      await importText(store, textOf(acme({ rules: [{ ...rule("r", "Contoso"), conditions: { network } }] })));
      const { rules, idps, zones } = await dataOf(store);
      expect(rules[0]!.actions.idp.providers).toEqual([{ type: "SAML2", id: idps[0]!.id }]);
      expect(rules[0]!.conditions.network!.include).toEqual([zones[0]!.id]);
    });

    it("reports names that nothing has, but not those of records that are wrong themselves", async () => {
      const store = await open();
      await importText(store, textOf({ subdomain: "other", name: "Other", idps: [samlIdp("Theirs")] }));
      const network = { connection: "ZONE", include: ["Office", "ALL_ZONES"], exclude: ["Broken"] };
      const org = acme({
        idps: [{ ...samlIdp("Fabrikam"), x: 1 }],
        zones: [{ name: "Broken", x: 1 }],
        rules: [{ ...rule("r", "Theirs", "Fabrikam"), conditions: { network } }],
      });
      const text = textOf(org);
      const lineOf = (needle: string) => text.slice(0, text.indexOf(needle)).split("\n").length;
      const lines = (await failureOf(store, text)).split("\n");
      expect(lines.filter((line) => !line.includes("is unknown"))).toEqual([
        `x.json:${lineOf('"Office"')}: orgs[0].rules[0].conditions.network.include[0]: no zone is named "Office"`,
        `x.json:${lineOf('"Theirs"')}: orgs[0].rules[0].actions.idp.providers[0].idp: no identity provider is named "Theirs"`,
      ]);
      expect(lines).toHaveLength(4);
    });

    it("keeps its ids and types", async () => {
      const store = await open();
      const id = "0123456789abcdefghij";
      await importText(store, textOf(acme({ idps: [{ ...samlIdp("A"), id }, samlIdp("B")] })));
      const { idps } = await dataOf(store);
      expect(idps[0]!.id).toBe(id);
      const oidc = { ...fullOrg("x").idps[1]!, name: "A", type: "OIDC" };
      const failure = await failureOf(
        store,
        textOf(acme({ idps: [oidc, { ...samlIdp("B"), id }, { ...samlIdp("C"), id: idps[1]!.id }] })),
      );
      expect(failure.replaceAll(/:\d+:/g, ":")).toBe(
        [
          "x.json: orgs[0].idps[0].type: can't change; it is SAML2",
          `x.json: orgs[0].idps[1].id: is not that of "B", which is ${idps[1]!.id}`,
          'x.json: orgs[0].idps[2].id: belongs to "B"; an import does not rename',
        ].join("\n"),
      );
    });

    it("W4 changes the default rule, counts it, and leaves the order as it is", async () => {
      const store = await open();
      const to = (...providers: object[]) => ({ actions: { idp: { providers } } });
      const file = (defaultRule: object, members = {}) => textOf(acme({ ...members, defaultRule }));
      const google = to({ idp: "Google" }, { type: "SVC" });
      const records = { idps: [samlIdp("Google")], rules: [rule("a"), rule("b")] };
      expect(await importText(store, file(google, records))).toMatchObject({ rules: { created: 3 } });
      expect(await importText(store, file(google))).toMatchObject({ rules: { ...none, unchanged: 1 } });
      expect(await importText(store, file(to({ type: "SVC" })))).toMatchObject({ rules: { ...none, updated: 1 } });
      const moved = file(to({ type: "SVC" }), { rules: [rule("b"), rule("c")] });
      expect(await importText(store, moved)).toMatchObject({ rules: { created: 1, updated: 1, unchanged: 1 } });
      expect(await ruleNames(store)).toEqual(["1 b", "2 c", "3 a", "4 Default Rule"]);
      expect((await dataOf(store)).rules[3]!.actions).toEqual({
        idp: { providers: [{ type: "SVC" }], idpSelectionType: "SPECIFIC" },
      });

      const { id } = (await dataOf(store)).rules[0]!;
      expect(await failureOf(store, file({ ...to({ idp: "Nobody" }), id, name: "x" }))).toMatch(
        /orgs\[0\]\.defaultRule\.name: is unknown; the keys here are id, actions$/,
      );
      expect((await failureOf(store, file({ id, ...to({ idp: "Nobody" }) }))).split("\n")).toEqual([
        expect.stringMatching(/defaultRule\.id: is not that of "Default Rule", which is \w{20}$/),
        expect.stringMatching(
          /defaultRule\.actions\.idp\.providers\[0\]\.idp: no identity provider is named "Nobody"$/,
        ),
      ]);
    });

    it("keeps the id of the default rule from others", async () => {
      const store = await open();
      await importText(store, textOf(acme()));
      const [defaultRule] = (await dataOf(store)).rules;
      const failure = await failureOf(store, textOf(acme({ rules: [{ ...rule("r"), id: defaultRule!.id }] })));
      expect(failure).toMatch(/id: belongs to "Default Rule"; an import does not rename$/);
    });

    it("keeps domains from other orgs, unless the same file gives them up", async () => {
      const store = await open();
      const other = { subdomain: "other", name: "Other" };
      await importText(store, textOf({ ...other, domains: ["a.example", "b.example"] }));
      const taker = acme({ domains: ["c.example", "a.example"] });
      const failure = 'x.json:8: orgs[0].domains[1]: belongs to the org "other"';
      expect(await failureOf(store, textOf(taker))).toBe(failure);
      expect(await failureOf(store, textOf(taker, other))).toBe(failure);
      await importText(store, textOf(taker, { ...other, domains: ["b.example"] }));
      expect(await store.findOrgByDomain("a.example")).toMatchObject({ subdomain: "acme" });
      expect(await store.findOrgByDomain("b.example")).toMatchObject({ subdomain: "other" });
    });
  });

  describe("a file with faults", () => {
    it("changes nothing, not even what is sound in it", async () => {
      const store = await open();
      await importText(store, textOf(fullOrg("acme")));
      const before = [await dataOf(store), await exportAll(store)];
      const changed = { ...fullOrg("acme"), name: "Other", rules: [rule("new", "Nobody")] };
      expect(await failureOf(store, textOf(changed, fullOrg("second")))).toMatch(/no identity provider/);
      expect([await dataOf(store), await exportAll(store)]).toEqual(before);
    });

    it("is reported with all its faults by line", async () => {
      const store = await open();
      const text = `{
  "orgs": [
    { "subdomain": "Acme", "name": "\u{1f600}" },
    {
      "subdomain": "beta",
      "name": "Beta", "nam": 1,
      "idps": [
        { "name": "A" }
      ],
      "name": "Gamma",
      "rules": [{ "name": "r", "actions": { "idp": { "providers": [{ "idp": "B" }] } } }]
    }
  ]
}`;
      expect((await failureOf(store, text)).split("\n")).toEqual([
        "x.json:3: orgs[0].name: holds a character outside U+0000 to U+FFFF, or half of one",
        "x.json:3: orgs[0].subdomain: must be 1 to 63 lower-case letters, digits and inner hyphens",
        "x.json:6: orgs[1].nam: is unknown; the keys here are subdomain, name, status, domains, policyId, rateLimits, signInUrl, whenProfileUnavailable, idps, zones, trustedOrigins, issuers, users, rules, routingTests, defaultRule",
        "x.json:8: orgs[1].idps[0].type: is required",
        "x.json:8: orgs[1].idps[0].protocol: is required",
        "x.json:10: orgs[1].name: is there twice",
      ]);
    });

    it.each([
      [99, 99],
      [100, 100],
      [101, 101],
    ])("is reported with %i faults as 100 lines at most, and the number of the others", async (count, total) => {
      const store = await open();
      const users = Array.from({ length: count }, (_, i) => ({ ...user(`u${i}`), x: 1 }));
      const lines = (await failureOf(store, textOf(acme({ users })))).split("\n");
      expect(lines).toHaveLength(total);
      if (count > 100) expect(lines[100]).toBe("x.json: and 1 more");
    });

    it("is refused when it is no JSON", async () => {
      const store = await open();
      expect(await failureOf(store, '{\n"orgs": [}')).toBe("x.json:2: is not JSON: Value expected");
    });
  });

  describe("exportAll", () => {
    it("gives nothing but the frame for an empty store", async () => {
      expect(await exportAll(await open())).toBe('{\n  "orgs": []\n}\n');
    });

    it("gives a file that makes an equal store of an empty one", async () => {
      const store = await open();
      await importText(store, textOf(fullOrg("b"), { subdomain: "z", name: "Empty" }, fullOrg("a")));
      const text = await exportAll(store);
      const parsed = JSON.parse(text);
      expect(parsed.orgs.map(({ subdomain }: { subdomain: string }) => subdomain)).toEqual(["a", "b", "z"]);
      expect(parsed.orgs[1]).toMatchObject(fullOrg("b"));

      const copy = await open();
      await importText(copy, text);
      expect(await exportAll(copy)).toBe(text);
      const [one, other] = [await dataOf(store, "b"), await dataOf(copy, "b")];
      expect([other.idps, other.zones, other.rules.slice(0, -1)]).toEqual([
        one.idps,
        one.zones,
        one.rules.slice(0, -1),
      ]);
    });

    it("gives users beyond one page, by login", async () => {
      const store = await open();
      const users = Array.from({ length: 2_001 }, (_, i) => user(`u${String(i).padStart(4, "0")}`));
      await importText(store, textOf(acme({ users })));
      const parsed = JSON.parse(await exportAll(store));
      expect(parsed.orgs[0].users.map(({ profile }: { profile: { login: string } }) => profile.login)).toEqual(
        users.map(({ profile }) => profile.login),
      );
    });

    it("W4 has dynamic rules as the file does, which names no provider for them", async () => {
      const store = await open();
      const criterion = { propertyName: "name", providerExpression: "login.identifier.substringAfter('@')" };
      const own = { ...rule("r"), actions: { idp: { idpSelectionType: "DYNAMIC", matchCriteria: [criterion] } } };
      await importText(store, textOf(acme({ rules: [own] })));
      expect((await dataOf(store)).rules[0]!.actions).toEqual(own.actions);
      const text = await exportAll(store);
      expect(JSON.parse(text).orgs[0].rules[0].actions).toEqual(own.actions);
      expect(await importText(store, text)).toMatchObject({ rules: { unchanged: 2 } });
    });

    it("N4 calls the org itself as the namespace does", async () => {
      const store = await open();
      const own = { ...rule("r"), actions: { idp: { providers: [{ type: "ACME" }] } } };
      await importText(store, textOf(acme({ rules: [own] })), { orgType: "ACME" });
      expect((await dataOf(store)).rules[0]!.actions.idp.providers).toEqual([{ type: "SVC" }]);
      expect(JSON.parse(await exportAll(store, { orgType: "ACME" })).orgs[0].rules[0]).toMatchObject(own);
    });
  });

  describe("importFile", () => {
    it("names the file in its faults", async () => {
      const path = join(folder, "bad.json");
      writeFileSync(path, '{ "orgs": 1 }');
      await expect(importFile(await open(), path)).rejects.toThrow(`${path}:1: orgs: must be an array, not 1`);
    });

    it("takes a byte-order mark as what it is", async () => {
      const path = join(folder, "bom.json");
      writeFileSync(path, `\ufeff${textOf(acme())}`);
      expect(await importFile(await open(), path)).toMatchObject({ orgs: { created: 1 } });
    });

    it.each([
      ["at the end", Buffer.from("{\n\n\xff", "latin1"), 3],
      ["in a line", Buffer.from("{\n\xc3\x28\n}", "latin1"), 2],
      ["cut short", Buffer.from("{\n}\n\xe2\x82", "latin1"), 3],
    ])("S5 tells the line of what is no UTF-8, %s", async (what, bytes, line) => {
      const path = join(folder, `${what}.json`);
      writeFileSync(path, bytes);
      await expect(importFile(await open(), path)).rejects.toThrow(new Error(`${path}:${line}: is not UTF-8`));
    });

    it.each([join(folder, "missing.json"), folder])("says that it can't read %s", async (path) => {
      const failure = await importFile(await open(), path).catch((error: unknown) => error as ImportError);
      expect(failure).toMatchObject({
        name: "ImportError",
        message: expect.stringMatching(/:1: can't be read: E[A-Z]+: /),
      });
    });
  });

  describe("seedDemo", () => {
    it("W4 routes @example.com of the org demo to its identity provider, and everyone else to the org", async () => {
      const store = await open();
      expect(await seedDemo(store)).toEqual({
        token: expect.stringMatching(/^etq_[0-9A-Za-z]{33}$/),
        code: expect.stringMatching(/^[\w-]{43}$/),
      });
      const { rules, idps } = await dataOf(store, "demo");
      expect(idps).toMatchObject([{ type: "SAML2", status: "ACTIVE" }]);
      expect(rules).toMatchObject([
        {
          conditions: { userIdentifier: { patterns: [{ matchType: "SUFFIX", value: "example.com" }] } },
          actions: { idp: { providers: [{ type: "SAML2", id: idps[0]!.id }] } },
        },
        { system: true },
      ]);
    });

    it("makes one token, which is never told again, also when several start at once", async () => {
      const { open: openOne } = await database();
      const stores = await Promise.all([openOne(), openOne(), openOne()]);
      const made = (await Promise.all(stores.map(seedDemo))).filter((access) => access !== undefined);
      expect(made).toHaveLength(1);
      const [store] = stores;
      expect(await seedDemo(store)).toBeUndefined();
      const { org } = await dataOf(store, "demo");
      expect(await store.findApiToken(org.id, hashApiToken(made[0]!.token))).toMatchObject({
        name: "First start",
        scopes: ALL_SCOPES,
        expiresAt: new Date(Date.parse(org.created) + 86_400_000).toISOString(),
      });
    });

    it("leaves a store with orgs alone", async () => {
      const store = await open();
      await createOrg(store, { subdomain: "acme", name: "Acme" });
      expect(await seedDemo(store)).toBeUndefined();
      expect(await store.findOrgBySubdomain("demo")).toBeUndefined();
    });
  });
});
