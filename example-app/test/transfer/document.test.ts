import { generateKeyPairSync } from "node:crypto";
import { formatPath } from "../../src/model/faults.js";
import { LIMITS } from "../../src/model/shapes.js";
import { readDocument } from "../../src/transfer/document.js";
import { CERTIFICATE, fullOrg, issuer, rule, samlIdp, trustedOrigin, user, zone } from "../support/documents.js";

/** What is reported of a document. */
function faultsOf(document: unknown): string[] {
  const faults: string[] = [];
  readDocument(document, "SVC", (path, reason) => faults.push(`${formatPath(path)}: ${reason}`));
  return faults;
}

const base = () => ({ subdomain: "acme", name: "Acme" });
const faultsOfOrg = (members: object) => faultsOf({ orgs: [{ ...base(), ...members }] });
const faultsOfIdp = (members: object) => faultsOfOrg({ idps: [{ ...samlIdp("Contoso"), ...members }] });
const faultsOfRule = (members: object) => faultsOfOrg({ rules: [{ ...rule("r"), ...members }] });
const faultsOfOrigin = (members: object) =>
  faultsOfOrg({ trustedOrigins: [{ ...trustedOrigin("Console"), ...members }] });
const faultsOfIssuer = (members: object) => faultsOfOrg({ issuers: [{ ...issuer("login"), ...members }] });
const faultsOfCondition = (conditions: object) => faultsOfRule({ conditions });
const faultsOfProfile = (members: object) =>
  faultsOfOrg({ users: [{ profile: { ...user("joe").profile, ...members } }] });

const withProtocol = (change: (protocol: ReturnType<typeof samlIdp>["protocol"]) => void) => {
  const idp = samlIdp("Contoso");
  change(idp.protocol);
  return faultsOfOrg({ idps: [idp] });
};

