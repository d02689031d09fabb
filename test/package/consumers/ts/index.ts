import express, { type RequestHandler } from "express";
import { errorFormatter, getRequestId, notFound, requestId, type ErrorObject, type RequestIdOptions } from "etiquette";
import { requestId as single } from "etiquette/request-id";

const options: RequestIdOptions = { generator: (req) => req.path.length.toString() };
const handler: RequestHandler = single(options);

const app = express();
app.use(handler, requestId());
app.get("/id", (req, res) => {
  res.json({ id: getRequestId(req) });
});
app.use(notFound());
app.use(errorFormatter({ log: (_error, { status, errorObject }) => status < 500 || isCode(errorObject) }));

function isCode({ errorCode }: ErrorObject): boolean {
  return errorCode === "E0000009";
}

// @ts-expect-error -- an unknown option is refused by the compiler too
requestId({ misspelled: true });
