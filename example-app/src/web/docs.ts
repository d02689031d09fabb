import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Router, type RequestHandler } from "express";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { getEntityTag, weakEtag } from "etiquette/weak-etag";
import type { RateLimiter } from "../admission/rate-limits.js";
import type { ResponseRoom } from "../admission/response-room.js";
import { DOCS_PAGE, DOCS_POLICY, DOCS_SCRIPT, DOCS_STYLE } from "./docs-page.js";

/** Made by `tools/build/swagger-ui.js`: the package of Swagger UI would tell its makers of each installation. */
const FOLDER = join(__dirname, "../../swagger-ui");

/** The files of Swagger UI that the page needs, and their types. */
const SWAGGER_UI: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

const HEADERS = {
  "Cache-Control": "no-cache", // the next version of the server has other files
  "Content-Security-Policy": DOCS_POLICY,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** A file in memory. */
interface File {
  readonly tag: string;
  readonly content: Buffer;
  readonly compressed: Buffer;
}

/** The page `/docs` of the API, on which a person reads the description and tries operations. Everybody can read it. */
export function docs(limiter: Pick<RateLimiter, "ofPublic"> | null, room: ResponseRoom): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const own = (text: string) => () => Promise.resolve(Buffer.from(text));
  const serve = (path: string, type: string, read: () => Promise<Buffer>): void => {
    const admission = limiter ? [limiter.ofPublic("discovery")] : [];
    const tagged = weakEtag({ revision: "tag" });
    router
      .route(path)
      .get(...admission, tagged, room.bound(sendFile(type, read), undefined))
      .all(methodNotAllowed());
  };

  serve("/docs", "text/html; charset=utf-8", own(DOCS_PAGE));
  serve("/docs/page.css", "text/css; charset=utf-8", own(DOCS_STYLE));
  serve("/docs/page.js", "text/javascript; charset=utf-8", own(DOCS_SCRIPT));
  for (const [name, type] of Object.entries(SWAGGER_UI)) {
    serve(`/docs/${name}`, type, () => readFile(join(FOLDER, name)));
  }
  return router;
}

/** Sends a file, which is read and compressed once, when it is asked for. */
function sendFile(type: string, read: () => Promise<Buffer>): RequestHandler {
  let loading: Promise<File> | undefined;

  return async (req, res) => {
    loading ??= load(read);
    const { tag, content, compressed } = await loading.catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    res.set(HEADERS);
    res.vary("Accept-Encoding");
    const entityTag = getEntityTag(req);
    entityTag.set({ tag });
    if (entityTag.evaluate({ tag }) === "not-modified") {
      res.status(304).end();
      return;
    }
    res.setHeader("Content-Type", type);
    const isCompressed = req.acceptsEncodings("gzip", "identity") === "gzip";
    if (isCompressed) res.setHeader("Content-Encoding", "gzip");
    res.send(isCompressed ? compressed : content);
  };
}

async function load(read: () => Promise<Buffer>): Promise<File> {
  const content = await read();
  const tag = createHash("sha256").update(content).digest("base64url").slice(0, 22);
  return { tag, content, compressed: await promisify(gzip)(content) };
}
