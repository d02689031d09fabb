import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import { join } from "node:path";
import * as client from "openid-client";
import request from "supertest";
import express from "express";
import { run } from "../../../test/support/run-snippet.js";
import { CALLBACK, signIn, startProvider } from "../support/openid-sign-in.js";
import { createSigningPair, startSamlProvider } from "../support/saml-provider.js";
import { call, startTestServer, type TestServer } from "../support/server.js";
import { makeFolder } from "../support/stores.js";

/** The apps of docs/guides/sign-in.md sign people in, with the server and with real providers. */
const exampleOf = (name: string): string => readFileSync(join(__dirname, "../../../docs/examples", name), "utf8");

const realFetch = globalThis.fetch;

const folder = makeFolder();
let server: TestServer;
let app: Server;

/** The server has another address than on the page; the providers use plain HTTP. */
function redirectFetch(): void {
  jest.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.protocol !== "https:") return realFetch(input, init);
    const { status, text, headers } = await call(server, url.pathname + url.search);
    return new Response(text, { status, headers: { "Content-Type": String(headers["content-type"]) } });
  });
}

async function startWith(idp: object, overrides: object = {}): Promise<void> {
  const options = { dataFolder: mkdtempSync(join(folder, "data-")) };
  const conditions = {
    userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: "example.com" }] },
  };
  const rules = [{ name: "all", conditions, actions: { idp: { providers: [{ idp: "Provider" }] } } }];
  const orgs = [{ subdomain: "demo", name: "Demo", idps: [{ name: "Provider", ...idp }], rules }];
  server = await startTestServer({ options }, overrides, { orgs });
  redirectFetch();
}

const startApp = async (code: string, modules = {}): Promise<void> => {
  app = await run(code, express, modules);
};

afterEach(async () => {
  jest.restoreAllMocks();
  app.closeAllConnections();
  app.close();
  await server.close();
});

describe("OpenID Connect, with openid-client", () => {
  let provider: Awaited<ReturnType<typeof startProvider>>;

  beforeEach(async () => {
    provider = await startProvider();
    const { issuer } = provider;
    const endpoints = { sso: { url: `${issuer}/auth`, binding: "HTTP-REDIRECT" } };
    const protocol = { type: "OIDC", endpoints, credentials: { trust: { issuer }, client: { clientId: "app" } } };
    await startWith({ type: "OIDC", protocol }, { issuerHref: "provider" });
    const discovery = (url: URL, id: string) =>
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the provider of this test is on the loopback
      client.discovery(url, id, undefined, client.None(), { execute: [client.allowInsecureRequests] });
    await startApp(
      exampleOf("sign-in-openid.ts")
        .replace("https://app.example.com/callback", CALLBACK)
        .replace("https://op.example.com", issuer),
      { "openid-client": { ...client, discovery } },
    );
  });
  afterEach(() => {
    provider.child.kill();
  });

  it("signs a person in at the provider that a rule selects, once", async () => {
    const begun = await request(app).get("/login").query({ login: "joe@example.com" }).expect(302);
    const end = await signIn(new URL(String(begun.headers["location"])));
    const { body } = await request(app).get(`/callback${end.search}`).expect(200);
    expect(body).toMatchObject({ iss: provider.issuer, sub: "joe", aud: "app" });
    await request(app).get(`/callback${end.search}`).expect(400);
  });

  it("sends nobody to an issuer that it doesn't know", async () => {
    await request(app).get("/login").query({ login: "joe@elsewhere.example" }).expect(403);
  });
});

describe("SAML, with node-saml", () => {
  const ENTITY_ID = "https://idp.example.com";
  let provider: Awaited<ReturnType<typeof startSamlProvider>>;

  async function startSaml(given?: { cert: string }): Promise<void> {
    const pair = await createSigningPair();
    const { cert: certificate } = given ?? pair;
    provider = await startSamlProvider(ENTITY_ID, "https://app.example.com/saml", pair);
    const endpoints = { sso: { url: provider.url, binding: "HTTP-REDIRECT" } };
    const protocol = { type: "SAML2", endpoints, credentials: { trust: { issuer: ENTITY_ID, certificate } } };
    await startWith({ type: "SAML2", protocol });
    await startApp(exampleOf("sign-in-saml.ts"));
  }
  afterEach(async () => {
    provider.server.close();
    await once(provider.server, "close");
  });

  /** What the form of the provider's page holds. */
  async function respond(): Promise<Record<string, string>> {
    const begun = await request(app).get("/login").query({ login: "joe@example.com" }).expect(302);
    const form = await (await realFetch(String(begun.headers["location"]))).text();
    const inputs = form.matchAll(/name="(\w+)"\s+value="([^"]*)"/g);
    const fields = Array.from(inputs, ([, name = "", value = ""]) => [name, value.replaceAll("&#43;", "+")]);
    expect(fields.map(([name]) => name)).toContain("SAMLResponse");
    return Object.fromEntries(fields) as Record<string, string>;
  }

  it("signs a person in at the provider that a rule selects, once", async () => {
    await startSaml();
    const fields = await respond();
    const { body } = await request(app).post("/saml").type("form").send(fields).expect(200);
    expect(body).toEqual({ idp: ENTITY_ID, person: "joe@example.com" });
    await request(app).post("/saml").type("form").send(fields).expect(500);
  });

  it("believes only the certificate in the metadata", async () => {
    await startSaml(await createSigningPair());
    jest.spyOn(console, "error").mockImplementation(() => undefined);
    await request(app)
      .post("/saml")
      .type("form")
      .send(await respond())
      .expect(500);
    await request(app).post("/saml").type("form").send({ RelayState: "x" }).expect(400);
  });
});
