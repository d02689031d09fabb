import type { Request, RequestHandler } from "express";
import { formatLink, formatList, formatPath, withLinks } from "etiquette/links";
import { compileNamespace } from "etiquette/namespace";
import { getPage } from "etiquette/pagination";
import { recordEvents } from "../audit/change-events.js";
import { apiError, type ApiError } from "../model/api-error.js";
import { createId, ID_REGEXP } from "../model/ids.js";
import type { Policy, Rule, Status } from "../model/records.js";
import { invalid, parseBody } from "../rest/body.js";
import { listPages } from "../rest/list.js";
import { lifecycle, toLogEntity } from "../rest/crud.js";
import { resourceNotFound } from "../rest/reading.js";
import type { ApiDependencies, Resource } from "../rest/resource.js";
import { findViolatedColumn } from "../store/errors.js";
import { selectPage } from "../store/pages.js";
import { fromRule, toRule } from "../store/rows.js";
import { closePlace, findLastPriority, movePlace, openPlace } from "../store/rule-order.js";
import { RULE_ORDER } from "../store/rules.js";
import type { Db, RuleRow } from "../store/schema.js";
import type { WriteTransaction } from "../store/transaction.js";
import { getTenant } from "../tenancy/tenant.js";
import { findPolicy, policyUrl } from "./policies.js";
import { assertReferences } from "./rule-references.js";
import { createApiRuleShape, createDefaultRuleShape, findReadOnly, presentRule, toActions } from "./rule-shape.js";

const LABEL = "PolicyRule";

export function ruleKeys({ system, position, id }: Pick<RuleRow, "system" | "position" | "id">) {
  return [system, position, id];
}

/** What is done to a rule, in its event. */
type Change = "add" | "update" | "delete" | "activate" | "deactivate";

/** The rules of the discovery policy: who is sent where, see docs/api/policies.md. */
export function ruleResources({ store, settings }: ApiDependencies): Resource[] {
  const orgType = compileNamespace("api", settings.namespace).value;
  const shape = createApiRuleShape(orgType);
  const defaultShape = createDefaultRuleShape(orgType);

  const list: RequestHandler = async (req, res) => {
    const policy = await findPolicy(store.reader, req);
    const page = getPage(req);
    const query = store.reader.selectFrom("rules").selectAll().where("org_id", "=", getTenant(req).org.id);
    const rows = await selectPage(query, page, RULE_ORDER).execute();
    const found = page.take(rows, ruleKeys).map((row) => presentRule(toRule(row), orgType));
    res.type("json").send(formatList(found, rulesUrl(req, policy.id), ({ id }) => id));
  };

  const create: RequestHandler = async (req, res) => {
    await findPolicy(store.reader, req);
    const { name, status = "ACTIVE", conditions = {}, actions, priority } = parseBody(shape, req.body);
    const rule = await write(req, "add", async (transaction, orgId) => {
      const { db, now } = transaction;
      const values = { name, status, conditions, actions: toActions(actions) };
      await assertReferences(transaction, orgId, values);
      const last = await findLastPriority(db, orgId);
      const place = await openPlace(db, orgId, Math.min(priority ?? last, last));
      const stamps = { created: now, lastUpdated: now };
      const created: Rule = { id: createId(), priority: place.priority, system: false, ...values, ...stamps };
      await db
        .insertInto("rules")
        .values(fromRule(orgId, created, place.position))
        .execute();
      return created;
    });
    res.json(present(req, rule));
  };

  const get: RequestHandler = async (req, res) => {
    res.json(present(req, toRule(await find(store.reader, req))));
  };

  const replace: RequestHandler = async (req, res) => {
    const { system } = await find(store.reader, req);
    const edit = system === 1 ? editDefault(req) : editOrdinary(req);
    res.json(present(req, await write(req, "update", edit)));
  };

  function editOrdinary(req: Request): Edit {
    const { name, status, conditions = {}, actions, priority } = parseBody(shape, req.body);
    return async (transaction, orgId) => {
      const { db } = transaction;
      const before = await find(db, req);
      const values = { name, conditions, actions: toActions(actions), status: status ?? toRule(before).status };
      await assertReferences(transaction, orgId, values);
      const wanted = Math.min(priority ?? before.priority, (await findLastPriority(db, orgId)) - 1);
      const place = wanted === before.priority ? before : await movePlace(db, orgId, before, wanted);
      return update(transaction, before, { ...values, priority: place.priority }, place.position);
    };
  }

  function editDefault(req: Request): Edit {
    const values = parseBody(defaultShape, req.body);
    return async (transaction, orgId) => {
      const before = await find(transaction.db, req);
      const attribute = findReadOnly(values, before);
      if (attribute !== undefined) throw defaultRuleError(attribute);
      const changed = { actions: toActions(values.actions), conditions: {} };
      await assertReferences(transaction, orgId, changed);
      return update(transaction, before, changed);
    };
  }

  const remove: RequestHandler = async (req, res) => {
    await write(req, "delete", async ({ db }, orgId) => {
      const { system, ...before } = await find(db, req);
      if (system === 1) {
        const causes = ["The default rule can't be deleted: there is always an answer."];
        throw apiError("E0000006", { type: "rule.default", causes });
      }
      await db.deleteFrom("rules").where("org_id", "=", orgId).where("id", "=", before.id).execute();
      await closePlace(db, orgId, before.priority);
      return toRule({ ...before, system });
    });
    res.status(204).end();
  };

  const switchTo =
    (operation: "activate" | "deactivate", status: Status): RequestHandler =>
    async (req, res) => {
      const rule = await write(req, operation, async (transaction) => {
        const before = await find(transaction.db, req);
        if (before.system === 1) throw defaultRuleError("status");
        const { status: current } = toRule(before);
        if (!lifecycle.isAllowed(operation, current)) throw invalid([["status", `is ${current} already`]]);
        return update(transaction, before, { status });
      });
      res.json(present(req, rule));
    };

  const read = "policies.read";
  const manage = "policies.manage";
  const one = "/policies/:policyId/rules/:ruleId";
  return [
    {
      path: "/policies/:policyId/rules",
      operations: {
        GET: { scope: read, handlers: [listPages(settings, { resource: "rules" }), list] },
        POST: { scope: manage, handlers: [create] },
      },
    },
    {
      path: one,
      operations: {
        GET: { scope: read, handlers: [get] },
        PUT: { scope: manage, handlers: [replace] },
        DELETE: { scope: manage, handlers: [remove] },
      },
    },
    {
      path: `${one}/lifecycle/activate`,
      operations: { POST: { scope: manage, handlers: [switchTo("activate", "ACTIVE")] } },
    },
    {
      path: `${one}/lifecycle/deactivate`,
      operations: { POST: { scope: manage, handlers: [switchTo("deactivate", "INACTIVE")] } },
    },
  ];

  /** Do `edit`, and say so in the log, in one transaction in which nobody else changes rules of the org. */
  async function write(req: Request, change: Change, edit: Edit): Promise<Rule> {
    const { org } = getTenant(req);
    try {
      return await store.write(async (transaction) => {
        await transaction.touch(org.id);
        const policy = await findPolicy(transaction.db, req);
        const rule = await edit(transaction, org.id);
        await recordEvents(req, transaction, [describe(change, rule, policy)]);
        return rule;
      });
    } catch (error) {
      if (findViolatedColumn(error, "rules") === "name") throw invalid([["name", "another rule has it already"]]);
      throw error;
    }
  }

  function present(req: Request, rule: Rule) {
    const url = ruleUrl(req, String(req.params["policyId"]), rule.id);
    return withLinks(presentRule(rule, orgType), {
      self: formatLink(url),
      ...(!rule.system && lifecycle.format(rule.status, `${url}/lifecycle`)),
    });
  }
}

