"use strict";

/**
 * `node openid-provider.js REDIRECT_URI`: an OpenID Provider on a free port of the loopback, with the public client `app`.
 * It prints its issuer, and signs everybody in on a form of its own. A process of its own, because Jest loads no ES module.
 */
const { once } = require("node:events");
const { createServer } = require("node:http");

async function start(redirectUri) {
  const { Provider } = await import("oidc-provider");
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const client = { client_id: "app", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
  const provider = new Provider(issuer, { clients: [client], cookies: { keys: ["of a test"] } });
  server.on("request", provider.callback());
  console.log(`issuer ${issuer}`);
}

start(process.argv[2]).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
process.on("disconnect", () => process.exit());
