import compression from "compression";
import express from "express";
import { suite } from "etiquette/suite";
import { getEntityTag, weakEtag } from "etiquette/weak-etag";

const { guards, fallbacks } = suite();

const app = express();
app.disable("etag");
app.use(compression());
app.use(guards);
app.get("/text", weakEtag({ fields: ["text"] }), (req) => {
  getEntityTag(req).send({ text: "a".repeat(10_000) });
});
app.use(fallbacks);
app.listen(3000);
