import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { type Response, statusFault } from "../response.js";
import { firstOf, NotApplicable } from "../verdict.js";
import { withQuery } from "./text.js";

const FORM = "application/x-www-form-urlencoded";

/** The method QUERY of lists (rule Q5). It is sent only where the list names it: elsewhere it might change something. */
export const QUERY_CHECKS: readonly Check[] = [
  {
    id: "query-named",
    rule: "Q5",
    severity: "interoperability",
    title: "A list that takes QUERY names its media types",
    why: "Without the field a client can't know what to send.",
    specification: "RFC 10008 section 3",
    mend: "Send `Accept-Query` with the media types of the body.",
    needs: ["list"],
    async run(probe) {
      await assertQuery(probe);
      return (await mediaTypes(probe)).length > 0 ? undefined : "Allow names QUERY, and GET has no Accept-Query.";
    },
  },
  {
    id: "query-parameters",
    rule: "Q5",
    severity: "interoperability",
    title: "Parameters in the body mean the same as in the URL",
    why: "A client moves a query that is too long for a URL into the body, and expects the same list.",
    specification: "RFC 10008 section 2",
    mend: "Read both into one list of parameters, before filters and pages are.",
    needs: ["list"],
    async run(probe) {
      await assertQuery(probe);
      if (!(await mediaTypes(probe)).includes(FORM)) throw new NotApplicable(`Accept-Query doesn't name ${FORM}.`);
      const read = await probe.get(withQuery(probe.plan.list ?? "", "limit=1"));
      if (!read.ok) throw new NotApplicable(`GET with limit=1 is ${read.status}.`);
      const asked = await ask(probe, "limit=1", FORM);
      const fault = statusFault(asked, [200], "QUERY with limit=1 in the body");
      return fault ?? (asked.text === read.text ? undefined : "QUERY with limit=1 in the body returns another list.");
    },
  },
  {
    id: "query-type",
    rule: "Q5",
    severity: "interoperability",
    title: "A QUERY whose body has an unknown type, or none, is refused",
    why: "A body that nobody reads returns a list that the client didn't ask for.",
    specification: "RFC 10008 section 2",
    mend: "Send 415 for a media type that isn't in `Accept-Query`, and 400 or 415 without `Content-Type`.",
    needs: ["list"],
    async run(probe) {
      await assertQuery(probe);
      const sent = [
        ["QUERY with application/x-etiquette-check", "application/x-etiquette-check", [415]],
        ["QUERY without Content-Type", null, [400, 415]],
      ] as const;
      return firstOf(sent, async ([title, type, expected]) =>
        statusFault(await ask(probe, "limit=1", type), expected, title),
      );
    },
  },
];

/** @throws {NotApplicable} when nothing says that the list takes QUERY */
async function assertQuery(probe: Probe): Promise<void> {
  if ((await mediaTypes(probe)).length > 0) return;
  const response = await probe.send({ method: "OPTIONS", target: probe.plan.list ?? "" });
  const isNamed = response.members("Allow").includes("query");
  if (!isNamed) throw new NotApplicable("Neither Allow nor Accept-Query says that the list takes QUERY.");
}

/** The media types of `Accept-Query`, without quotes and parameters. */
async function mediaTypes(probe: Probe): Promise<string[]> {
  const members = (await probe.getOnce(probe.plan.list ?? "")).members("Accept-Query");
  return members.map((member) => (member.split(";", 1)[0] ?? "").trim().replace(/^"(.*)"$/, "$1"));
}

async function ask(probe: Probe, body: string, type: string | null): Promise<Response> {
  const headers = { "Content-Type": type, "Content-Length": String(Buffer.byteLength(body)) };
  return probe.send({ method: "QUERY", target: probe.plan.list ?? "", headers, body });
}