/** Changes a rule and returns what became of it. */
type Edit = (transaction: WriteTransaction, orgId: string) => Promise<Rule>;

export function ruleUrl(req: Request, policyId: string, id: string): string {
  return formatPath(rulesUrl(req, policyId), id);
}

function rulesUrl(req: Request, policyId: string): string {
  return `${policyUrl(req, policyId)}/rules`;
}

async function find(db: Db, req: Request): Promise<RuleRow> {
  await findPolicy(db, req);
  const id = String(req.params["ruleId"]);
  if (!ID_REGEXP.test(id)) throw resourceNotFound(id, LABEL);
  const row = await db
    .selectFrom("rules")
    .selectAll()
    .where("org_id", "=", getTenant(req).org.id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw resourceNotFound(id, LABEL);
  return row;
}

async function update(
  { db, now }: WriteTransaction,
  before: RuleRow,
  changes: Partial<Rule>,
  position = before.position,
): Promise<Rule> {
  const rule = { ...toRule(before), ...changes, lastUpdated: now };
  await db
    .updateTable("rules")
    .set(fromRule(before.org_id, rule, position))
    .where("org_id", "=", before.org_id)
    .where("id", "=", rule.id)
    .execute();
  return rule;
}

function describe(change: Change, rule: Rule, policy: Policy) {
  return {
    eventType: `policy.rule.${change}`,
    displayMessage: `${change.charAt(0).toUpperCase()}${change.slice(1)} ${LABEL}`,
    target: [toLogEntity(rule, LABEL), toLogEntity(policy, "Policy")],
  };
}

function defaultRuleError(attribute: string): ApiError {
  const causes = [`${attribute}: of the default rule it can't change; only its actions can.`];
  return apiError("E0000077", { type: "attribute.read-only", detail: attribute, causes });
}
