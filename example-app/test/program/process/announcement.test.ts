import type { Org } from "../../../src/model/records.js";
import {
  formatExample,
  formatFirstAccess,
  formatLink,
  formatListeningUrl,
  formatTerminal,
} from "../../../src/program/process/announcement.js";
import { buildSettings } from "../../support/server.js";

const org: Org = {
  id: "1",
  subdomain: "demo",
  name: "Demo",
  status: "ACTIVE",
  domains: [],
  rateLimits: {},
  signInUrl: null,
  whenProfileUnavailable: "UNAVAILABLE",
  created: "",
  lastUpdated: "",
};

describe("formatListeningUrl()", () => {
  it.each([
    ["127.0.0.1", "https://localhost:8443"],
    ["::1", "https://localhost:8443"],
    ["0.0.0.0", "https://localhost:8443"],
    ["::", "https://localhost:8443"],
    ["192.0.2.1", "https://192.0.2.1:8443"],
    ["2001:db8::1", "https://[2001:db8::1]:8443"],
    ["idp.internal", "https://idp.internal:8443"],
  ])("shows %s as %s", (host, expected) => {
    expect(formatListeningUrl({ host, http: false }, 8443)).toBe(expected);
    expect(formatListeningUrl({ host, http: true }, 8443)).toBe(expected.replace("https", "http"));
  });
});

describe("formatExample()", () => {
  const query = "/.well-known/webfinger?resource=svc:acct:joe@example.com";

  it.each([
    [
      "locally",
      {},
      "/d/tls.crt",
      "https://localhost:8443",
      `curl --cacert /d/tls.crt 'https://localhost:8443${query}'`,
    ],
    [
      "in a folder with a space and a quote",
      {},
      "/my d'ata/tls.crt",
      "https://localhost:8443",
      `curl --cacert '/my d'\\''ata/tls.crt' 'https://localhost:8443${query}'`,
    ],
    [
      "under another domain",
      { baseDomain: "idp.example" },
      "/d/tls.crt",
      "https://idp.example:8443",
      `curl --cacert /d/tls.crt --connect-to ::localhost:8443 'https://idp.example:8443${query}'`,
    ],
    [
      "on another address",
      { host: "2001:db8::1" },
      undefined,
      "https://localhost:8443",
      `curl --connect-to '::[2001:db8::1]:8443' 'https://localhost:8443${query}'`,
    ],
    [
      "behind a proxy",
      { http: true, baseDomain: "idp.example" },
      undefined,
      "https://idp.example",
      `curl 'https://idp.example${query}'`,
    ],
  ])("shows a command that answers %s", (_where, overrides, trustFile, baseUrl, expected) => {
    const settings = buildSettings(overrides);
    expect(formatExample({ settings, port: 8443, tenant: { org, baseUrl }, trustFile })).toBe(expected);
  });

  it("N4 asks in the namespace", () => {
    const tenant = { org, baseUrl: "https://localhost:8443" };
    const settings = buildSettings({ namespace: "acme" });
    expect(formatExample({ settings, port: 8443, tenant, trustFile: undefined })).toContain("resource=acme:acct:");
  });
});

describe("formatFirstAccess()", () => {
  it("shows the link to the console", () => {
    const facts = {
      settings: buildSettings(),
      port: 8443,
      tenant: { org, baseUrl: "https://a.b" },
      trustFile: undefined,
    };
    const link = formatLink(facts.tenant.baseUrl, "c-_");
    expect(link).toBe("https://a.b/console#code=c-_");
    expect(formatFirstAccess(facts, { token: "abc", link })).toMatch(
      /^Console, once within ten minutes: https:\/\/a\.b\/console#code=c-_\nAPI token /,
    );
  });

  it("shows the token, or its file, and a command that uses it in the scheme of API tokens", () => {
    const settings = buildSettings({ apiTokenScheme: "ACME" });
    const facts = {
      settings,
      port: 8443,
      tenant: { org, baseUrl: "https://localhost:8443" },
      trustFile: "/d/tls.crt",
    };
    expect(formatFirstAccess(facts, { token: "abc", link: undefined })).toBe(
      "API token of the org demo, valid for 24 hours, shown only now: abc\n" +
        "Use it: curl --cacert /d/tls.crt --header 'Authorization: ACME abc' 'https://localhost:8443/api/v1/users'",
    );
    const files = { tokenFile: "/my d'ata/first-token", linkFile: "/my d'ata/first-link" };
    expect(formatFirstAccess(facts, files)).toBe(
      "Console, once within ten minutes: the link in the file /my d'ata/first-link\n" +
        "API token of the org demo, valid for 24 hours, in the file /my d'ata/first-token\n" +
        `Use it: curl --cacert /d/tls.crt --header "Authorization: ACME $(cat '/my d'\\''ata/first-token')" 'https://localhost:8443/api/v1/users'`,
    );
  });
});

describe("formatTerminal()", () => {
  const facts = { port: 8443, tenant: { org, baseUrl: "https://localhost:8443" }, trustFile: "/d/tls.crt" };
  const query = "https://localhost:8443/.well-known/webfinger?resource=svc:acct:joe@example.com";

  it("shows the link and the token of the first start", () => {
    const settings = buildSettings({ dataFolder: "/d", consoleFolder: "/c" });
    const first = { token: "abc", link: "https://localhost:8443/console#code=c-_" };
    expect(formatTerminal({ ...facts, settings, first })).toBe(`\
Console  https://localhost:8443/console#code=c-_ (once, within ten minutes)
API      https://localhost:8443/api/v1
Try it   curl --cacert /d/tls.crt '${query}'
Data     /d
Token    abc (of the org demo, for 24 hours, shown only now)`);
  });

  it("shows four lines later, and no password of the database", () => {
    const settings = buildSettings({ databaseUrl: "postgres://joe:secret@db:5432/idp", consoleFolder: "/c" });
    const text = formatTerminal({ ...facts, settings, first: undefined });
    expect(text.split("\n").map((line) => line.slice(0, 8).trim())).toEqual(["Console", "API", "Try it", "Data"]);
    expect(text).toMatch(/^Console {2}https:\/\/localhost:8443\/console, and npm start -- console --org demo prints/);
    expect(text).toMatch(/\nData {5}postgres:\/\/joe@db:5432\/idp$/);
  });

  it("has no line for a console that is off", () => {
    const settings = buildSettings({ consoleFolder: undefined });
    expect(formatTerminal({ ...facts, settings, first: { token: "abc", link: undefined } })).not.toMatch(/^Console/m);
  });
});
