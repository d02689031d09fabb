import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { fullOrg, samlIdp, trustedOrigin, zone } from "../support/documents.js";
import { readEventTypes } from "../support/event-types.js";
import { untilServed, type Answer } from "../support/server.js";

const RULE = {
  name: "Tagged",
  conditions: { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "tagged.example" }] } },
  actions: { idp: { providers: [{ type: "SVC" }] } },
};

const TEST = { name: "Tagged", login: "joe", expected: { provider: { type: "SVC" } } };

/** What has a tag and is no user: where it is, the start of its events, what creates it, what replaces it. */
const KINDS = {
  idp: { event: "system.idp.lifecycle", path: "/idps", create: samlIdp("Tagged"), replace: samlIdp("Retagged") },
  zone: { event: "zone", path: "/zones", create: zone("Tagged"), replace: zone("Retagged") },
  trustedOrigin: {
    event: "security.trusted_origin",
    path: "/trustedOrigins",
    create: trustedOrigin("Tagged"),
    replace: trustedOrigin("Retagged"),
  },
  rule: { event: "policy.rule", path: "rules", create: RULE, replace: { ...RULE, name: "Retagged", priority: 1 } },
  routingTest: { event: "policy.test", path: "routingTests", create: TEST, replace: { ...TEST, name: "Retagged" } },
  apiToken: { event: "system.api_token", path: "/apiTokens", create: { name: "Tagged" }, replace: undefined },
};

const STALE = 'W/"1.stale"';

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let policy: string;

  beforeEach(async () => {
    org = await openOrg(fullOrg);
    ({ api } = org);
    policy = `/policies/${(await api("/policies?type=IDP_DISCOVERY")).body[0].id}`;
  });

  const send = (method: string, path: string, tag?: string, body?: object): Promise<Answer> =>
    api(path, { method, body, ...(tag !== undefined && { headers: { "If-Match": tag } }) });
  const tagOf = ({ headers }: Answer): string => String(headers["etag"]);
  test.each(Object.keys(KINDS) as (keyof typeof KINDS)[])(
    "T7 every write of this kind honours If-Match: %s",
    async (name) => {
      const { create, replace, path, event } = KINDS[name];
      const list = path.startsWith("/") ? path : `${policy}/${path}`;
      for (const tag of [STALE, "*"]) {
        expect(await send("POST", list, tag, create)).toMatchObject({ status: 412, body: { errorCode: "E0000231" } });
      }
      const created = await send("POST", list, undefined, create);
      expect(created).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(/^W\/"1\.[\w-]{22}"$/) } });
      const record = `${list}/${created.body.id}`;
      const read = await api(record);
      expect(tagOf(read)).toBe(tagOf(created));
      const unchanged = await api(record, { headers: { "If-None-Match": `"x", ${tagOf(read)}` } });
      expect(unchanged).toMatchObject({ status: 304, text: "", headers: { etag: tagOf(read) } });
      expect((await api(list)).headers["etag"]).toBeUndefined();

      const hasStatus = name !== "routingTest";
      const writes: [method: string, path: string, body?: object][] = [
        ["DELETE", record],
        ...(replace ? [["PUT", record, replace] as [string, string, object]] : []),
        ...(replace && hasStatus
          ? ([
              ["POST", `${record}/lifecycle/activate`],
              ["POST", `${record}/lifecycle/deactivate`],
            ] as [string, string, object?][])
          : []),
      ];
      for (const [method, target, body] of writes) {
        expect(await send(method, target, STALE, body)).toMatchObject({ status: 412, body: { errorCode: "E0000231" } });
        expect(await send(method, target, "stale", body)).toMatchObject({
          status: 400,
          body: { errorCode: "E0000242" },
        });
      }
      expect(await api(record)).toMatchObject({ body: read.body, headers: { etag: tagOf(read) } });
      expect(await readEventTypes(org, `${event}.`)).toHaveLength(1);

      let tag = tagOf(read);
      if (replace) {
        for (const [method, target, body] of [
          ["PUT", record, replace] as const,
          ...(hasStatus ? ["deactivate", "activate"] : []).map((change) => {
            return ["POST", `${record}/lifecycle/${change}`] as const;
          }),
        ]) {
          const written = await send(method, target, `W/"1.other", ${tag}`, body);
          expect(written).toMatchObject({ status: 200, headers: { etag: tagOf(await api(record)) } });
          expect(tagOf(written)).not.toBe(tag);
          tag = tagOf(written);
        }
      }
      expect(await send("DELETE", record, tag)).toMatchObject({ status: 204 });
      expect(await send("DELETE", record, tag)).toMatchObject({ status: 404 });
    },
  );

  test("T7 a policy has a tag, the default rule honours If-Match, and a move changes the tag of a rule that moves", async () => {
    const read = await api(policy);
    expect((await api(policy, { headers: { "If-None-Match": tagOf(read) } })).status).toBe(304);
    expect((await api("/policies?type=IDP_DISCOVERY")).headers["etag"]).toBeUndefined();

    const rules = (await api(`${policy}/rules`)).body as { id: string; system: boolean }[];
    const [first, second, last] = [rules[0], rules[1], rules.at(-1)].map((rule) => `${policy}/rules/${rule?.id ?? ""}`);
    const actions = { idp: { providers: [{ type: "SVC" }] } };
    expect((await send("PUT", last!, STALE, { actions })).status).toBe(412);

    const tag = tagOf(await api(first!));
    const other = await api(second!);
    expect((await send("PUT", second!, tagOf(other), { ...other.body, priority: 1 })).status).toBe(200);
    const { body } = await api(first!);
    expect((await send("PUT", first!, tag, { ...body, priority: 1 })).status).toBe(412);
    expect((await api(first!)).body).toEqual(body);

    const defaultTag = tagOf(await api(last!));
    const written = await send("PUT", last!, defaultTag, { actions });
    expect(written).toMatchObject({ status: 200, headers: { etag: tagOf(await api(last!)) } });
    expect(tagOf(written)).not.toBe(defaultTag);
  });

  test("T7 T4 of fifty writers with one tag exactly one wins", async () => {
    for (const [list, body] of [
      ["/zones", zone("Contended")],
      [`${policy}/rules`, RULE],
    ] as const) {
      const { id } = (await send("POST", list, undefined, body)).body;
      const read = await api(`${list}/${id}`);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          untilServed(() => send("PUT", `${list}/${id}`, tagOf(read), { ...read.body, name: `Writer ${i}` })),
        ),
      );
      const won = answers.filter(({ body: { errorCode } }) => errorCode !== "E0000231");
      expect(won).toMatchObject([{ status: 200 }]);
      expect(await api(`${list}/${id}`)).toMatchObject({ body: won[0]!.body, headers: { etag: tagOf(won[0]!) } });
    }
  });
});
