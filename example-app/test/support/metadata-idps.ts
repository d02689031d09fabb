import { samlIdp } from "./documents.js";
import { call, type Answer, type TestServer } from "./server.js";

/** A provider with a metadata address. */
export function withMetadata(name: string, url: unknown) {
  const { protocol, ...idp } = samlIdp(name);
  return { ...idp, protocol: { ...protocol, metadata: { url } } };
}

/** Where people sign in with a provider of the org `demo`. */
export function fetchIdp(server: TestServer, id: string): Promise<Answer> {
  return call(server, `/sso/idps/${id}`, { headers: { Host: `demo.localhost:${server.port}` } });
}
