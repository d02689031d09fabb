import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Parts of import files. Each is sound; a test changes what it is about. */

const DEMO = JSON.parse(readFileSync(join(__dirname, "../../demo.json"), "utf8"));

export const CERTIFICATE: string = DEMO.orgs[0].idps[0].protocol.credentials.trust.certificate;

export const samlIdp = (name: string) => ({
  name,
  type: "SAML2",
  protocol: {
    type: "SAML2",
    endpoints: { sso: { url: "https://idp.example.com/sso", binding: "HTTP-POST" } },
    credentials: { trust: { issuer: "https://idp.example.com", audience: "urn:a", certificate: CERTIFICATE } },
  },
});

export const oidcIdp = (name: string) => ({
  name,
  type: "OIDC",
  protocol: {
    type: "OIDC",
    endpoints: { sso: { url: "https://idp.example/authorize", binding: "HTTP-REDIRECT" } },
  },
});

export const rule = (name: string, ...idps: string[]) => ({
  name,
  conditions: {
    userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: `${name}.example` }] },
  },
  actions: { idp: { providers: idps.length > 0 ? idps.map((idp) => ({ idp })) : [{ type: "SVC" }] } },
});

export const user = (login: string) => ({
  profile: { login, email: "joe@example.com", firstName: "Joe", lastName: "Doe", tags: ["a", "b"], level: 3, on: true },
});

export const zone = (name: string) => ({
  name,
  gateways: [{ type: "CIDR", value: "192.0.2.0/24" }],
  proxies: [{ type: "RANGE", value: "198.51.100.1-198.51.100.9" }],
});

export const trustedOrigin = (name: string) => ({
  name,
  origin: `https://${name.toLowerCase()}.example.com`,
  scopes: [{ type: "CORS" }],
});

export const issuer = (name: string) => ({
  issuer: `https://${name}.example.com`,
  audience: "api",
  keys: `https://${name}.example.com/keys?v=1`,
});

/** An org that has one of everything, in the order of an export. */
export const fullOrg = (subdomain: string) => ({
  subdomain,
  name: `The ${subdomain} org`,
  domains: [`id.${subdomain}.example`, `login.${subdomain}.example`],
  rateLimits: { discovery: 12_000, logs: 30 },
  idps: [
    samlIdp("Contoso"),
    {
      name: "Google",
      type: "GOOGLE",
      status: "INACTIVE",
      protocol: {
        type: "OIDC",
        endpoints: { sso: { url: "http://127.0.0.1:9/authorize?x=1", binding: "HTTP-REDIRECT" } },
        credentials: { client: { clientId: "abc" } },
      },
    },
  ],
  zones: [{ name: "Empty", status: "INACTIVE" }, zone("Office")],
  trustedOrigins: [
    trustedOrigin("Console"),
    { ...trustedOrigin("Other"), scopes: [{ type: "REDIRECT" }, { type: "CORS" }], status: "INACTIVE" },
  ],
  issuers: [{ ...issuer("test"), issuer: "http://localhost:9000/realm", types: ["at+jwt", "JWT"] }, issuer("login")],
  users: [{ ...user("ann"), status: "SUSPENDED" }, user("Joe@Example.com")],
  rules: [
    {
      ...rule("first", "Contoso", "Google"),
      conditions: {
        network: { connection: "ZONE", include: ["Office", "ALL_ZONES"], exclude: ["Empty"] },
        platform: { include: [{ type: "MOBILE", os: { type: "IOS" } }], exclude: [{ type: "DESKTOP" }] },
        userIdentifier: {
          type: "ATTRIBUTE",
          attribute: "department",
          patterns: [{ matchType: "EQUALS", value: "Vertrieb äöü€" }],
        },
      },
    },
    { ...rule("second"), status: "INACTIVE" },
    rule("third", "Contoso"),
  ],
});

export const textOf = (...orgs: unknown[]): string => JSON.stringify({ orgs }, null, 2);
