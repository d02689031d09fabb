"use strict";

const { requireCompiled } = require("../../kit/compiled.js");

const TEMPLATE = "org-0";

const PROVIDERS = ["First", "Second"];

/**
 * Add many orgs that have the same users, rules and API token, also with the same ids. The first is imported, the others are
 * copies of its rows.
 *
 * @param database of PostgreSQL
 * @returns `{ token, policy, rules }`: the ids of the policy and of the rules, in their order; the subdomains are `org-0` and so on
 */
async function addOrgs({ open, run }, { count, rules, users }) {
  const { importText } = requireCompiled("transfer/import.js");
  const { createToken } = requireCompiled("program/operations/tokens.js");
  const store = await open();
  await importText(store, JSON.stringify({ orgs: [createOrg(rules, users)] }));
  const { id } = await store.findOrgBySubdomain(TEMPLATE);
  const scopes = ["policies.manage", "users.manage", "logs.read"];
  const token = await createToken(store, { org: TEMPLATE, scopes, lifetime: Infinity, addresses: [] });
  await store.close();

  const [columns] = await run([
    `select table_name as name, string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_schema = 'public' and column_name <> 'org_id'
        and table_name in (select table_name from information_schema.columns where column_name = 'org_id')
        and table_name not like 'log_e%'
      group by table_name`,
  ]);
  const copies = `generate_series(1, ${count - 1}) as copies(i)`;
  const copyId = `'00o' || lpad(i::text, 17, '0')`;
  await run([
    "set synchronous_commit = off",
    `insert into orgs select (orgs).* from (
      select jsonb_populate_record(orgs, jsonb_build_object('id', ${copyId}, 'subdomain', 'org-' || i)) as orgs
      from orgs cross join ${copies} where id = '${id}') as made`,
    ...columns.map(
      ({ name, columns: kept }) => `insert into ${name} (org_id, ${kept})
      select ${copyId}, ${kept} from ${name} cross join ${copies} where org_id = '${id}'`,
    ),
    "vacuum analyze",
  ]);
  const [found] = await run([
    `select rules.id, policy_id as policy from rules join orgs on orgs.id = org_id where org_id = '${id}' order by priority`,
  ]);
  return { token, policy: found[0].policy, rules: found.map((rule) => rule.id) };
}

function createOrg(rules, users) {
  return {
    subdomain: TEMPLATE,
    name: "Copied",
    idps: PROVIDERS.map((name) => ({
      name,
      type: "OIDC",
      protocol: {
        type: "OIDC",
        endpoints: { sso: { url: "https://accounts.example.com/authorize", binding: "HTTP-REDIRECT" } },
        credentials: { client: { clientId: "etiquette" } },
      },
    })),
    // the last rule decides where the first is inactive
    rules: Array.from({ length: rules }, (_, index) =>
      createRule(index, index === 0 ? domainOf(rules - 1) : domainOf(index)),
    ),
    users: Array.from({ length: users }, (_, index) => ({
      profile: {
        login: `joe.${index}@example.com`,
        email: "joe@example.com",
        firstName: "Joe",
        lastName: `Doe ${index}`,
      },
    })),
  };
}

function createRule(index, domain) {
  return {
    name: `rule ${index}`,
    conditions: { userIdentifier: { type: "IDENTIFIER", patterns: [{ matchType: "SUFFIX", value: `@${domain}` }] } },
    actions: { idp: { providers: [{ idp: PROVIDERS[index === 0 ? 1 : 0] }] } },
  };
}

const domainOf = (index) => `tenant-${index}.example.com`;

module.exports = { addOrgs, domainOf };
