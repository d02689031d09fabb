import { findLink, parseLinkHeader } from "../../lib/http/index.js";
import { parseUrl } from "../../lib/net/index.js";
import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { type Response, statusFault } from "../response.js";
import { firstOf, NotApplicable, type Verdict } from "../verdict.js";
import { withQuery } from "./text.js";

/** One relation in one line, its target absolute. */
const LINE_REGEXP = /^<(https?:\/\/[^\s<>"]+)>; ?rel="?([a-z][a-z0-9.-]*)"?(?:;.*)?$/i;

/** Of a walk: enough to meet a boundary between pages several times. */
const MAX_PAGES = 5;

const LINK = "RFC 8288 section 3";

/** The relations of the pages of a list. */
const PAGES: ReadonlySet<string> = new Set(["self", "next", "prev", "first", "last"]);

const FORGED = "etiquette-check";

/** Pages, cursors and their links (rules P1 to P6 and S2). */
export const LIST_CHECKS: readonly Check[] = [
  {
    id: "link-lines",
    rule: "P2",
    severity: "style",
    title: "Each relation has one Link line with an absolute URL, self included",
    why: "Clients split lines at commas, which URLs contain, and join relative URLs to the wrong base.",
    specification: LINK,
    mend: 'Send a line for each relation: `Link: <https://…>; rel="next"`. `formatLinkHeader` of etiquette escapes the rest.',
    needs: ["list"],
    async run(probe) {
      const response = await page(probe, "limit=1");
      const lines = response.lines("Link");
      const bad = lines.find((line) => !LINE_REGEXP.test(line));
      if (bad !== undefined) return `Link: ${bad}`;
      return linkOf(response, "self") === undefined ? "There is no Link with rel=self." : undefined;
    },
  },
  {
    id: "link-parameters",
    rule: "P2",
    severity: "interoperability",
    title: "Links keep the other parameters, encoded",
    why: "Without them the next page is that of another list. A raw `>` lets the caller write links.",
    specification: LINK,
    mend: "Copy the parameters from the query as they were sent, and percent-encode what a URI can't contain.",
    needs: ["list"],
    async run(probe) {
      const response = await page(probe, "limit=1&etiquetteCheck=a%2Cb%3E%22");
      const links = pageLinks(response);
      const other = links.find(({ url }) => !/[?&]etiquetteCheck=a(?:%2C|,)b%3E%22(?:&|$)/i.test(url));
      return other && `The target ${other.url} lost the parameter etiquetteCheck=a%2Cb%3E%22.`;
    },
  },
  {
    id: "link-host",
    rule: "S2",
    severity: "security",
    title: "No URL in a response comes from Host",
    why: "A cache that stored such a response sends everybody's next request, with its token, to a host of the attacker.",
    specification: "RFC 9110 section 7.2",
    mend: "Take the base URL from the settings.",
    needs: ["success"],
    async run(probe) {
      const response = await probe.get(probe.plan.list ?? probe.path, { Host: "etiquette-check.invalid" });
      const places = ["Link", "Location", "Content-Location"].filter((name) =>
        response.field(name)?.includes("etiquette-check.invalid/"),
      );
      if (response.text.includes("//etiquette-check.invalid")) places.push("the body");
      return places.length > 0 ? `${places.join(", ")} has the host etiquette-check.invalid.` : undefined;
    },
  },
  {
    id: "limit-invalid",
    rule: "P6",
    severity: "interoperability",
    title: "A limit that is no integer within bounds is refused",
    why: "A limit that is ignored returns everything, or a default that the client takes for all there is.",
    mend: "Send 400 with the bounds.",
    needs: ["list"],
    run: (probe) =>
      firstOf(["abc", "-1", "1.5", "1e1", "999999999"], async (limit) =>
        statusFault(await page(probe, `limit=${limit}`), [400], `limit=${limit}`),
      ),
  },
  {
    id: "cursor-forged",
    rule: "P1",
    severity: "interoperability",
    title: "A cursor that the API didn't make is refused",
    why: "A cursor that is ignored begins the list again, and the client never ends.",
    mend: "Encrypt cursors with authentication; send 400.",
    needs: ["list"],
    async run(probe) {
      const { target, cursor } = await nextOf(probe);
      return statusFault(await probe.get(target.replace(cursor, FORGED)), [400], `The cursor ${FORGED}`);
    },
  },
  {
    id: "cursor-changed",
    rule: "P1",
    severity: "security",
    title: "A cursor that was changed, or that another list made, is refused",
    why: "Clients that can change a cursor reach places that the query would not show.",
    mend: "Encrypt cursors with authentication, and bind them to the list, the filter and the order.",
    needs: ["list"],
    async run(probe) {
      const { target, cursor } = await nextOf(probe);
      const middle = Math.floor(cursor.length / 2);
      const changed = cursor.slice(0, middle) + (cursor[middle] === "A" ? "B" : "A") + cursor.slice(middle + 1);
      return statusFault(await probe.get(target.replace(cursor, changed)), [400], "A changed cursor");
    },
  },
  {
    id: "cursor-readable",
    rule: "P1",
    severity: "style",
    title: "A cursor can't be read",
    why: "It shows ids and values of rows, counts them, and invites clients to make their own.",
    mend: "Encrypt cursors.",
    needs: ["list"],
    async run(probe) {
      const { cursor } = await nextOf(probe);
      return isReadable(cursor) ? `The cursor ${cursor} is no ciphertext.` : undefined;
    },
  },
  {
    id: "walk",
    rule: "P5",
    severity: "interoperability",
    title: "A client that follows next sees no object twice and comes to an end",
    why: "Ties in the order, and offsets while rows come and go, repeat objects and leave others out.",
    mend: "Continue after the keys of the last row, with an order that has no ties; leave `next` out on the last page.",
    needs: ["list"],
    run: walk,
  },
];

async function page(probe: Probe, query: string): Promise<Response> {
  return probe.get(withQuery(probe.plan.list ?? "", query));
}

function linkOf(response: Response, relation: string): string | undefined {
  return findLink(parseLinkHeader(response.lines("Link")), relation);
}

/** @throws {NotApplicable} when the list has no pages */
function pageLinks(response: Response): ReturnType<typeof parseLinkHeader> {
  const links = parseLinkHeader(response.lines("Link")).filter(({ relations }) =>
    relations.some((relation) => PAGES.has(relation)),
  );
  if (links.length === 0) throw new NotApplicable("The list has no Link to a page.");
  return links;
}

/** The target of `next` as a path; `undefined` without one. */
function nextTarget(probe: Probe, response: Response): string | undefined {
  const link = linkOf(response, "next");
  const url = link === undefined ? undefined : parseUrl(link, probe.plan.url.href);
  if (!url) return undefined;
  // the scheme may be that of a proxy which is not there now; the request goes to the same place
  if (url.host !== probe.host) throw new NotApplicable(`next leads to another host, ${url.host}.`);
  return url.pathname + url.search;
}

/** The second page of the list, and the cursor in its URL. */
async function nextOf(probe: Probe): Promise<{ target: string; cursor: string }> {
  const target = nextTarget(probe, await probe.getOnce(withQuery(probe.plan.list ?? "", "limit=1")));
  if (target === undefined) throw new NotApplicable("The list has no next page with limit=1.");
  const [, cursor] = /[?&](?:after|cursor|page_?token|starting_after)=([^&]+)/i.exec(target) ?? [];
  if (cursor === undefined) throw new NotApplicable(`The next page ${target} has no cursor.`);
  return { target, cursor };
}

/** In bytes: an authentication tag alone has as many. */
const MIN_CIPHERTEXT_LENGTH = 16;

/** Whether a cursor is too short to be encrypted, a number, or base64 of text, which encrypted bytes hardly ever are. */
function isReadable(cursor: string): boolean {
  const bytes = Buffer.from(cursor.replaceAll(/%[0-9a-f]{2}/gi, ""), "base64url");
  if (bytes.length < MIN_CIPHERTEXT_LENGTH || /^\d+$/.test(cursor)) return true;
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

async function walk(probe: Probe): Promise<Verdict> {
  const seen = new Set<string>();
  let response = await probe.getOnce(withQuery(probe.plan.list ?? "", "limit=1"));
  for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
    if (pages === 1) pageLinks(response);
    const value = response.json();
    if (!Array.isArray(value)) throw new NotApplicable("The list is no JSON array.");
    if (value.length > 1) return `limit=1 returns ${value.length} objects.`;
    for (const item of value) {
      const text = JSON.stringify(item);
      if (seen.has(text)) return `Page ${pages} repeats an object.`;
      seen.add(text);
    }
    const target = nextTarget(probe, response);
    if (target === undefined || value.length === 0) return undefined;
    response = await probe.get(target);
    if (!response.ok) return `Page ${pages + 1} is ${response.status}.`;
  }
  return undefined;
}
