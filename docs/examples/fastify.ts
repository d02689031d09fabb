import fastify from "fastify";
import { apiError } from "etiquette/api-error";
import { compileCursorCodec, CursorError } from "etiquette/cursors";
import { compileEntityTags } from "etiquette/entity-tags";
import { compileFilter, compileFilterSchema, FilterError, parseFilter } from "etiquette/filter";
import { formatError } from "etiquette/format-error";
import { selectRows } from "etiquette/keyset";
import { formatLinkHeader } from "etiquette/link-header";

const users = ["Ann", "Bob", "Cyd", "Dan", "Eve"].map((name, index) => ({ id: index + 1, name }));
const schema = compileFilterSchema({ attributes: { name: { type: "string" } } });
const cursors = compileCursorCodec(["a secret of 32 bytes or more, from your settings"]);
const tags = compileEntityTags({ fields: ["name"] });

const app = fastify();

app.get<{ Querystring: { filter?: string; after?: string } }>("/users", (request, reply) => {
  const { filter, after } = request.query;
  const context = { resource: "users", filter };
  const matches = filter === undefined ? () => true : compileFilter(parseFilter(filter), schema);
  const place = after === undefined ? undefined : cursors.decode(after, "after", context).keys;
  const found = selectRows(users.filter(matches), { after: place, limit: 3 }, ({ id }) => [id], [{ column: "id" }]);
  const page = found.slice(0, 2); // the third row only says that there is a next page
  const last = page.at(-1);
  if (last && found.length > 2) {
    const next = new URLSearchParams({
      ...request.query,
      after: cursors.encode({ direction: "after", keys: [last.id] }, context),
    });
    reply.header("Link", formatLinkHeader(`https://api.example.com/users?${next}`, "next"));
  }
  return page;
});

app.put<{ Params: { id: string }; Body: { name: string } }>("/users/:id", (request, reply) => {
  const user = users.find(({ id }) => String(id) === request.params.id);
  if (!user) throw apiError("E0000007", { detail: `Resource not found: ${request.params.id} (User)` });
  const { outcome, cause } = tags.evaluate(request, user);
  if (outcome === "failed") throw apiError("E0000231", { causes: [cause] });
  if (outcome === "malformed") throw apiError("E0000242", { causes: [cause] });
  user.name = request.body.name;
  reply.header("ETag", tags.format(user));
  return user;
});

app.setErrorHandler((error, request, reply) => {
  const { status, headers, body } = formatError(explain(error), { id: request.id });
  if (status >= 500) request.log.error(error);
  return reply.code(status).headers(headers).send(body);
});
app.setNotFoundHandler(() => {
  throw apiError("E0000007");
});

/** The errors of the parsers are no responses yet. */
function explain(error: unknown) {
  if (error instanceof FilterError) return apiError("E0000031", { causes: [`filter: ${error.message}.`] });
  if (error instanceof CursorError) return apiError("E0000029", { causes: [`after: ${error.message}.`] });
  return error;
}

app.listen({ port: 3000 });
