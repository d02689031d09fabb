import type { Org } from "../../src/model/records.js";
import { createTenants, formatBaseUrl, hostName } from "../../src/tenancy/tenants.js";

describe("hostName()", () => {
  it.each([
    ["localhost", "localhost"],
    ["localhost:8443", "localhost"],
    ["Demo.LocalHost:1", "demo.localhost"],
    ["demo.localhost.", "demo.localhost"],
    ["demo.localhost.:8443", "demo.localhost"],
    ["127.0.0.1:8443", "127.0.0.1"],
    ["[::1]:8443", "[::1]"],
    ["[::1]", "[::1]"],
    ["localhost:", "localhost"],
    ["", ""],
  ])("reads %j as %j", (field, expected) => {
    expect(hostName(field)).toBe(expected);
  });
});

describe("formatBaseUrl()", () => {
  it.each([
    ["idp", [], 8443, "https://idp.example:8443"],
    ["idp", ["login.acme.example"], 443, "https://idp.example"],
    ["acme", [], 8443, "https://acme.idp.example:8443"],
    ["acme", [], 443, "https://acme.idp.example"],
    ["acme", [], undefined, "https://acme.idp.example"],
    ["acme", ["login.acme.example", "id.acme.example"], 8443, "https://login.acme.example:8443"],
  ])(
    "S2 begins for %s with the base domain, the first custom domain of %j or the subdomain, and port %s",
    (subdomain, domains, port, expected) => {
      expect(formatBaseUrl({ subdomain, domains }, { baseDomain: "idp.example", defaultOrg: "idp" }, port)).toBe(
        expected,
      );
    },
  );
});

describe("createTenants()", () => {
  function createDirectory(baseDomain: string) {
    const org = (subdomain: string): Org => ({
      id: subdomain,
      subdomain,
      name: subdomain,
      status: "ACTIVE",
      domains: subdomain === "acme" ? ["login.acme.example"] : [],
      rateLimits: {},
      signInUrl: null,
      whenProfileUnavailable: "UNAVAILABLE",
      created: "",
      lastUpdated: "",
    });
    const asked: string[] = [];
    const tenants = createTenants(
      {
        hears: () => true,
        findOrgBySubdomain(subdomain) {
          asked.push(subdomain);
          return Promise.resolve(["demo", "acme"].includes(subdomain) ? org(subdomain) : undefined);
        },
        findOrgByDomain(domain) {
          asked.push(domain);
          return Promise.resolve(domain === "login.acme.example" ? org("acme") : undefined);
        },
      },
      { baseDomain, defaultOrg: "demo", publicPort: () => 8443, maxBytes: 1_000_000 },
    );
    return { asked, find: async (host: string) => (await tenants.get(host))?.org.id };
  }

  it.each([
    ["localhost", "demo"],
    ["127.0.0.1", "demo"],
    ["[::1]", "demo"],
    ["demo.localhost", "demo"],
    ["acme.localhost", "acme"],
    ["login.acme.example", "acme"],
    ["unknown.localhost", undefined],
    ["a.acme.localhost", undefined],
    ["acmelocalhost", undefined],
    [".localhost", undefined],
    ["acme", undefined],
    ["192.0.2.1", undefined],
    ["", undefined],
  ])("finds under localhost for %j: %s", async (host, expected) => {
    expect(await createDirectory("localhost").find(host)).toBe(expected);
  });

  it.each([
    ["idp.example", "demo"],
    ["acme.idp.example", "acme"],
    ["localhost", undefined],
    ["127.0.0.1", undefined],
    ["[::1]", undefined],
  ])("finds under idp.example for %j: %s", async (host, expected) => {
    expect(await createDirectory("idp.example").find(host)).toBe(expected);
  });

  it("asks the store once for a host, known or not", async () => {
    const { asked, find } = createDirectory("localhost");
    for (const host of ["localhost", "localhost", "nobody.localhost", "nobody.localhost"]) await find(host);
    expect(asked).toEqual(["demo", "nobody"]);
  });
});
