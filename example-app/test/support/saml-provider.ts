import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type Request, type RequestHandler } from "express";
import { generate } from "selfsigned";

interface Samlp {
  auth(options: {
    issuer: string;
    cert: string;
    key: string;
    signResponse: boolean;
    getPostURL(
      audience: string,
      request: unknown,
      req: Request,
      done: (error: Error | null, url: string) => void,
    ): void;
  }): RequestHandler;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- it has no types
const samlp = require("samlp") as Samlp;

/** PEM, of an RSA key. */
export async function createSigningPair(): Promise<{ key: string; cert: string }> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "idp" }], { algorithm: "sha256" });
  return { key, cert };
}

/** A SAML identity provider on a free port of the loopback. It signs everybody in as `joe@example.com`. */
export async function startSamlProvider(
  issuer: string,
  callback: string,
  { key, cert }: Readonly<{ key: string; cert: string }>,
): Promise<{ server: Server; url: string }> {
  const app = express();
  app.get("/sso", (req, _res, next) => {
    Object.assign(req, { user: { id: "joe@example.com", emails: [], displayName: "Joe", name: {} } });
    next();
  });
  const getPostURL: Parameters<Samlp["auth"]>[0]["getPostURL"] = (_audience, _request, _req, done) => {
    done(null, callback);
  };
  app.get("/sso", samlp.auth({ issuer, cert, key, signResponse: true, getPostURL }));
  const server = createServer(app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sso` };
}