describe("readDocument", () => {
  it("takes an org with one of everything", () => {
    const faults: unknown[] = [];
    const orgs = readDocument({ orgs: [fullOrg("acme")] }, "SVC", (...fault) => faults.push(fault));
    expect(faults).toEqual([]);
    expect(orgs).toMatchObject([
      {
        path: ["orgs", 0],
        value: { subdomain: "acme" },
        idps: [{ path: ["orgs", 0, "idps", 0] }, {}],
        rules: [{}, {}, {}],
      },
    ]);
  });

  it("takes an org of nothing but its name, and no org at all", () => {
    expect(faultsOf({ orgs: [base()] })).toEqual([]);
    expect(faultsOf({ orgs: [] })).toEqual([]);
  });

  it.each([
    [null, ": must be an object, not null"],
    [[], ": must be an object, not []"],
    [{}, "orgs: is required"],
    [{ orgs: {} }, "orgs: must be an array, not {}"],
    [{ orgs: [7] }, "orgs[0]: must be an object, not 7"],
    [{ orgs: [], users: [] }, "users: is unknown; the keys here are orgs"],
  ])("refuses %j", (document, fault) => {
    expect(faultsOf(document)).toEqual([fault]);
  });

  it("reports all that is wrong at once, also in records of an org that is wrong itself", () => {
    const rules = [{ ...rule("r"), priority: 1 }, { name: 5 }];
    expect(
      faultsOf({
        orgs: [
          { subdomain: "No", idps: [{}], zones: 1, rules },
          { ...base(), x: 1 },
        ],
      }),
    ).toEqual([
      "orgs[0].subdomain: must be 1 to 63 lower-case letters, digits and inner hyphens",
      "orgs[0].name: is required",
      "orgs[0].zones: must be an array, not 1",
      "orgs[0].idps[0].name: is required",
      "orgs[0].idps[0].type: is required",
      "orgs[0].idps[0].protocol: is required",
      "orgs[0].rules[0].priority: is unknown; the keys here are id, name, status, conditions, actions",
      "orgs[0].rules[1].name: must be a string, not 5",
      "orgs[0].rules[1].actions: is required",
      "orgs[1].x: is unknown; the keys here are subdomain, name, status, domains, policyId, rateLimits, signInUrl, whenProfileUnavailable, idps, zones, trustedOrigins, issuers, users, rules, routingTests, defaultRule",
    ]);
  });

  it("knows unknown keys in every record, and prototypes among them", () => {
    const text = JSON.stringify({ orgs: [fullOrg("acme")] });
    const objects = /(?<!"profile":)\{/g;
    const faults = faultsOf(JSON.parse(text.replaceAll(objects, '{"__proto__":{"a":1},"x":1,')));
    for (const key of ["x", "__proto__"]) {
      const unknown = faults.filter((fault) => fault.includes(`${key}: is unknown; the keys here are `));
      expect(unknown).toHaveLength([...text.matchAll(objects)].length);
    }
  });

  describe("what an org is known by", () => {
    it.each(["a", "a-b", "0", "x".repeat(63), "xn--bcher-kva"])("takes the subdomain %s", (subdomain) => {
      expect(faultsOfOrg({ subdomain })).toEqual([]);
    });

    it.each(["", "A", "a.b", "-a", "a-", "ä", "a b", "a\n", "x".repeat(64)])(
      "refuses the subdomain %j",
      (subdomain) => {
        expect(faultsOfOrg({ subdomain })).toHaveLength(1);
      },
    );

    it.each(["id.example.com", "a.b", "xn--bcher-kva.example", `${"a".repeat(63)}.example`, "1.2.3.4.example"])(
      "takes the domain %s",
      (domain) => {
        expect(faultsOfOrg({ domains: [domain] })).toEqual([]);
      },
    );

    it.each(
      [
        [
          "",
          "localhost",
          "ID.example.com",
          "id.example.com.",
          "a..b",
          "192.0.2.1",
          "bücher.example",
          "a.b:443",
          "*.a.b",
        ],
        [`${"a".repeat(64)}.example`, "https://a.b", "a.b/", "-a.b", "[::1]", "a_b.example"],
      ].flat(),
    )("refuses the domain %j", (domain) => {
      expect(faultsOfOrg({ domains: [domain] })).toEqual([
        "orgs[0].domains[0]: must be a domain name such as id.example.com, in lower case",
      ]);
    });

    it("takes domains of 253 characters and no more", () => {
      const domain = (length: number) => `${"a.".repeat(100)}${"b".repeat(length - 203)}.co`.slice(0, length);
      expect(
        [252, 253, 254].map((length) => [domain(length).length, faultsOfOrg({ domains: [domain(length)] }).length]),
      ).toEqual([
        [252, 0],
        [253, 0],
        [254, 1],
      ]);
    });

    it("refuses what is there twice, in any org", () => {
      const one = { ...base(), domains: ["a.example", "b.example"] };
      const two = { ...base(), domains: ["c.example", "a.example"] };
      expect(faultsOf({ orgs: [one, two] })).toEqual([
        'orgs[1].subdomain: is there twice: "acme"',
        'orgs[1].domains[1]: is there twice: "a.example"',
      ]);
    });
  });

  describe("names and ids", () => {
    it("refuses records of one kind with one name, id or login", () => {
      const id = "0123456789abcdefghij";
      const idps = [{ ...samlIdp("A"), id }, { ...samlIdp("B"), id }, samlIdp("A")];
      const rules = [rule("r"), rule("r")];
      const users = [user("Joe"), user("JOE")];
      const zones = [zone("A"), zone("z"), zone("z")];
      expect(faultsOfOrg({ idps, rules, users, zones })).toEqual([
        'orgs[0].idps[2].name: is there twice: "A"',
        'orgs[0].zones[2].name: is there twice: "z"',
        'orgs[0].rules[1].name: is there twice: "r"',
        'orgs[0].users[1].profile.login: is there twice: "joe"',
        'orgs[0].idps[1].id: is there twice: "0123456789abcdefghij"',
      ]);
    });

    it.each(["", " a", "a ", "a\nb", "a\u2028b", "\ta", "a\u0085", 5, null])("refuses the name %j", (name) => {
      expect(faultsOfIdp({ name })).not.toEqual([]);
    });

    it.each(["a", "Öl & Gas <b>", "日本"])("takes the name %j", (name) => {
      expect(faultsOfIdp({ name })).toEqual([]);
    });

    it.each(["", "x".repeat(19), "x".repeat(21), `${"x".repeat(19)}-`, "SVC"])("refuses the id %j", (id) => {
      expect(faultsOfIdp({ id })).toEqual([
        "orgs[0].idps[0].id: must be 20 letters and digits, as in an export; leave it out for a new one",
      ]);
    });

    it("refuses the names that stand for something else", () => {
      expect(faultsOfOrg({ zones: [zone("ALL_ZONES")], rules: [rule("Default Rule")] })).toEqual([
        "orgs[0].zones[0].name: can't be ALL_ZONES, which stands for all zones in a rule",
        "orgs[0].rules[0].name: is the name of the rule that every org has at its end",
      ]);
    });
  });

  describe("identity providers", () => {
    it.each([
      [
        "type",
        { type: "CARD" },
        'type: must be SAML2, OIDC, APPLE, FACEBOOK, GITHUB, GITLAB, GOOGLE, LINKEDIN or MICROSOFT, not "CARD"',
      ],
      ["status", { status: "active" }, 'status: must be ACTIVE or INACTIVE, not "active"'],
      ["status null", { status: null }, "status: must be ACTIVE or INACTIVE, not null"],
      ["protocol of SAML2", { type: "OIDC" }, "protocol.type: must be OIDC for an identity provider of the type OIDC"],
      [
        "protocol of others",
        { type: "GITHUB" },
        "protocol.type: must be OIDC or OAUTH2 for an identity provider of the type GITHUB",
      ],
    ])("refuses a wrong %s", (_what, members, fault) => {
      expect(faultsOfIdp(members)).toEqual([`orgs[0].idps[0].${fault}`]);
    });

    it.each([
      ["https://idp.example.com/sso"],
      ["http://127.0.0.1:8080/a?b=c%20d"],
      ["HTTPS://[::1]/"],
      [`https://a.example/${"x".repeat(LIMITS.text - 18)}`],
    ])("takes the address %.60s", (url) => {
      expect(withProtocol(({ endpoints }) => (endpoints.sso.url = url))).toEqual([]);
    });

    it.each(
      [
        [
          "",
          "/sso",
          "ftp://a.example",
          "javascript:alert(1)",
          "https://",
          "https:a.example",
          "//a.example/",
          "https://a b/",
        ],
        ["https://joe@a.example/", "https://joe:x@a.example/", "https://a.example/#x", "https://a.example/#"],
        [
          " https://a.example/",
          "https://a.example/\n",
          "https://a.example/\tb",
          "https://bücher.example/",
          "https://a:99999/",
        ],
      ].flat(),
    )("refuses the address %j", (url) => {
      expect(withProtocol(({ endpoints }) => (endpoints.sso.url = url))).toEqual([
        "orgs[0].idps[0].protocol.endpoints.sso.url: must be an https or http URL without user name, fragment and white space",
      ]);
    });

    it.each([
      ["the base64 alone", CERTIFICATE.replaceAll(/-----.*-----\n/g, "")],
      ["two of them", CERTIFICATE + CERTIFICATE],
      ["a private key beside it", `${CERTIFICATE}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`],
      ["a damaged one", CERTIFICATE.replace("MII", "MIJ")],
      ["an empty one", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"],
      ["nothing", ""],
    ])("refuses as a certificate %s", (_what, certificate) => {
      expect(withProtocol(({ credentials }) => (credentials.trust.certificate = certificate))).toEqual([
        "orgs[0].idps[0].protocol.credentials.trust.certificate: must be one certificate in PEM form, -----BEGIN CERTIFICATE----- and so on",
      ]);
    });

    it("takes a certificate with other line ends and white space around it", () => {
      const certificate = `\n${CERTIFICATE.replaceAll("\n", "\r\n")}\n\n`;
      expect(withProtocol(({ credentials }) => (credentials.trust.certificate = certificate))).toEqual([]);
    });
  });

  describe("zones", () => {
    const faultsOfRange = (range: object) => faultsOfOrg({ zones: [{ ...zone("z"), gateways: [range] }] });

    it.each([
      ["CIDR", "192.0.2.0/24"],
      ["CIDR", "2001:db8::/32"],
      ["RANGE", "192.0.2.1"],
      ["RANGE", "2001:db8::1-2001:db8::ffff"],
    ])("takes a %s such as %s", (type, value) => {
      expect(faultsOfRange({ type, value })).toEqual([]);
    });

    it.each([
      ["CIDR", "192.0.2.1", "must be a block such as 192.0.2.0/24"],
      ["RANGE", "192.0.2.0/24", "must be 192.0.2.1 or 192.0.2.1-192.0.2.9"],
      ["CIDR", "192.0.2.0/33", /^".*" must end in a prefix length/],
      ["CIDR", "192.0.2.1/24", /has bits set outside its prefix/],
      ["RANGE", "192.0.2.9-192.0.2.1", /ends before it starts/],
      ["RANGE", "192.0.2.1-2001:db8::1", /mixes/],
      ["RANGE", "host.example", /./],
      ["RANGE", "", /./],
    ])("refuses as %s %j", (type, value, reason) => {
      const [fault, ...others] = faultsOfRange({ type, value });
      expect(others).toEqual([]);
      expect(fault?.slice("orgs[0].zones[0].gateways[0].value: ".length)).toMatch(reason);
    });

    it.each(["0.0.0.0/0", "::/0"])("C3 lets gateways be %s, and no proxies: everyone would be believed", (value) => {
      const everyone = { type: "CIDR", value };
      expect(faultsOfOrg({ zones: [{ ...zone("z"), gateways: [everyone] }] })).toEqual([]);
      expect(faultsOfOrg({ zones: [{ ...zone("z"), proxies: [everyone] }] })).toEqual([
        `orgs[0].zones[0].proxies[0].value: "${value}" has more addresses than a ${value === "::/0" ? "/16" : "/8"}; list the proxies`,
      ]);
    });
  });

  describe("trusted origins", () => {
    it.each(["https://a.example", "http://localhost:3000", "https://[::1]:8443", "capacitor://localhost"])(
      "O2 takes the origin %s",
      (origin) => {
        expect(faultsOfOrigin({ origin })).toEqual([]);
      },
    );

    it.each([
      "null",
      "*",
      "https://*.example.com",
      "https://a.example/",
      "https://A.example",
      "https://a.example:443",
      "",
    ])("O2 refuses the origin %j", (origin) => {
      expect(faultsOfOrigin({ origin })).toEqual([
        "orgs[0].trustedOrigins[0].origin: must be an origin as browsers send it, such as https://app.example.com: no path, no default port",
      ]);
    });

    it("O2 refuses an http origin, unless it is of this machine", () => {
      expect(faultsOfOrigin({ origin: "http://console.example.com" })).toEqual([
        expect.stringMatching(
          /^orgs\[0\]\.trustedOrigins\[0\]\.origin: must be an https origin; http only for localhost/,
        ),
      ]);
      expect(faultsOfOrigin({ origin: "http://localhost:3000" })).toEqual([]);
    });

    it("takes origins of 300 characters and no more", () => {
      const origin = (length: number) => `https://${"a".repeat(length - 8)}`;
      expect([299, 300, 301].map((length) => faultsOfOrigin({ origin: origin(length) }).length)).toEqual([0, 0, 1]);
    });

    it.each([
      [[], "scopes: must not be empty"],
      [[{ type: "ALL" }], 'scopes[0].type: must be CORS or REDIRECT, not "ALL"'],
      [[{ type: "CORS" }, { type: "CORS" }], "scopes: must have each type once"],
      [["CORS"], 'scopes[0]: must be an object, not "CORS"'],
    ])("refuses the scopes %j", (scopes, fault) => {
      expect(faultsOfOrigin({ scopes })).toEqual([`orgs[0].trustedOrigins[0].${fault}`]);
    });

    it("refuses one origin under two names", () => {
      const trustedOrigins = [trustedOrigin("Console"), { ...trustedOrigin("Console"), name: "Other" }];
      expect(faultsOfOrg({ trustedOrigins })).toEqual([
        'orgs[0].trustedOrigins[1].origin: is there twice: "https://console.example.com"',
      ]);
    });
  });

  describe("issuers", () => {
    const key = { kty: "OKP", crv: "Ed25519", x: "PJYleNokNaTLHx96uAkb5MTIoTDvjvsdbSU8aRxyPcM", kid: "1", use: "sig" };
    const faultsOfKey = (members: object) => faultsOfIssuer({ keys: { keys: [{ ...key, ...members }] } });

    it.each([
      "https://a.example",
      "https://a.example/realms/x",
      "http://localhost:9000",
      "http://127.0.0.1",
      "http://[::1]/",
    ])("takes the issuer %s", (text) => {
      expect(faultsOfIssuer({ issuer: text, keys: `${text}/keys?x=1` })).toEqual([]);
    });

    it.each([
      "",
      "a",
      "http://a.example",
      "https://joe@a.example",
      "https://a.example?x",
      "https://a.example#x",
      "ftp://localhost",
    ])("refuses the issuer %j", (text) => {
      expect(faultsOfIssuer({ issuer: text })).toEqual([
        "orgs[0].issuers[0].issuer: must be an https URL (http on the loopback) without user name, query, fragment and white space",
      ]);
    });

    it.each(["", "http://a.example/keys", "https://a.example/#x", "file:///etc/passwd"])(
      "refuses keys at %j",
      (keys) => {
        expect(faultsOfIssuer({ keys })).toEqual([
          "orgs[0].issuers[0].keys: must be an https URL (http on the loopback)",
        ]);
      },
    );

    it.each([
      [undefined, 1],
      ["", 1],
      ["a", 0],
      ["a".repeat(255), 0],
      ["a".repeat(256), 1],
      [["a"], 1],
      [" a", 1],
    ])("takes an audience of 1 to 255 characters: %j", (audience, count) => {
      expect(faultsOfIssuer({ audience })).toHaveLength(count);
    });

    it.each([[7], [null], [[]], [{}], [{ keys: {} }], [{ keys: [7] }]])("refuses the keys %j", (keys) => {
      expect(faultsOfIssuer({ keys })).toEqual([
        'orgs[0].issuers[0].keys: must be the URL of a key set (https, or http on the loopback), or { "keys": [ … ] } with public keys',
      ]);
    });

    it("refuses other members beside the keys", () => {
      expect(faultsOfIssuer({ keys: { keys: [key], kid: "1" } })).toEqual([
        "orgs[0].issuers[0].keys.kid: is unknown; the keys here are keys",
      ]);
    });

    it("takes public keys, with members of any name", () => {
      const { publicKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const { publicKey: ec } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const keys = [key, ...[rsa, ec].map((one) => ({ ...one.export({ format: "jwk" }), alg: "x", other: [1] }))];
      expect(faultsOfIssuer({ keys: { keys } })).toEqual([]);
    });

    it.each(["d", "p", "q", "dp", "dq", "qi", "oth", "k"])("A2 refuses a key with the private member %s", (member) => {
      const [fault] = faultsOfKey({ [member]: "c2VjcmV0" });
      expect(fault).toBe(
        `orgs[0].issuers[0].keys.keys[0]: must be a public key; the member ${member} makes it a secret one`,
      );
    });

    it("A2 does not repeat what may be a secret", () => {
      const keys = { keys: [{ kty: "oct", k: "c2VjcmV0" }], other: 1 };
      expect(faultsOfIssuer({ keys }).join()).not.toContain("c2VjcmV0");
    });

    it.each([
      [{ kty: "oct" }, "must be a public key; kty oct makes it a secret one"],
      [{ kty: "AKP" }, "must be a public JSON Web Key of the kty RSA, EC or OKP"],
      [{ x: "AAAA" }, "must be a public JSON Web Key of the kty RSA, EC or OKP"],
      [{ kty: undefined }, "must be a public JSON Web Key of the kty RSA, EC or OKP"],
    ])("refuses a key with %j", (members, fault) => {
      expect(faultsOfKey(members)).toEqual([`orgs[0].issuers[0].keys.keys[0]: ${fault}`]);
    });

    it("refuses an RSA key that is too short to be used", () => {
      const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
      expect(faultsOfIssuer({ keys: { keys: [publicKey.export({ format: "jwk" })] } })).toEqual([
        "orgs[0].issuers[0].keys.keys[0]: is an RSA key of 1024 bits; at least 2048 are needed",
      ]);
    });

    it("takes 1 to 5 types of tokens, of at most 64 characters", () => {
      const types = (...list: unknown[]) => faultsOfIssuer({ types: list });
      expect([0, 1, 4, 5, 6].map((count) => types(...Array<string>(count).fill("JWT")).length)).toEqual([
        1, 0, 0, 0, 1,
      ]);
      expect([63, 64, 65].map((length) => types("x".repeat(length)).length)).toEqual([0, 0, 1]);
      expect(types("at+jwt", "application/at+jwt", "x.y")).toEqual([]);
      for (const wrong of ["", " JWT", "a/b/c", "ä"]) {
        expect(types(wrong)).toEqual(["orgs[0].issuers[0].types[0]: must be a type such as at+jwt or JWT"]);
      }
    });

    it("takes 1 to 100 keys, of at most 16,384 characters, and 10 issuers", () => {
      const set = (count: number) => faultsOfIssuer({ keys: { keys: Array(count).fill(key) } }).length;
      expect([0, 1, 99, 100, 101].map(set)).toEqual([1, 0, 0, 0, 1]);
      const rest = JSON.stringify({ ...key, x5c: "" }).length;
      const long = (length: number) => faultsOfKey({ x5c: "x".repeat(length - rest) }).length;
      expect([16_383, 16_384, 16_385].map(long)).toEqual([0, 0, 1]);
      const issuers = (count: number) =>
        faultsOfOrg({ issuers: Array.from({ length: count }, (_, i) => issuer(`i${i}`)) });
      expect([9, 10, 11].map(issuers)).toEqual([
        [],
        [],
        ["orgs[0].issuers: is too long: 11 elements; at most 10 are allowed"],
      ]);
    });

    it("refuses an issuer that is there twice", () => {
      expect(faultsOfOrg({ issuers: [issuer("a"), { ...issuer("a"), audience: "other" }] })).toEqual([
        'orgs[0].issuers[1].issuer: is there twice: "https://a.example.com"',
      ]);
    });
  });

  describe("rules", () => {
    it.each([
      [{ network: { connection: "ZONE" } }, "network.connection: is ZONE, so include or exclude must name zones"],
      [
        { network: { connection: "ANYWHERE", include: ["a"] } },
        "network.connection: must be ZONE where zones are given",
      ],
      [{ network: { connection: "ZONE", include: [] } }, "network.include: must not be empty"],
      [
        { platform: { include: [{ type: "PHONE" }] } },
        'platform.include[0].type: must be ANY, DESKTOP, MOBILE or OTHER, not "PHONE"',
      ],
      [
        { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "REGEX", value: "a" }] } },
        'userIdentifier.patterns[0].matchType: must be SUFFIX, EQUALS, STARTS_WITH or CONTAINS, not "REGEX"',
      ],
      [
        { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "" }] } },
        "userIdentifier.patterns[0].value: must not be empty",
      ],
      [
        { userIdentifier: { type: "IDENTIFIER", attribute: "a", patterns: [] } },
        "userIdentifier.attribute: goes with the type ATTRIBUTE only",
      ],
      [
        { userIdentifier: { type: "ATTRIBUTE", patterns: [{ matchType: "SUFFIX", value: "a" }] } },
        "userIdentifier.attribute: is required with the type ATTRIBUTE",
      ],
      [
        { userIdentifier: { type: "ATTRIBUTE", attribute: "a", patterns: [] } },
        "userIdentifier.patterns: must be one pattern with the type ATTRIBUTE",
      ],
      [
        { userIdentifier: { type: "ATTRIBUTE", attribute: "a b", patterns: [{ matchType: "SUFFIX", value: "a" }] } },
        "userIdentifier.attribute: must be 1 to 64 letters, digits and _, a letter first",
      ],
      [{ risk: 1 }, "risk: is unknown; the keys here are network, platform, userIdentifier"],
    ])("refuses the conditions %j", (conditions, fault) => {
      expect(faultsOfCondition(conditions)).toEqual([`orgs[0].rules[0].conditions.${fault}`]);
    });

    it("takes identifier conditions without patterns, which everyone meets", () => {
      expect(faultsOfCondition({ userIdentifier: { type: "IDENTIFIER", patterns: [] } })).toEqual([]);
    });

    it.each([[{}], [{ idp: "a", type: "SVC" }]])("refuses the provider %j", (provider) => {
      expect(faultsOfRule({ actions: { idp: { providers: [provider] } } })).toEqual([
        'orgs[0].rules[0].actions.idp.providers[0]: must be { "idp": "<name>" } or { "type": "SVC" }',
      ]);
    });

    const criterion = { propertyName: "name", providerExpression: "login.identifier" };
    const fault = "matchCriteria: must be an array with one criterion";

    it.each([
      [{ idpSelectionType: "SPECIFIC", providers: [{ type: "SVC" }] }, []],
      [{ idpSelectionType: "DYNAMIC", matchCriteria: [criterion] }, []],
      [{ idpSelectionType: "DYNAMIC", matchCriteria: [] }, [fault]],
      [{ idpSelectionType: "DYNAMIC", matchCriteria: [criterion, criterion] }, [fault]],
      [{ idpSelectionType: null }, ["idpSelectionType: must be SPECIFIC or DYNAMIC, not null"]],
      [
        { matchCriteria: [{ ...criterion, providerExpression: "login" }] },
        ["providers: is required", "matchCriteria: goes with the idpSelectionType DYNAMIC only"],
      ],
      [
        { idpSelectionType: "DYNAMIC", matchCriteria: [{ ...criterion, providerExpression: "login" }], risk: 1 },
        [
          'matchCriteria[0].providerExpression: found "login" at offset 0, expected login.identifier',
          "risk: is unknown; the keys here are idpSelectionType, providers, matchCriteria",
        ],
      ],
    ])("W4 checks the selection %j", (idp, faults) => {
      expect(faultsOfRule({ actions: { idp } })).toEqual(
        faults.map((fault) => `orgs[0].rules[0].actions.idp.${fault}`),
      );
    });

    it("W4 refuses a default rule that may have no answer", () => {
      const idp = { idpSelectionType: "DYNAMIC", matchCriteria: [criterion] };
      expect(faultsOfOrg({ defaultRule: { actions: { idp } } })).toEqual([
        "orgs[0].defaultRule.actions.idp.idpSelectionType: of the default rule must be SPECIFIC",
      ]);
    });

    it("refuses another type than that of the org itself", () => {
      expect(faultsOfRule({ actions: { idp: { providers: [{ type: "ACME" }] } } })).toEqual([
        'orgs[0].rules[0].actions.idp.providers[0].type: must be SVC, not "ACME"',
      ]);
    });

    it("N4 takes the name of the namespace for the org itself", () => {
      const document = {
        orgs: [{ ...base(), rules: [{ ...rule("r"), actions: { idp: { providers: [{ type: "ACME" }] } } }] }],
      };
      const faults: unknown[] = [];
      readDocument(document, "ACME", (...fault) => faults.push(fault));
      expect(faults).toEqual([]);
    });
  });

  describe("users", () => {
    it.each([
      [{ login: "" }, "login: must not be empty"],
      [{ login: undefined }, "login: is required"],
      [{ email: "joe" }, "email: must be an e-mail address"],
      [{ email: "a@b@c" }, "email: must be an e-mail address"],
      [{ firstName: 5 }, "firstName: must be a string, not 5"],
      [{ "first name": "a" }, /\["first name"\]: is no attribute name/],
      [{ n: null }, /^orgs\[0\]\.users\[0\]\.profile\.n: must be a text of at most 2048 characters, .*, not null$/],
      [{ n: { a: 1 } }, /\.n: must be .*, not \{"a":1\}$/],
      [{ n: [1, "a"] }, /\.n: must be .*, not \[1,"a"\]$/],
      [{ n: [[]] }, /\.n: must be/],
    ])("refuses the profile attribute %j", (members, fault) => {
      const faults = faultsOfProfile(members);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(typeof fault === "string" ? `orgs[0].users[0].profile.${fault}` : fault);
    });

    it("refuses numbers that JSON writes and no double holds", () => {
      const document: unknown = JSON.parse(
        JSON.stringify({ orgs: [{ ...base(), users: [user("joe")] }] }).replace("3", "1e999"),
      );
      expect(faultsOf(document)).toHaveLength(1);
    });

    it("takes texts, numbers, booleans and arrays of texts or numbers", () => {
      expect(faultsOfProfile({ a: "", b: -1.5, c: false, d: [], e: ["a"], f: [1, 2], G_1: "two\nlines" })).toEqual([]);
    });

    it("refuses a status that is none", () => {
      expect(faultsOfOrg({ users: [{ ...user("a"), status: "GONE" }] })).toEqual([
        expect.stringMatching(/status: must be STAGED, PROVISIONED, .* or DEPROVISIONED, not "GONE"$/),
      ]);
    });
  });

  describe("limits", () => {
    const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));
    const padded = (length: number) => CERTIFICATE.padEnd(length, "\n");
    const idpWithTrust = (trust: object) =>
      withProtocol((protocol) => (protocol.credentials.trust = { ...protocol.credentials.trust, ...trust }));
    const patterns = (length: number) => list(length, (i) => ({ matchType: "EQUALS", value: String(i) }));

    it.each<[string, number, (n: number) => string[]]>([
      ["characters of a name", LIMITS.name, (n) => faultsOfIdp({ name: "x".repeat(n) })],
      ["characters of an org's name", LIMITS.name, (n) => faultsOfOrg({ name: "x".repeat(n) })],
      ["characters of a login", LIMITS.login, (n) => faultsOfProfile({ login: "x".repeat(n) })],
      [
        "characters of an address",
        LIMITS.text,
        (n) => withProtocol(({ endpoints }) => (endpoints.sso.url = "https://a/".padEnd(n, "x"))),
      ],
      ["characters of an issuer", LIMITS.text, (n) => idpWithTrust({ issuer: "x".repeat(n) })],
      ["characters of a certificate", LIMITS.certificate, (n) => idpWithTrust({ certificate: padded(n) })],
      [
        "characters of a pattern",
        LIMITS.pattern,
        (n) =>
          faultsOfCondition({
            userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "EQUALS", value: "x".repeat(n) }] },
          }),
      ],
      ["domains", LIMITS.domains, (n) => faultsOfOrg({ domains: list(n, (i) => `a${i}.example`) })],
      ["providers", 10, (n) => faultsOfRule({ actions: { idp: { providers: list(n, () => ({ type: "SVC" })) } } })],
      ["patterns", 1_000, (n) => faultsOfCondition({ userIdentifier: { type: "IDENTIFIER", patterns: patterns(n) } })],
      [
        "platforms",
        LIMITS.platforms,
        (n) => faultsOfCondition({ platform: { include: list(n, () => ({ type: "ANY" })) } }),
      ],
      [
        "gateways",
        150,
        (n) =>
          faultsOfOrg({
            zones: [{ ...zone("z"), gateways: list(n, (i) => ({ type: "RANGE", value: `192.0.2.${i}` })) }],
          }),
      ],
      [
        "proxies",
        150,
        (n) =>
          faultsOfOrg({
            zones: [{ ...zone("z"), proxies: list(n, (i) => ({ type: "RANGE", value: `192.0.2.${i}` })) }],
          }),
      ],
      [
        "zones of a condition",
        150,
        (n) => faultsOfCondition({ network: { connection: "ZONE", exclude: list(n, String) } }),
      ],
      [
        "attributes of a profile",
        LIMITS.attributes,
        (n) =>
          faultsOfOrg({
            users: [
              {
                profile: {
                  login: "a",
                  email: "a@b",
                  firstName: "a",
                  lastName: "b",
                  ...Object.fromEntries(list(n - 4, (i) => [`a${i}`, i])),
                },
              },
            ],
          }),
      ],
      ["texts of an attribute", LIMITS.elements, (n) => faultsOfProfile({ a: list(n, String) })],
      ["numbers of an attribute", LIMITS.elements, (n) => faultsOfProfile({ a: list(n, Number) })],
      ["characters of an attribute", LIMITS.text, (n) => faultsOfProfile({ a: "x".repeat(n) })],
      ["characters of an attribute's name", 64, (n) => faultsOfProfile({ ["x".repeat(n)]: 1 })],
    ])("takes as many %s as are allowed, and not one more", (_what, limit, faults) => {
      expect([limit - 1, limit, limit + 1].map((n) => faults(n).length)).toEqual([0, 0, 1]);
    });

    it("S8 takes rate limits from 1 to 1,000,000, of the classes that there are", () => {
      const faults = [0, 1, 2, 999_999, 1_000_000, 1_000_001, 1.5, "5"].map((read) =>
        faultsOfOrg({ rateLimits: { read } }),
      );
      expect(faults.map(({ length }) => length)).toEqual([1, 0, 0, 0, 0, 1, 1, 1]);
      expect(faultsOfOrg({ rateLimits: { reads: 1 } })).toEqual([
        "orgs[0].rateLimits.reads: is unknown; the keys here are discovery, signOn, failures, read, write, logs",
      ]);
    });

    it("says how many there are and how many are allowed", () => {
      expect(faultsOfIdp({ name: "x".repeat(129) })).toEqual([
        "orgs[0].idps[0].name: is too long: 129 characters; at most 128 are allowed",
      ]);
      expect(faultsOfRule({ actions: { idp: { providers: list(11, () => ({ type: "SVC" })) } } })).toEqual([
        "orgs[0].rules[0].actions.idp.providers: is too long: 11 elements; at most 10 are allowed",
      ]);
      expect(faultsOfRule({ actions: { idp: { providers: [] } } })).toEqual([
        "orgs[0].rules[0].actions.idp.providers: must not be empty",
      ]);
    });
  });
});
