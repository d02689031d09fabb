import type { Store } from "../../../src/store/store.js";
import { listApiOperations, startApi } from "../../support/api.js";
import { buildSettings, type Call } from "../../support/server.js";
import { describeStores } from "../../support/stores.js";
import { causesOf, createWriter, insertUsers, readUserEvents, storedUser } from "../../support/users.js";

describeStores((_engine, database) => {
  test("N1 v2 has the users of v1 in another shape, and their attributes under its own names", async () => {
    const made = await database();
    const { server, api } = await startApi(made);
    try {
      const joe = storedUser("joe", { profile: { firstName: "Joe", lastName: "Doe", dept: "Sales", tags: ["a"] } });
      await insertUsers(made.options, [joe, storedUser("ann"), storedUser("bob", { status: "STAGED" })]);
      const base = new URL((await api("/users")).body[0]._links.self.href).origin;
      const v2 = `${base}/api/v2/users`;

      const one = await api(`${v2}/JOE`);
      const { id, status, created, activated, statusChanged, lastLogin, lastUpdated } = joe;
      const operations = `${v2}/${id}/lifecycle`;
      expect(one).toMatchObject({ status: 200, headers: { etag: (await api("/users/joe")).headers.etag } });
      expect(one.body).toEqual({
        id,
        status,
        login: "joe",
        email: "joe@example.com",
        name: { given: "Joe", family: "Doe" },
        attributes: { dept: "Sales", tags: ["a"] },
        created,
        activated,
        statusChanged,
        lastLogin,
        lastUpdated,
        _links: {
          self: { href: `${v2}/${id}` },
          deactivate: { href: `${operations}/deactivate`, method: "post" },
          suspend: { href: `${operations}/suspend`, method: "post" },
          expirePassword: { href: `${operations}/expire_password`, method: "post" },
        },
      });
      const unchanged = await api(`${v2}/${id}`, { headers: { "If-None-Match": String(one.headers.etag) } });
      expect(unchanged.status).toBe(304);

      const page = await api(`${v2}?sortBy=login&limit=2`);
      const { items } = page.body;
      expect(items.map(({ login }: { login: string }) => login)).toEqual(["ann", "bob"]);
      expect(Object.keys(items[0]._links)).toEqual(["self"]);
      const next = /<([^>]*)>; rel="next"/.exec(String(page.headers["link"]))?.[1] ?? "";
      expect(next.startsWith(`${v2}?sortBy=login&limit=2&after=`)).toBe(true);
      const rest = await api(next);
      expect(rest.body.items).toMatchObject([{ login: "joe" }]);
      expect(String(rest.headers["link"])).not.toContain('rel="next"');
      const after = new URL(next).searchParams.get("after") ?? "";
      const refused = await api(`/users?sortBy=profile.login&limit=2&after=${after}`);
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000029" } });

      const found = await api(`${v2}?search=${encodeURIComponent('attributes.dept eq "Sales" and name.given sw "J"')}`);
      expect(found.body.items).toMatchObject([{ login: "joe" }]);
      expect((await api(`${v2}?filter=${encodeURIComponent('login eq "ann"')}`)).body.items).toHaveLength(1);
      const own = await api(`${v2}?search=${encodeURIComponent("attributes pr")}`);
      expect(own.body.items).toMatchObject([{ login: "joe" }]);
      const names = ["login", "email", "firstName", "lastName"].map((name) => `attributes.${name} pr`);
      for (const text of ['profile.login eq "ann"', 'dept eq "Sales"', ...names]) {
        const answer = await api(`${v2}?search=${encodeURIComponent(text)}`);
        expect(answer).toMatchObject({ status: 400, body: { errorCode: "E0000094" } });
      }
      expect((await api(`${v2}?sortBy=profile.login`)).body.errorCauses[0].errorSummary).toContain("name.given");

      expect((await api(v2, { method: "PUT", body: {} })).status).toBe(405);
      expect((await api(`${v2}/nobody`)).body.errorCode).toBe("E0000007");
      for (const version of ["v3", "V2", "v0"]) {
        const answer = await api(`${base}/api/${version}/users`);
        expect(answer).toMatchObject({ status: 404, body: { errorCode: "E0000008" } });
      }
      expect((await api(`${base}/api/v2/trustedOrigins`)).status).toBe(404);
    } finally {
      await server.close();
    }
  });

  test("V1 v2 creates, merges, replaces, patches and deletes a user in its own shape", async () => {
    const made = await database();
    const { server, api } = await startApi(made);
    try {
      const { send, post, patch } = createWriter((path, call) => api(`https://host/api/v2${path}`, call));
      const name = { given: "Joe", family: "Doe" };
      const created = await post("/users?activate=false", {
        login: "Joe@Example.com",
        email: "joe@example.com",
        name,
        attributes: { dept: "Sales", tags: ["a"], nothing: null },
        status: "ACTIVE",
        id: "x",
      });
      expect(created).toMatchObject({
        status: 200,
        headers: { etag: expect.stringMatching(/^W\//) },
        body: { status: "STAGED", login: "Joe@Example.com", name, attributes: { dept: "Sales", tags: ["a"] } },
      });
      const { id, _links: links } = created.body;
      expect(links).toEqual({
        self: { href: `https://localhost:${server.port}/api/v2/users/${id}` },
        activate: { href: `${links.self.href}/lifecycle/activate`, method: "post" },
        deactivate: { href: `${links.self.href}/lifecycle/deactivate`, method: "post" },
      });
      expect((await api(`/users/${id}`)).body.profile).toEqual({
        login: "Joe@Example.com",
        email: "joe@example.com",
        firstName: "Joe",
        lastName: "Doe",
        dept: "Sales",
        tags: ["a"],
      });
      expect(await api(links.activate.href, { method: "POST" })).toMatchObject({ status: 200, body: {} });

      const path = `/users/${id}`;
      const merged = await post(path, {
        name: { given: "Jo" },
        attributes: { dept: null, level: 3 },
        status: "STAGED",
      });
      const expected = {
        ...created.body,
        name: { given: "Jo", family: "Doe" },
        attributes: { tags: ["a"], level: 3 },
        status: "ACTIVE",
        activated: merged.body.activated,
        statusChanged: merged.body.statusChanged,
        lastUpdated: merged.body.lastUpdated,
        _links: merged.body._links,
      };
      expect(merged.body).toEqual(expected);
      expect((await post(path, { name: null, attributes: null })).body).toEqual(expected);
      expect((await patch(path, { ...merged.body, attributes: { level: null } })).body.attributes).toEqual({
        tags: ["a"],
      });
      const operations = [
        { op: "test", path: "/login", value: "Joe@Example.com" },
        { op: "replace", path: "/name/family", value: "Roe" },
        { op: "add", path: "/attributes/tags/-", value: "b" },
      ];
      const patched = await patch(path, operations, "json-patch");
      expect(patched.body).toMatchObject({ name: { given: "Jo", family: "Roe" }, attributes: { tags: ["a", "b"] } });
      expect(await patch(path, { status: "STAGED" })).toMatchObject({ status: 403, body: { errorCode: "E0000077" } });

      const replacement = { login: "jim", email: "jim@example.com", name };
      const replaced = await send("PUT", path, replacement);
      expect(replaced.body).toMatchObject({ id, ...replacement, status: "ACTIVE" });
      expect(replaced.body.attributes).toEqual({});
      expect(await send("PUT", path, replaced.body)).toMatchObject({
        body: replaced.body,
        headers: { etag: replaced.headers.etag },
      });

      expect((await send("DELETE", path)).status).toBe(204);
      expect((await api(`/users/${id}`)).body.status).toBe("DEPROVISIONED");
      expect((await send("DELETE", path)).status).toBe(204);
      expect((await send("DELETE", path)).status).toBe(404);
      expect((await readUserEvents(made.options)).map(({ eventType }) => eventType)).toEqual([
        "user.lifecycle.create",
        "user.lifecycle.activate",
        ...Array(4).fill("user.account.update_profile"),
        "user.lifecycle.deactivate",
        "user.lifecycle.delete.completed",
      ]);
    } finally {
      await server.close();
    }
  });

  test("E2 v2 names the faults of a body by its own members", async () => {
    const made = await database();
    const { server, api } = await startApi(made);
    try {
      const { send, post, patch } = createWriter((path, call) => api(`https://host/api/v2${path}`, call));
      const user = { login: "joe", email: "joe@example.com", name: { given: "Joe", family: "Doe" } };
      const { id } = (await post("/users", user)).body;
      const path = `/users/${id}`;
      const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, i]));
      for (const [fault, causes] of [
        [{ login: null }, ["login: is required"]],
        [{ email: "joe" }, ["email: must be an e-mail address"]],
        [{ name: "Joe" }, ['name: must be an object, not "Joe"']],
        [
          { name: { given: null, family: " x" } },
          ["name.given: is required", "name.family: must be one line without white space around it"],
        ],
        [{ attributes: [] }, ["attributes: must be an object, not []"]],
        [{ attributes: { "a b": 1 } }, ['attributes["a b"]: is no attribute name: letters, digits and _']],
        [{ attributes: { login: "x", a: 1 } }, ["attributes.login: is no attribute of your own: every user has it"]],
        [{ attributes: many(97) }, ["attributes: has 97 attributes; at most 96 are allowed"]],
      ] as const) {
        for (const answer of [
          await post("/users", { ...user, login: "ann", ...fault }),
          await send("PUT", path, { ...user, ...fault }),
          await post(path, fault),
          await patch(path, fault),
        ]) {
          expect(answer).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
          expect(causesOf(answer)).toEqual(causes);
        }
      }
      expect(causesOf(await post("/users", user))).toEqual([
        "login: An object with this field already exists in the current organization",
      ]);
      expect(causesOf(await post("/users", {}))).toEqual(
        ["login", "email", "name"].map((member) => `${member}: is required`),
      );
      expect((await post(path, [])).body.errorCode).toBe("E0000003");
      for (const count of [96, 95]) {
        expect(
          Object.keys((await send("PUT", path, { ...user, attributes: many(count) })).body.attributes),
        ).toHaveLength(count);
      }
      const inherited = await post(path, `{"__proto__":{"a":1},"attributes":{"__proto__":{"b":1},"constructor":"c"}}`);
      expect(inherited.body.attributes).toEqual({ ...many(95), constructor: "c" });
    } finally {
      await server.close();
    }
  });

  test("T3 If-Match takes the tag of the user from either version", async () => {
    const made = await database();
    const { server, api } = await startApi(made);
    try {
      const joe = storedUser("joe");
      await insertUsers(made.options, [joe]);
      const urls = ["v1", "v2"].map((version) => `https://host/api/${version}/users/${joe.id}`);
      const bodies = [{ profile: { email: "1@example.com" } }, { email: "2@example.com" }];
      let tag = String((await api(urls[0]!)).headers.etag);
      for (const [i, url] of [...urls, ...urls].entries()) {
        const stale = tag;
        const write = (etag: string, body: object) => api(url, { method: "POST", body, headers: { "If-Match": etag } });
        const saved = await write(stale, bodies[i % 2]!);
        expect(saved.status).toBe(200);
        tag = String(saved.headers.etag);
        expect(tag).not.toBe(stale);
        for (const other of urls) expect((await api(other)).headers.etag).toBe(tag);
        for (const other of urls) {
          const refused = { status: 412, body: { errorCode: "E0000231" } };
          const headers = { "If-Match": stale };
          expect(await api(other, { method: "POST", body: {}, headers })).toMatchObject(refused);
          expect(await api(`${other}/lifecycle/suspend`, { method: "POST", headers })).toMatchObject(refused);
        }
      }
    } finally {
      await server.close();
    }
  });

  test("N2 operations of v1 that v2 has announce them, also in refusals; other responses announce nothing", async () => {
    const made = await database();
    const v1Deprecation = new Date("2027-01-01T00:00:00.000Z");
    const v1Sunset = new Date("9999-01-01T00:00:00.000Z");
    const { server, api } = await startApi(made, { v1Deprecation, v1Sunset });
    try {
      await insertUsers(made.options, [storedUser("joe"), storedUser("ann")]);
      const base = `https://localhost:${server.port}/api`;
      const announcing: [path: string, successor: string, call?: Call][] = [
        ["/users?limit=1&sortBy=profile.login", "/users"],
        ["/users/joe?x", "/users/joe"],
        ["/users/joe", "/users/joe", { method: "HEAD" }],
        ["/users/no%20body", "/users/no%20body"],
        ['/users/a"b|c', "/users/a%22b%7Cc"],
        ["/users", "/users", { method: "POST", body: {} }],
        ["/users/joe/lifecycle/suspend", "/users/joe/lifecycle/suspend", { method: "POST" }],
        ["/users", "/users", { headers: { Authorization: "SVC x" } }],
        ["/users", "/users", { headers: { Accept: "text/html" } }],
      ];
      for (const [path, successor, call] of announcing) {
        const { headers } = await api(path, call);
        expect(headers).toMatchObject({ deprecation: "@1798761600", sunset: "Fri, 01 Jan 9999 00:00:00 GMT" });
        const links = String(headers["link"]).split(", ");
        expect(links.at(-1)).toBe(`<${base}/v2${successor}>; rel="successor-version"`);
      }
      const { headers } = await api("/users?limit=1");
      const relations = Array.from(String(headers["link"]).matchAll(/; rel="([^"]*)"/g), ([, relation]) => relation);
      expect(relations).toEqual(["self", "next", "successor-version"]);

      const silent: [path: string, call?: Call][] = [
        ["/zones"],
        ["/idps/nobody"],
        ["/users", { method: "PUT", body: {} }],
        ["/users/joe", { method: "OPTIONS" }],
        ["/users/joe/lifecycle/promote", { method: "POST" }],
        ["/nothing"],
        [`${base}/v2/users`],
        [`${base}/v2/users/joe`],
        [`${base}/v3/users`],
      ];
      for (const [path, call] of silent) {
        const { headers } = await api(path, call);
        for (const field of ["deprecation", "sunset"]) expect(headers).not.toHaveProperty(field);
        expect(String(headers["link"])).not.toContain("successor-version");
      }
    } finally {
      await server.close();
    }
  });

  test("N2 every operation of users in v1 has its successor in v2, and the dates are settings: none by default", async () => {
    const made = await database();
    const settings = { ...buildSettings(), secrets: ["s".repeat(32)] };
    const operations = listApiOperations({ settings, store: {} as Store });
    const { server, api } = await startApi(made);
    try {
      for (const operation of operations) {
        const [method = "", template = ""] = operation.split(" ");
        const path = template.replace(/:\w+/g, "nobody");
        const { headers } = await api(`https://host${path}`, { method, headers: { Authorization: "" } });
        const succeeded = path.startsWith("/api/v1/users");
        expect({ operation, link: headers["link"] }).toEqual({
          operation,
          ...(succeeded && {
            link: `<https://localhost:${server.port}${path.replace("v1", "v2")}>; rel="successor-version"`,
          }),
        });
        if (succeeded) expect(operations).toContain(operation.replace("v1", "v2"));
        for (const field of ["deprecation", "sunset"]) expect(headers).not.toHaveProperty(field);
      }
    } finally {
      await server.close();
    }
  });

  test("N2 from the sunset on these operations of v1 are 410, pages can read it, and all others go on", async () => {
    const made = await database();
    const v1Sunset = new Date("2026-01-01T00:00:00.000Z");
    const { server, api } = await startApi(made, { v1Sunset });
    try {
      const origin = "https://console.example.com";
      const scopes = [{ type: "CORS" }];
      await api("/trustedOrigins", { method: "POST", body: { name: "Console", origin, scopes } });
      const base = `https://localhost:${server.port}/api`;
      for (const [path, method] of [
        ["/users", "GET"],
        ["/users/joe", "DELETE"],
        ["/users/joe/lifecycle/suspend", "POST"],
      ] as const) {
        expect(await api(path, { method, headers: { Origin: origin } })).toMatchObject({
          status: 410,
          body: {
            errorCode: "E0000215",
            errorCauses: [{ errorSummary: 'Version "v1" of this operation has ended.' }],
          },
          headers: {
            sunset: "Thu, 01 Jan 2026 00:00:00 GMT",
            link: `<${base}/v2${path}>; rel="successor-version"`,
            "access-control-allow-origin": origin,
          },
        });
      }
      expect((await api("/trustedOrigins")).status).toBe(200);
      expect((await api("/users", { method: "PUT", body: {} })).status).toBe(405);
      expect((await api(`${base}/v2/users`)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});
