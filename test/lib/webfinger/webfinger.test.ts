import fc from "fast-check";
import { compileNamespace } from "../../../lib/factory/namespace.js";
import { formatJrd, type IssuerRel } from "../../../lib/webfinger/jrd.js";
import { isIssuer, parseSelection, type SelectedProvider } from "../../../lib/webfinger/selection.js";
import {
  compileWebfingerParser,
  isResourcePrefix,
  MAX_RESOURCE_LENGTH,
  type AskedRelations,
} from "../../../lib/webfinger/webfinger.js";

const namespace = compileNamespace("test", "acme");
const parse = compileWebfingerParser(namespace, []);

const HTTPS = "https://openid.net/specs/connect/1.0/issuer";
const HTTP = "http://openid.net/specs/connect/1.0/issuer";
const SAML = { id: "0oa1", type: "SAML2", name: "Example SAML" };
const OIDC = { id: "0oa2", type: "OIDC", name: "Example OIDC" };

describe("compileWebfingerParser", () => {
  it.each([
    ["resource=acme:acct:joe@example.com", "acme:acct:joe@example.com", "joe@example.com"],
    ["resource=acme%3Aacct%3Ajoe%40example.com", "acme:acct:joe@example.com", "joe@example.com"],
    ["resource=acme:acct:joe+tag@example.com", "acme:acct:joe+tag@example.com", "joe+tag@example.com"],
    ["resource=acme:acct:joe%20doe", "acme:acct:joe doe", "joe doe"],
    ["resource=acme:acct:%C3%A9@example.com", "acme:acct:é@example.com", "é@example.com"],
    ["resource=acme:acct:acme:acct:joe", "acme:acct:acme:acct:joe", "acme:acct:joe"],
    ["resource=ACME:acct:Joe", "ACME:acct:Joe", "Joe"],
    ["%72esource=acme:acct:joe", "acme:acct:joe", "joe"],
  ])("W1 reads %s", (text, resource, login) => {
    expect(parse(text)).toEqual({ query: { resource, login, relations: undefined } });
  });

  it("Q2 says that a delimiter was encoded", () => {
    const { fault } = parse("resource%3Dacme:acct:joe");
    expect(fault).toMatchObject({
      reason: "encoding",
      message: expect.stringContaining('"%3D" is "=", percent-encoded'),
    });
  });

  it.each(["", "rel=acme:idp", "Resource=acme:acct:joe"])("W1 misses resource in %j", (text) => {
    expect(parse(text)).toEqual({
      fault: { reason: "missing", message: 'The query parameter "resource" is required.' },
    });
  });

  it.each([
    ["resource", 'resource does not begin with "acme:acct:"'],
    ["resource=", 'resource does not begin with "acme:acct:"'],
    ["resource=joe@example.com", 'resource does not begin with "acme:acct:"'],
    ["resource=:acct:joe", 'resource does not begin with "acme:acct:"'],
    ["resource=%20acme:acct:joe", 'resource does not begin with "acme:acct:"'],
    ["resource=acme:acct:", 'resource ends after "acme:acct:"'],
    ["resource=acme:acct:joe%00", "resource holds a control character"],
    ["resource=acme:acct:joe%0A", "resource holds a control character"],
    ["resource=acme:acct:%C2%85", "resource holds a control character"],
    ["resource=acme:acct:joe&resource=acme:acct:jim", "resource is given more than once"],
    ["resource=acme:acct:joe&rel=x&resource=acme:acct:joe", "resource is given more than once"],
    ["resource&resource", "resource is given more than once"],
  ])("W1 calls %s malformed", (text, message) => {
    expect(parse(text)).toEqual({ fault: { reason: "malformed", message } });
  });

  it.each([
    [MAX_RESOURCE_LENGTH - 1, undefined],
    [MAX_RESOURCE_LENGTH, undefined],
    [MAX_RESOURCE_LENGTH + 1, "resource is longer than 512 characters"],
  ])("W1 reads a resource of %i characters: %s", (length, message) => {
    const resource = "acme:acct:".padEnd(length, "é");
    expect(parse(`resource=${encodeURIComponent(resource)}`).fault?.message).toBe(message);
  });

  it.each([
    "mailto:joe@example.com",
    "https://example.com/joe",
    "acct:joe@example.com",
    "svc:acct:joe@example.com",
    "acme:ACCT:joe@example.com",
    "acme:acct",
    "acme:",
  ])("W1 does not know the prefix of %s", (resource) => {
    const message = 'The resource must begin with "acme:acct:".';
    expect(parse(`resource=${resource}`)).toEqual({ fault: { reason: "unknown", message, resource } });
  });

  it("W1 takes aliases, the longest that fits, the scheme in any case", () => {
    const parseAliased = compileWebfingerParser(namespace, ["Acct:", "acct:staff:"]);
    expect(parseAliased("resource=acct:joe").query).toMatchObject({ resource: "acct:joe", login: "joe" });
    expect(parseAliased("resource=ACCT:joe").query).toMatchObject({ resource: "ACCT:joe", login: "joe" });
    expect(parseAliased("resource=acct:staff:joe").query).toMatchObject({ login: "joe" });
    expect(parseAliased("resource=acme:acct:joe").query).toMatchObject({ login: "joe" });
    expect(parseAliased("resource=mailto:joe").fault?.message).toBe(
      'The resource must begin with "acme:acct:" or "acct:" or "acct:staff:".',
    );
  });

  it("Q1 points at what can't be decoded, in any parameter", () => {
    expect(parse("resource=acme:acct:%zz").fault).toMatchObject({ reason: "encoding", parameter: "resource" });
    expect(parse("resource=acme:acct:joe&x=%zz").fault).toEqual({
      reason: "encoding",
      parameter: "x",
      message: expect.stringContaining('"x", offset 25') as string,
    });
  });

  it.each<[string, AskedRelations | undefined]>([
    ["", undefined],
    ["&rel=acme:idp", { idp: true, issuers: [] }],
    ["&rel=acme%3Aidp", { idp: true, issuers: [] }],
    [`&rel=${HTTPS}`, { idp: false, issuers: [HTTPS] }],
    [`&rel=${encodeURIComponent(HTTP)}`, { idp: false, issuers: [HTTP] }],
    [`&rel=${HTTP}&rel=${HTTPS}&rel=${HTTP}`, { idp: false, issuers: [HTTPS, HTTP] }],
    [`&rel=acme:idp&rel=${HTTP}`, { idp: true, issuers: [HTTP] }],
    [`&rel=acme:idp,${HTTP}`, { idp: true, issuers: [HTTP] }],
    [`&rel=${HTTPS}%2Cacme:idp`, { idp: true, issuers: [HTTPS] }],
    ["&rel=other,acme:idp", { idp: false, issuers: [] }],
    ["&rel=acme:idp,", { idp: false, issuers: [] }],
    ["&rel=", { idp: false, issuers: [] }],
    ["&rel", { idp: false, issuers: [] }],
    ["&rel=other", { idp: false, issuers: [] }],
    ["&rel=other&rel=acme:idp", { idp: true, issuers: [] }],
    ["&rel=svc:idp", { idp: false, issuers: [] }],
    ["&rel=ACME:IDP", { idp: false, issuers: [] }],
    ["&rel=http://openid.net/specs/connect/1.0/issuer/", { idp: false, issuers: [] }],
  ])("W3 reads the relations in %j", (rest, relations) => {
    expect(parse(`resource=acme:acct:joe${rest}`).query?.relations).toEqual(relations);
  });

  it("Q4 reads the parameters in any order and leaves unknown ones alone", () => {
    const parameters = ["resource=acme:acct:joe", "rel=acme:idp", "x=1", "x=2", "x[]=3"];
    const expected = parse(parameters.join("&"));
    expect(expected.query).toMatchObject({ login: "joe" });
    fc.assert(
      fc.property(fc.shuffledSubarray(parameters, { minLength: parameters.length }), (shuffled) => {
        expect(parse(shuffled.join("&"))).toEqual(expected);
      }),
    );
  });

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.constantFrom("resource=", "resource=acme:acct:", ""),
        (text, start) => {
          const { query, fault } = parse(start + text);
          expect((query === undefined) !== (fault === undefined)).toBe(true);
        },
      ),
    );
  });
});

