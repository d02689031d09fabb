import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { type Response, statusFault } from "../response.js";
import { firstOf, NotApplicable, type Verdict } from "../verdict.js";

const LOST = "Two people edit one object; who saves last destroys what the other one did, and neither learns it.";
const COMPARE = "Compare `If-Match` with the current tag in the same transaction that writes; send 412.";
const IF_MATCH = "RFC 9110 section 13.1.1";
const IF_NONE_MATCH = "RFC 9110 sections 13.1.2 and 15.4.5";

/** Entity tags, and the updates that get lost without them (rules T1 to T7). */
export const ENTITY_TAG_CHECKS: readonly Check[] = [
  {
    id: "tag-present",
    rule: "T1",
    severity: "interoperability",
    title: "A resource has an entity tag",
    why: "Without a tag nobody can make a conditional request.",
    specification: "RFC 9110 section 8.8.3",
    mend: "Send `ETag` with each resource that can change.",
    needs: ["resource", "success", "api"],
    run: async (probe) => ((await resource(probe)).field("ETag") === undefined ? "There is no ETag." : undefined),
  },
  {
    id: "tag-weak",
    rule: "T2",
    severity: "style",
    title: "The tag is weak and well-formed",
    why: "A strong tag promises the same bytes, which compression and other nodes don't keep.",
    specification: "RFC 9110 section 8.8.3",
    mend: 'Send `W/"…"`, over the fields that carry meaning.',
    needs: ["resource", "success"],
    async run(probe) {
      const tag = await tagOf(probe);
      return /^W\/"[\x21\x23-\x7e]+"$/.test(tag) ? undefined : `ETag is ${tag}.`;
    },
  },
  {
    id: "tag-stable",
    rule: "T2",
    severity: "interoperability",
    title: "The tag stays while nothing changes",
    why: "A tag that changes by itself makes each cache useless and refuses each write.",
    specification: "RFC 9110 section 8.8.1",
    mend: "Leave what changes by itself, such as a time of last use, out of the tag.",
    needs: ["resource", "success"],
    async run(probe) {
      const tag = await tagOf(probe);
      const again = (await probe.get(probe.path)).field("ETag");
      return tag === again ? undefined : `ETag is ${tag}, then ${again ?? "missing"}.`;
    },
  },
  notModified("not-modified", "An If-None-Match that matches is 304", (tag) => ({ "If-None-Match": tag })),
  notModified("not-modified-list", "An If-None-Match that has the tag beside others is 304", (tag) => ({
    "If-None-Match": `"a,b", ${tag}`,
  })),
  notModified(
    "not-modified-no-cache",
    "An If-None-Match that matches is 304 with Cache-Control: no-cache too",
    (tag) => ({
      "If-None-Match": tag,
      "Cache-Control": "no-cache",
    }),
  ),
  {
    id: "write-tag",
    rule: "T1",
    severity: "interoperability",
    title: "A write returns the new tag",
    why: "Otherwise the client reads the resource again, and somebody else may have been there in between.",
    specification: "RFC 9110 section 8.8.3",
    mend: "Send `ETag` of what was saved.",
    needs: ["writable"],
    async run(probe) {
      const response = await probe.writable.write();
      return response.field("ETag") === undefined ? "There is no ETag." : undefined;
    },
  },
  {
    id: "tag-stale",
    rule: "T3",
    severity: "interoperability",
    title: "A write with a stale tag is refused",
    why: LOST,
    specification: IF_MATCH,
    mend: COMPARE,
    needs: ["writable"],
    run: async (probe) => statusFault(await writeWith(probe, 'W/"etiquette-check-stale"'), [412], "A stale If-Match"),
  },
  {
    id: "tag-malformed",
    rule: "T3",
    severity: "interoperability",
    title: "A malformed If-Match is refused",
    why: "The client meant to protect its write; a server that ignores the field writes without protection.",
    specification: IF_MATCH,
    mend: "Send 400 when `If-Match` is neither `*` nor a list of tags.",
    needs: ["writable"],
    run: (probe) =>
      firstOf(["etiquette", '"a" b'], async (value) =>
        statusFault(await writeWith(probe, value), [400], `If-Match: ${value}`),
      ),
  },
  {
    id: "lost-update",
    rule: "T4",
    severity: "interoperability",
    title: "Of two writers with the same tag, exactly one succeeds",
    why: LOST,
    specification: "RFC 9110 section 13.1.1",
    mend: COMPARE,
    needs: ["writable", "field"],
    run: raceTwoWriters,
  },
];

async function resource(probe: Probe): Promise<Response> {
  return probe.get(probe.plan.resource ?? "/"); // not from before a write
}

async function tagOf(probe: Probe): Promise<string> {
  const tag = (await resource(probe)).field("ETag");
  if (tag === undefined) throw new NotApplicable("The resource has no ETag.");
  return tag;
}

function notModified(id: string, title: string, headers: (tag: string) => Record<string, string>): Check {
  return {
    id,
    rule: "T6",
    severity: "interoperability",
    title,
    why: "The client downloads again what it has. Node's fetch adds `Cache-Control: no-cache` to each `If-None-Match`.",
    specification: IF_NONE_MATCH,
    mend: "Compare each tag of the list weakly, whatever `Cache-Control` says; send 304 with the tag and no content.",
    needs: ["resource", "success"],
    async run(probe) {
      const tag = await tagOf(probe);
      const response = await probe.get(probe.path, headers(tag));
      const fault = statusFault(response, [304], Object.values(headers(tag)).join(" with "));
      return fault ?? (response.field("ETag") === undefined ? "The 304 has no ETag." : undefined);
    },
  };
}

async function writeWith(probe: Probe, tag: string): Promise<Response> {
  return probe.writable.write({ headers: { "If-Match": tag } });
}

async function raceTwoWriters(probe: Probe): Promise<Verdict> {
  const { writable = "/" } = probe.plan;
  const tag = (await probe.get(writable)).field("ETag");
  if (tag === undefined) throw new NotApplicable("The resource has no ETag.");
  const bodies = [await probe.writable.changed("etiquette check 1"), await probe.writable.changed("etiquette check 2")];
  const responses = await Promise.all(
    bodies.map((body) => probe.writable.write({ body, headers: { "If-Match": tag } })),
  );
  const statuses = responses.map(({ status }) => status).sort();
  const winners = responses.filter(({ ok }) => ok).length;
  if (winners === 1 && statuses.includes(412)) return undefined;
  return `The statuses are ${statuses.join(" and ")}, expected one 2xx and one 412.`;
}
