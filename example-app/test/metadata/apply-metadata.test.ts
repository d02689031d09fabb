import fc from "fast-check";
import { generate } from "selfsigned";
import { applyMetadata } from "../../src/metadata/apply-metadata.js";
import { describeRefresh } from "../../src/metadata/describe-refresh.js";
import { MetadataError } from "../../src/metadata/metadata-error.js";
import { certificateFacts } from "../../src/model/certificates.js";
import type { Idp } from "../../src/model/records.js";
import { runAtOnce } from "../../src/pace/steps.js";
import { CERTIFICATE } from "../support/documents.js";
import { buildIdp } from "../support/routing.js";
import { ISSUER, oidcMetadata, samlMetadata } from "../support/metadata-server.js";

const NOW = "2026-11-27T09:00:00.000Z";

const SAML: Idp["protocol"] = {
  type: "SAML2",
  endpoints: { sso: { url: "https://old.example/sso", binding: "HTTP-POST" } },
  credentials: { trust: { issuer: ISSUER, audience: "urn:a" } },
  metadata: { url: "https://idp.example.com/metadata" },
};

const OIDC: Idp["protocol"] = {
  type: "OIDC",
  endpoints: { sso: { url: "https://old.example/authorize", binding: "HTTP-REDIRECT" } },
  credentials: { trust: { issuer: ISSUER }, client: { clientId: "a" } },
  metadata: { url: "https://idp.example.com/.well-known/openid-configuration" },
};

function apply(text: string, protocol = SAML): Idp["protocol"] {
  return runAtOnce(applyMetadata(protocol, text, NOW));
}

/** The reason why metadata can't be used. */
function faultOf(text: string, protocol = SAML): string {
  try {
    apply(text, protocol);
  } catch (error) {
    expect(error).toBeInstanceOf(MetadataError);
    return (error as Error).message;
  }
  return "";
}

async function makeCertificate(from: string, to: string): Promise<string> {
  const dates = { notBeforeDate: new Date(from), notAfterDate: new Date(to) };
  const { cert } = await generate([{ name: "commonName", value: from }], { keyType: "ec", ...dates });
  return cert;
}

const certificateOf = ({ credentials }: Idp["protocol"]) => credentials?.trust?.certificate;

describe("OpenID Provider metadata", () => {
  it("gives the sign-on address, and changes nothing else", () => {
    const sso = { url: "https://idp.example.com/authorize", binding: "HTTP-REDIRECT" };
    const after = apply(oidcMetadata(), OIDC);
    expect(after).toEqual({ ...OIDC, endpoints: { sso } });
    expect(apply(oidcMetadata(), after)).toBe(after);
  });

  it.each([
    [oidcMetadata({ issuer: `${ISSUER}/` }), "the issuer is not protocol.credentials.trust.issuer"],
    [oidcMetadata({ issuer: undefined }), "the issuer is not protocol.credentials.trust.issuer"],
    [oidcMetadata({ issuer: [ISSUER] }), "the issuer is not protocol.credentials.trust.issuer"],
    [oidcMetadata({ authorization_endpoint: undefined }), "authorization_endpoint is no https URL"],
    [oidcMetadata({ authorization_endpoint: "http://idp.example.com/" }), "authorization_endpoint is no https URL"],
    [oidcMetadata({ authorization_endpoint: "javascript:alert(1)" }), "authorization_endpoint is no https URL"],
    [oidcMetadata({ authorization_endpoint: 7 }), "authorization_endpoint is no https URL"],
    ["", "the metadata is no JSON"],
    ["<html>", "the metadata is no JSON"],
    ["null", "the metadata is no JSON object"],
    ["7", "the metadata is no JSON object"],
    ["[]", "the issuer is not protocol.credentials.trust.issuer"],
    ["[".repeat(200_000), "the metadata is no JSON"],
  ])("refuses %.60s", (text, reason) => {
    expect(faultOf(text, OIDC)).toBe(reason);
  });

  it("any text is used or refused with a reason", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => oidcMetadata({ a: value })),
        ),
        (text) => {
          faultOf(text, OIDC);
        },
      ),
    );
  });
});

