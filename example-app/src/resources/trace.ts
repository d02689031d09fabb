import { isIP } from "node:net";
import type { Request, RequestHandler } from "express";
import { getPrincipal } from "etiquette/authenticate";
import { formatLink, withLinks } from "etiquette/links";
import { compileNamespace } from "etiquette/namespace";
import { getPage } from "etiquette/pagination";
import { getQuery, queryParameters } from "etiquette/query-parameters";
import { getRequestContext, parseUserAgent } from "etiquette/request-context";
import { compileWebfingerParser, formatJrd, webfingerError } from "etiquette/webfinger";
import { compileRouting, type Answer, type RoutingPolicy } from "../discovery/compile-routing.js";
import type { Question } from "../discovery/conditions.js";
import { createExplainer } from "../discovery/explain.js";
import { toClientPlatform } from "../discovery/platform.js";
import { createZoneCompiler } from "../discovery/zones.js";
import { excerpt } from "../model/faults.js";
import type { Zone } from "../model/records.js";
import { invalid } from "../rest/body.js";
import { urlOf } from "../rest/kind.js";
import { listPages } from "../rest/list.js";
import { findRecord } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { readIdps, readRevision, readRules, readZones } from "../store/queries.js";
import { toRule } from "../store/rows.js";
import { readTriedRules, RULE_ORDER } from "../store/rules.js";
import type { Db, RuleRow } from "../store/schema.js";
import { getTenant } from "../tenancy/tenant.js";
import { POLICY } from "./policies.js";
import { RULE } from "./rules.js";

/** The longest `userAgent`; the same limit applies to the header of a request. */
const MAX_USER_AGENT_LENGTH = 1_024;

/** Shows WebFinger's response to a query and explains it (rule W10): see docs/api/discovery-trace.md. */
// eslint-disable-next-line max-lines-per-function -- its handlers share what they are built over
export function traceResources({ store, settings }: ApiDependencies): Resource[] {
  const namespace = compileNamespace("api", settings.namespace);
  const parseWebfinger = compileWebfingerParser(namespace, settings.resourceAliases);
  const { issuerRel } = settings;

  const trace: RequestHandler = async (req, res) => {
    const { org, baseUrl } = getTenant(req);
    const policy = await findRecord(POLICY, store.reader, req);
    const { query, fault } = parseWebfinger(req.originalUrl.replace(/^[^?]*\??/, ""));
    if (fault) throw webfingerError(fault);
    const { login, resource } = query;
    const client = readClient(req);
    const profile = await store.findUserProfile(org.id, login);
    const question: Question = {
      login,
      clientIp: client.ipAddress ?? undefined,
      platform: client.platform,
      lookupProfile: () => Promise.resolve(profile),
    };

    const page = getPage(req);
    const { idps, zones, answer, match, rows } = await store.read(async (db) => {
      const data = { idps: await readIdps(db, org.id), zones: await readZones(db, org.id) };
      const answer = await ask(db, req, data, question);
      return { ...data, answer, ...(await readTriedRules(db, org.id, answer.rule.id, { login, page })) };
    });

    const tellsProfile = getPrincipal(req).scopes.includes(`${namespace.name}.users.read`);
    const explain = createExplainer({ idps, zones, question, profile, tellsProfile });
    const present = (row: RuleRow) => {
      const rule = toRule(row);
      const { id, name, priority } = rule;
      return withLinks({ id, name, priority, ...explain(rule) }, { self: formatLink(urlOf(RULE, req, rule)) });
    };
    const jrd = formatJrd(query, answer.providers, { namespace, baseUrl, title: org.subdomain, issuerRel });
    res.json(
      withLinks(
        {
          resource,
          login,
          client: { ...client, zones: findZones(zones, question) },
          match: present(match),
          rules: page.take(rows, (row) => RULE_ORDER.map(({ column }) => row[column])).map(present),
          links: jrd.links,
        },
        { policy: formatLink(urlOf(POLICY, req, policy)) },
      ),
    );
  };

  return [
    {
      path: `${POLICY.path}/trace`,
      operations: {
        GET: {
          scope: "policies.read",
          cors: true,
          handlers: [
            queryParameters({ single: ["clientIp", "userAgent"], text: ["userAgent"] }),
            listPages(settings, { resource: "trace" }),
            trace,
          ],
        },
      },
    },
  ];
}

/** The client of the traced query: the caller, unless parameters replace its address or user agent. */
function readClient(req: Request) {
  const query = getQuery(req);
  const context = getRequestContext(req);
  const clientIp = query.get("clientIp");
  const userAgent = query.get("userAgent");
  if (clientIp !== undefined && (isIP(clientIp) === 0 || clientIp.includes("%"))) {
    throw invalid([["clientIp", `must be an IPv4 or IPv6 address, not ${excerpt(clientIp)}`]]);
  }
  if (userAgent !== undefined && userAgent.length > MAX_USER_AGENT_LENGTH) {
    const reason = `has ${userAgent.length} characters; at most ${MAX_USER_AGENT_LENGTH} are allowed`;
    throw invalid([["userAgent", reason]]);
  }
  return {
    ipAddress: clientIp ?? context.ip,
    userAgent: userAgent ?? context.userAgent.raw,
    platform: toClientPlatform(userAgent === undefined ? context.userAgent : parseUserAgent(userAgent)),
  };
}

/** The answer of WebFinger by the current rules. */
async function ask(
  db: Db,
  req: Request,
  data: Pick<RoutingPolicy, "idps" | "zones">,
  question: Question,
): Promise<Answer> {
  const { org, routing } = getTenant(req);
  if ((await readRevision(db, org.id)) === routing.revision) return routing.route(question);
  // another process has changed something, and its notice has not arrived yet
  return compileRouting({ ...data, rules: await readRules(db, org.id, "ACTIVE") })(question);
}

/** The active zones whose gateways contain the client's address. */
function findZones(zones: readonly Zone[], { clientIp }: Question): Pick<Zone, "id" | "name">[] {
  const compile = createZoneCompiler(zones);
  return zones.filter(({ id }) => compile([id])(clientIp)).map(({ id, name }) => ({ id, name }));
}
