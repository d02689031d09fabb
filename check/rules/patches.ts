import { parsePointer, readPointer } from "../../lib/json/index.js";
import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { type Response, statusFault } from "../response.js";
import { NotApplicable } from "../verdict.js";

const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";

/** What an API without PATCH, or without this kind of it, responds. */
const WITHOUT_PATCH = [404, 405, 415, 501];

const CHANGED = "etiquette check patch";
const LEVELS = 20_000;

/** PATCH (rule V4). */
export const PATCH_CHECKS: readonly Check[] = [
  {
    id: "patch-type",
    rule: "V4",
    severity: "interoperability",
    title: "A patch of an unknown type is 415 with Accept-Patch",
    why: "The field tells the client which kind of patch to send.",
    specification: "RFC 5789 sections 2.2 and 3.1",
    mend: "Send 415 with the types of patches in `Accept-Patch`.",
    needs: ["writable"],
    async run(probe) {
      const response = await sendPatch(probe, "application/x-etiquette-check", "{}", [404, 405, 501]);
      const fault = statusFault(response, [415], "PATCH with application/x-etiquette-check");
      return fault ?? (response.field("Accept-Patch") === undefined ? "The 415 has no Accept-Patch." : undefined);
    },
  },
  {
    id: "patch-atomic",
    rule: "V4",
    severity: "interoperability",
    title: "A JSON Patch is applied completely or not at all",
    why: "Half a patch leaves an object that nobody meant.",
    specification: "RFC 5789 section 2; RFC 6902 section 5",
    mend: "Apply the operations to a copy, and save it when all of them succeeded.",
    needs: ["writable", "field"],
    async run(probe) {
      const { field = "", writable = "/" } = probe.plan;
      const operations = [
        { op: "replace", path: field, value: CHANGED },
        { op: "test", path: field, value: "another text" },
      ];
      const response = await sendPatch(probe, JSON_PATCH, JSON.stringify(operations));
      if (response.ok) return `A patch whose test fails is ${response.status}.`;
      const value = readPointer((await probe.get(writable)).json(), parsePointer(field) ?? []);
      return value === CHANGED ? `The patch is ${response.status}, and its first operation was saved.` : undefined;
    },
  },
  {
    id: "patch-prototype",
    rule: "V4",
    severity: "security",
    title: "A JSON Patch can't reach a prototype",
    why: "An operation on `/__proto__` changes every object of the process.",
    specification: "RFC 6902 section 4.1; CWE-1321",
    mend: "Follow own members only, and send 400 when there is none.",
    needs: ["writable"],
    async run(probe) {
      const operations = [{ op: "add", path: "/__proto__/etiquetteCheck", value: 1 }];
      const response = await sendPatch(probe, JSON_PATCH, JSON.stringify(operations));
      return statusFault(response, [400, 409, 422], "add /__proto__/etiquetteCheck");
    },
  },
  {
    id: "patch-nested",
    rule: "V4",
    severity: "security",
    title: "A merge patch of thousands of levels is refused, not fatal",
    why: "RFC 7396 describes a function that calls itself; so written, it overflows the stack.",
    specification: "RFC 7396 section 2",
    mend: "Limit the depth, and send 400.",
    needs: ["writable"],
    async run(probe) {
      const body = `${'{"a":'.repeat(LEVELS)}1${"}".repeat(LEVELS)}`;
      const response = await sendPatch(probe, MERGE_PATCH, body);
      return statusFault(response, [400, 413, 422], `A merge patch of ${LEVELS} levels`);
    },
  },
];

async function sendPatch(probe: Probe, type: string, body: string, without = WITHOUT_PATCH): Promise<Response> {
  const response = await probe.writable.write({ method: "PATCH", body, headers: { "Content-Type": type } });
  if (without.includes(response.status)) throw new NotApplicable(`PATCH with ${type} is ${response.status}.`);
  return response;
}
