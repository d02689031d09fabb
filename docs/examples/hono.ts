import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { apiError } from "etiquette/api-error";
import { compileEntityTags } from "etiquette/entity-tags";
import { compileFilter, compileFilterSchema, FilterError, parseFilter } from "etiquette/filter";
import { formatError } from "etiquette/format-error";

const users = [
  { id: "1", name: "Ann" },
  { id: "2", name: "Bob" },
];
const schema = compileFilterSchema({ attributes: { name: { type: "string" } } });
const tags = compileEntityTags({ fields: ["name"] });

const app = new Hono();

app.get("/users", (c) => {
  const filter = c.req.query("filter");
  return c.json(filter === undefined ? users : users.filter(compileFilter(parseFilter(filter), schema)));
});

app.get("/users/:id", (c) => {
  const user = users.find(({ id }) => id === c.req.param("id"));
  if (!user) throw apiError("E0000007", { detail: `Resource not found: ${c.req.param("id")} (User)` });
  const { outcome, cause } = tags.evaluate({ method: c.req.method, headers: c.req.header() }, user);
  if (outcome === "failed") throw apiError("E0000231", { causes: [cause] });
  if (outcome === "malformed") throw apiError("E0000242", { causes: [cause] });
  c.header("ETag", tags.format(user));
  return outcome === "not-modified" ? c.body(null, 304) : c.json(user);
});

app.notFound(() => {
  throw apiError("E0000007");
});
app.onError((error) => {
  const explained = error instanceof FilterError ? apiError("E0000031", { causes: [error.message] }) : error;
  const { status, headers, body } = formatError(explained, { id: crypto.randomUUID() });
  return new Response(body, { status, headers });
});

serve({ fetch: app.fetch, port: 3000 });