describe("parseSelection", () => {
  it.each([
    ["nothing", undefined, ["org"]],
    ["null", null, ["org"]],
    ["an empty array", [], ["org"]],
    ["the org", "org", ["org"]],
    ["one provider", SAML, [SAML]],
    ["several", [SAML, "org", OIDC], [SAML, "org", OIDC]],
  ])("W4 takes %s", (_what, value, selected) => {
    expect(parseSelection(value)).toEqual(selected);
  });

  it.each([
    [false, "provider 0 is false"],
    ["0oa1", 'provider 0 is "0oa1"'],
    [[SAML, undefined], "provider 1 is undefined"],
    [new Array(1), "provider 0 is undefined"],
    [[[SAML]], "`id` of provider 0"],
    [{}, "`id` of provider 0"],
    [{ ...SAML, id: "" }, "`id` of provider 0"],
    [{ ...SAML, id: 7 }, "`id` of provider 0"],
    [{ ...SAML, id: "\ud83d" }, "`id` of provider 0"],
    [[SAML, { id: "0oa2", name: "x" }], "`type` of provider 1"],
    [{ ...SAML, name: undefined }, "`name` of provider 0"],
    [[SAML, { ...OIDC, issuer: "op.example" }], "`issuer` of provider 1"],
    [{ ...OIDC, issuer: "" }, "`issuer` of provider 0"],
    [{ ...OIDC, issuer: 7 }, "`issuer` of provider 0"],
  ])("refuses %j", (value, message) => {
    expect(() => parseSelection(value)).toThrow(TypeError);
    expect(() => parseSelection(value)).toThrow(message);
  });
});

