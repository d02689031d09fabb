import type { LogEvent } from "../../src/model/records.js";
import { describeApi, type TestOrg } from "../support/api.js";
import { rule, samlIdp } from "../support/documents.js";
import { findEvents, formatQuery } from "../support/logs.js";
import { startTestServer, webfingerPath, type Answer } from "../support/server.js";

const DYNAMIC = {
  name: "dynamic",
  conditions: {
    userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "dynamic.example" }] },
  },
  actions: {
    idp: {
      idpSelectionType: "DYNAMIC",
      matchCriteria: [{ propertyName: "name", providerExpression: "login.identifier.substringBefore('@')" }],
    },
  },
};

const ORG = {
  idps: [samlIdp("Contoso"), samlIdp("Partner"), { ...samlIdp("Closed"), status: "INACTIVE" }],
  rules: [rule("both", "Contoso", "Partner"), rule("half", "Closed", "Partner"), DYNAMIC],
};

type LinkedEvent = LogEvent & { _links?: { trace: { href: string } } };

interface Counted {
  rule: { id: string };
  provider: { id?: string };
}

const HOUR_MS = 3_600_000;

const hourOf = (time: number, hours = 0): string =>
  new Date(Math.floor(time / HOUR_MS + hours) * HOUR_MS).toISOString();

