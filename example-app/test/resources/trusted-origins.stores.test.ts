import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";

const ORIGIN = { name: "Console", origin: "https://console.example.com", scopes: [{ type: "CORS" }] };

describeApi((openOrg) => {
  let org: TestOrg;
  let api: ApiClient["api"];

  beforeEach(async () => {
    org = await openOrg();
    ({ api } = org);
  });

  const post = (body: unknown, path = "/trustedOrigins") => api(path, { method: "POST", body });

  test("L4 an origin is created, read, replaced, switched off and on, and deleted; its links follow its status", async () => {
    const created = await post(ORIGIN);
    expect(created).toMatchObject({ status: 200, body: { ...ORIGIN, status: "ACTIVE" } });
    const { id, _links } = created.body;
    expect(Object.keys(_links)).toEqual(["self", "deactivate"]);

    expect((await api(_links.self.href)).body).toEqual(created.body);
    const off = await api(_links.deactivate.href, { method: "POST" });
    expect(off).toMatchObject({ status: 200, body: { status: "INACTIVE" } });
    expect(Object.keys(off.body._links)).toEqual(["self", "activate"]);
    expect(await api(_links.deactivate.href, { method: "POST" })).toMatchObject({
      status: 400,
      body: { errorCode: "E0000001", errorCauses: [{ errorSummary: "status: is INACTIVE already" }] },
    });

    const replaced = await api(`/trustedOrigins/${id}`, { method: "PUT", body: { ...ORIGIN, name: "Other" } });
    expect(replaced).toMatchObject({ status: 200, body: { id, name: "Other", status: "INACTIVE" } });
    expect((await api("/trustedOrigins")).body).toMatchObject([{ id, name: "Other" }]);
    expect((await api(`/trustedOrigins/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await api(`/trustedOrigins/${id}`)).status).toBe(404);
  });

  test.each([
    [{ origin: undefined }, "origin: is required"],
    [
      { origin: "https://console.example.com/" },
      "origin: must be an origin as browsers send it, such as https://app.example.com: no path, no default port",
    ],
    [
      { origin: "http://console.example.com" },
      "origin: must be an https origin; http only for localhost, 127.0.0.1 and [::1], because others can change such pages on their way",
    ],
    [{ origin: "http://localhost.example.com" }, expect.stringMatching(/^origin: must be an https origin/)],
    [{ origin: "http://127.0.0.1.example.com:8080" }, expect.stringMatching(/^origin: must be an https origin/)],
    [{ scopes: undefined }, "scopes: is required"],
    [{ scopes: [] }, "scopes: must not be empty"],
    [{ scopes: [{ type: "ALL" }] }, 'scopes[0].type: must be CORS or REDIRECT, not "ALL"'],
    [{ scopes: [{ type: "CORS" }, { type: "CORS" }] }, "scopes: must have each type once"],
    [{ status: "ON" }, 'status: must be ACTIVE or INACTIVE, not "ON"'],
    [{ name: "Other" }, "origin: another TrustedOrigin has it already"],
    [{ origin: "https://other.example.com" }, "name: another TrustedOrigin has it already"],
  ])("E2 what is wrong with an origin is told by field: %j", async (members, cause) => {
    await post(ORIGIN);
    const { status, body } = await post({ ...ORIGIN, ...members });
    expect([status, body.errorCode, body.errorCauses]).toEqual([400, "E0000001", [{ errorSummary: cause }]]);
  });

  test.each([
    "http://localhost",
    "http://localhost:3000",
    "http://127.0.0.1:3000",
    "http://[::1]:3000",
    "capacitor://localhost",
    "https://192.0.2.1",
  ])("O2 the origin %s can be trusted", async (origin) => {
    expect((await post({ ...ORIGIN, origin })).status).toBe(200);
  });

  test("O2 an http origin of an older version stays readable and trusted, and is not written again", async () => {
    const { id } = (await post(ORIGIN)).body;
    const origin = "http://console.example.com";
    await org.store.write(({ db }) =>
      db.updateTable("trusted_origins").set({ origin }).where("org_id", "=", org.id).where("id", "=", id).execute(),
    );
    await post({ ...ORIGIN, name: "Another", origin: "https://another.example.com" }); // so that the server reads them all again
    const path = `/trustedOrigins/${id}`;
    expect((await api(path)).body.origin).toBe(origin);
    expect((await api("/trustedOrigins?q=console")).body).toMatchObject([{ id, origin }]);
    const { headers } = await api("/users", { headers: { Origin: origin } });
    expect(headers["access-control-allow-origin"]).toBe(origin);
    expect((await api(path, { method: "PUT", body: { ...ORIGIN, origin } })).body.errorCode).toBe("E0000001");
    expect((await api(`${path}/lifecycle/deactivate`, { method: "POST" })).status).toBe(200);
    expect((await api(path, { method: "PUT", body: ORIGIN })).body.origin).toBe(ORIGIN.origin);
  });

  describe("a page", () => {
    const get = (origin: string, path = "/users", headers: Record<string, string> = {}) =>
      api(path, { headers: { Origin: origin, ...headers } });

    const preflight = (origin: string, method = "GET", headers = "authorization", path = "/api/v1/users") =>
      org.visit(path, {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": method,
          "Access-Control-Request-Headers": headers,
        },
      });

    /** The CORS fields of an answer, without their common beginning. */
    const corsOf = ({ headers }: Awaited<ReturnType<typeof get>>) =>
      Object.fromEntries(
        Object.entries(headers)
          .filter(([name]) => name.startsWith("access-control-"))
          .map(([name, value]) => [name.slice("access-control-".length), value]),
      );

    const EXPOSED = {
      "allow-origin": ORIGIN.origin,
      "expose-headers": expect.stringMatching(/^(?=.*\bLink\b)(?=.*\bETag\b)(?=.*\bX-Svc-Request-Id\b)/),
    };

    test("O1 of a trusted origin reads the answers, and its preflights are granted the method they ask for", async () => {
      await post(ORIGIN);
      const answer = await get(ORIGIN.origin);
      expect(answer.status).toBe(200);
      expect(corsOf(answer)).toEqual(EXPOSED);
      expect(answer.headers["vary"]).toMatch(/\bOrigin\b/);

      for (const method of ["GET", "POST"]) {
        const granted = await preflight(ORIGIN.origin, method);
        expect([granted.status, granted.text]).toEqual([204, ""]);
        expect(corsOf(granted)).toMatchObject({
          "allow-origin": ORIGIN.origin,
          "allow-methods": method,
          "max-age": "600",
        });
        expect(granted.headers["x-svc-request-id"]).toBeDefined();
      }
      expect((await preflight(ORIGIN.origin, "DELETE")).status).toBe(403);
      expect((await preflight(ORIGIN.origin, "GET", "x-other")).status).toBe(403);
    });

    test("O2 of any other origin is denied: not one that looks alike, not null, not one of another org", async () => {
      await post(ORIGIN);
      const other = await openOrg(() => ({ trustedOrigins: [{ ...ORIGIN, origin: "https://other.example.com" }] }));
      for (const origin of [
        "https://console.example.com:8443",
        "http://console.example.com",
        "https://console.example.com.evil.example",
        "https://evil.example",
        "https://CONSOLE.example.com",
        "https://other.example.com",
        "null",
        "*",
      ]) {
        const answer = await get(origin);
        expect([answer.status, corsOf(answer), answer.headers["vary"]]).toEqual([
          200,
          {},
          expect.stringMatching(/\bOrigin\b/),
        ]);
        const denied = await preflight(origin);
        expect([denied.status, denied.body.errorCode, corsOf(denied)]).toEqual([403, "E0000212", {}]);
        expect(denied.headers["vary"]).toMatch(/\bOrigin\b/);
      }
      const here = await other.api("/users", { headers: { Origin: "https://other.example.com" } });
      expect(corsOf(here)).toMatchObject({ "allow-origin": "https://other.example.com" });
    });

    test("O3 of a trusted origin reads errors too, another page does not", async () => {
      await post(ORIGIN);
      for (const [status, path, headers] of [
        [401, "/users", { Authorization: "SVC unknown" }],
        [404, "/users/unknown", {}],
        [400, "/users?limit=0", {}],
        [406, "/users", { Accept: "text/html" }],
      ] as [number, string, Record<string, string>][]) {
        const answer = await get(ORIGIN.origin, path, headers);
        expect([answer.status, corsOf(answer)]).toEqual([status, EXPOSED]);
        expect(answer.body.errorId).toBe(answer.headers["x-svc-request-id"]);
        expect(corsOf(await get("https://evil.example", path, headers))).toEqual({});
      }
    });

    test("O1 reads nothing of a method that a path does not have", async () => {
      await post(ORIGIN);
      const answer = await api("/users", { method: "DELETE", headers: { Origin: ORIGIN.origin } });
      expect([answer.status, corsOf(answer)]).toEqual([405, {}]);
    });

    test("O2 of an origin that is INACTIVE, or trusted with redirects only, is denied", async () => {
      await post({ ...ORIGIN, status: "INACTIVE" });
      const redirect = { name: "Redirect", origin: "https://redirect.example.com", scopes: [{ type: "REDIRECT" }] };
      await post(redirect);
      for (const { origin } of [ORIGIN, redirect]) {
        expect(corsOf(await get(origin))).toEqual({});
        expect((await preflight(origin)).status).toBe(403);
      }
    });

    test("O2 is believed, or no longer, by the very next request after a change", async () => {
      const isTrusted = async () => "allow-origin" in corsOf(await get(ORIGIN.origin));
      expect(await isTrusted()).toBe(false);
      const { id, _links } = (await post(ORIGIN)).body;
      expect(await isTrusted()).toBe(true);
      await api(_links.deactivate.href, { method: "POST" });
      expect(await isTrusted()).toBe(false);
      await api(_links.self.href, { method: "PUT", body: { ...ORIGIN, status: "ACTIVE" } });
      expect(await isTrusted()).toBe(true);
      await api(_links.self.href, { method: "PUT", body: { ...ORIGIN, scopes: [{ type: "REDIRECT" }] } });
      expect(await isTrusted()).toBe(false);
      await api(_links.self.href, { method: "PUT", body: ORIGIN });
      expect(await isTrusted()).toBe(true);
      await api(`/trustedOrigins/${id}`, { method: "DELETE" });
      expect(await isTrusted()).toBe(false);
    });
  });
});
