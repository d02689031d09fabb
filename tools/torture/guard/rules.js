"use strict";

const { copyRow, addRules, setAttributes } = require("../servers/rows.js");
const { webfinger } = require("../servers/client.js");
const { rule } = require("../servers/orgs.js");

/** What one org does with its rules, see `guard/attacks.js`. */

const LOGIN = "user0@hostile.example";
const RULES = 10_000;
const ATTRIBUTE_RULES = 9_900;

/** Labels that take long to decode, up to the length of a pattern. */
const LABELS = Array.from({ length: 24 }, (_, index) => `xn--${index}-uga`).join(".");

const identifier = (patterns) => ({ userIdentifier: { type: "IDENTIFIER", patterns } });

async function storeAttributeRules({ database, orgId, scale }) {
  const attribute = (index) => ({
    userIdentifier: {
      type: "ATTRIBUTE",
      attribute: "x",
      patterns: [{ matchType: "CONTAINS", value: `${"ab".repeat(10)}${index}` }],
    },
  });
  const rules = Array.from({ length: scale(ATTRIBUTE_RULES) }, (_, index) => ({ conditions: attribute(index) }));
  await addRules(database, orgId, rules);
  await setAttributes(database, orgId, [LOGIN], () => ({ x: Array.from({ length: 100 }, () => "ab".repeat(1_024)) }));
}

async function storeLabelRules({ database, orgId, scale }) {
  const patterns = (number) =>
    Array.from({ length: 1_000 }, (_, index) => ({
      matchType: "EQUALS",
      value: `${number}-${index}@${LABELS}`.slice(0, 254).replace(/[.-]+$/, ""),
    }));
  const rules = Array.from({ length: scale(28) }, (_, number) => ({ conditions: identifier(patterns(number)) }));
  await addRules(database, orgId, rules);
}

/** Rules that all have the same conditions or actions, and hold for nobody. */
const storeEqualRules =
  (create) =>
  async ({ database, orgId, scale }) => {
    const made = await create({ database, orgId });
    await addRules(
      database,
      orgId,
      Array.from({ length: scale(RULES) }, () => made),
    );
  };

/** The zones have no address of a client but the last one has all: the org must look at each of them. */
async function createZoneRule({ database, orgId }) {
  const ids = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(20, "0"));
  const copies = ids.map((id, index) => ({
    name: `Zone ${index}`,
    gateways: JSON.stringify(
      index === 99 ? [{ type: "CIDR", value: "0.0.0.0/0" }] : [{ type: "CIDR", value: `203.0.${index}.0/24` }],
    ),
  }));
  await copyRow(database, { table: "zones", orgId, from: "Zone", copies });
  const others = Array.from({ length: 150 }, (_, index) => ids[index % 99]);
  return {
    conditions: {
      network: { connection: "ZONE", include: [...others.slice(1), ids[99]], exclude: [...others.slice(1), ids[99]] },
    },
  };
}

function createPlatformRule() {
  const mobile = Array.from({ length: 32 }, () => ({ type: "MOBILE", os: { type: "IOS" } }));
  const others = [...mobile.slice(1), { type: "ANY", os: { type: "ANY" } }];
  return { conditions: { platform: { include: others, exclude: others } } };
}

function createDynamicRule() {
  const call = ".substringAfter('')".replace("''", "'e'");
  const providerExpression = `login.identifier${call}${".toLowerCase()".repeat(7)}`;
  const matchCriteria = [{ propertyName: "name", providerExpression }];
  return { conditions: {}, actions: { idp: { idpSelectionType: "DYNAMIC", matchCriteria } } };
}

const ask = ({ anonymous }) => anonymous.send(webfinger(LOGIN), { timeout: 120_000 });

function trace({ hostile, policyId }) {
  const resource = encodeURIComponent(`svc:acct:${LOGIN}`);
  return hostile.send(`/api/v1/policies/${policyId}/trace?resource=${resource}&limit=200`, { timeout: 120_000 });
}

function preview({ hostile, policyId }) {
  const { name, conditions } = rule("New", "nowhere.example");
  const body = {
    rule: { name, conditions, actions: { idp: { providers: [{ type: "SVC" }] } } },
    logins: Array.from({ length: 4 }, () => ({ login: LOGIN })),
  };
  return hostile.send(`/api/v1/policies/${policyId}/preview`, { method: "POST", body, timeout: 120_000 });
}

module.exports = {
  "attributes-webfinger": { row: 1, store: storeAttributeRules, attack: ask },
  "attributes-trace": { row: 1, store: storeAttributeRules, attack: trace },
  "attributes-preview": { row: 1, store: storeAttributeRules, attack: preview },
  "labels-trace": { row: 5, store: storeLabelRules, attack: trace },
  "zones-webfinger": { row: 6, store: storeEqualRules(createZoneRule), attack: ask },
  "platforms-webfinger": { row: 6, store: storeEqualRules(createPlatformRule), attack: ask },
  "dynamic-webfinger": { row: 6, store: storeEqualRules(createDynamicRule), attack: ask },
};
