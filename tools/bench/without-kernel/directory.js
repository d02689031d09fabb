"use strict";

/** Whom WebFinger names: a provider for each of a thousand domains. */
const BASE_URL = "https://acme.example.com";

const providers = new Map(
  Array.from({ length: 1_000 }, (_, index) => [
    `tenant-${index}.example.com`,
    { id: `0oa1gjh63g2${String(index).padStart(3, "0")}`, type: "SAML2", name: `Example SAML ${index}` },
  ]),
);

function findProvider(login) {
  return providers.get(login.slice(login.lastIndexOf("@") + 1).toLowerCase());
}

module.exports = { BASE_URL, findProvider };