describe("isIssuer", () => {
  it.each([
    "https://op.example",
    "https://op.example/",
    "https://op.example:8443/realms/a",
    "https://op.example/realms/a/",
    "http://127.0.0.1:3000",
    "http://localhost/",
  ])("takes %s", (issuer) => {
    expect(isIssuer(issuer)).toBe(true);
    expect(parseSelection({ ...OIDC, issuer })).toEqual([{ ...OIDC, issuer }]);
  });

  it.each([
    "http://op.example",
    "https://op.example?a=b",
    "https://op.example#a",
    "https://op.example/?",
    "https://joe@op.example",
    "https:/op.example",
    "//op.example",
    "urn:op",
    "javascript:alert(1)//https://op.example",
    "https://op.example/ ",
    "https://op.example/a\nb",
    "https://op.example\\@evil.example",
    "https://op.example//",
    "/",
    "",
  ])("refuses %j", (issuer) => {
    expect(isIssuer(issuer)).toBe(false);
    expect(() => parseSelection({ ...OIDC, issuer })).toThrow(
      new TypeError(
        "webfinger: `issuer` of provider 0 that `resolve` returned must be an absolute https URL (http only for " +
          "localhost, 127.0.0.0/8 and [::1]) without user, query or fragment, or null",
      ),
    );
  });

  it("takes only what has a configuration document of its own", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (text) => {
        if (!isIssuer(text)) return;
        const { protocol, username, search, hash } = new URL(text);
        expect([username, search, hash]).toEqual(["", "", ""]);
        expect(["https:", "http:"]).toContain(protocol);
        expect(new URL(`${text.replace(/\/$/, "")}/.well-known/openid-configuration`).search).toBe("");
      }),
    );
  });
});

