import { defineTexts } from "../define.js";

/** What the form of a stored identity provider shows beside its fields. */
export const idpDetails = defineTexts("idpDetails", {
  valid: "Valid from {from} to {to}",
  expired: "It has expired: applications refuse what this provider signs.",
  expiresToday: "It expires within a day.",
  expires: { one: "It expires in {n} day.", other: "It expires in {n} days." },
  copyFingerprint: "Copy the fingerprint of the certificate",
  fetched: "Metadata of the provider",
  refreshed: "Refreshed: {date}",
  failed: "The last attempt failed: {error}",
  refresh: "Refresh now",
  notRefreshed: "The metadata was not refreshed",
  unchanged: "The metadata of {name} is as before",
  tookOver: "Took over the changed metadata of {name}",
  metadata: "Metadata",
  noIssuer: "There is none without an issuer.",
  noneOff: "There is none while the identity provider is off.",
  showMetadata: "Show the metadata",
  hideMetadata: "Hide the metadata",
  download: "Download the metadata",
  copyAddress: "Copy the address of the metadata",
  notRead: "The metadata was not read",
  forOthers: "For the provider and for applications",
  aboutOthers:
    "The server finds this provider and leads people there; applications make the requests and get the responses. So the provider needs the address for responses, and the name, of each application.",
  initiate: "Address that begins a login (initiate_login_uri)",
  webfinger: "WebFinger, which applications ask",
  rel: "Relation of the link (rel)",
  link: "Link that leads there",
  off: "It is off, so no link leads there.",
  copy: "Copy: {label}",
  test: "Test sign-on in a new tab",
  testSaml: "Expect a page of the provider. It may be an error page, because no application sends a SAML request.",
  testOther:
    "Expect a page of the provider. It may be an error page, because no application sends the parameters of a request.",
});
