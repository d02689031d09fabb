import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { webfingerPath, type Answer } from "../support/server.js";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";

const idp = (name: string, status = "ACTIVE") => ({
  name,
  type: "SAML2",
  status,
  protocol: { type: "SAML2", endpoints: { sso: { url: "https://idp.example/sso", binding: "HTTP-POST" } } },
});

const rule = (name: string, provider: string, conditions: object, status = "ACTIVE") => ({
  name,
  status,
  conditions,
  actions: { idp: { providers: [provider === "SVC" ? { type: "SVC" } : { idp: provider }] } },
});

const identifier = (matchType: string, ...values: string[]) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: values.map((value) => ({ matchType, value })) },
});

/** Makes patterns of 255 characters. */
const patterns = (count: number, end: string) =>
  Array.from({ length: count }, (_, i) => `${i} ${end}`.padStart(255, "p"));

const ORG = {
  idps: [idp("Corporate"), idp("Partner"), idp("Closed", "INACTIVE")],
  zones: [
    { name: "loop", gateways: [{ type: "CIDR", value: "127.0.0.0/8" }] },
    { name: "office", gateways: [{ type: "CIDR", value: "203.0.113.0/24" }] },
    { name: "shut", status: "INACTIVE", gateways: [{ type: "CIDR", value: "203.0.113.0/24" }] },
  ],
  users: [
    {
      profile: {
        login: "sam@attr.example",
        email: "sam@attr.example",
        firstName: "Sam",
        lastName: "Seller",
        department: "Sales",
      },
    },
  ],
  rules: [
    rule("off", "Corporate", {}, "INACTIVE"),
    rule("closed", "Closed", {}),
    rule("office", "Partner", {
      ...identifier("SUFFIX", "example.com"),
      network: { connection: "ZONE", include: ["office"] },
    }),
    rule("phones", "Partner", {
      ...identifier("SUFFIX", "example.com", "example.org"),
      platform: { include: [{ type: "MOBILE", os: { type: "IOS" } }] },
    }),
    rule("sales", "Partner", {
      userIdentifier: {
        type: "ATTRIBUTE",
        attribute: "department",
        patterns: [{ matchType: "EQUALS", value: "sales" }],
      },
    }),
    rule("suffix", "Corporate", identifier("SUFFIX", "example.com")),
    rule("never", "Partner", identifier("CONTAINS", "@")),
  ],
};

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let policy: string;

  beforeEach(async () => {
    org = await openOrg(() => ORG);
    ({ api } = org);
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
  });

  const trace = async (login: string, parameters = "", client = api) =>
    client(`${policy}/trace?resource=svc:acct:${login}${parameters}`);

  /** `name: result` of each rule that was tried. */
  const summary = ({ body }: { body: { rules: { name: string; result: string }[] } }) =>
    body.rules.map(({ name, result }) => `${name}: ${result}`);

  test("W10 tells which rules were tried, which condition failed, and which matched", async () => {
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36";
    const { status, body } = await trace("joe@example.com", "", (path) =>
      api(path, { headers: { "User-Agent": userAgent } }),
    );
    expect(status).toBe(200);
    const base = `${org.origin}/api/v1${policy}`;
    const self = { self: { href: expect.stringMatching(new RegExp(`^${base}/rules/\\w{20}$`)) } };
    const named = { id: expect.stringMatching(/^\w{20}$/), _links: self };
    const desktop = { type: "DESKTOP", os: "LINUX" };
    const suffix = {
      condition: "userIdentifier",
      holds: true,
      value: "joe@example.com",
      pattern: { matchType: "SUFFIX", value: "example.com" },
    };
    const match = { ...named, name: "suffix", priority: 6, result: "MATCH", conditions: [suffix] };
    expect(body).toEqual({
      resource: "svc:acct:joe@example.com",
      login: "joe@example.com",
      client: {
        ipAddress: "127.0.0.1",
        userAgent,
        platform: desktop,
        zones: [{ id: expect.stringMatching(/^\w{20}$/), name: "loop" }],
      },
      match,
      rules: [
        { ...named, name: "off", priority: 1, result: "SKIPPED", reason: "INACTIVE", conditions: [] },
        { ...named, name: "closed", priority: 2, result: "SKIPPED", reason: "NO_ACTIVE_PROVIDER", conditions: [] },
        {
          ...named,
          name: "office",
          priority: 3,
          result: "NO_MATCH",
          conditions: [suffix, { condition: "network", holds: false, value: "127.0.0.1" }],
        },
        {
          ...named,
          name: "phones",
          priority: 4,
          result: "NO_MATCH",
          conditions: [suffix, { condition: "platform", holds: false, value: desktop }],
        },
        {
          ...named,
          name: "sales",
          priority: 5,
          result: "NO_MATCH",
          conditions: [{ condition: "userIdentifier", attribute: "department", holds: false, value: null }],
        },
        match,
      ],
      links: (await org.visit(webfingerPath("joe@example.com"))).body.links,
      _links: { policy: { href: base } },
    });
  });

  test("W10 gives the links that WebFinger gives, on behalf of another client too", async () => {
    for (const [login, parameters, headers, matched] of [
      ["joe@example.com", "", {}, "suffix"],
      ["JOE@Example.com", "&clientIp=203.0.113.9", {}, "office"],
      ["joe@example.com", "&clientIp=%3A%3Affff%3A203.0.113.9", {}, "office"],
      ["joe@example.com", `&userAgent=${encodeURIComponent(IPHONE)}`, { "User-Agent": IPHONE }, "phones"],
      [
        "joe@example.com",
        `&${new URLSearchParams({ userAgent: IPHONE }).toString()}`,
        { "User-Agent": IPHONE },
        "phones",
      ],
      ["joe@example.com", "&userAgent=", {}, "suffix"],
      ["sam@attr.example", "", {}, "sales"],
      ["joe+tag@nowhere.example", "", {}, "never"],
      ["nobody", "", {}, "Default Rule"],
    ] as const) {
      const { body } = await trace(login, parameters);
      expect(body.match.name).toBe(matched);
      expect(body.rules.at(-1)).toEqual(body.match);
      const webfinger = await org.visit(webfingerPath(login), { headers });
      if (!parameters.includes("clientIp")) expect(body.links).toEqual(webfinger.body.links);
    }
    const related = "&rel=http%3A%2F%2Fopenid.net%2Fspecs%2Fconnect%2F1.0%2Fissuer";
    expect((await trace("joe@example.com", related)).body.links).toMatchObject([{ titles: { und: org.subdomain } }]);
  });

  test("W10 a login that no rule is for is answered by the default rule", async () => {
    expect(summary(await trace("nobody"))).toEqual([
      "off: SKIPPED",
      "closed: SKIPPED",
      "office: NO_MATCH",
      "phones: NO_MATCH",
      "sales: NO_MATCH",
      "suffix: NO_MATCH",
      "never: NO_MATCH",
      "Default Rule: MATCH",
    ]);
  });

  test("W10 rules that were tried come in pages, the match with each", async () => {
    const names: string[] = [];
    let pages = 0;
    for (let path: string | undefined = `${policy}/trace?resource=svc:acct:nobody&limit=3`; path !== undefined;) {
      const { status, body, headers } = await api(path);
      expect(status).toBe(200);
      expect(body.match.name).toBe("Default Rule");
      names.push(...body.rules.map(({ name }: { name: string }) => name));
      pages++;
      path = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    }
    expect(names).toEqual(["off", "closed", "office", "phones", "sales", "suffix", "never", "Default Rule"]);
    expect(pages).toBe(3);
    const link = String((await trace("nobody", "&limit=3")).headers["link"]);
    const after = /after=([^&>]+)[^>]*>; rel="next"/.exec(link)?.[1];
    expect((await trace("somebody", `&limit=3&after=${after}`)).body.errorCode).toBe("E0000029");
    expect((await trace("nobody", "&limit=201")).status).toBe(400);
  });

  test("S9 W10 a page ends before its limit when its rules are large, and next goes on there", async () => {
    const notes = Array.from({ length: 28 }, (_, i) => `${i} `.padEnd(2_048, "x"));
    const { profile } = ORG.users[0]!;
    const attributeRules = Array.from({ length: 60 }, (_, i) =>
      rule(`note ${i}`, "Partner", {
        userIdentifier: {
          type: "ATTRIBUTE",
          attribute: "notes",
          patterns: [{ matchType: "CONTAINS", value: `no such note ${i}` }],
        },
      }),
    );
    const patternRules = Array.from({ length: 12 }, (_, i) =>
      rule(`patterns ${i}`, "Partner", identifier("CONTAINS", ...patterns(1_000, `${i}`))),
    );
    const rules = [...patternRules, ...attributeRules];
    const users = [{ profile: { ...profile, login: "noted", department: "none", notes } }];
    await org.change({ ...ORG, users, rules });
    const names: string[][] = [];
    let before: string | undefined;
    let path: string | undefined = `${policy}/trace?resource=svc:acct:noted&limit=200`;
    while (path !== undefined) {
      const answer: Answer = await api(path);
      expect(answer.body.match.name).toBe("Default Rule");
      names.push(answer.body.rules.map(({ name }: { name: string }) => name));
      expect(Buffer.byteLength(JSON.stringify(answer.body.rules))).toBeLessThanOrEqual(2 << 20);
      const links = String(answer.headers["link"]);
      path = /<([^>]+)>; rel="next"/.exec(links)?.[1];
      before = /<([^>]+)>; rel="prev"/.exec(links)?.[1];
    }
    const others = ORG.rules;
    expect(names.flat()).toEqual([...[...rules, ...others].map(({ name }) => name), "Default Rule"]);
    expect(names[0]!.length).toBeLessThan(12); // of 290 KB each in the store
    expect(names.length).toBeLessThan(6);
    const previous = (await api(before!)).body.rules.map(({ name }: { name: string }) => name);
    expect(previous.at(-1)).toBe(names.at(-2)!.at(-1));
    expect(names.flat().join()).toContain(previous.join());
  });

  test("W10 A2 traces a condition on an attribute only for those who may read users", async () => {
    const reader = await org.as(["policies.read", "users.read"]);
    const limited = await org.as(["policies.read"]);
    const answer = await trace("sam@attr.example", "", reader);
    expect(answer.body.match.conditions).toEqual([
      { condition: "userIdentifier", attribute: "department", holds: true, value: "Sales" },
    ]);
    for (const [login, parameters] of [
      ["sam@attr.example", ""], // it matches the condition
      ["joe@example.com", ""], // it does not
      ["nobody", "&limit=200"],
      ["nobody", "&limit=1"], // the page does not have the rule
    ] as const) {
      const refused = await trace(login, parameters, limited);
      expect(refused).toMatchObject({ status: 403, body: { errorCode: "E0000006" } });
      expect(refused.body.errorCauses).toEqual([
        {
          errorSummary:
            "A rule has a condition on an attribute; this trace needs the scope svc.users.read, which the credentials lack.",
        },
      ]);
      expect(refused.headers["www-authenticate"]).toBe(
        'Bearer realm="svc", error="insufficient_scope", scope="svc.users.read"',
      );
    }
    // the rules before it match
    expect((await trace("joe@example.com", "&clientIp=203.0.113.9", limited)).body.match.name).toBe("office");
  });

  test("W10 follows a change at once", async () => {
    const find = async (name: string) =>
      (await api(`${policy}/rules`)).body.find((found: { name: string }) => found.name === name).id;
    await api(`${policy}/rules/${await find("off")}/lifecycle/activate?allowShadowing=true`, { method: "POST" });
    expect(summary(await trace("joe"))).toEqual(["off: MATCH"]);
  });

  test.each([
    ["", "E0000028", 'The query parameter "resource" is required.'],
    ["?resource=svc:acct:a&resource=svc:acct:b", "E0000001", "The requested resource is malformed."],
    ["?resource=joe", "E0000001", "The requested resource is malformed."],
    ["?resource=svc:acct:%00", "E0000001", "The requested resource is malformed."],
    ["?resource=mailto:joe", "E0000007", 'The resource must begin with "svc:acct:" or "acct:".'],
    ["?resource=acct:joe&clientIp=", "E0000001", 'clientIp: must be an IPv4 or IPv6 address, not ""'],
    ["?resource=acct:joe&clientIp=127.1", "E0000001", 'clientIp: must be an IPv4 or IPv6 address, not "127.1"'],
    ["?resource=acct:joe&clientIp=fe80::1%25eth0", "E0000001", /^clientIp: must be an IPv4 or IPv6 address/],
    ["?resource=acct:joe&clientIp=::1&clientIp=::2", "E0000001", /^clientIp: takes one value/],
    [`?resource=acct:joe&userAgent=${"a".repeat(1_025)}`, "E0000001", /^userAgent: has 1025 characters; at most 1024/],
  ])("W10 refuses the question %j", async (query, errorCode, cause) => {
    const { status, body } = await api(`${policy}/trace${query}`);
    expect(status).toBe(errorCode === "E0000007" ? 404 : 400);
    expect(body).toMatchObject({ errorCode, errorCauses: [{ errorSummary: expect.stringMatching(cause) }] });
  });

  test.each([1_023, 1_024])("W10 takes a user agent of %d characters", async (length) => {
    expect((await trace("joe", `&userAgent=${"a".repeat(length)}`)).status).toBe(200);
  });

  test("W10 A2 is for administrators of the org alone", async () => {
    const anonymous = await org.visit(`/api/v1${policy}/trace?resource=svc:acct:joe`);
    expect(anonymous.status).toBe(401);
    const users = await org.as(["users.manage"]);
    expect((await trace("joe", "", users)).status).toBe(403);
    const { api: stranger } = await openOrg(() => ORG);
    expect((await trace("joe", "", stranger)).body.errorCode).toBe("E0000007");
  });
});