describe("formatJrd", () => {
  const baseUrl = "https://acme.example.com";
  const resource = "acme:acct:joe@example.com";

  function format(selected: readonly SelectedProvider[], relations?: AskedRelations, issuerRel: IssuerRel = "https") {
    const org = { namespace, baseUrl, title: "acme", issuerRel };
    return formatJrd({ resource, login: "joe@example.com", relations }, selected, org);
  }

  function orgLink(rel: string) {
    return {
      rel,
      href: "https://acme.example.com/sso/idps/ACME",
      titles: { und: "acme" },
      properties: { "acme:idp:type": "ACME" },
    };
  }

  it("W5 links to a SAML provider and its metadata", () => {
    expect(format([SAML])).toEqual({
      subject: resource,
      links: [
        {
          rel: "acme:idp",
          href: "https://acme.example.com/sso/idps/0oa1",
          titles: { und: "Example SAML" },
          properties: {
            "acme:idp:metadata": "https://acme.example.com/api/v1/idps/0oa1/metadata.xml",
            "acme:idp:type": "SAML2",
            "acme:idp:id": "0oa1",
          },
        },
      ],
    });
  });

  it("W5 gives no metadata for another type, and percent-encodes the id in URLs", () => {
    const [oidc] = format([OIDC]).links;
    expect(oidc?.properties).toEqual({ "acme:idp:type": "OIDC", "acme:idp:id": "0oa2" });
    const [odd] = format([{ ...SAML, id: "a/b?é" }]).links;
    expect(odd?.href).toBe("https://acme.example.com/sso/idps/a%2Fb%3F%C3%A9");
    expect(odd?.properties["acme:idp:metadata"]).toBe(`${baseUrl}/api/v1/idps/a%2Fb%3F%C3%A9/metadata.xml`);
    expect(odd?.properties["acme:idp:id"]).toBe("a/b?é");
  });

  it("W6 links to the org itself", () => {
    expect(format(["org"]).links).toEqual([orgLink(HTTPS)]);
  });

  it.each<[IssuerRel, string[], string[]]>([
    ["https", [HTTP], [HTTPS]],
    ["echo", [HTTP], [HTTP]],
    ["echo", [HTTPS], [HTTPS]],
    ["echo", [HTTPS, HTTP], [HTTPS, HTTP]],
    ["both", [HTTP], [HTTPS, HTTP]],
  ])("W6 with issuerRel %s, asked for %j, answers with %j", (issuerRel, issuers, rels) => {
    expect(format([], { idp: false, issuers }, issuerRel).links).toEqual(rels.map(orgLink));
  });

  it.each<[IssuerRel, string[]]>([
    ["https", [HTTPS]],
    ["echo", [HTTPS]],
    ["both", [HTTPS, HTTP]],
  ])("W6 with issuerRel %s, not asked for a form, answers with %j", (issuerRel, rels) => {
    expect(format(["org"], undefined, issuerRel).links).toEqual(rels.map(orgLink));
  });

  it.each<[string, SelectedProvider[], AskedRelations | undefined, string[]]>([
    ["all, in order", [OIDC, "org", SAML], undefined, ["0oa2", "ACME", "0oa1"]],
    ["configured ones", [OIDC, "org", SAML], { idp: true, issuers: [] }, ["0oa2", "0oa1"]],
    ["no configured one", ["org"], { idp: true, issuers: [] }, []],
    ["the org, though not selected", [SAML], { idp: false, issuers: [HTTP] }, ["ACME"]],
    ["both, the org in its place", [OIDC, "org", SAML], { idp: true, issuers: [HTTP] }, ["0oa2", "ACME", "0oa1"]],
    ["both, the org last when not selected", [OIDC, SAML], { idp: true, issuers: [HTTP] }, ["0oa2", "0oa1", "ACME"]],
    ["none, for another relation", [SAML, "org"], { idp: false, issuers: [] }, []],
  ])("W3 selects %s", (_what, selected, relations, ids) => {
    expect(format(selected, relations).links.map(({ href }) => href)).toEqual(
      ids.map((id) => `https://acme.example.com/sso/idps/${id}`),
    );
  });
});

