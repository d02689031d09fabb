import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { fullOrg, zone } from "../support/documents.js";
import { readEventTypes } from "../support/event-types.js";
import { webfingerPath } from "../support/server.js";
import { until } from "../../../test/support/until.js";

const cidrs = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: "CIDR", value: `10.${i >> 8}.${i & 255}.0/24` }));

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let stranger: ApiClient["api"];

  beforeEach(async () => {
    org = await openOrg(fullOrg);
    ({ api } = org);
    ({ api: stranger } = await openOrg(fullOrg));
  });

  const causesOf = async (body: object): Promise<string[]> =>
    (await api("/zones", { method: "POST", body })).body.errorCauses.map(
      (cause: { errorSummary: string }) => cause.errorSummary,
    );

  test("L4 a zone is created, read, replaced, switched off and on, and deleted", async () => {
    const { status, body } = await api("/zones", { method: "POST", body: { ...zone("Branch"), type: "IP" } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...zone("Branch"), type: "IP", status: "ACTIVE" });
    expect(Object.keys(body._links)).toEqual(["self", "deactivate"]);
    const { href } = body._links.self;
    expect((await api(href)).body).toEqual(body);
    expect((await api(`${href}/lifecycle/deactivate`, { method: "POST" })).body.status).toBe("INACTIVE");
    expect((await api(`${href}/lifecycle/activate`, { method: "POST" })).body.status).toBe("ACTIVE");

    const replaced = await api(href, { method: "PUT", body: { name: "Bare", gateways: null, id: "x", created: 1 } });
    expect(replaced.body).toMatchObject({
      id: body.id,
      created: body.created,
      name: "Bare",
      gateways: [],
      proxies: [],
    });
    expect((await api("/zones?q=ba")).body).toMatchObject([{ name: "Bare", _links: { self: { href } } }]);
    expect((await api(href, { method: "DELETE" })).status).toBe(204);
    expect((await api(href)).status).toBe(404);
    expect(await readEventTypes(org, "zone.")).toEqual(
      ["create", "deactivate", "activate", "update", "delete"].map((operation) => `zone.${operation}`),
    );
  });

  test.each([149, 150, 151])("a zone has at most 150 gateways and 150 proxies: %d", async (count) => {
    const body = { name: "Large", gateways: cidrs(count), proxies: cidrs(count) };
    const answer = await api("/zones", { method: "POST", body });
    if (count <= 150) {
      expect(answer).toMatchObject({ status: 200, body });
    } else {
      expect(answer.status).toBe(400);
      expect(answer.body.errorCauses).toEqual([
        { errorSummary: "gateways: is too long: 151 elements; at most 150 are allowed" },
        { errorSummary: "proxies: is too long: 151 elements; at most 150 are allowed" },
      ]);
    }
  });

  test("E2 ranges that are none are told one by one", async () => {
    const gateways = [
      { type: "CIDR", value: "192.0.2.1/24" },
      { type: "CIDR", value: "192.0.2.1" },
      { type: "RANGE", value: "192.0.2.9-192.0.2.1" },
      { type: "ASN", value: "1" },
      { type: "RANGE", value: "a".repeat(129) },
    ];
    expect(await causesOf({ name: "Bad", gateways })).toEqual([
      expect.stringMatching(/^gateways\[0\]\.value: /),
      "gateways[1].value: must be a block such as 192.0.2.0/24",
      expect.stringMatching(/^gateways\[2\]\.value: .*ends before it starts/),
      expect.stringMatching(/^gateways\[3\]\.type: must be CIDR or RANGE/),
      expect.stringMatching(/^gateways\[4\]\.value: is too long/),
    ]);
    expect(await causesOf({ name: "ALL_ZONES" })).toEqual([expect.stringMatching(/^name: can't be ALL_ZONES/)]);
    expect(await causesOf({ name: "Office" })).toEqual(["name: another Zone has it already"]);
    expect(await causesOf({ name: "Dynamic", type: "DYNAMIC" })).toEqual(['type: must be IP, not "DYNAMIC"']);
  });

  test("C3 a range of proxies has at most the addresses of a /8, or of a /16 of IPv6", async () => {
    for (const [type, value, most] of [
      ["CIDR", "0.0.0.0/0", "/8"],
      ["CIDR", "10.0.0.0/7", "/8"],
      ["CIDR", "10.0.0.0/8"],
      ["CIDR", "10.0.0.0/9"],
      ["RANGE", "9.255.255.255-10.255.255.255", "/8"],
      ["RANGE", "10.0.0.1-11.0.0.0"],
      ["RANGE", "10.0.0.1-10.255.255.255"],
      ["CIDR", "::ffff:10.0.0.0/103", "/8"],
      ["CIDR", "::ffff:10.0.0.0/104"],
      ["CIDR", "::/0", "/16"],
      ["CIDR", "2000::/15", "/16"],
      ["CIDR", "2001::/16"],
      ["CIDR", "2001::/17"],
      ["RANGE", "2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff-2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "/16"],
      ["RANGE", "2001::1-2002::"],
    ] as const) {
      const ranges = [{ type, value }];
      const { status, body } = await api("/zones", { method: "POST", body: { name: value, proxies: ranges } });
      const cause = `proxies[0].value: "${value}" has more addresses than a ${most}; list the proxies`;
      if (most === undefined) expect([value, status]).toEqual([value, 200]);
      else expect(body.errorCauses).toEqual([{ errorSummary: cause }]);
    }
    const gateways = [{ type: "CIDR", value: "0.0.0.0/0" }];
    expect((await api("/zones", { method: "POST", body: { name: "Gateways", gateways } })).status).toBe(200);
  });

  test("C3 proxies of several zones that hold every address together are not believed", async () => {
    const blocks = Array.from({ length: 256 }, (_, i) => ({ type: "CIDR", value: `${i}.0.0.0/8` }));
    const policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
    const clientOf = async () => {
      const headers = { "X-Forwarded-For": "203.0.113.5, 198.51.100.7" };
      return (await api(`${policy}/trace?resource=acct:joe`, { headers })).body.client.ipAddress;
    };
    const write = (path: string, method: string, name: string, proxies: object[]) =>
      api(path, { method, body: { name, proxies } });
    await write("/zones", "POST", "Low", blocks.slice(0, 150));
    const { id } = (await write("/zones", "POST", "High", blocks.slice(150, 255))).body;
    expect(await clientOf()).toBe("203.0.113.5");
    await write(`/zones/${id}`, "PUT", "High", blocks.slice(150));
    expect(await clientOf()).toBe("127.0.0.1");
    await write(`/zones/${id}`, "PUT", "High", blocks.slice(151));
    expect(await clientOf()).toBe("203.0.113.5");
  });

  test("C3 the program log has the client that the service's own proxies report, whatever an org's zones say", async () => {
    const proxies = [{ type: "CIDR", value: "127.0.0.0/8" }];
    await api("/zones", { method: "POST", body: { name: "Edge", proxies } });
    const { headers, body } = await api("/zones", { headers: { "X-Forwarded-For": "203.0.113.5" } });
    expect(body).toHaveLength(3);
    const requestId = headers["x-svc-request-id"];
    let line: Record<string, unknown> | undefined;
    await until(() => (line = org.server.lines.find((one) => one["requestId"] === requestId)));
    expect(line).toMatchObject({ clientIp: "127.0.0.1" });
  });

  test("C3 a new proxy is believed by the next request, and no more when its zone is switched off", async () => {
    const { id: idp } = (await api("/idps?q=contoso")).body[0];
    const [{ id: policy }] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const gateways = [{ type: "RANGE", value: "203.0.113.1-203.0.113.9" }];
    const office = (await api("/zones", { method: "POST", body: { name: "HQ", gateways } })).body.id;
    const rule = {
      name: "From HQ",
      priority: 1,
      conditions: { network: { connection: "ZONE", include: [office] } },
      actions: { idp: { providers: [{ type: "SAML2", id: idp }] } },
    };
    expect((await api(`/policies/${policy}/rules`, { method: "POST", body: rule })).status).toBe(200);
    const ask = async () => {
      const headers = { "X-Forwarded-For": "203.0.113.5" };
      return (await org.visit(webfingerPath("joe@nowhere.example"), { headers })).body.links[0].titles.und;
    };
    const itself = `The ${org.subdomain} org`;
    expect(await ask()).toBe(itself);
    const proxies = [{ type: "CIDR", value: "127.0.0.0/8" }];
    const edge = (await api("/zones", { method: "POST", body: { name: "Edge", proxies } })).body.id;
    expect(await ask()).toBe("Contoso");
    await api(`/zones/${edge}/lifecycle/deactivate`, { method: "POST" });
    expect(await ask()).toBe(itself);
    await api(`/zones/${edge}/lifecycle/activate`, { method: "POST" });
    expect(await ask()).toBe("Contoso");
    await api(`/zones/${edge}`, { method: "DELETE" });
    expect(await ask()).toBe(itself);
  });

  test("a zone that a rule names is not deleted", async () => {
    const zones = (await api("/zones")).body as { id: string; name: string }[];
    for (const { id, name } of zones) {
      expect(await api(`/zones/${id}`, { method: "DELETE" })).toMatchObject({
        status: 409,
        body: {
          errorCode: "E0000195",
          errorCauses: [{ errorSummary: expect.stringMatching(/^The rule "first" \(\w{20}\) uses it\.$/) }],
        },
      });
      expect((await api(`/zones/${id}`)).body.name).toBe(name);
    }
    // an id in a text of a rule is no reference
    const { id } = (await api("/zones", { method: "POST", body: zone("Free") })).body;
    const [{ id: policy }] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const body = {
      name: "Text",
      conditions: { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "EQUALS", value: id }] } },
      actions: { idp: { providers: [{ type: "SVC" }] } },
    };
    expect((await api(`/policies/${policy}/rules`, { method: "POST", body })).status).toBe(200);
    expect((await api(`/zones/${id}`, { method: "DELETE" })).status).toBe(204);
  });

  test("A2 the zones of another org are not there", async () => {
    const { id } = (await api("/zones", { method: "POST", body: zone("Mine") })).body;
    for (const [path, method, body] of [
      [`/zones/${id}`, "GET"],
      [`/zones/${id}`, "PUT", zone("Theirs")],
      [`/zones/${id}`, "DELETE"],
      [`/zones/${id}/lifecycle/activate`, "POST"],
      [`/zones/${id}/lifecycle/deactivate`, "POST"],
    ] as const) {
      expect(await stranger(path, { method, body })).toMatchObject({
        status: 404,
        body: { errorSummary: `Not found: Resource not found: ${id} (Zone)` },
      });
    }
  });
});
