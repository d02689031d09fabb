import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import type { Response } from "../response.js";
import { firstOf, type Verdict } from "../verdict.js";
import { unknownPath } from "./error-object.js";

const DENIED = "https://etiquette-check.invalid";

const SPECIFICATION = "Fetch, section 3.3 (CORS protocol)";
const OPEN =
  "Every page that a user of the API visits can call it, and with cookies or in a private network read what the user may.";
const MEND =
  "Compare the whole origin with a list, for each operation, and send no `Access-Control-*` field to others.";

const READABLE = "Without the fields a browser shows the page a network error in place of the response.";

/** What pages of other origins may do (rules O1 to O3). */
export const CORS_CHECKS: readonly Check[] = [
  {
    id: "origin-denied",
    rule: "O3",
    severity: "security",
    title: "An unknown origin gets no CORS header",
    why: OPEN,
    specification: SPECIFICATION,
    mend: MEND,
    needs: ["success", "api"],
    run: async (probe) => findCorsFields(await probe.get(probe.path, { Origin: DENIED }), `Origin: ${DENIED}`),
  },
  {
    id: "origin-null",
    rule: "O2",
    severity: "security",
    title: "The origin null gets no CORS header",
    why: "Every sandboxed frame and local file has the origin `null`.",
    specification: SPECIFICATION,
    mend: MEND,
    needs: ["success", "api"],
    run: async (probe) => findCorsFields(await probe.get(probe.path, { Origin: "null" }), "Origin: null"),
  },
  {
    id: "preflight-denied",
    rule: "O3",
    severity: "security",
    title: "The preflight of an unknown origin gets no CORS header",
    why: "A reflected list of methods and headers tells every page what it may try.",
    specification: SPECIFICATION,
    mend: MEND,
    needs: ["api"],
    run: async (probe) =>
      findCorsFields(await preflight(probe, probe.path, DENIED, "PUT"), `A preflight from ${DENIED}`),
  },
  {
    id: "preflight-unknown",
    rule: "O1",
    severity: "security",
    title: "A preflight for a path that doesn't exist allows nothing",
    why: "CORS that is mounted before the routes allows paths that nobody meant to open.",
    specification: SPECIFICATION,
    mend: "Answer preflights where the operation is, with its own methods.",
    async run(probe) {
      const path = unknownPath(probe);
      const { origin = DENIED } = probe.plan;
      const response = await preflight(probe, path, origin, "DELETE");
      return findCorsFields(response, `A preflight for ${path}`);
    },
  },
  {
    id: "origin-similar",
    rule: "O2",
    severity: "security",
    title: "An origin that only resembles a trusted one gets no CORS header",
    why: "An expression such as `/example\\.com$/` trusts `evilexample.com`.",
    specification: SPECIFICATION,
    mend: MEND,
    needs: ["success", "origin"],
    run: (probe) =>
      firstOf(similarOrigins(String(probe.plan.origin)), async (origin) =>
        findCorsFields(await probe.get(probe.path, { Origin: origin }), `Origin: ${origin}`),
      ),
  },
  {
    id: "origin-allowed",
    rule: "O3",
    severity: "interoperability",
    title: "A trusted origin can read the response, its tag and its links",
    why: READABLE,
    specification: SPECIFICATION,
    mend: "Send `Access-Control-Allow-Origin` with the origin, and name `ETag`, `Link` and the request id in `Access-Control-Expose-Headers`.",
    needs: ["success", "origin"],
    async run(probe) {
      const { origin = "" } = probe.plan;
      const response = await probe.get(probe.path, { Origin: origin });
      const exposed = response.members("Access-Control-Expose-Headers");
      const hidden = ["etag", "link"].filter((name) => response.names.includes(name) && !exposed.includes(name));
      if (hidden.length > 0) return `${hidden.join(", ")} is not in Access-Control-Expose-Headers.`;
      return findMissingAllowance(response, origin, "A GET");
    },
  },
  {
    id: "origin-errors",
    rule: "O3",
    severity: "interoperability",
    title: "A trusted origin can read failures",
    why: `${READABLE} A 401 looks like a mistake in the CORS settings.`,
    specification: SPECIFICATION,
    mend: "Set the CORS fields before anything can refuse the request.",
    needs: ["success", "origin"],
    async run(probe) {
      const { origin = "" } = probe.plan;
      const headers = { Origin: origin, Accept: "application/json;q=0", Authorization: "Bearer etiquette-check" };
      const response = await probe.get(probe.path, headers);
      return findMissingAllowance(response, origin, `A failing GET (${response.status})`);
    },
  },
  {
    id: "origin-vary",
    rule: "O3",
    severity: "interoperability",
    title: "Vary names Origin, with and without an origin in the request",
    why: "A cache gives one origin the response to another, or one without CORS fields to a page.",
    specification: "Fetch, section 3.3.5 (CORS protocol and HTTP caches)",
    mend: "Send `Vary: Origin` on every response of the path.",
    needs: ["success", "origin"],
    run: (probe) =>
      firstOf([probe.plan.origin ?? null, DENIED, null], async (origin) => {
        const vary = (await probe.get(probe.path, { Origin: origin })).members("Vary");
        if (vary.includes("origin") || vary.includes("*")) return undefined;
        return `${origin === null ? "Without Origin" : `Origin: ${origin}`}: Vary doesn't name Origin.`;
      }),
  },
];

async function preflight(probe: Probe, target: string, origin: string, method: string): Promise<Response> {
  const headers = {
    Origin: origin,
    "Access-Control-Request-Method": method,
    "Access-Control-Request-Headers": "x-etiquette-check",
    Authorization: null,
  };
  return probe.send({ method: "OPTIONS", target, headers });
}

function findCorsFields(response: Response, sent: string): Verdict {
  const fields = response.names.filter((name) => name.startsWith("access-control-"));
  if (fields.length === 0) return undefined;
  return `${sent}: the response has ${fields.map((name) => `${name}: ${response.field(name) ?? ""}`).join("; ")}.`;
}

function findMissingAllowance(response: Response, origin: string, sent: string): Verdict {
  const allowed = response.field("Access-Control-Allow-Origin");
  if (allowed === origin || allowed === "*") return undefined;
  return `${sent} from ${origin}: Access-Control-Allow-Origin is ${allowed ?? "missing"}.`;
}

function similarOrigins(origin: string): string[] {
  const { protocol, hostname, port } = new URL(origin);
  const other = protocol === "https:" ? "http:" : "https:";
  const authority = port === "" ? hostname : `${hostname}:${port}`;
  return [
    `${protocol}//evil${authority}`,
    `${protocol}//evil.${authority}`,
    `${protocol}//${hostname}.evil.invalid`,
    `${other}//${authority}`,
    `${protocol}//${hostname}:${port === "4711" ? "4712" : "4711"}`,
  ];
}
