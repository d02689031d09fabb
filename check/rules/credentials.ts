import { isObject } from "../../lib/json/index.js";
import { METADATA_PATH } from "../../lib/auth/index.js";
import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { statusFault } from "../response.js";
import { NotApplicable, type Verdict } from "../verdict.js";

/** The parameter of a challenge (RFC 9728 section 5.1). */
const METADATA_REGEXP = /[ ,]resource_metadata\s*=\s*(?:"([^"\\]*)"|([^\s",]+))/i;

/** The algorithms of proofs in a challenge (RFC 9449 section 7.1). */
const ALGORITHMS_REGEXP = /[ ,]algs\s*=\s*"([^"\\]*)"/i;

/** Algorithms without a private key: whoever may read a proof could make one. */
const SYMMETRIC_REGEXP = /^(?:none|HS\d+)$/i;

/** What clients are told of their credentials (rules A2, A5 and A6). */
export const CREDENTIAL_CHECKS: readonly Check[] = [
  credentialsCheck("credentials-missing", "A request without credentials is 401 with a challenge", null),
  credentialsCheck("credentials-bad", "Bad credentials are 401 with a challenge", "Bearer etiquette-check"),
  {
    id: "credentials-metadata",
    rule: "A5",
    severity: "interoperability",
    title: "The metadata that a challenge names are there, and are this API's",
    why: "A client that finds other metadata must not ask for a token: it could be led to somebody else's server.",
    specification: "RFC 9728 sections 3.1 to 3.3 and 5.1",
    mend: "Serve `resourceMetadata()` to everybody, with the URL that clients use as its `resource`.",
    needs: ["credentials"],
    async run(probe) {
      const response = await probe.get(probe.path, { Authorization: null });
      const [, quoted, bare] = METADATA_REGEXP.exec(response.field("WWW-Authenticate") ?? "") ?? [];
      const named = quoted ?? bare;
      if (named === undefined) throw new NotApplicable("No challenge names resource_metadata.");
      const url = URL.canParse(named) ? new URL(named) : undefined;
      if (url === undefined) return `resource_metadata is no URL: ${named}`;
      if (url.host !== probe.host) throw new NotApplicable(`The metadata are on another host: ${url.host}`);
      return findMetadataFault(probe, url);
    },
  },
  {
    id: "credentials-dpop",
    rule: "A6",
    severity: "security",
    title: "A bound token needs a proof, in an algorithm with a private key",
    why: "A stolen token that works without a proof is a bearer token. A client can't choose an algorithm that it isn't told.",
    specification: "RFC 9449 sections 7.1 and 11.6",
    mend: "Name the accepted algorithms in `algs`, without `none` and `HS256`, and refuse a token under `DPoP` without a proof.",
    needs: ["credentials"],
    async run(probe) {
      const challenge = (await probe.get(probe.path, { Authorization: null })).field("WWW-Authenticate") ?? "";
      if (!/(?:^|,)\s*DPoP\b/i.test(challenge)) throw new NotApplicable("No challenge has the scheme DPoP.");
      const algorithms = (ALGORITHMS_REGEXP.exec(challenge)?.[1] ?? "").split(" ").filter((name) => name !== "");
      if (algorithms.length === 0) return "The challenge of DPoP has no algs.";
      const symmetric = algorithms.find((name) => SYMMETRIC_REGEXP.test(name));
      if (symmetric !== undefined) return `The challenge of DPoP takes proofs in ${symmetric}.`;
      const response = await probe.get(probe.path, { Authorization: "DPoP etiquette-check" });
      return statusFault(response, [401], "A token under DPoP without a proof");
    },
  },
];

/** The metadata's `resource` must lead to their URL, or a client refuses them. */
async function findMetadataFault(probe: Probe, url: URL): Promise<Verdict> {
  const path = url.pathname + url.search;
  const response = await probe.get(path, { Authorization: null });
  const fault = statusFault(response, [200], path);
  if (fault !== undefined) return fault;
  const document = response.json();
  const resource = isObject(document) ? document["resource"] : undefined;
  if (typeof resource !== "string" || !URL.canParse(resource)) return `${path} has no URL as its resource.`;
  const { origin, pathname, search } = new URL(resource);
  if (`${origin}${METADATA_PATH}${pathname.replace(/\/$/, "")}${search}` !== url.href) {
    return `${path} is about another resource: ${resource}`;
  }
  const isPart = probe.path.startsWith(pathname.replace(/\/?$/, "/")) || probe.path === pathname;
  return isPart ? undefined : `${probe.path} is no part of the resource ${resource}`;
}

function credentialsCheck(id: string, title: string, authorization: string | null): Check {
  return {
    id,
    rule: "A2",
    severity: "interoperability",
    title,
    why: "The challenge tells clients which credentials to get. Libraries retry on it, and browsers need it.",
    specification: "RFC 9110 sections 11.6.1 and 15.5.2",
    mend: "Send 401 with `WWW-Authenticate`.",
    needs: ["success", "credentials"],
    async run(probe: Probe) {
      const anonymous = await probe.get(probe.path, { Authorization: null });
      if (anonymous.ok) throw new NotApplicable(`GET ${probe.path} needs no credentials.`);
      const response =
        authorization === null ? anonymous : await probe.get(probe.path, { Authorization: authorization });
      const sent = authorization === null ? "No Authorization" : `Authorization: ${authorization}`;
      const fault = statusFault(response, [401], sent);
      return fault ?? (response.field("WWW-Authenticate") === undefined ? `${sent}: no WWW-Authenticate.` : undefined);
    },
  };
}
