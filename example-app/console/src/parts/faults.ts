import { ApiProblem } from "../api/http.js";

/** What the API finds wrong, in the words of the forms. */

/** What the forms call a member of a record. A number in brackets counts from 0; people count from 1. */
const LABELS: readonly (readonly [path: RegExp, label: string])[] = [
  [/^(?:rule\.)?name$/, "Name"],
  [/^priority$/, "Place"],
  [/^conditions\.userIdentifier\.attribute$/, "Attribute"],
  [/^conditions\.userIdentifier\.patterns\[(\d+)\]/, "Pattern #"],
  [/^actions\.idp\.providers/, "Identity providers"],
  [/\.providerExpression$/, "The provider with this name"],
  [/^type$/, "Type"],
  [/^protocol\.type$/, "Protocol"],
  [/\.sso\.url$/, "Sign-on address"],
  [/\.sso\.binding$/, "Binding"],
  [/^protocol\.metadata/, "Metadata address"],
  [/\.trust\.issuer$/, "Issuer"],
  [/\.trust\.audience$/, "Audience"],
  [/\.trust\.certificate$/, "Certificate"],
  [/\.clientId$/, "Client id"],
  [/^gateways\[(\d+)\]/, "Gateways, line #"],
  [/^proxies\[(\d+)\]/, "Proxies, line #"],
  [/^origin$/, "Origin"],
  [/^scopes/, "What it may do"],
  [/^expiresAt$/, "How long it is valid"],
  [/^addresses/, "From which addresses"],
  [/^overlapSeconds$/, "How long the old secret stays valid too"],
  [/^(?:profile\.)?login$/, "Login"],
  [/^(?:profile\.)?email$/, "E-mail"],
  [/^(?:profile\.)?firstName$/, "First name"],
  [/^(?:profile\.)?lastName$/, "Last name"],
];

const CAUSE_REGEXP = /^([\w.[\]]+): (.*)$/s;

/** The causes that name a field, by it: `profile.login: is required`. */
export function faultsOf(error: Error | null): Readonly<Record<string, string>> {
  if (!(error instanceof ApiProblem)) return {};
  return Object.fromEntries(
    error.causes.flatMap((cause) => {
      const [, field, fault] = CAUSE_REGEXP.exec(cause) ?? [];
      return field === undefined || fault === undefined ? [] : [[field, fault]];
    }),
  );
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
export function toWords(cause: string): string {
  const [, path = "", fault = ""] = CAUSE_REGEXP.exec(cause) ?? [];
  const label = labelOf(path);
  return label === undefined ? cause : `${label}: ${fault}`;
}

function labelOf(path: string): string | undefined {
  for (const [pattern, label] of LABELS) {
    const found = pattern.exec(path);
    if (found) return label.replace("#", String(Number(found[1]) + 1));
  }
  return undefined;
}

/** What happened, for a status that says more to a program than to a person. */
export function summarize(error: Error): string {
  if (!(error instanceof ApiProblem)) return error.message;
  if (error.status === 404) return "It is not there any more: somebody deleted it.";
  if (error.status === 429) return "There were too many requests. Try again in a moment.";
  if (error.status === 503) return "The server can't do this now. Try again in a moment.";
  return error.message;
}
