"use strict";

const { Router, text } = require("express");
const multer = require("multer");
const { z } = require("zod");
const { AppError } = require("./errors");

const Expense = z.object({
  title: z.string().trim().min(1, "Say what it was for.").max(100, "Use at most 100 characters."),
  amount: z.number("The amount is a number.").positive("The amount is more than zero."),
  currency: z.enum(["EUR", "USD", "GBP"], "The currency is EUR, USD or GBP."),
  note: z.string().max(2000, "Use at most 2000 characters.").optional(),
  tags: z.array(z.string("A tag is a text.")).max(10, "Use at most 10 tags.").optional(),
});

const Search = z.object({
  q: z.string().optional(),
  tag: z
    .union([z.string(), z.array(z.string())])
    .transform((tags) => [tags].flat())
    .default([]),
  page: z.coerce.number("The page is a number.").int("The page is a number.").min(1, "Pages begin at 1.").default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
});

const IMAGES = ["image/png", "image/jpeg"];

const upload = multer({
  limits: { fileSize: 500_000, files: 1 },
  fileFilter: (req, file, done) =>
    IMAGES.includes(file.mimetype) ? done(null, true) : done(new AppError("unsupported_file")),
});

/** Express 4 does not catch what async functions throw. */
const wrap = (handler) => (req, res, next) => handler(req, res, next).catch(next);

function expenses(store, hub) {
  const router = Router();

  async function find(req) {
    const expense = await store.get(req.params.id);
    if (!expense) throw new AppError("not_found");
    return expense;
  }

  async function findOpen(req) {
    const expense = await find(req);
    if (expense.approved) throw new AppError("already_approved");
    return expense;
  }

  async function add(values, user) {
    const expense = await store.add({ tags: [], ...values, by: user.name, approved: false });
    hub.tell({ created: expense.id });
    return expense;
  }

  router.get(
    "/",
    wrap(async (req, res) => {
      const { page, pageSize, ...search } = Search.parse(req.query);
      const found = await store.list(search);
      res.json({ total: found.length, items: found.slice((page - 1) * pageSize, page * pageSize) });
    }),
  );

  router.post(
    "/",
    wrap(async (req, res) => {
      const expense = await add(Expense.parse(req.body), req.session.user);
      res.status(201).location(`/api/expenses/${expense.id}`).json(expense);
    }),
  );

  router.post(
    "/batch",
    wrap(async (req, res) => {
      const added = [];
      for (const values of z.array(Expense).parse(req.body)) added.push(await add(values, req.session.user));
      res.status(201).json({ added: added.length });
    }),
  );

  router.get(
    "/export.csv",
    wrap(async (req, res) => {
      const rows = (await store.list()).map(({ title, amount, currency }) => [title, amount, currency].join(";"));
      res.attachment("expenses.csv").send(`${["title;amount;currency", ...rows].join("\n")}\n`);
    }),
  );

  router.post(
    "/import",
    text({ type: "text/csv", limit: "1mb" }),
    wrap(async (req, res) => {
      const [, ...lines] = String(req.body).trim().split("\n");
      const rows = lines.map((line) => line.split(";"));
      const values = rows.map(([title, amount, currency]) => ({ title, amount: Number(amount), currency }));
      for (const each of z.array(Expense).parse(values)) await add(each, req.session.user);
      res.status(201).json({ added: rows.length });
    }),
  );

  router.get(
    "/:id",
    wrap(async (req, res) => res.json(await find(req))),
  );

  router.patch(
    "/:id",
    wrap(async (req, res) => {
      const { id } = await findOpen(req);
      res.json(await store.change(id, Expense.partial().parse(req.body)));
    }),
  );

  router.put(
    "/:id/approval",
    wrap(async (req, res) => {
      await store.change((await find(req)).id, { approved: true });
      res.status(204).end();
    }),
  );

  router.delete(
    "/:id",
    wrap(async (req, res) => {
      await store.remove((await findOpen(req)).id);
      res.status(204).end();
    }),
  );

  router.put(
    "/:id/receipt",
    upload.single("receipt"),
    wrap(async (req, res) => {
      if (!req.file) throw new AppError("bad_upload");
      const { mimetype, buffer } = req.file;
      await store.change((await findOpen(req)).id, { receipt: { mimetype, buffer } });
      res.status(201).json({ bytes: buffer.length });
    }),
  );

  router.get(
    "/:id/receipt",
    wrap(async (req, res) => {
      const { receipt } = await find(req);
      if (!receipt) throw new AppError("not_found");
      res.type(receipt.mimetype).send(receipt.buffer);
    }),
  );

  return router;
}

module.exports = { expenses };
