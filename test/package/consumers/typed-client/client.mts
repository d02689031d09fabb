import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.mjs"; // the test generates it of docs/openapi.json

const [baseUrl = "", token = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `SVC ${token}` } });

const zone: components["schemas"]["ZoneInput"] = {
  name: "Offices",
  gateways: [{ type: "CIDR", value: "192.0.2.0/24" }],
};
const created = await client.POST("/api/v1/zones", { body: zone });
if (!created.data) throw new Error(created.error.errorSummary);
const { id, gateways } = created.data;
const path = { id };

const got = await client.GET("/api/v1/zones/{id}", { params: { path } });
const tag = got.response.headers.get("ETag") ?? "";
const replaced = await client.PUT("/api/v1/zones/{id}", {
  params: { path, header: { "If-Match": tag } },
  body: { ...created.data, name: "Old offices" },
});
const stale = await client.PUT("/api/v1/zones/{id}", { params: { path, header: { "If-Match": tag } }, body: zone });

const [policy] = (await client.GET("/api/v1/policies", { params: { query: { type: "IDP_DISCOVERY" } } })).data ?? [];
const rule = await client.POST("/api/v1/policies/{policyId}/rules", {
  params: { path: { policyId: policy?.id ?? "" } },
  body: {
    name: "From the offices",
    conditions: { network: { connection: "ZONE", include: [id] } },
    actions: { idp: { providers: [{ type: "SVC" }] } },
  },
});
const wrong = await client.GET("/api/v1/users", { params: { query: { filter: "status is ACTIVE", limit: 5 } } });
const profile = { login: "ann@example.com", email: "ann@example.com", firstName: "Ann", lastName: "Ames", floor: 3 };
await client.POST("/api/v1/users", { body: { profile } });
const users = await client.GET("/api/v1/users", {
  params: { query: { search: 'status eq "ACTIVE"', sortBy: "created" } },
});
const webfinger = await client.GET("/.well-known/webfinger", { params: { query: { resource: "svc:acct:joe" } } });
const removed = await client.DELETE("/api/v1/policies/{policyId}/rules/{ruleId}", {
  params: { path: { policyId: policy?.id ?? "", ruleId: rule.data?.id ?? "" } },
});

/** Never called: what the compiler must refuse. */
export async function refused(): Promise<void> {
  // @ts-expect-error -- there is no such path
  await client.GET("/api/v1/nothing");
  // @ts-expect-error -- a zone needs a name
  await client.POST("/api/v1/zones", { body: { gateways: [] } });
  // @ts-expect-error -- CIDR or RANGE
  await client.POST("/api/v1/zones", { body: { name: "x", gateways: [{ type: "HOST", value: "192.0.2.1" }] } });
  // @ts-expect-error -- the type is required
  await client.GET("/api/v1/policies");
  // @ts-expect-error -- a policy can't be created
  await client.POST("/api/v1/policies", { body: {} });
  const status: "ACTIVE" | "INACTIVE" | undefined = created.data?.status;
  // @ts-expect-error -- a zone has another status
  const other: "SUSPENDED" | undefined = created.data?.status;
  // @ts-expect-error -- it is null before the first activation
  const activated: string | undefined = users.data?.[0]?.activated;
  void [status, other, activated];
}

console.log(
  JSON.stringify({
    created: gateways[0]?.value,
    self: created.data._links.self.href,
    replaced: replaced.data?.name,
    stale: stale.error?.errorCode,
    rule: rule.data?.conditions.network?.include,
    wrong: wrong.error?.errorCode,
    users: users.data?.map(({ profile }) => profile.login),
    webfinger: webfinger.data?.subject,
    removed: removed.response.status,
  }),
);
