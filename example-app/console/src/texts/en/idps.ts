import { defineTexts } from "../define.js";

/** The page and the form of the identity providers. */
export const idps = defineTexts("idps", {
  about: "Where people sign in. Rules choose one of them for each login; one that is off is skipped.",
  empty:
    "Add the first one from the address of its metadata, from a file or by hand. Then add a rule that leads to it.",
  name: "Name",
  type: "Type",
  typeFixed: "It can't change.",
  protocolType: "Protocol",
  where: "Where people sign in",
  url: "Sign-on address",
  binding: "Binding",
  aboutBinding: "How a browser takes the request there.",
  metadataUrl: "Metadata address",
  aboutMetadataUrl:
    "If the provider has one: the server keeps the sign-on address and the certificate up to date. It needs the issuer.",
  trust: "How it is trusted",
  issuer: "Issuer",
  aboutIssuer: "The entity id. Without it there is no metadata.",
  audience: "Audience",
  certificate: "Certificate",
  aboutCertificate: "In PEM form; never a private key.",
  clientId: "Client id",
  isOn: "The identity provider is on",
  mayLead: "A rule that finds its provider by name may lead here too.",
});
