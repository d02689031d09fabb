import { randomUUID } from "node:crypto";
import express from "express";
import * as client from "openid-client";

const DISCOVERY = "https://acme.example.com";
const REDIRECT_URI = "https://app.example.com/callback";
const ISSUER = "http://openid.net/specs/connect/1.0/issuer";
/** Where your application is registered: its client id, by issuer. Nobody else may sign people in. */
const CLIENTS = new Map([["https://op.example.com", "app"]]);

const app = express();
const logins = new Map<string, { config: client.Configuration; codeVerifier: string }>(); // in the session, in your app

app.get("/login", async (req, res) => {
  const login = String(req.query.login);
  const query = new URLSearchParams({ resource: `acct:${login}`, rel: ISSUER });
  const response = await fetch(`${DISCOVERY}/.well-known/webfinger?${query}`);
  const { links } = (await response.json()) as { links: { href: string }[] };
  const issuer = links[0]?.href;
  const clientId = CLIENTS.get(issuer);
  if (clientId === undefined) return void res.status(403).send("Nobody signs you in here.");

  const config = await client.discovery(new URL(issuer), clientId);
  const codeVerifier = client.randomPKCECodeVerifier();
  const state = randomUUID();
  logins.set(state, { config, codeVerifier });
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: "openid email",
    state,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    login_hint: login,
  });
  res.redirect(url.href);
});

app.get("/callback", async (req, res) => {
  const state = String(req.query.state);
  const begun = logins.get(state);
  if (!begun || !logins.delete(state)) return void res.status(400).send("Begin again.");
  const checks = { pkceCodeVerifier: begun.codeVerifier, expectedState: state };
  const tokens = await client.authorizationCodeGrant(begun.config, new URL(req.originalUrl, REDIRECT_URI), checks);
  res.json(tokens.claims()); // iss and sub together are the person
});

app.listen(3000);
