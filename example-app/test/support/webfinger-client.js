"use strict";

/**
 * `node webfinger-client.js ADDRESS…`: looks each address up with the package webfinger.js and prints the documents, one
 * a line. A process of its own, because only at its start can Node be told which certificate to trust
 * (`NODE_EXTRA_CA_CERTS`).
 */
const WebFinger = require("webfinger.js").default;

const client = new WebFinger({
  tls_only: true,
  uri_fallback: false,
  request_timeout: 20_000,
  allow_private_addresses: true,
});

async function lookUpAll(addresses) {
  for (const address of addresses) {
    const { object } = await client.lookup(address);
    console.log(JSON.stringify(object));
  }
}

lookUpAll(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