describe("SAML metadata", () => {
  it("gives the sign-on address for the binding and the certificate", () => {
    const text = samlMetadata({ certificates: [CERTIFICATE] });
    const after = apply(text);
    expect(after.endpoints.sso).toEqual({ url: "https://idp.example.com/sso", binding: "HTTP-POST" });
    expect(after.credentials?.trust).toMatchObject({ issuer: ISSUER, audience: "urn:a" });
    expect(certificateOf(after)!.trim()).toBe(CERTIFICATE.trim());
    expect(apply(text, after)).toBe(after);
    const redirect = { ...SAML, endpoints: { sso: { url: "https://a.example/", binding: "HTTP-REDIRECT" as const } } };
    expect(apply(text, redirect).endpoints.sso.url).toBe("https://idp.example.com/sso/redirect");
  });

  it("finds the entity among others, and takes nothing of these", () => {
    const others = ["https://a.example", "https://b.example"].map((entityId) =>
      samlMetadata({ entityId, url: entityId, certificates: [CERTIFICATE] }),
    );
    const wanted = samlMetadata();
    const text = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${[others[0], wanted, others[1]].join("")}</EntitiesDescriptor>`;
    const after = apply(text);
    expect(after.endpoints.sso.url).toBe("https://idp.example.com/sso");
    expect(certificateOf(after)).toBeUndefined();
  });

  it("keeps the certificate while the metadata lists it, and takes one that is valid before one that is not", async () => {
    const [expired, valid, next] = await Promise.all([
      makeCertificate("2025-01-01", "2026-01-01"),
      makeCertificate("2026-01-01", "2027-01-01"),
      makeCertificate("2026-06-01", "2028-01-01"),
    ]);
    const stored = (certificate: string) => apply(samlMetadata({ certificates: [certificate] }));
    const taken = (before: Idp["protocol"], ...certificates: string[]) =>
      certificateOf(apply(samlMetadata({ certificates }), before))!.trim();
    expect(taken(SAML, expired, valid, next)).toBe(valid.trim());
    expect(taken(stored(next), expired, valid, next)).toBe(next.trim());
    expect(taken(stored(expired), expired, valid)).toBe(valid.trim());
    expect(taken(stored(valid), next)).toBe(next.trim());
    expect(taken(SAML, expired)).toBe(expired.trim());
    expect(certificateOf(apply(samlMetadata(), stored(valid)))!.trim()).toBe(valid.trim());
  });

  it("replaces a stored text that is no certificate", () => {
    const before = { ...SAML, credentials: { trust: { issuer: ISSUER, certificate: "MIIB" } } };
    const after = apply(samlMetadata({ certificates: [CERTIFICATE] }), before);
    expect(certificateOf(after)!.trim()).toBe(CERTIFICATE.trim());
    const event = describeRefresh(buildIdp("a", { protocol: before }), { protocol: after });
    const { fingerprint } = certificateFacts(CERTIFICATE)!;
    expect(event.target[0]!.detailEntry!["changes"]).toMatchObject({
      "protocol.credentials.trust.certificate": { old: null, new: fingerprint },
    });
  });

  it("takes no certificate for encryption only, and no endpoint of a service provider", () => {
    const encryption = samlMetadata({ certificates: [CERTIFICATE] }).replace('use="signing"', 'use="encryption"');
    expect(certificateOf(apply(encryption))).toBeUndefined();
    const service = samlMetadata().replaceAll("IDPSSODescriptor", "SPSSODescriptor");
    expect(faultOf(service)).toBe("the entity has no IDPSSODescriptor for SAML 2.0");
  });

  const DOCTYPE = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${"bcdefghi"
    .split("")
    .map((name, i) => `<!ENTITY ${name} "${`&${"abcdefghi"[i]!};`.repeat(10)}">`)
    .join("")}]>`;
  const EXTERNAL = `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;

  it.each([
    [
      "another entityID",
      samlMetadata({ entityId: `${ISSUER}/` }),
      "the entityID is not protocol.credentials.trust.issuer",
    ],
    ["an empty document", "", "the metadata is no well-formed XML"],
    ["JSON", oidcMetadata(), "the metadata is no well-formed XML"],
    ["HTML", "<html><body/></html>", "the metadata is no EntityDescriptor"],
    [
      "another namespace",
      samlMetadata().replace(":2.0:metadata", ":1.0:metadata"),
      "the metadata is no EntityDescriptor",
    ],
    ["half of it", samlMetadata().slice(0, -5), "the metadata is no well-formed XML"],
    ["a DOCTYPE", `<!DOCTYPE a>${samlMetadata()}`, "the metadata has a DOCTYPE"],
    ["an entity bomb", DOCTYPE + samlMetadata({ more: 'a="&i;"' }), "the metadata has a DOCTYPE"],
    ["an external entity", EXTERNAL + samlMetadata({ more: 'a="&x;"' }), "the metadata has a DOCTYPE"],
    ["an unknown entity", samlMetadata({ more: 'a="&x;"' }), "the metadata is no well-formed XML"],
    ["an attribute twice", samlMetadata({ more: 'a="1" a="2"' }), "the metadata is no well-formed XML"],
    [
      "an old document",
      samlMetadata({ more: 'validUntil="2026-11-27T08:59:59Z"' }),
      "validUntil of the metadata has passed",
    ],
    ["no date", samlMetadata({ more: 'validUntil="soon"' }), "validUntil of the metadata is no date"],
    [
      "another protocol",
      samlMetadata().replace("SAML:2.0:protocol", "SAML:1.1:protocol"),
      "the entity has no IDPSSODescriptor for SAML 2.0",
    ],
    [
      "no endpoint for the binding",
      samlMetadata().replace("HTTP-POST", "SOAP"),
      "no SingleSignOnService for HTTP-POST has an https URL",
    ],
    [
      "an address over plain http",
      samlMetadata({ url: "http://idp.example.com/" }),
      "no SingleSignOnService for HTTP-POST has an https URL",
    ],
    [
      "a certificate that is none",
      samlMetadata({ certificates: ["MIIB"] }),
      "a certificate of the metadata can't be read",
    ],
  ])("refuses %s", (_title, text, reason) => {
    expect(faultOf(text)).toBe(reason);
  });

  it("takes a document that is still valid", () => {
    expect(faultOf(samlMetadata({ more: 'validUntil="2026-11-27T09:00:01Z"' }))).toBe("");
  });

  it("takes the entities and references of XML itself", () => {
    expect(faultOf(samlMetadata({ more: 'a="&lt;&#65;"' }))).toBe("");
  });

  const wrap = (inner: string) => samlMetadata().replace("</md:EntityDescriptor>", `${inner}</md:EntityDescriptor>`);

  it.each([
    ["levels", 31, (n: number) => wrap("<a>".repeat(n) + "</a>".repeat(n)), "the metadata has more than 32 levels"],
    [
      "attributes",
      64,
      (n: number) => wrap(`<a ${Array.from({ length: n }, (_, i) => `a${i}=""`).join(" ")}/>`),
      "an element of the metadata has more than 64 attributes",
    ],
    [
      "certificates",
      20,
      (n: number) => samlMetadata({ certificates: Array.from({ length: n }, () => CERTIFICATE) }),
      "the metadata has more than 20 certificates",
    ],
  ])("has a limit of %s", (_title, limit, make, reason) => {
    expect([limit - 1, limit, limit + 1].map((n) => faultOf(make(n)))).toEqual(["", "", reason]);
  });

  it.each([15_999, 16_000, 16_001])("a certificate has at most 16,000 characters: %i", (length) => {
    expect(faultOf(samlMetadata({ certificates: ["A".repeat(length)] }))).toBe(
      length > 16_000 ? "a certificate of the metadata is too long" : "a certificate of the metadata can't be read",
    );
  });

  it("is read in steps of some kilobytes", () => {
    const steps = applyMetadata(SAML, wrap("<a/>".repeat(60_000)), NOW);
    let count = 0;
    while (steps.next().done !== true) count++;
    expect(count).toBeGreaterThan(57);
  });

  it("any text is used or refused with a reason, wherever it is cut", () => {
    const pieces = fc.constantFrom(
      "<",
      ">",
      "/",
      "&",
      ";",
      '"',
      "<a>",
      "</a>",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?a",
      "?>",
    );
    const text = fc.array(fc.oneof(pieces, fc.string({ unit: "binary", maxLength: 5 })), { maxLength: 20 });
    fc.assert(
      fc.property(text, fc.nat(600), (parts, place) => {
        const document = samlMetadata({ certificates: [CERTIFICATE] });
        faultOf(parts.join(""));
        faultOf(document.slice(0, place) + parts.join("") + document.slice(place));
      }),
    );
  });
});
