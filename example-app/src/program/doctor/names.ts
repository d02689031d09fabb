import { lookup } from "node:dns/promises";
import { messageOf } from "../../store/contract/errors.js";
import { fault, ok, warning, type Finding } from "./finding.js";

const CHECK = "DNS";

/** Stands for the subdomain of any org. */
const ANY_ORG = "any-org";

/** Finds the address of a host. */
export type Lookup = (host: string) => Promise<{ address: string }>;

/** Check that clients find the base domain and the subdomains of orgs, as far as this machine can tell. */
export async function checkNames(baseDomain: string, find: Lookup = lookup): Promise<Finding[]> {
  if (baseDomain === "localhost") return [ok(CHECK, "localhost needs none")];
  const base = await resolve(baseDomain, find);
  if (base.address === undefined) {
    const text = `${baseDomain} has no address: ${base.reason}`;
    return [fault(CHECK, text, "add an A or AAAA record, or correct --base-domain")];
  }
  const org = await resolve(`${ANY_ORG}.${baseDomain}`, find);
  if (org.address === undefined) {
    const text = `the subdomains of ${baseDomain} have no address: ${org.reason}`;
    return [
      warning(CHECK, text, `add a record for *.${baseDomain}, unless each org has a domain or a record of its own`),
    ];
  }
  return [ok(CHECK, `${baseDomain} is ${base.address}, and its subdomains are ${org.address}`)];
}

async function resolve(host: string, find: Lookup): Promise<{ address: string } | { address?: never; reason: string }> {
  try {
    return await find(host);
  } catch (error) {
    return { reason: messageOf(error) };
  }
}
