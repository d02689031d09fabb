import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { fullOrg, samlIdp } from "../support/documents.js";
import { readEventTypes } from "../support/event-types.js";
import { untilServed, startTestServer, webfingerPath, type Answer } from "../support/server.js";

/** Many of these rules are for everyone. */
const SHADOWING = "allowShadowing=true";

const ORG = { idp: { providers: [{ type: "SVC" }] } };

const suffix = (value: string) => ({
  userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value }] },
});

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];
  let stranger: ApiClient["api"];
  let rules: string;
  let foreignRules: string;

  async function start(describe: (subdomain: string) => object): Promise<void> {
    org = await openOrg(describe);
    ({ api } = org);
    stranger = (await openOrg(describe)).api;
    const path = async (client: ApiClient["api"]) =>
      `/policies/${(await client("/policies?type=IDP_DISCOVERY")).body[0].id}/rules`;
    rules = await path(api);
    foreignRules = await path(stranger);
  }

  const startBare = () => start(() => ({ idps: [samlIdp("Contoso")] }));

  const add = (name: string, more: object = {}): Promise<Answer> =>
    api(`${rules}?${SHADOWING}`, { method: "POST", body: { name, actions: ORG, ...more } });

  /** All rules by way of pages of three. */
  async function walk(between: () => Promise<unknown> = () => Promise.resolve()) {
    const found: { id: string; name: string; priority: number; system: boolean }[] = [];
    for (let path: string | undefined = `${rules}?limit=3`; path !== undefined; await between()) {
      const { status, body, headers } = await api(path);
      expect(status).toBe(200);
      found.push(...body);
      path = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    }
    return found;
  }

  const order = async () => (await walk()).map(({ name, priority }) => `${priority} ${name}`);
  const idOf = async (name: string) => (await walk()).find((rule) => rule.name === name)!.id;
  const causesOf = ({ body }: Answer): string[] =>
    body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);

  test("L4 a rule is added, read, replaced, switched off and on, and deleted", async () => {
    await start(fullOrg);
    const [idp] = (await api("/idps?q=contoso")).body;
    const [office] = (await api("/zones?q=office")).body;
    const rule = {
      name: "Phones",
      priority: 2,
      conditions: {
        network: { connection: "ZONE", include: [office.id, "ALL_ZONES"] },
        platform: { include: [{ type: "MOBILE", os: { type: "IOS" } }] },
        ...suffix("phones.example"),
      },
      actions: { idp: { providers: [{ type: "SAML2", id: idp.id }, { type: "SVC" }], idpSelectionType: "SPECIFIC" } },
    };
    const { status, body } = await api(rules, { method: "POST", body: rule });
    expect(status).toBe(200);
    const href = `${org.origin}/api/v1${rules}/${body.id}`;
    expect(body).toEqual({
      ...rule,
      id: expect.stringMatching(/^\w{20}$/),
      type: "IDP_DISCOVERY",
      status: "ACTIVE",
      system: false,
      created: body.lastUpdated,
      lastUpdated: expect.stringMatching(/Z$/),
      _links: { self: { href }, deactivate: { href: `${href}/lifecycle/deactivate`, method: "post" } },
    });
    expect((await api(href)).body).toEqual(body);

    const off = await api(`${href}/lifecycle/deactivate`, { method: "POST" });
    expect(off.body).toMatchObject({ status: "INACTIVE", priority: 2, conditions: rule.conditions });
    expect(Object.keys(off.body._links)).toEqual(["self", "activate"]);
    expect(causesOf(await api(`${href}/lifecycle/deactivate`, { method: "POST" }))).toEqual([
      "status: is INACTIVE already",
    ]);
    const changed = { ...body, name: "Everyone", conditions: null, status: undefined, system: true, created: "never" };
    const replaced = await api(href, { method: "PUT", body: changed });
    expect(replaced).toMatchObject({
      status: 200,
      body: { id: body.id, name: "Everyone", conditions: {}, priority: 2, status: "INACTIVE", system: false },
    });
    expect(replaced.body.created).toBe(body.created);
    expect((await api(`${href}/lifecycle/activate?${SHADOWING}`, { method: "POST" })).body.status).toBe("ACTIVE");
    expect((await api(href, { method: "DELETE" })).status).toBe(204);
    expect((await api(href)).status).toBe(404);
    expect(await readEventTypes(org, "policy.")).toEqual(
      ["add", "deactivate", "update", "activate", "delete"].map((change) => `policy.rule.${change}`),
    );
  });

  test("W4 a new rule answers the next question, before those that it was put before", async () => {
    await start(fullOrg);
    const ask = async () => {
      const { body } = await org.visit(webfingerPath("joe@third.example"));
      return body.links.map((link: { titles: { und: string } }) => link.titles.und);
    };
    expect(await ask()).toEqual(["Contoso"]);
    await add("Before", { priority: 1, conditions: suffix("third.example") });
    expect(await ask()).toEqual([`The ${org.subdomain} org`]);
    await api(`${rules}/${await idOf("Before")}/lifecycle/deactivate`, { method: "POST" });
    expect(await ask()).toEqual(["Contoso"]);
  });

  test("priorities stay 1 to n, the default rule last, wherever rules are put", async () => {
    await startBare();
    expect((await add("b")).body.priority).toBe(1);
    expect((await add("d", { priority: 999_999_999_999 })).body.priority).toBe(2);
    expect((await add("a", { priority: 1 })).body.priority).toBe(1);
    expect((await add("c", { priority: 3 })).body.priority).toBe(3);
    expect((await add("e", { priority: 5 })).body.priority).toBe(5);
    expect(await order()).toEqual(["1 a", "2 b", "3 c", "4 d", "5 e", "6 Default Rule"]);

    const move = async (name: string, priority: number) => {
      const answer = await api(`${rules}/${await idOf(name)}?${SHADOWING}`, {
        method: "PUT",
        body: { name, priority, actions: ORG },
      });
      expect(answer.status).toBe(200);
      return [answer.body.priority, ...(await order())];
    };
    expect(await move("a", 4)).toEqual([4, "1 b", "2 c", "3 d", "4 a", "5 e", "6 Default Rule"]);
    expect(await move("a", 1)).toEqual([1, "1 a", "2 b", "3 c", "4 d", "5 e", "6 Default Rule"]);
    expect(await move("d", 2)).toEqual([2, "1 a", "2 d", "3 b", "4 c", "5 e", "6 Default Rule"]);
    expect(await move("a", 1_000)).toEqual([5, "1 d", "2 b", "3 c", "4 e", "5 a", "6 Default Rule"]);
    expect(await move("b", 2)).toEqual([2, "1 d", "2 b", "3 c", "4 e", "5 a", "6 Default Rule"]);
    await api(`${rules}/${await idOf("b")}`, { method: "DELETE" });
    await api(`${rules}/${await idOf("d")}`, { method: "DELETE" });
    expect(await order()).toEqual(["1 c", "2 e", "3 a", "4 Default Rule"]);
  });

  test("rules are put between the same two more often than a number can be halved", async () => {
    await startBare();
    await add("first");
    await add("last");
    for (let i = 0; i < 60; i++) expect((await add(`r${i}`, { priority: 2 })).body.priority).toBe(2);
    for (let i = 60; i < 70; i++) expect((await add(`r${i}`, { priority: i })).body.priority).toBe(i);
    const found = await walk();
    expect(found.map(({ priority }) => priority)).toEqual(found.map((_, i) => i + 1));
    expect(found.at(0)!.name).toBe("first");
    expect(found.at(-1)!.name).toBe("Default Rule");
  });

  test("priorities stay 1 to n when twenty clients write at the same time", async () => {
    await startBare();
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, i) => untilServed(() => add(`r${i}`, { priority: 1 + (i % 4) }))),
    );
    expect(added.map(({ status }) => status)).toEqual(added.map(() => 200));
    await Promise.all([
      ...added.slice(0, 5).map(({ body }) => untilServed(() => api(`${rules}/${body.id}`, { method: "DELETE" }))),
      ...added.slice(5, 12).map(({ body: { id, name } }, i) => {
        const body = { name, priority: 1 + i * 3, actions: ORG };
        return untilServed(() => api(`${rules}/${id}?${SHADOWING}`, { method: "PUT", body }));
      }),
      ...["x", "y", "z"].map((name) => untilServed(() => add(name))),
    ]);
    const found = await walk();
    expect(found.map(({ priority }) => priority)).toEqual(Array.from({ length: 19 }, (_, i) => i + 1));
    expect(found.map(({ system }) => system)).toEqual(found.map((_, i) => i === 18));
  });

  test("P5 a walk sees each rule once while others are added and deleted before and behind it", async () => {
    await startBare();
    for (const letter of "abcdefghij") await add(letter);
    const doomed = ["a", "b", "c", "e"];
    let turn = 0;
    const ids = new Map((await walk()).map(({ name, id }) => [name, id]));
    const found = await walk(async () => {
      await add(`new ${turn}`, { priority: 1 });
      const name = doomed[turn++];
      if (name !== undefined) await api(`${rules}/${ids.get(name)}`, { method: "DELETE" });
    });
    const names = found.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(["d", "f", "g", "h", "i", "j", "Default Rule"]));

    const left = new Set(await order());
    const seen: string[] = [];
    for (let path: string | undefined = `${rules}?limit=3`; path !== undefined;) {
      const { body, headers } = await api(path);
      for (const { id, name, system } of body) {
        seen.push(name);
        if (!system) expect((await api(`${rules}/${id}`, { method: "DELETE" })).status).toBe(204);
      }
      path = /<([^>]+)>; rel="next"/.exec(String(headers["link"]))?.[1];
    }
    expect(seen).toHaveLength(left.size);
    expect(await order()).toEqual(["1 Default Rule"]);
  });

  test("P5 an import puts the rules into the order of their new priorities", async () => {
    await start(fullOrg);
    await add("inserted", { priority: 2 });
    await org.change({ rules: fullOrg(org.subdomain).rules.toReversed() });
    expect(await order()).toEqual(["1 third", "2 second", "3 first", "4 inserted", "5 Default Rule"]);
  });

  test("the default rule keeps everything but its actions", async () => {
    await startBare();
    const [idp] = (await api("/idps")).body;
    const id = await idOf("Default Rule");
    const path = `${rules}/${id}`;
    const { body: before } = await api(path);
    expect(before).toMatchObject({ system: true, priority: 1, conditions: {}, actions: ORG });
    expect(Object.keys(before._links)).toEqual(["self"]);

    for (const [change, attribute] of [
      [{ name: "Mine" }, "name"],
      [{ priority: 2 }, "priority"],
      [{ status: "INACTIVE" }, "status"],
      [{ conditions: suffix("example.com") }, "conditions"],
    ] as const) {
      expect(await api(path, { method: "PUT", body: { ...before, ...change } })).toMatchObject({
        status: 403,
        body: {
          errorCode: "E0000077",
          errorSummary: `Cannot modify the ${attribute} attribute because it is read-only.`,
        },
      });
    }
    expect((await api(`${path}/lifecycle/deactivate`, { method: "POST" })).body.errorCode).toBe("E0000077");
    expect((await api(`${path}/lifecycle/activate`, { method: "POST" })).body.errorCode).toBe("E0000077");
    expect(await api(path, { method: "DELETE" })).toMatchObject({ status: 403, body: { errorCode: "E0000006" } });
    expect(causesOf(await api(path, { method: "PUT", body: { ...before, actions: null } }))).toEqual([
      "actions: is required",
    ]);
    expect((await api(path)).body).toEqual(before);

    const actions = { idp: { providers: [{ type: "SAML2", id: idp.id }] } };
    const changed = await api(path, { method: "PUT", body: { ...before, actions } });
    expect(changed).toMatchObject({
      status: 200,
      body: { name: "Default Rule", priority: 1, status: "ACTIVE", actions },
    });
    const { body } = await org.visit(webfingerPath("joe@nowhere.example"));
    expect(body.links).toMatchObject([{ titles: { und: "Contoso" } }]);
    expect((await add("Default Rule")).status).toBe(400);
  });

  test("E2 what is wrong with a rule is told field by field", async () => {
    await startBare();
    const [idp] = (await api("/idps")).body;
    const bad = await api(rules, {
      method: "POST",
      body: {
        type: "PASSWORD",
        priority: 0,
        conditions: {
          network: { connection: "ZONE", include: ["*"] },
          userIdentifier: { type: "ATTRIBUTE", patterns: [] },
        },
        actions: {
          idp: {
            providers: [
              { type: "SAML2" },
              { type: "SVC", id: idp.id },
              { type: "SAML2", id: "x" },
              { type: "NONE", id: idp.id },
              {},
            ],
            idpSelectionType: "SPECIFIC",
          },
        },
      },
    });
    expect(bad.status).toBe(400);
    expect(causesOf(bad).sort()).toEqual(
      [
        "name: is required",
        'type: must be IDP_DISCOVERY, not "PASSWORD"',
        "priority: must be an integer, 1 or more",
        "conditions.network.include[0]: must be the id of a zone, or ALL_ZONES",
        "conditions.userIdentifier.attribute: is required with the type ATTRIBUTE",
        "conditions.userIdentifier.patterns: must be one pattern with the type ATTRIBUTE",
        "actions.idp.providers[0].id: is required, unless the type is SVC",
        "actions.idp.providers[1].type: is that of the org itself, which has no id",
        "actions.idp.providers[2].id: must be the id of an identity provider",
        "actions.idp.providers[3].type: must be that of the id",
        "actions.idp.providers[4].type: is required",
      ].sort(),
    );
    for (const priority of [-1, 1.5, "1", 2 ** 53, true, []]) {
      expect(causesOf(await add("x", { priority }))).toEqual([expect.stringMatching(/^priority: must be a/)]);
    }
    expect((await add("twice")).status).toBe(200);
    expect(causesOf(await add("twice"))).toEqual(["name: another rule has it already"]);
    expect(await order()).toEqual(["1 twice", "2 Default Rule"]);
    const renamed = await api(`${rules}/${(await add("other")).body.id}`, {
      method: "PUT",
      body: { name: "twice", actions: ORG },
    });
    expect(causesOf(renamed)).toEqual(["name: another rule has it already"]);
  });

  test.each([
    ["providers", 9, 10, 11],
    ["patterns", 999, 1_000, 1_001],
    ["platforms", 31, 32, 33],
    ["zones", 149, 150, 151],
  ] as const)("a rule has at most so many %s: %d, %d, not %d", async (what, below, most, above) => {
    await startBare();
    for (const [i, count] of [below, most, above].entries()) {
      const list = <T>(item: T) => Array.from({ length: count }, () => item);
      const body = {
        name: `r${i}`,
        conditions: {
          ...(what === "patterns" && {
            userIdentifier: { type: "IDENTIFIER", patterns: list({ matchType: "EQUALS", value: "a" }) },
          }),
          ...(what === "platforms" && { platform: { exclude: list({ type: "MOBILE" }) } }),
          ...(what === "zones" && { network: { connection: "ZONE", exclude: list("ALL_ZONES") } }),
        },
        actions: { idp: { providers: what === "providers" ? list({ type: "SVC" }) : [{ type: "SVC" }] } },
      };
      const { status } = await api(rules, { method: "POST", body });
      expect({ count, status }).toEqual({ count, status: i < 2 ? 200 : 400 });
    }
  });

  test("A2 identity providers and zones of another org, unknown ones and those of another type can't be referred to", async () => {
    await start(fullOrg);
    const [idp] = (await api("/idps?q=contoso")).body;
    const [foreignIdp] = (await stranger("/idps?q=contoso")).body;
    const [foreignZone] = (await stranger("/zones")).body;
    const unknown = "0".repeat(20);
    const body = {
      conditions: { network: { connection: "ZONE", include: [unknown, "ALL_ZONES"], exclude: [foreignZone.id] } },
      actions: {
        idp: {
          providers: [
            { type: "SAML2", id: foreignIdp.id },
            { type: "OIDC", id: idp.id },
            { type: "SAML2", id: unknown },
          ],
        },
      },
    };
    const causes = [
      `actions.idp.providers[0].id: no identity provider has the id "${foreignIdp.id}"`,
      "actions.idp.providers[1].type: must be SAML2, the type of this identity provider",
      `actions.idp.providers[2].id: no identity provider has the id "${unknown}"`,
      `conditions.network.include[0]: no zone has the id "${unknown}"`,
      `conditions.network.exclude[0]: no zone has the id "${foreignZone.id}"`,
    ];
    expect(causesOf(await add("new", body))).toEqual(causes);
    const path = `${rules}/${await idOf("first")}`;
    expect(causesOf(await api(path, { method: "PUT", body: { name: "first", ...body } }))).toEqual(causes);
    const { actions } = body;
    const defaultPath = `${rules}/${await idOf("Default Rule")}`;
    expect(causesOf(await api(defaultPath, { method: "PUT", body: { actions } }))).toEqual(causes.slice(0, 3));
  });

  test("A2 to make or change a condition on an attribute takes the scope to read users; to keep one does not", async () => {
    await startBare();
    const limited = await org.as(["policies.manage"]);
    const on = (attribute: string, value: string) => ({
      conditions: {
        userIdentifier: { type: "ATTRIBUTE", attribute, patterns: [{ matchType: "STARTS_WITH", value }] },
      },
    });
    const write = (method: string, path: string, more: object) =>
      limited(path, { method, body: { name: "limited", actions: ORG, ...more } });
    const refused = (answer: Answer) => {
      expect(answer).toMatchObject({ status: 403, body: { errorCode: "E0000006" } });
      expect(answer.headers["www-authenticate"]).toContain('scope="svc.users.read"');
      expect(causesOf(answer)).toEqual([
        "conditions.userIdentifier: a condition on an attribute needs the scope svc.users.read, which the credentials lack.",
      ]);
    };

    refused(await write("POST", rules, on("salary", "1")));
    refused(await write("POST", rules, { ...on("salary", "1"), status: "INACTIVE" }));
    const plain = (await write("POST", rules, { conditions: suffix("a.example") })).body;
    refused(await write("PUT", `${rules}/${plain.id}`, on("salary", "1")));
    expect((await api(`${rules}/${plain.id}`)).body).toEqual(plain);

    const { id } = (await add("theirs", on("salary", "1"))).body;
    for (const changed of [on("salary", "12"), on("grade", "1")]) {
      refused(await write("PUT", `${rules}/${id}`, changed));
    }
    const kept = await write("PUT", `${rules}/${id}`, { name: "theirs", ...on("salary", "1"), status: "INACTIVE" });
    expect(kept).toMatchObject({ status: 200, body: { name: "theirs", status: "INACTIVE", ...on("salary", "1") } });
    const active = { name: "theirs", ...on("salary", "1"), status: "ACTIVE" };
    refused(await limited(`${rules}/${id}/lifecycle/activate`, { method: "POST" }));
    refused(await write("PUT", `${rules}/${id}`, active));
    expect((await api(`${rules}/${id}/lifecycle/activate`, { method: "POST" })).status).toBe(200);
    expect((await write("PUT", `${rules}/${id}`, { ...active, name: "renamed" })).status).toBe(200);
    for (const wider of [
      { priority: 1 },
      { conditions: { ...active.conditions, platform: { include: [{ type: "MOBILE" }] } } },
    ]) {
      refused(await write("PUT", `${rules}/${id}`, { ...active, ...wider }));
    }
    expect((await limited(`${rules}/${id}/lifecycle/deactivate`, { method: "POST" })).status).toBe(200);
    const removed = await write("PUT", `${rules}/${id}`, { name: "theirs", conditions: suffix("b.example") });
    expect(removed).toMatchObject({ status: 200, body: { conditions: suffix("b.example") } });

    const both = await org.as(["policies.manage", "users.read"]);
    const body = { name: "both", actions: ORG, ...on("salary", "1") };
    expect((await both(rules, { method: "POST", body })).status).toBe(200);
  });

  test("A2 the rules of another org are not there, nor those of another policy", async () => {
    await startBare();
    const { id } = (await add("mine")).body;
    const foreignPolicy = foreignRules.split("/")[2];
    for (const [path, method, gone] of [
      [rules, "GET", "Policy"],
      [rules, "POST", "Policy"],
      [`${rules}/${id}`, "GET", "Policy"],
      [`${foreignRules}/${id}`, "GET", "PolicyRule"],
      [`${foreignRules}/${id}`, "PUT", "PolicyRule"],
      [`${foreignRules}/${id}`, "DELETE", "PolicyRule"],
      [`${foreignRules}/${id}/lifecycle/activate`, "POST", "PolicyRule"],
      [`${foreignRules}/${id}/lifecycle/deactivate`, "POST", "PolicyRule"],
    ] as const) {
      const body = method === "GET" ? undefined : { name: "theirs", actions: ORG };
      const answer = await stranger(path, { method, ...(body && { body }) });
      const subject = gone === "Policy" ? rules.split("/")[2] : id;
      expect({ path, status: answer.status, summary: answer.body.errorSummary }).toEqual({
        path,
        status: 404,
        summary: `Not found: Resource not found: ${subject} (${gone})`,
      });
    }
    expect((await api(`/policies/${foreignPolicy}/rules`)).status).toBe(404);
    expect((await api(`/policies/${foreignPolicy}/rules/${id}`, { method: "DELETE" })).status).toBe(404);
    expect((await api(`${rules}/%00`)).status).toBe(404);
    const link = String((await api(`${rules}?limit=1`)).headers["link"]);
    const after = /after=([^&>]+)[^>]*>; rel="next"/.exec(link)?.[1];
    expect((await api(`${rules}?limit=1&after=${after}`)).status).toBe(200);
    expect((await stranger(`${foreignRules}?limit=1&after=${after}`)).body.errorCode).toBe("E0000029");
  });

  test("N4 the org itself is called by the namespace, and stored under one name", async () => {
    await startBare();
    const acme = await startTestServer(org, { namespace: "acme", apiTokenScheme: "SVC" });
    ({ api } = org.at(acme));
    expect((await add("svc")).status).toBe(400);
    const { body } = await add("acme", { actions: { idp: { providers: [{ type: "ACME" }] } } });
    expect(body.actions.idp.providers).toEqual([{ type: "ACME" }]);
    expect((await api(rules)).body[0].actions.idp.providers).toEqual([{ type: "ACME" }]);
    await acme.close();
    const stored = await org.store.reader.selectFrom("rules").select("actions").where("id", "=", body.id).execute();
    expect(stored[0]!.actions).toContain('{"type":"SVC"}');
  });
});
