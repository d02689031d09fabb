import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Router, type Request, type RequestHandler, type Response } from "express";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { apiError } from "../../model/api-error.js";
import type { ResponseRoom } from "../../admission/response-room.js";

/** What `npm run build:console` writes. */
export const CONSOLE_FOLDER = join(__dirname, "../../../console/dist");

/** Files whose name has a hash of their content. */
const ASSETS = "/assets";

const INDEX = "index.html";

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The compressed files that the build writes beside each file, in the order of preference. */
const ENCODINGS = { br: ".br", gzip: ".gz" } as const;

/**
 * Only files of this server, no frames, no `eval`. Mantine writes style elements for what depends on the width of the
 * window, so styles may be inline; of scripts, only those that the build wrote into the index.
 */
const formatPolicy = (index: string): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...hashScripts(index)].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** The scripts in a page, by hash, as the policy names them. */
function hashScripts(html: string): string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
}

const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  Vary: "Accept-Encoding",
};

type Encoding = keyof typeof ENCODINGS;

/** A file, as it is and compressed. */
interface Page {
  readonly type: string;
  readonly content: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
}

/** The files of the console, which are few and read once. Every path that is none of them has the index: it is a page. */
export function consolePages(folder: string, room: ResponseRoom): Router {
  const pages = readPages(folder);
  const index = pages.get(`/${INDEX}`);
  const policy = formatPolicy(index?.content.toString("utf8") ?? "");
  const router = Router({ caseSensitive: true, strict: true });

  const sendAsset: RequestHandler = (req, res) => {
    const page = pages.get(`${ASSETS}${req.path}`);
    if (!page)
      throw apiError("E0000007", { type: "resource.unknown", detail: `Resource not found: ${req.path} (File)` });
    res.setHeader("Cache-Control", "public, max-age=31536000, immutable");
    send(req, res, page, policy);
  };

  const sendIndex: RequestHandler = (req, res) => {
    if (!index)
      throw apiError("E0000007", {
        type: "resource.unknown",
        detail: "The console is not built; npm run build:console builds it.",
      });
    res.setHeader("Cache-Control", "no-cache");
    send(req, res, index, policy);
  };

  router.use(methodNotAllowed({ methods: ["GET"] }));
  router.use(ASSETS, room.bound(sendAsset, undefined));
  router.use(room.bound(sendIndex, undefined));
  return router;
}

function send(req: Request, res: Response, { type, content, encoded }: Page, policy: string): void {
  const accepted = req.acceptsEncodings(...(Object.keys(encoded) as Encoding[]), "identity");
  const encoding = accepted === "br" || accepted === "gzip" ? accepted : undefined;
  res.set(HEADERS);
  res.setHeader("Content-Security-Policy", policy);
  res.setHeader("Content-Type", type);
  if (encoding) res.setHeader("Content-Encoding", encoding);
  res.send((encoding && encoded[encoding]) ?? content);
}

/** By path below the folder, such as `/assets/main-1a2b.js`. Empty when the console was not built. */
function readPages(folder: string): ReadonlyMap<string, Page> {
  if (!existsSync(join(folder, INDEX))) return new Map();
  const names = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  return new Map(
    [...names].flatMap((name) => {
      const type = TYPES[posix.extname(name)];
      if (type === undefined) return [];
      const encoded = Object.entries(ENCODINGS).flatMap(([encoding, suffix]) =>
        names.has(name + suffix) ? [[encoding, readFileSync(join(folder, name + suffix))]] : [],
      );
      const page = {
        type,
        content: readFileSync(join(folder, name)),
        encoded: Object.fromEntries(encoded) as Page["encoded"],
      };
      return [[`/${name.replaceAll("\\", "/")}`, page]];
    }),
  );
}
