import { startApi } from "../../support/api.js";
import { describeStores } from "../../support/stores.js";
import { insertUsers, storedUser } from "../../support/users.js";

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
      const operations = `${base}/api/v1/users/${id}/lifecycle`;
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
      for (const text of ['profile.login eq "ann"', 'dept eq "Sales"']) {
        const answer = await api(`${v2}?search=${encodeURIComponent(text)}`);
        expect(answer).toMatchObject({ status: 400, body: { errorCode: "E0000094" } });
      }
      expect((await api(`${v2}?sortBy=profile.login`)).body.errorCauses[0].errorSummary).toContain("name.given");

      expect((await api(v2, { method: "POST", body: {} })).status).toBe(405);
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

  test("N2 v1 says on every answer that it ends, and where to go; v2 does not", async () => {
    const made = await database();
    const { server, api } = await startApi(made);
    try {
      await insertUsers(made.options, [storedUser("joe"), storedUser("ann")]);
      const answers = [
        await api("/users?limit=1"),
        await api("/users/joe"),
        await api("/users/nobody"),
        await api("/users", { method: "POST", body: {} }),
        await api("/users", { headers: { Authorization: "SVC x" } }),
        await api("/nothing"),
      ];
      const base = `https://localhost:${server.port}`;
      for (const { headers } of answers) {
        expect(headers["deprecation"]).toMatch(/^@\d+$/);
        const sunset = Date.parse(String(headers["sunset"]));
        expect(sunset).toBeGreaterThan(Number(String(headers["deprecation"]).slice(1)) * 1000);
        expect(sunset).toBeGreaterThan(Date.now());
        expect(String(headers["link"])).toContain(`<${base}/api/v2>; rel="successor-version"`);
      }
      expect(String(answers[0]?.headers["link"])).toContain('rel="next"');
      const { headers } = await api(`${base}/api/v2/users`);
      expect(headers).not.toHaveProperty("deprecation");
      expect(headers).not.toHaveProperty("sunset");
      expect(String(headers["link"])).not.toContain("successor-version");
    } finally {
      await server.close();
    }
  });

  test("N2 after its end v1 is 410, and v2 is there", async () => {
    const now = jest.spyOn(Date, "now").mockReturnValue(Date.parse("9999-01-01T00:00:00.000Z"));
    try {
      const { server, api } = await startApi(await database());
      try {
        expect(await api("/users")).toMatchObject({
          status: 410,
          body: { errorCode: "E0000215" },
          headers: { sunset: expect.any(String) },
        });
        expect((await api(`https://localhost:${server.port}/api/v2/users`)).status).toBe(200);
      } finally {
        await server.close();
      }
    } finally {
      now.mockRestore();
    }
  });
});
