import { isIP } from "node:net";
import { compileNamespace } from "etiquette/namespace";
import { z } from "zod";
import { DEMO_SUBDOMAIN } from "../../model/orgs.js";
import { isHostName, SUBDOMAIN_SHAPE } from "../../model/shapes.js";
import type { SettingGroup } from "./setting.js";
import { compilable, MAX_PORT } from "./shapes.js";

/** The names under which clients reach the server and what it defines. */
export const NAMES = {
  "base-domain": {
    placeholder: "DOMAIN[:PORT]",
    fallback: "localhost",
    help: "domain above the orgs' subdomains; with the port that clients use, if it is not --port",
    shape: z
      .string()
      .toLowerCase()
      .transform(splitPort)
      .refine(isDomainWithPort, "must be a domain name, with or without a port"),
  },
  "default-org": {
    placeholder: "NAME",
    fallback: DEMO_SUBDOMAIN,
    help: "subdomain of the org that is served on the base domain itself",
    details: "See [hosts](../guides/orgs.md#hosts).",
    shape: SUBDOMAIN_SHAPE,
    target: "defaultOrg",
  },
  namespace: {
    placeholder: "NAME",
    fallback: "svc",
    help: "beginning of all public names: 1 to 32 lower-case letters and digits, a letter first",
    details: "`acme` makes `acme:acct:`, `acme:idp`, `X-Acme-Request-Id`, ….",
    shape: compilable(
      (name) => compileNamespace("settings", name),
      "must be 1 to 32 lower-case letters and digits, a letter first",
    ),
    target: "namespace",
  },
} as const satisfies SettingGroup;

function splitPort(value: string): { domain: string; port: number | undefined } {
  const [, domain = value, port] = /^(.*):(\d{1,5})$/.exec(value) ?? [];
  return { domain, port: port === undefined ? undefined : Number(port) };
}

function isDomainWithPort({ domain, port }: ReturnType<typeof splitPort>): boolean {
  return isHostName(domain) && isIP(domain) === 0 && (port === undefined || (port > 0 && port <= MAX_PORT));
}