describe("formatJrd with issuers", () => {
  const baseUrl = "https://acme.example.com";
  const OP = { ...OIDC, issuer: "https://op.example/" };
  const OTHER = { ...OIDC, id: "0oa3", issuer: "https://op.example/realms/b" };
  const NONE = { ...SAML, issuer: null };

  function hrefs(selected: readonly SelectedProvider[], relations?: AskedRelations, issuerRel: IssuerRel = "https") {
    const org = { namespace, baseUrl, title: "acme", issuerRel };
    const { links } = formatJrd({ resource: "acct:joe", login: "joe", relations }, selected, org);
    return links.map(({ rel, href }) => `${rel === HTTP ? "http" : rel === HTTPS ? "https" : "idp"} ${href}`);
  }

  const idp = (id: string) => `idp ${baseUrl}/sso/idps/${id}`;
  const org = (rel: string) => `${rel} ${baseUrl}/sso/idps/ACME`;
  const issuer = (rel: string, { issuer: url }: typeof OP) => `${rel} ${url}`;

  it.each<[string, SelectedProvider[], AskedRelations | undefined, string[]]>([
    ["all, the issuer after its provider", [OP, SAML], undefined, [idp("0oa2"), issuer("http", OP), idp("0oa1")]],
    ["providers only", [OP], { idp: true, issuers: [] }, [idp("0oa2")]],
    [
      "issuers only, in order",
      [OTHER, OP],
      { idp: false, issuers: [HTTP] },
      [issuer("http", OTHER), issuer("http", OP)],
    ],
    ["the form asked for", [OP], { idp: false, issuers: [HTTPS] }, [issuer("https", OP)]],
    ["both forms", [OP], { idp: false, issuers: [HTTPS, HTTP] }, [issuer("https", OP), issuer("http", OP)]],
    ["both relations", [OP], { idp: true, issuers: [HTTP] }, [idp("0oa2"), issuer("http", OP)]],
    ["no issuer of a provider without", [NONE], { idp: false, issuers: [HTTP] }, []],
    ["the org after one without", [NONE, "org"], { idp: false, issuers: [HTTP] }, [org("https")]],
    ["the issuer, not one without", [NONE, OP], { idp: false, issuers: [HTTP] }, [issuer("http", OP)]],
    ["the issuer, not one that says nothing", [SAML, OP], { idp: false, issuers: [HTTP] }, [issuer("http", OP)]],
    ["the org, when none says anything", [SAML, OIDC], { idp: false, issuers: [HTTP] }, [org("https")]],
    ["nothing for another relation", [OP], { idp: false, issuers: [] }, []],
  ])("W3 selects %s", (_what, selected, relations, links) => {
    expect(hrefs(selected, relations)).toEqual(links);
  });

  it("W6 leaves the form of the org's own link to issuerRel", () => {
    const asked = { idp: false, issuers: [HTTP] };
    expect(hrefs([OP, "org"], asked, "echo")).toEqual([issuer("http", OP), org("http")]);
    expect(hrefs([OP, "org"], asked, "both")).toEqual([issuer("http", OP), org("https"), org("http")]);
  });

  it("W5 names the provider in the link to its issuer", () => {
    const { links } = formatJrd(
      { resource: "acct:joe", login: "joe", relations: { idp: false, issuers: [HTTP] } },
      [OP],
      { namespace, baseUrl, title: "acme", issuerRel: "https" },
    );
    expect(links).toEqual([
      {
        rel: HTTP,
        href: "https://op.example/",
        titles: { und: "Example OIDC" },
        properties: { "acme:idp:type": "OIDC", "acme:idp:id": "0oa2" },
      },
    ]);
  });
});

describe("isResourcePrefix", () => {
  it.each(["acct:", "ACCT:", "acme:user:", "x-y.z+1:"])("takes %s", (prefix) => {
    expect(isResourcePrefix(prefix)).toBe(true);
  });

  it.each(["acct", ":", "1a:", "a b:", "acct:\n"])("refuses %j", (prefix) => {
    expect(isResourcePrefix(prefix)).toBe(false);
  });
});
