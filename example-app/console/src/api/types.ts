import type { components } from "./openapi.js";

/** The records as the API sends them: names for what the description says. */

type Schemas = components["schemas"];

export type Status = Rule["status"];

export type Rule = Schemas["Rule"];
export type Conditions = Rule["conditions"];
export type Pattern = NonNullable<Conditions["userIdentifier"]>["patterns"][number];
export type MatchType = Pattern["matchType"];
export type PlatformEntry = NonNullable<NonNullable<Conditions["platform"]>["include"]>[number];
export type IdpAction = Rule["actions"]["idp"];

export type Trace = Schemas["Trace"];
export type TracedRule = Schemas["TracedRule"];
export type TracedCondition = Schemas["ExplainedCondition"];
export type ComparedSample = Schemas["ComparedSample"];
export type RoutingOutcome = Schemas["RoutingOutcome"];
export type Replay = Schemas["Replay"];
export type ReplayedMove = Replay["moves"][number];
export type JrdLink = Schemas["JrdLink"];

export type Idp = Schemas["IdentityProvider"];
/** A provider as its metadata describes it; nothing of it is stored yet. */
export type DescribedIdp = Schemas["DescribedIdentityProvider"];
export type Zone = Schemas["Zone"];
export type TrustedOrigin = Schemas["TrustedOrigin"];
export type ApiToken = Schemas["ApiToken"];
export type User = Schemas["User"];

export type LogEvent = Schemas["LogEvent"];

export type ListedRevision = Schemas["ListedRevision"];
export type Revision = Schemas["Revision"];
export type RevisionChange = Schemas["RevisionChange"];
/** A change with what was before and what was after. */
export type RevisedChange = Schemas["ComparedRecord"];
export type RevisedRecord = Schemas["RevisedRecord"];
export type RestoreResult = Schemas["RestoreResult"];

export type RoutingTest = Schemas["RoutingTest"];
export type RoutingTestInput = Schemas["RoutingTestInput"];
export type RoutingTestResult = Schemas["RoutingTestResult"];

export type PolicyFinding = Schemas["Finding"];
export type DecisionCount = Schemas["DecisionCount"];

/** The response of `/console/session`, which is no part of the API. */
export interface Session {
  org: { id: string; name: string; subdomain: string };
  token: { id: string; name: string; scopes: string[]; expiresAt: string | null };
  lastUsed: string;
  idleSeconds: number;
  baseUrl: string;
  namespace: string;
  accountPrefix: string;
  apiTokenScheme: string;
}
