import { describeEvent, textOf } from "../../console/src/pages/log/describe-event.js";
import { EVENT_TYPES } from "../../console/src/pages/log/event-types.js";
import type { LogEvent } from "../../console/src/api/types.js";
import * as changes from "../../src/audit/describe-change.js";
import type { Issuer, Org, User } from "../../src/model/records.js";
import { MESSAGES } from "../../src/store/log/stored-facts.js";
import { LOG_EVENT, logEntity } from "../support/log-event.js";

const RECORD = { id: "1", name: "One", subdomain: "one", issuer: "one", profile: {} } as unknown as Org & Issuer & User;

const USER_EVENTS: Readonly<Record<changes.UserEvent, true>> = {
  create: true,
  activate: true,
  reactivate: true,
  deactivate: true,
  suspend: true,
  unsuspend: true,
  unlock: true,
  expirePassword: true,
  confirmPassword: true,
  update: true,
  delete: true,
};

const CHANGES = ["create", "update", "delete"];
const SWITCHES = ["activate", "deactivate"];

const DESCRIBED = [
  ...[...CHANGES, ...SWITCHES].flatMap((event) => [
    changes.describeRule(event, RECORD),
    changes.describeIdp(event, RECORD),
    changes.describeZone(event, RECORD),
    changes.describeTrustedOrigin(event, RECORD),
  ]),
  ...CHANGES.flatMap((event) => [changes.describeRoutingTest(event, RECORD), changes.describeIssuer(event, RECORD)]),
  ...["create", "rotate", "revoke"].map((event) => changes.describeApiToken(event, RECORD)),
  ...[...CHANGES, "activate", "suspend", "export", "restore"].map((event) => changes.describeOrg(event, RECORD)),
  ...Object.keys(USER_EVENTS).map((event) => changes.describeUser(event as changes.UserEvent, RECORD)),
  changes.describePolicy("update", RECORD),
  changes.describeConsoleLink(RECORD),
  changes.describeErasure("1"),
].map(({ eventType }) => eventType);

const OTHERS = [
  "policy.lifecycle.restore",
  "system.idp.metadata.refresh",
  "system.idp.certificate.expire",
  "system.log.summary",
];

const say = (event: Partial<LogEvent>) =>
  textOf(describeEvent({ ...LOG_EVENT, ...event }, { accountPrefix: "acct:", orgName: "Demo" }) ?? ["unknown"]);

const FAILURE = { result: "FAILURE", reason: "E0000007: Not found" } as const;

describe("The sentences of the log", () => {
  it("are of every type that the server writes, and of no other", () => {
    expect([...EVENT_TYPES.keys()].sort()).toEqual([...DESCRIBED, ...Object.keys(MESSAGES), ...OTHERS].sort());
  });

  it.each([...EVENT_TYPES.keys()])("are whole for %s", (eventType) => {
    const detailEntry = { restored: 3, expires: "2026-01-05T09:00:00.000Z" };
    const event = { eventType, target: [{ ...logEntity("Zone", "Office"), detailEntry }] };
    for (const sentence of [say(event), say({ ...event, outcome: FAILURE })]) {
      expect(sentence).toMatch(/^[\dA-Z][^{}]+$/);
      expect(sentence).not.toMatch(/undefined|unknown|Invalid/);
    }
  });

  it("name who did it, and whose request failed", () => {
    expect(say({ actor: logEntity("Command", "import") })).toBe("The command import switched the rule Partners off");
    expect(say({ actor: logEntity("SystemPrincipal", "System") })).toBe("The server switched the rule Partners off");
    expect(say({ actor: logEntity("AccessToken", "ann") })).toBe("ann switched the rule Partners off");
    const actor = { ...logEntity("User", "Unknown"), id: "unknown" };
    expect(say({ eventType: "system.api.request", actor, outcome: FAILURE })).toBe(
      "Somebody without valid credentials sent /api/v1, which failed: Not found",
    );
  });

  it("begin with a capital, and only there, if nobody knows who it was", () => {
    const client = { ...LOG_EVENT.client, ipAddress: null };
    const debugData = { ...LOG_EVENT.debugContext.debugData, method: "GET" };
    expect(say({ eventType: "system.http.request", client, debugContext: { debugData } })).toBe(
      "Somebody sent GET /api/v1",
    );
    expect(say({ eventType: "system.http.refused", client })).toBe("A request of somebody was refused");
    expect(say({ eventType: "system.webfinger.query", target: [] })).toMatch(/^Somebody goes to /);
    expect(say({ eventType: "system.webfinger.query", outcome: FAILURE })).toBe(
      "A query for somebody failed: Not found",
    );
  });

  it.each([
    ["1", "1 request"],
    ["12345", "12,345 requests"],
    [undefined, "some requests"],
  ])("count requests without an event: %s", (requests, expected) => {
    const debugData = { ...LOG_EVENT.debugContext.debugData, ...(requests !== undefined && { requests }) };
    expect(say({ eventType: "system.log.summary", debugContext: { debugData } })).toBe(
      `Without an event of their own: ${expected}`,
    );
  });

  it("name the login, the providers and the rule of a decision", () => {
    const debugData = {
      requestId: "r1",
      requestUri: "/.well-known/webfinger",
      url: "/.well-known/webfinger?resource=acct:joe%2Btest%40example.com",
      policyId: "p",
      reason: "matched",
    };
    const [policy, rule] = [logEntity("Policy", "Policy"), logEntity("PolicyRule", "Partners")];
    const idp = logEntity("IdentityProvider", "Contoso");
    const org = { ...logEntity("IdentityProvider", "SVC"), id: "SVC" };
    const decide = (reason: string, ...target: LogEvent["actor"][]) =>
      say({ eventType: "system.webfinger.query", target, debugContext: { debugData: { ...debugData, reason } } });
    expect(decide("matched", policy, rule, idp, org)).toBe(
      "joe+test@example.com goes to Contoso, Demo itself (rule Partners)",
    );
    expect(decide("provider inactive", policy, rule, idp)).toMatch(
      /\(rule Partners, which also names a provider that is off\)$/,
    );
    expect(decide("no rule", policy, idp)).toBe("joe+test@example.com goes to Contoso (no rule decided)");
  });
});
