import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const ISSUER = "https://idp.example.com";

/** The networks that let the server ask {@link MetadataServer}. */
export const LOOPBACK = ["127.0.0.0/8", "::1"];

/** A host of metadata on the loopback. */
export interface MetadataServer {
  readonly url: string;
  /** The requests so far. */
  readonly requests: IncomingMessage[];
  /** What it does from now on; a text is sent with 200. */
  respond(how: string | RequestListener): void;
  close(): Promise<void>;
}

export async function startMetadataServer(first: string | RequestListener = ""): Promise<MetadataServer> {
  let current = first;
  const requests: IncomingMessage[] = [];
  const server = createServer((req: IncomingMessage, res: ServerResponse) => {
    requests.push(req);
    if (typeof current === "string") res.end(current);
    else current(req, res);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`,
    requests,
    respond(how) {
      current = how;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export interface SamlFacts {
  entityId?: string;
  url?: string;
  /** PEM. */
  certificates?: readonly string[];
  /** Attributes of the EntityDescriptor. */
  more?: string;
}

/** SAML metadata with an address for each binding. */
export function samlMetadata({
  entityId = ISSUER,
  url = "https://idp.example.com/sso",
  certificates = [],
  more = "",
}: SamlFacts = {}): string {
  const keys = certificates.map(
    (pem) =>
      `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>` +
      `<ds:X509Certificate>\n${pem.replace(/-----[^-]+-----/g, "")}</ds:X509Certificate>` +
      `</ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  return [
    `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}" ${more}>`,
    `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">`,
    ...keys,
    `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${url}/redirect"/>`,
    `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}"/>`,
    `</md:IDPSSODescriptor>`,
    `</md:EntityDescriptor>`,
  ].join("\n");
}

/** OpenID Provider metadata. */
export function oidcMetadata(facts: object = {}): string {
  return JSON.stringify({ issuer: ISSUER, authorization_endpoint: "https://idp.example.com/authorize", ...facts });
}
