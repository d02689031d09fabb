import { until } from "../../../test/support/until.js";
import { startApi } from "../support/api.js";
import { samlIdp } from "../support/documents.js";
import { call, startTestServer, webfingerPath, type TestServer } from "../support/server.js";
import { describePostgres } from "../support/stores.js";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.js";

const suffix = (value: string) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value }] },
});
const rule = (name: string, conditions: object, idp: string) => ({
  name,
  conditions,
  actions: { idp: { providers: [{ idp }] } },
});
const attribute = {
  userIdentifier: { type: "ATTRIBUTE", attribute: "department", patterns: [{ matchType: "EQUALS", value: "Sales" }] },
};
const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("First"), samlIdp("Second")],
      rules: [rule("example", suffix("example.com"), "First"), rule("sales", attribute, "Second")],
    },
  ],
};

const JOE = webfingerPath("joe@example.com");
/** What needs the database: another org, and a rule that asks for a profile. */
const UNKNOWN = [
  [JOE, "acme.localhost"],
  [webfingerPath("ann@other.example"), "localhost"],
] as const;

const BEGUN = "the database does not answer: discovery goes on with what is known";
const ENDED = "the database answers again";

describePostgres((_engine, database) => {
  let proxy: TcpProxy;
  let server: TestServer;
  let other: Awaited<ReturnType<typeof startApi>>;

  async function start(staleLimit: number): Promise<void> {
    const { options } = await database();
    const url = new URL(options.databaseUrl!);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    const databaseUrl = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
    other = await startApi({ options }, {}, DOCUMENT);
    server = await startTestServer({ options: { ...options, databaseUrl } }, { staleLimit, logLevel: "debug" });
  }
  afterEach(async () => {
    await proxy.restore().catch(() => undefined);
    await server.close();
    await other.server.close();
    await proxy.cut();
  });

  const hasLine = (text: string) => server.lines.some(({ msg }) => msg === text);
  const findLinks = async () => {
    const { status, body } = await call(server, JOE);
    expect([status, body.errorCode]).toEqual([200, undefined]);
    return body.links as { href: string; titles: { und: string } }[];
  };

  it.each(["cut", "silence"] as const)("people sign in while the database is away: %s", async (breakOff) => {
    await start(60_000);
    const [link] = await findLinks();
    const path = link!.href.replace(/^https:\/\/[^/]*/, "");
    const signOn = () => call(server, path);
    const target = (await signOn()).headers.location;
    expect(target).toMatch(/^https:/);

    await proxy[breakOff]();
    await until(async () => {
      expect((await findLinks())[0]).toEqual(link);
      expect((await signOn()).headers.location).toBe(target);
      return hasLine(BEGUN);
    });
    const ready = await call(server, "/readyz");
    expect([ready.status, ready.text]).toEqual([200, "degraded: the database does not answer\n"]);
    // what nobody has read before, and a rule that asks for a profile; a silent database makes them wait
    for (const [asked, host] of breakOff === "silence" ? [] : UNKNOWN) {
      expect(await call(server, asked, { headers: { Host: host } })).toMatchObject({
        status: 503,
        body: { errorCode: "E0009011" },
      });
    }
    // what another node changes meanwhile is seen when the database is back
    const { body: found } = await other.api("/idps?q=First");
    await other.api(`/idps/${found[0].id}`, {
      method: "PUT",
      body: { name: "Renamed", type: found[0].type, protocol: found[0].protocol },
    });
    expect(await findLinks()).toEqual([link]);
    await proxy.cut();
    await proxy.restore();
    await until(async () => (await findLinks())[0]?.titles.und === "Renamed");
    await until(async () => (await call(server, "/readyz")).text === "ok\n");
    expect(hasLine(ENDED)).toBe(true);
  });

  it("a change that nobody has asked about since is known when the database goes away", async () => {
    await start(60_000);
    await findLinks();
    const { body: found } = await other.api("/idps?q=First");
    const path = `/idps/${found[0].id}`;
    await other.api(path, {
      method: "PUT",
      body: { name: "Renamed", type: found[0].type, protocol: found[0].protocol },
    });
    const { body: renamed } = await other.api(path);
    // the process has read the change when its compiled rules say so; it tells in its log
    await until(() => server.lines.filter(({ msg }) => msg === "rules compiled").length === 2);
    await proxy.cut();
    expect((await findLinks())[0]!.titles.und).toBe(renamed.name);
  });

  it.each(["cut", "silence"] as const)(
    "a rule whose profile can't be read falls to the next one if the policy says so: %s",
    async (breakOff) => {
      await start(60_000);
      const path = webfingerPath("ann@other.example");
      const { body: policies } = await other.api("/policies?type=IDP_DISCOVERY");
      const policy = `/policies/${policies[0].id}`;
      await other.api(policy, { method: "PUT", body: { whenProfileUnavailable: "NEXT_RULE" } });
      expect((await call(server, path)).status).toBe(200);
      await findLinks();
      const [, sales] = (await other.api(`${policy}/rules`)).body;

      await proxy[breakOff]();
      const { status, headers, body } = await call(server, path);
      expect([status, body.links[0].titles.und]).toEqual([200, "Demo"]);
      await proxy.cut();
      await proxy.restore();
      const filter = encodeURIComponent(`debugContext.debugData.requestId eq "${String(headers["x-svc-request-id"])}"`);
      const [event] = await until(async () => {
        const { body: events } = await other.api(`/logs?filter=${filter}`);
        return events.length > 0 && events;
      });
      expect(event.debugContext.debugData).toMatchObject({ reason: "default", passedOver: sales.id });
      await until(async () => (await call(server, "/readyz")).text === "ok\n");
      const again = String((await call(server, path)).headers["x-svc-request-id"]);
      const found = await until(async () => {
        const { body: events } = await other.api(`/logs?filter=${encodeURIComponent(`transaction.id eq "${again}"`)}`);
        return events[0];
      });
      expect(found.debugContext.debugData).not.toHaveProperty("passedOver");
    },
  );

  it("answers no longer from what is known when that is too old, or not at all with 0", async () => {
    await start(0);
    await findLinks();
    await proxy.cut();
    await until(async () => (await call(server, JOE)).status === 503);
    expect((await call(server, "/readyz")).status).toBe(503);
    expect(hasLine(BEGUN)).toBe(false);
  });
});
