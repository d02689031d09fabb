import fc from "fast-check";
import { describeProvider } from "../../src/metadata/describe-provider.js";
import { MetadataError } from "../../src/metadata/metadata-error.js";
import { runAtOnce } from "../../src/pace/steps.js";
import { CERTIFICATE } from "../support/documents.js";
import { ISSUER, oidcMetadata, samlMetadata } from "../support/metadata-server.js";

const NOW = "2026-11-27T09:00:00.000Z";

const describeText = (text: string) => runAtOnce(describeProvider(text, NOW));

/** The reason why metadata can't be used. */
function faultOf(text: string): string {
  try {
    describeText(text);
  } catch (error) {
    expect(error).toBeInstanceOf(MetadataError);
    return (error as Error).message;
  }
  return "";
}

const organization = (names: string) => samlMetadata().replace("</md:EntityDescriptor>", `${names}$&`);

const several = (...entityIds: string[]) =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${entityIds
    .map((entityId) => samlMetadata({ entityId }))
    .join("")}</EntitiesDescriptor>`;

describe("describeProvider()", () => {
  it("reads SAML metadata: the address by GET before that by POST, the certificate, the host as name", () => {
    expect(describeText(`\n ${samlMetadata({ certificates: [CERTIFICATE] })}`)).toEqual({
      name: "idp.example.com",
      type: "SAML2",
      protocol: {
        type: "SAML2",
        endpoints: { sso: { url: "https://idp.example.com/sso/redirect", binding: "HTTP-REDIRECT" } },
        credentials: { trust: { issuer: ISSUER, certificate: expect.stringContaining("-----BEGIN CERTIFICATE-----") } },
      },
    });
  });

  it("takes HTTP-POST when there is nothing else with an https URL", () => {
    const text = samlMetadata().replace("https://idp.example.com/sso/redirect", "http://idp.example.com/sso");
    expect(describeText(text).protocol.endpoints.sso).toEqual({
      url: "https://idp.example.com/sso",
      binding: "HTTP-POST",
    });
  });

  it("names it as its metadata does: for people, then as the organisation", () => {
    const names =
      "<md:Organization><md:OrganizationName>contoso.gmbh</md:OrganizationName>" +
      "<md:OrganizationDisplayName>\n  Contoso  GmbH </md:OrganizationDisplayName></md:Organization>";
    expect(describeText(organization(names)).name).toBe("Contoso GmbH");
    const ui =
      '<md:Extensions xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui"><mdui:UIInfo>' +
      "<mdui:DisplayName>Staff &amp; guests</mdui:DisplayName><mdui:DisplayName>Personal</mdui:DisplayName>" +
      "</mdui:UIInfo></md:Extensions>";
    expect(describeText(organization(names).replace(/<md:IDPSSODescriptor[^>]*>/, `$&${ui}`)).name).toBe(
      "Staff & guests",
    );
    for (const name of ["Contoso\u202e", "Contoso 🏢"]) {
      const other = names.replace("Contoso  GmbH", name);
      expect(describeText(organization(other)).name).toBe("idp.example.com");
    }
  });

  it("names it by the beginning of a host that is longer than a name", () => {
    const host = `${"a".repeat(63)}.${"b".repeat(63)}.example.com`;
    const texts = [
      samlMetadata({ url: `https://${host}` }),
      oidcMetadata({ authorization_endpoint: `https://${host}` }),
    ];
    for (const text of texts) expect(describeText(text).name).toBe(host.slice(0, 128));
  });

  it("reads OpenID Provider metadata", () => {
    expect(describeText(oidcMetadata())).toEqual({
      name: "idp.example.com",
      type: "OIDC",
      protocol: {
        type: "OIDC",
        endpoints: { sso: { url: "https://idp.example.com/authorize", binding: "HTTP-REDIRECT" } },
        credentials: { trust: { issuer: ISSUER } },
      },
    });
  });

  it("parses OpenID Provider metadata once, because that takes half a turn of the event loop", () => {
    const parse = jest.spyOn(JSON, "parse");
    describeText(oidcMetadata());
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it("finds the only provider among other entities", () => {
    const application = samlMetadata({ entityId: "https://app.example" }).replaceAll(
      "IDPSSODescriptor",
      "SPSSODescriptor",
    );
    const text = several(ISSUER).replace("</EntitiesDescriptor>", `${application}$&`);
    expect(describeText(text).protocol.credentials?.trust?.issuer).toBe(ISSUER);
  });

  it.each([
    ["  ", "the metadata is empty"],
    ["<!DOCTYPE html><html></html>", "this is a web page, not metadata"],
    ["hello", "this is neither SAML metadata (XML) nor that of OpenID (JSON)"],
    ["<a/>", "the metadata is no EntityDescriptor"],
    ["<a", "the metadata is no well-formed XML"],
    ['<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "the metadata has a DOCTYPE"],
    [
      samlMetadata().replaceAll("IDPSSODescriptor", "SPSSODescriptor"),
      "the metadata has no IDPSSODescriptor for SAML 2.0: it is of no identity provider",
    ],
    [several("urn:a", "urn:b"), "the metadata is of 2 identity providers; give that of one"],
    [
      samlMetadata({ url: "http://idp.example.com" }),
      "no SingleSignOnService for HTTP-REDIRECT or HTTP-POST has an https URL",
    ],
    [samlMetadata({ more: 'validUntil="2026-01-01T00:00:00Z"' }), "validUntil of the metadata has passed"],
    [samlMetadata({ entityId: "" }), "the metadata can't be stored: issuer must not be empty"],
    ["{", "the metadata is no JSON"],
    [oidcMetadata({ issuer: undefined }), "the metadata has no issuer"],
    [
      oidcMetadata({ issuer: "https://login.example/{tenantid}/v2.0" }),
      "the issuer is that of many tenants; give the address of one",
    ],
    [oidcMetadata({ authorization_endpoint: "javascript:alert(1)" }), "authorization_endpoint is no https URL"],
  ])("refuses %.60s", (text, reason) => {
    expect(faultOf(text)).toBe(reason);
  });

  it("any text is used or refused with a reason", () => {
    const known = fc.constantFrom(samlMetadata({ certificates: [CERTIFICATE] }), oidcMetadata());
    const cut = fc
      .tuple(known, fc.nat(2_000), fc.string())
      .map(([text, at, part]) => text.slice(0, at) + part + text.slice(at));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), cut), (text) => {
        faultOf(text);
      }),
    );
  });
});
