import express from "express";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { validate } from "etiquette/validate";

/** Handlers after `validate` know what the schemas give. */

const app = express();

app.post("/users/:id", validate({ body: z.object({ email: z.email() }) }), (req, res) => {
  const email: string = req.body.email;
  const id: string = req.params.id;
  // @ts-expect-error -- the schema has no such member
  res.json([email, id, req.body.name]);
});

app.post("/users", validate({ body: v.object({ n: v.pipe(v.string(), v.transform(Number)) }) }), (req, res) => {
  const n: number = req.body.n;
  res.json(n);
});

app.post("/users", validate({ body: type({ n: "number" }) }), (req, res) => {
  const n: number = req.body.n;
  // @ts-expect-error -- it is a number
  const text: string = req.body.n;
  res.json([n, text]);
});

app.get("/users/:id", validate({ query: z.object({ limit: z.coerce.number() }) }), (req, res) => {
  const limit: number = req.query.limit;
  const id: string = req.params.id;
  res.json([limit, id]);
});

app.get("/users/:id", validate({ params: z.object({ id: z.coerce.number() }) }), (req, res) => {
  const id: number = req.params.id;
  res.json(id);
});

// @ts-expect-error -- zod's own function is no schema
validate({ body: z.object });
