import type { ReactElement, ReactNode } from "react";
import { ApiProblem } from "../api/http.js";
import { labels as texts } from "../texts/en/labels.js";
import { ServerText, type ServerTextProps } from "./server-text.js";

/** What the API finds wrong, in the words of the forms. */

type Label = Exclude<keyof typeof texts, "see" | "fault">;

/** What the forms call a member of a record. A number in brackets counts from 0; people count from 1. */
const LABELS: readonly (readonly [path: RegExp, label: Label])[] = [
  [/^(?:rule\.)?name$/, "name"],
  [/^priority$/, "place"],
  [/^conditions\.userIdentifier\.attribute$/, "attribute"],
  [/^conditions\.userIdentifier\.patterns\[(\d+)\]/, "pattern"],
  [/^conditions\.network/, "network"],
  [/^conditions\.platform/, "platform"],
  [/^actions\.idp\.providers/, "providers"],
  [/\.providerExpression$/, "providerName"],
  [/^type$/, "type"],
  [/^protocol\.type$/, "protocol"],
  [/\.sso\.url$/, "ssoUrl"],
  [/\.sso\.binding$/, "binding"],
  [/^protocol\.metadata/, "metadata"],
  [/\.trust\.issuer$/, "issuer"],
  [/\.trust\.audience$/, "audience"],
  [/\.trust\.certificate$/, "certificate"],
  [/\.clientId$/, "clientId"],
  [/^gateways\[(\d+)\]/, "gateways"],
  [/^proxies\[(\d+)\]/, "proxies"],
  [/^origin$/, "origin"],
  [/^scopes/, "scopes"],
  [/^expiresAt$/, "expiresAt"],
  [/^addresses/, "addresses"],
  [/^overlapSeconds$/, "overlap"],
  [/^(?:profile\.)?login$/, "login"],
  [/^(?:profile\.)?email$/, "email"],
  [/^(?:profile\.)?firstName$/, "firstName"],
  [/^(?:profile\.)?lastName$/, "lastName"],
];

const CAUSE_REGEXP = /^([\w.[\]]+): (.*)$/s;

/** What is wrong with a field. */
export type Fault = ReactElement<ServerTextProps>;

/** By the member that they are about: `profile.login`. */
export type Faults = Readonly<Record<string, Fault>>;

/** The causes that name a field: `profile.login: is required`. */
export function faultsOf(error: Error | null): Faults {
  return Object.fromEntries(listFaults(error));
}

/** What is wrong with one field. */
export function faultsAt(error: Error | null, member: string): Fault[] {
  return listFaults(error).flatMap(([field, fault]) => (field === member ? fault : []));
}

function listFaults(error: Error | null): [field: string, fault: Fault][] {
  if (!(error instanceof ApiProblem)) return [];
  return error.causes.flatMap((cause) => {
    const [, field, fault] = CAUSE_REGEXP.exec(cause) ?? [];
    return field === undefined || fault === undefined ? [] : [[field, <ServerText key={cause} text={fault} />]];
  });
}

/** The fields that causes are about, each once, and the other causes. */
export function splitCauses(causes: readonly string[]): { fields: string[]; others: string[] } {
  const fields = new Set<string>();
  const others: string[] = [];
  for (const cause of causes) {
    const [, path = ""] = CAUSE_REGEXP.exec(cause) ?? [];
    const label = labelOf(path);
    if (label === undefined) others.push(cause);
    else fields.add(label);
  }
  return { fields: [...fields], others };
}

/** `Pattern 2: must not be empty` */
export function toWords(cause: string): ReactNode {
  const [, path = "", fault = ""] = CAUSE_REGEXP.exec(cause) ?? [];
  const label = labelOf(path);
  if (label === undefined) return <ServerText text={cause} />;
  return texts.fault({ label, fault: <ServerText key="fault" text={fault} /> });
}

function labelOf(path: string): string | undefined {
  for (const [pattern, label] of LABELS) {
    const found = pattern.exec(path);
    if (!found) continue;
    const text = texts[label];
    return typeof text === "string" ? text : text({ line: String(Number(found[1]) + 1) });
  }
  return undefined;
}
