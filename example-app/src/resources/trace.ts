import type { Request, RequestHandler } from "express";
import { formatLink, withLinks } from "etiquette/links";
import { compileNamespace } from "etiquette/namespace";
import { getPage, type Page } from "etiquette/pagination";
import { getQuery } from "etiquette/query-parameters";
import { compileWebfingerParser, formatJrd, webfingerError } from "etiquette/webfinger";
import type { Question } from "../discovery/conditions.js";
import { z } from "zod";
import { createExplainer, type Explanation } from "../discovery/explain.js";
import { nameIssuers } from "../discovery/providers.js";
import { isAddress, MAX_USER_AGENT_LENGTH } from "../model/client-shapes.js";
import { excerpt } from "../model/faults.js";
import type { Rule } from "../model/records.js";
import { assertText, invalid } from "../rest/body.js";
import { urlOf } from "../rest/resource-type.js";
import { listPages } from "../rest/list.js";
import { plainParameters, type QueryParameter } from "../rest/query.js";
import { findRecord } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { createScopeCheck } from "../access/scope.js";
import { WEBFINGER_PARAMETERS } from "../rest/webfinger-shapes.js";
import { readTriedRules } from "../store/records/rules.js";
import type { OrgStore } from "../store/store.js";
import { getTenant } from "../tenancy/tenant.js";
import { atOneRevision } from "./current-routing.js";
import { imagineClient } from "./imagined-client.js";
import { POLICY } from "./policies.js";
import { createProfileGuard } from "./profile-guard.js";
import { RULE } from "./rules.js";
import { explainInSteps, findAttributes, parseInSteps, takePage } from "./trace-page.js";
import { createPastTrace, readMoment, type Traced } from "./trace-past.js";
import { TRACE_SHAPE } from "./trace-shapes.js";

const TRACE_PARAMETERS: Readonly<Record<string, QueryParameter>> = {
  clientIp: { shape: z.string(), description: "The address of the client; by default that of the caller." },
  userAgent: {
    shape: z.string().max(MAX_USER_AGENT_LENGTH),
    description: "The user agent of the client; by default that of the caller.",
    isText: true,
  },
  revision: {
    shape: z.int().min(1),
    description: "Explain with the rules, zones and providers as they were at this revision.",
  },
  at: { shape: z.string().meta({ format: "date-time" }), description: "The same, at this time." },
};

interface TraceOptions {
  readonly data: OrgStore;
  readonly orgId: string;
  readonly question: Question;
  readonly page: Page;
}

/** Shows WebFinger's response to a query and explains it (rule W10): see docs/reference/api/discovery-trace.md. */
// eslint-disable-next-line max-lines-per-function -- its handlers share what they are built over
export function traceResources({ store, settings, routings, nextTurn }: ApiDependencies): Resource[] {
  const namespace = compileNamespace("api", settings.namespace);
  const parseWebfinger = compileWebfingerParser(namespace, settings.resourceAliases);
  const { issuerHref, issuerRel } = settings;
  const assertReadsUsers = createScopeCheck(settings, "users.read");
  const guardProfile = createProfileGuard(settings);
  const tracePast = createPastTrace(nextTurn);

  const traceNow = ({ data, orgId, question, page }: TraceOptions): Promise<Traced> =>
    atOneRevision({ routings, orgId, data }, async (routing, read) => {
      const answer = await routing.route(question);
      const found = await read((db) => readTriedRules(db, orgId, answer.rule.id, page));
      const tried = await routing.run(parseInSteps([found.match, ...found.rows]));
      return { answer, routing, found, tried };
    });

  const trace: RequestHandler = async (req, res) => {
    const { org, baseUrl } = getTenant(req);
    const data = store.forOrg(org.id);
    const policy = await data.query((db) => findRecord(POLICY, db, req));
    const { query, fault } = parseWebfinger(req.originalUrl.replace(/^[^?]*\??/, ""));
    if (fault) throw webfingerError(fault);
    const { login, resource } = query;
    const client = readClient(req);
    const question: Question = {
      login,
      clientIp: client.ipAddress ?? undefined,
      platform: client.platform,
      lookupProfile: (names) => store.findUserProfile(org.id, login, names),
    };

    const page = getPage(req);
    const options = { data, orgId: org.id, question: guardProfile(req, question, "trace"), page };
    const past = readMoment(req);
    const traced = await (past ? tracePast({ ...options, moment: past }) : traceNow(options));
    const { answer, routing, found, tried, moment } = traced;
    const { records, run } = routing;
    const profile = await question.lookupProfile(findAttributes(tried));
    const explain = createExplainer({ records, question, profile });
    const present = (rule: Rule, explanation: Explanation) => {
      const { id, name, priority } = rule;
      if (explanation.conditions.some((condition) => "attribute" in condition)) {
        assertReadsUsers(req, `The rule ${excerpt(name)} has a condition on an attribute; its trace`);
      }
      return withLinks({ id, name, priority, ...explanation }, { self: formatLink(urlOf(RULE, req, rule)) });
    };
    const [match] = (await run(explainInSteps(tried.slice(0, 1), explain, present))).values();
    const rules = await run(explainInSteps(tried.slice(1, 1 + page.limit), explain, present));
    const selected = nameIssuers(answer.providers, records.issuers, issuerHref);
    const jrd = formatJrd(query, selected, { namespace, baseUrl, title: org.name, issuerRel });
    res.json(
      withLinks(
        {
          resource,
          login,
          client: { ...client, zones: [...records.findZones(question.clientIp)].sort(byName) },
          match,
          rules: takePage(page, found, rules),
          links: jrd.links,
          ...moment,
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
          id: "traceDiscovery",
          summary: "Explain the identity provider of a login",
          scope: "policies.read",
          cors: true,
          query: [
            { parameters: WEBFINGER_PARAMETERS },
            plainParameters(TRACE_PARAMETERS),
            listPages(settings, { resource: "trace" }),
          ],
          sent: { content: { name: "Trace", shape: TRACE_SHAPE } },
          handlers: [trace],
        },
      },
    },
  ];
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

/** The client of the traced query: the caller, unless parameters replace its address or user agent. */
function readClient(req: Request) {
  const query = getQuery(req);
  const clientIp = query.get("clientIp");
  const userAgent = query.get("userAgent");
  if (clientIp !== undefined && !isAddress(clientIp)) {
    throw invalid([["clientIp", `must be an IPv4 or IPv6 address, not ${excerpt(clientIp)}`]]);
  }
  if (userAgent !== undefined) assertText("userAgent", userAgent, MAX_USER_AGENT_LENGTH);
  return imagineClient(req, { clientIp, userAgent });
}
