import { baseUrlOption, isBaseUrl } from "../../../lib/net/base-url.js";

const MESSAGE =
  "pagination: option `baseUrl` must be an absolute https URL (http only for localhost, 127.0.0.0/8 and [::1]) without user, trailing slash, query or fragment, or a function that returns one";

describe("baseUrlOption", () => {
  it("S2 takes a text, and a function of the request", () => {
    expect(baseUrlOption("pagination", "https://acme.example.com")({})).toBe("https://acme.example.com");
    const perOrg = baseUrlOption("pagination", ({ org }: { org: string }) => `https://${org}.example.com/base`);
    expect(perOrg({ org: "acme" })).toBe("https://acme.example.com/base");
  });

  it("S2 takes http of this machine, from a function too", () => {
    expect(baseUrlOption("pagination", "http://localhost:3000")({})).toBe("http://localhost:3000");
    const perPort = baseUrlOption("pagination", ({ port }: { port: number }) => `http://127.0.0.1:${port}`);
    expect(perPort({ port: 3000 })).toBe("http://127.0.0.1:3000");
  });

  it.each([undefined, "", "http://acme.example.com", "https://acme.example.com/", "https://a.example?b", "/api", 1])(
    "S2 refuses %j at once, and when a function returns it",
    (value) => {
      expect(() => baseUrlOption("pagination", value as string)).toThrow(new TypeError(MESSAGE));
      const perRequest = baseUrlOption("pagination", () => value as string);
      expect(() => perRequest({})).toThrow(new TypeError(MESSAGE));
    },
  );
});

describe("isBaseUrl", () => {
  it.each([
    "https://acme.example.com",
    "https://acme.example.com:8443",
    "https://[2001:db8::1]:8443",
    "https://example.com/tenants/acme",
    "http://localhost:3000",
    "http://acme.localhost:3000/base",
    "http://127.0.0.1:3000",
    "http://127.1.2.3",
    "http://[::1]:8080",
  ])("takes %s", (url) => {
    expect(isBaseUrl(url)).toBe(true);
  });

  it.each([
    "",
    "acme.example.com",
    "//acme.example.com",
    "http://acme.example.com",
    "http://localhost.example.com",
    "http://notlocalhost",
    "http://0.0.0.0:3000",
    "http://128.0.0.1",
    "http://[::2]:3000",
    "http://localhost:3000/",
    "http://localhost:99999",
    "http://user@localhost",
    "http://evil.example\\@localhost",
    "ftp://localhost",
    "https://",
    "https://acme.example.com/",
    "https://acme.example.com/tenant/",
    "https://acme.example.com?x",
    "https://acme.example.com#x",
    "https://user@acme.example.com",
    "https://acme.example.com\\x",
    "https://acme example.com",
    "https://acme.example.com\n",
    "https://[acme]",
    "https://acme.example.com:99999",
  ])("refuses %j", (url) => {
    expect(isBaseUrl(url)).toBe(false);
  });
});
