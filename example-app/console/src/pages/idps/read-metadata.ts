import type { ReactNode } from "react";
import { answerOf, api } from "../../api/client.js";
import { ApiProblem } from "../../api/http.js";
import type { DescribedIdp } from "../../api/types.js";
import { faultsAt } from "../../parts/faults.js";
import { idpStart } from "../../texts/en/idp-start.js";

/** OpenID Connect Discovery 1.0, section 4. */
const WELL_KNOWN = "/.well-known/openid-configuration";

/** What an address is; `undefined` when nobody said. */
type Kind = DescribedIdp["type"] | undefined;

/**
 * The provider that metadata at an address describes.
 *
 * @param address of metadata, or the issuer of an OpenID provider
 */
export async function readAddress(address: string, kind: Kind): Promise<DescribedIdp> {
  const discovery = address.replace(/\/$/, "") + WELL_KNOWN;
  if (kind === "SAML2" || address.includes("/.well-known/")) return read({ url: address });
  if (kind === "OIDC") return read({ url: discovery });
  try {
    return await read({ url: address });
  } catch (first) {
    if (!(first instanceof ApiProblem) || first.status !== 422) throw first;
    return await read({ url: discovery }).catch((second: unknown) => {
      throw joined(first, second);
    });
  }
}

export function readText(text: string): Promise<DescribedIdp> {
  return read({ text });
}

/** What is wrong with what was sent, for its field. */
export function faultOf(error: Error | null, member: "url" | "text"): ReactNode {
  const [fault, asIssuer] = faultsAt(error, member);
  if (fault === undefined || !(error instanceof ApiProblem) || error.status !== 422) return fault;
  if (asIssuer === undefined) return idpStart.unusable({ fault });
  return idpStart.unusable({ fault: idpStart.asBoth({ asMetadata: fault, asIssuer }) });
}

async function read(body: { url: string } | { text: string }): Promise<DescribedIdp> {
  return (await answerOf(api.POST("/api/v1/idps/metadata", { body }))).data;
}

/** Why an address is neither that of metadata nor an issuer. */
function joined(first: ApiProblem, second: unknown): unknown {
  if (!(second instanceof ApiProblem) || second.status !== 422) return second;
  const { status, code, id, message: summary } = first;
  return new ApiProblem({ status, code, id, summary, causes: [...new Set([...first.causes, ...second.causes])] });
}
