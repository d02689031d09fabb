import { exportAll } from "../../src/transfer/export.js";
import { importText } from "../../src/transfer/import.js";
import { samlIdp, textOf } from "../support/documents.js";
import { call, startTestServer, webfingerPath } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const PERSON = {
  login: "Joe.Secret@Example.com",
  email: "joe.secret@example.com",
  firstName: "Josephine",
  lastName: "Secretson",
  department: "secret service",
  manager: "ann.secret@example.com",
  badge: 4_711_471,
  badgeText: "4711471",
  tags: ["secret-tag", "other"],
  remote: true,
};

const when = (type: "IDENTIFIER" | "ATTRIBUTE", matchType: string, value: string, attribute?: string) => ({
  userIdentifier: { type, ...(attribute !== undefined && { attribute }), patterns: [{ matchType, value }] },
});

const rules = [
  ["person", when("IDENTIFIER", "EQUALS", "JOE.SECRET@example.com")],
  ["address", when("ATTRIBUTE", "EQUALS", "ann.secret@example.com", "manager")],
  ["department", when("ATTRIBUTE", "EQUALS", "Secret Service", "department")],
  ["badge", when("ATTRIBUTE", "EQUALS", "4711471", "badge")],
  ["prefix", when("IDENTIFIER", "STARTS_WITH", "joe.secret")],
  ["domain", when("IDENTIFIER", "SUFFIX", "example.com")],
  ["at", when("IDENTIFIER", "CONTAINS", "@sub.example.org")],
] as const;

const document = textOf({
  subdomain: "demo",
  name: "Demonstration",
  idps: rules.map(([name]) => samlIdp(name)),
  users: [
    { profile: PERSON },
    { profile: { ...PERSON, login: "ann.secret@example.com", firstName: "Ann", manager: "" } },
    { profile: { ...PERSON, login: "4711471", manager: "nobody" } },
    { profile: { ...PERSON, login: `x@${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(55)}` } },
  ],
  rules: rules.map(([name, conditions]) => ({ name, conditions, actions: { idp: { providers: [{ idp: name }] } } })),
});

describeStores((_engine, database) => {
  it("an export with pseudonyms tells of no person, can be imported, and its rules match as before", async () => {
    const from = await (await database()).open();
    await importText(from, document);
    const text = await exportAll(from, { pseudonymize: true });
    expect(text).not.toMatch(/secret|josephine|4711471|\bann\b/i);
    const [org] = JSON.parse(text).orgs;
    const original = JSON.parse(await exportAll(from)).orgs[0];
    const ids = (users: { id: string }[]): string[] => users.map(({ id }) => id);
    expect(ids(org.users).filter((id) => ids(original.users).includes(id))).toEqual([]);

    const find = (firstName: string) =>
      org.users[
        original.users.findIndex(({ profile }: { profile: object }) => JSON.stringify(profile).includes(firstName))
      ].profile;
    const joe = org.users.find(
      ({ profile }: { profile: { login: string; email: string } }) => profile.login.toLowerCase() === profile.email,
    ).profile;
    expect(joe).toMatchObject({
      login: expect.stringMatching(/^p-[0-9a-f]{20}@example\.com$/i),
      firstName: expect.stringMatching(/^p-[0-9a-f]{20}$/),
      manager: find("Ann").login,
      badge: Number(joe.badgeText),
      tags: [expect.stringMatching(/^p-/), expect.stringMatching(/^p-/)],
      remote: true,
    });

    const data = await database();
    await importText(await data.open(), text);
    const server = await startTestServer(data);
    const providerOf = async (login: string): Promise<string> => {
      const { body } = await call(server, webfingerPath(encodeURIComponent(login)));
      return body.links[0].titles?.und ?? JSON.stringify(body.links[0]);
    };
    expect(await providerOf(joe.login)).toContain("person");
    expect(await providerOf("p-unknown@example.com")).toContain("domain");
    const patterns = org.rules.map((rule: { conditions: { userIdentifier: { patterns: { value: string }[] } } }) =>
      rule.conditions.userIdentifier.patterns.map(({ value }) => value).join(),
    );
    expect(patterns).toEqual([
      joe.login.toLowerCase(),
      joe.manager,
      joe.department,
      joe.badgeText,
      expect.stringMatching(/^p-[0-9a-f]{20}$/),
      "example.com",
      "@sub.example.org",
    ]);
    await server.close();
  });

  it("two exports have different pseudonyms", async () => {
    const store = await (await database()).open();
    await importText(store, document);
    const exports = [await exportAll(store, { pseudonymize: true }), await exportAll(store, { pseudonymize: true })];
    expect(exports[0]).not.toBe(exports[1]);
  });
});