describeApi((openOrg) => {
  let org: TestOrg;
  let policyId: string;
  let rules: Map<string, string>;
  let idps: Map<string, string>;

  beforeEach(async () => {
    org = await openOrg(() => ORG);
    const byName = async (path: string) =>
      new Map<string, string>((await org.api(path)).body.map(({ name, id }: Record<string, string>) => [name, id]));
    policyId = (await org.api("/policies?type=IDP_DISCOVERY")).body[0].id;
    rules = await byName(`/policies/${policyId}/rules`);
    idps = await byName("/idps");
  });

  const idOf = ({ headers }: Answer): string => String(headers["x-svc-request-id"]);

  async function eventOf(path: string, headers: Record<string, string> = {}): Promise<LinkedEvent> {
    const answer = await org.visit(path, { headers });
    const [event] = await findEvents(org, idOf(answer));
    return event!;
  }

  const entity = (type: string, id: string | undefined, name: string) => ({
    id,
    type,
    alternateId: name,
    displayName: name,
    detailEntry: null,
  });
  const policy = () => entity("Policy", policyId, "Idp Discovery Policy");
  const ruleOf = (name: string) => entity("PolicyRule", rules.get(name), name);
  const idpOf = (name: string) => entity("IdentityProvider", idps.get(name), name);
  const orgItself = entity("IdentityProvider", "SVC", "SVC");

  const revisionOf = async (): Promise<string> => {
    const row = await org.store.reader
      .selectFrom("org_revisions")
      .select("revision")
      .where("org_id", "=", org.id)
      .executeTakeFirstOrThrow();
    return String(row.revision);
  };

  describe("the event of a decision", () => {
    it.each<[string, string, string | undefined, () => object[]]>([
      ["joe@both.example", "matched", "both", () => [ruleOf("both"), idpOf("Contoso"), idpOf("Partner")]],
      ["joe@half.example", "provider inactive", "half", () => [ruleOf("half"), idpOf("Partner")]],
      ["Partner@dynamic.example", "matched", "dynamic", () => [ruleOf("dynamic"), idpOf("Partner")]],
      ["joe@else.example", "default", "Default Rule", () => [ruleOf("Default Rule"), orgItself]],
    ])("W10 of the login %j says %j", async (login, reason, name, targets) => {
      const revision = await revisionOf();
      const debugData = { policyId, revision, ruleId: rules.get(name!), reason };
      for (const path of [webfingerPath(login), `/sso/login?login=${login}`]) {
        const event = await eventOf(path);
        expect(event.target).toEqual([policy(), ...targets()]);
        expect(event.debugContext.debugData).toMatchObject(debugData);
      }
    });

    it("W10 of a sign-on that names its provider has the provider, and no rule", async () => {
      for (const path of [`/sso/idps/${idps.get("Partner")}?login_hint=joe@both.example`]) {
        const { target, debugContext } = await eventOf(path);
        expect(target).toEqual([policy(), idpOf("Partner")]);
        expect(debugContext.debugData).toMatchObject({ policyId, revision: await revisionOf(), reason: "no rule" });
        expect(debugContext.debugData["ruleId"]).toBeUndefined();
      }
      for (const id of ["SVC", idps.get("Closed"), "0".repeat(20)]) {
        expect((await eventOf(`/sso/idps/${id}`)).target).toBeNull();
      }
    });

    it("W10 has the revision of the rules that decided, and their names at that time", async () => {
      const before = await eventOf(webfingerPath("joe@both.example"));
      const path = `/policies/${policyId}/rules/${rules.get("both")}`;
      const { body } = await org.api(path);
      expect((await org.api(path, { method: "PUT", body: { ...body, name: "renamed" } })).status).toBe(200);
      const after = await eventOf(webfingerPath("joe@both.example"));
      expect(after.target?.[1]).toMatchObject({ id: rules.get("both"), displayName: "renamed" });
      expect(Number(after.debugContext.debugData["revision"])).toBe(
        Number(before.debugContext.debugData["revision"]) + 1,
      );
      const id = before.debugContext.debugData.requestId;
      expect(await findEvents(org, id)).toEqual([before]);
    });

    it("D2 F4 is found by what was decided, and by nothing else", async () => {
      const events = new Map<string, string>();
      for (const login of ["joe@both.example", "joe@half.example", "joe@else.example"]) {
        events.set(login, (await eventOf(webfingerPath(login))).debugContext.debugData.requestId);
      }
      const revision = await revisionOf();
      const all = [...events.keys()];
      const cases: [string, string[]][] = [
        [`target.id eq "${rules.get("both")}"`, ["joe@both.example"]],
        [`target.id eq "${idps.get("Partner")}"`, ["joe@both.example", "joe@half.example"]],
        ['target.displayName co "ontos"', ["joe@both.example"]],
        ['target.type eq "IdentityProvider" and target.alternateId eq "SVC"', ["joe@else.example"]],
        [`debugContext.debugData.ruleId eq "${rules.get("half")}"`, ["joe@half.example"]],
        ['debugContext.debugData.reason eq "default"', ["joe@else.example"]],
        ['debugContext.debugData.reason ne "default"', ["joe@both.example", "joe@half.example"]],
        ['not (debugContext.debugData.reason sw "provider")', ["joe@both.example", "joe@else.example"]],
        [`debugContext.debugData.revision eq "${revision}"`, all],
        [`debugContext.debugData.policyId eq "${policyId}" and target pr`, all],
        ['debugContext.debugData.reason eq "none"', []],
      ];
      for (const [filter, logins] of cases) {
        const query = formatQuery({ filter: `eventType eq "system.webfinger.query" and (${filter})` });
        const { body } = await org.api(query);
        const ids = body.map((event: LogEvent) => event.debugContext.debugData.requestId);
        expect([filter, ids]).toEqual([filter, logins.map((login) => events.get(login))]);
      }
    });

    it("L1 links to the trace of the same query, of the same client", async () => {
      const agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605 Safari/604.1 ü+&";
      const headers = { "User-Agent": Buffer.from(agent).toString("latin1") };
      for (const path of [webfingerPath("joe+tag%40both.example"), "/sso/login?login=joe%2Btag@both.example"]) {
        const event = await eventOf(path, headers);
        const url = new URL(event._links!.trace.href);
        expect(Object.fromEntries(url.searchParams)).toEqual({
          resource: "svc:acct:joe+tag@both.example",
          revision: await revisionOf(),
          clientIp: "127.0.0.1",
          userAgent: agent,
        });
        const { status, body } = await org.api(url.href);
        expect(status).toBe(200);
        expect(body).toMatchObject({
          login: "joe+tag@both.example",
          match: { id: rules.get("both") },
          client: { userAgent: agent, platform: { type: "MOBILE", os: "IOS" } },
        });
      }
      const events = [
        await eventOf("/.well-known/webfinger"),
        await eventOf(`/sso/idps/${idps.get("Partner")}`),
        await eventOf("/nothing"),
      ];
      expect(events.map(({ _links }) => _links)).toEqual([undefined, undefined, undefined]);
    });
  });

  /** The rows of the counts, as they are in the database. */
  const readCounts = (parameters = "") => org.api(`/policies/${policyId}/decisions${parameters}`);

  describe("the counts of decisions", () => {
    it("W10 has how often each rule selected each provider as its first", async () => {
      const since = Date.now();
      const node = await startTestServer(org);
      const { visit } = org.at(node);
      for (const login of ["a@both.example", "b@both.example", "Partner@dynamic.example", "Contoso@dynamic.example"]) {
        await visit(webfingerPath(login));
      }
      await visit("/sso/login?login=a@both.example");
      await visit(`/sso/idps/${idps.get("Partner")}`);
      await visit(webfingerPath("joe@else.example"));
      await node.close(); // which writes what it has counted

      const { status, body, headers } = await readCounts(`?since=${hourOf(since)}`);
      expect(status).toBe(200);
      expect(headers["link"]).toContain('rel="self"');
      const expected = [
        ["both", "Contoso", 3],
        ["dynamic", "Contoso", 1],
        ["dynamic", "Partner", 1],
        ["Default Rule", undefined, 1],
      ] as const;
      const entries = expected.map(([name, idp, count]) => ({
        rule: { id: rules.get(name), name },
        provider: idp === undefined ? { type: "SVC" } : { id: idps.get(idp), type: "SAML2", name: idp },
        count,
        last: expect.stringMatching(/^20.*Z$/),
      }));
      const sorted = (list: { rule: { id?: string | undefined }; provider: { id?: string | undefined } }[]) =>
        list.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
      const keyOf = ({
        rule: { id },
        provider,
      }: {
        rule: { id?: string | undefined };
        provider: { id?: string | undefined };
      }) => `${id} ${provider.id ?? ""}`;
      expect(body).toEqual(sorted(entries));

      const other = await openOrg(() => ORG);
      const [{ id }] = (await other.api("/policies?type=IDP_DISCOVERY")).body;
      expect((await other.api(`/policies/${id}/decisions`)).body).toEqual([]);
      expect((await other.api(`/policies/${policyId}/decisions`)).status).toBe(404);
    });

    /** Writes counts of the past, by rule and provider, day and hour. */
    async function insertCounts(
      rows: readonly { rule: string; provider?: string; day: string; hours: Record<number, number> }[],
    ) {
      await org.store.write(async ({ db }) => {
        for (const { rule: name, provider = "", day, hours } of rows) {
          const counts = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [`h${hour}`, hours[hour] ?? 0]));
          const row = {
            org_id: org.id,
            rule_id: name,
            provider_id: provider,
            day,
            last: `${day}T23:00:00.000Z`,
            ...counts,
          };
          await db.insertInto("decision_counts").values(row).execute();
        }
      });
    }

    it.each([
      ["2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z", 60],
      ["2026-01-02T05:00:00.000Z", "2026-01-02T06:00:00.000Z", 20],
      ["2026-01-02T05:59:59.999Z", "2026-01-02T06:00:00.001Z", 50],
      ["2026-01-02T06:00:00.000Z", "2026-01-02T06:00:00.000Z", 0],
      ["2026-01-01T23:00:00.000Z", "2026-01-03T01:00:00.000Z", 1 + 60 + 100],
      ["2026-01-02T00:00:00.000Z", "2026-01-03T00:59:00.000Z", 160],
      ["2026-01-01T00:00:00.000Z", "2026-01-03T00:00:00.000Z", 61],
      ["2025-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", 161],
      ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", 161],
      ["2026-01-04T00:00:00.000Z", "2026-01-05T00:00:00.000Z", 0],
    ])("W10 from %s to %s has whole hours: %i", async (since, until, count) => {
      await insertCounts([
        { rule: "r".repeat(20), day: "2026-01-01", hours: { 23: 1 } },
        { rule: "r".repeat(20), day: "2026-01-02", hours: { 0: 10, 5: 20, 6: 30 } },
        { rule: "r".repeat(20), day: "2026-01-03", hours: { 0: 100 } },
      ]);
      const { body } = await readCounts(`?since=${since}&until=${until}`);
      const removed = { rule: { id: "r".repeat(20) }, provider: { type: "SVC" }, count, last: expect.any(String) };
      expect(body).toEqual(count === 0 ? [] : [removed]);
    });

    it("P2 P3 has all pairs on its pages, each once, and no more rows than a page reads", async () => {
      const idAt = (number: number) => String(number).padStart(20, "0");
      const today = Date.parse("2026-06-01T00:00:00.000Z");
      const days = Array.from({ length: 91 }, (_, day) =>
        new Date(today - day * 24 * HOUR_MS).toISOString().slice(0, 10),
      );
      const pairs = Array.from({ length: 250 }, (_, index) => ({
        rule_id: idAt(Math.floor(index / 2)),
        provider_id: index % 2 === 0 ? "" : idAt(index),
      }));
      for (const pair of pairs) {
        await org.store.write(({ db }) =>
          db
            .insertInto("decision_counts")
            .values(days.map((day) => ({ org_id: org.id, ...pair, day, last: `${day}T00:00:00.000Z`, h0: 1 })) as never)
            .execute(),
        );
      }
      const walk = async (parameters: string) => {
        const found: string[] = [];
        const sizes: number[] = [];
        let path: string | undefined = `/policies/${policyId}/decisions?${parameters}`;
        while (path !== undefined) {
          const { body, headers } = await org.api(path);
          sizes.push(body.length);
          found.push(...body.map((row: Counted) => `${row.rule.id} ${row.provider.id ?? ""}`));
          path = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
        }
        return { found, sizes };
      };
      const all = pairs.map(({ rule_id, provider_id }) => `${rule_id} ${provider_id}`);
      const range = "since=2026-05-01T00:00:00.000Z&until=2026-06-01T01:00:00.000Z";
      const twenty = await walk(range);
      expect(twenty.found).toEqual(all);
      expect(twenty.sizes).toEqual([...Array<number>(12).fill(20), 10]);
      const many = await walk(`${range}&limit=200`);
      expect(many.found).toEqual(all);
      expect(many.sizes).toEqual([50, 50, 50, 50, 50]);
      expect((await walk("since=2026-06-02T00:00:00.000Z&until=2026-06-03T00:00:00.000Z")).sizes).toEqual([
        0, 0, 0, 0, 0,
      ]);
      expect((await walk(`${range}&ruleId=${idAt(7)}`)).found).toEqual(all.slice(14, 16));
    });

    it.each([
      ["?since=yesterday", 400, "E0000030"],
      ["?until=", 200, undefined],
      ["?until=2026-01-01", 400, "E0000030"],
      ["?since=2026-01-02T00:00:00.000Z&until=2026-01-01T00:00:00.000Z", 400, "E0000001"],
      ["?since=2026-01-02T00:00:00.000Z&since=2026-01-02T00:00:00.000Z", 400, "E0000001"],
      ["?since=9999-12-31T23:59:59.999Z", 400, "E0000001"],
      ["?ruleId=x", 400, "E0000001"],
      ["?ruleId=%00", 400, undefined],
      ["?limit=201", 400, "E0000001"],
      ["?filter=x", 400, "E0000094"],
      ["?before=x", 400, "E0000029"],
    ])("W10 answers %s with %i", async (parameters, status, code) => {
      const { status: got, body } = await readCounts(parameters);
      expect([got, body.errorCode]).toEqual([status, code ?? body.errorCode]);
    });

    it("A2 needs the scope policies.read", async () => {
      const reader = await org.as(["logs.read"]);
      expect((await reader(`/policies/${policyId}/decisions`)).status).toBe(403);
    });
  });
});
