import { defineTexts } from "../define.js";

/** How a new identity provider comes into its form. */
export const idpStart = defineTexts("idpStart", {
  how: "How to add the identity provider",
  address: "From its address",
  file: "From a file",
  byHand: "Fill in by hand",
  aboutByHand: "It needs a name and the sign-on address.",
  product: "Product",
  aboutProduct: "Fills in what its addresses have in common.",
  any: "Any",
  anyProduct: "Any product",
  url: "Address of its metadata, or its issuer",
  aboutUrl: "SAML has metadata; OpenID Connect has an issuer. The server reads it and stores nothing yet.",
  fillIn: "Fill in {blank} first",
  read: "Read",
  notRead: "The metadata was not read",
  unusable: "It can't be used: {fault}",
  asBoth: "as metadata: {asMetadata}; as an issuer: {asIssuer}",
  metadataFile: "Metadata file",
  aboutFile: "SAML metadata (XML) or an OpenID configuration (JSON). You can drop it here.",
  chooseFile: "Choose a file",
  noFile: "No file",
  tooBig: "The file has more than 256 KiB: metadata of one provider is smaller.",
  paste: "Or paste its text",
  either: "{saml} or {openId}",
  auth0: "Of an application with the SAML2 Web App addon.",
  google: "This is OpenID Connect. For SAML, download the metadata in the Admin console and choose From a file.",
  jumpcloud:
    "This is OpenID Connect, in the US region. For SAML, export the metadata of the application and choose From a file.",
  keycloak: "For OpenID Connect, give {issuer} instead.",
  entra: "The tenant id is in the overview of the tenant. For OpenID Connect, give {issuer} instead.",
  okta: "The page Sign On of the application has it as Metadata URL.",
  onelogin: "The page SSO of the application has it as Issuer URL.",
  pingone:
    "The page Configuration of the application has it as IDP Metadata URL. In other regions the host ends in .eu, .ca, .asia or .com.au.",
});
