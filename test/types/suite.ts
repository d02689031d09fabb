import type { ErrorRequestHandler, RequestHandler } from "express";
import { suite, type Suite, type SuiteOptions, type SuiteParts } from "etiquette";

/** Each middleware takes `false`, `true` or its own options. */
const chosen = suite({
  trust: ["loopback"],
  headerName: "X-Id",
  catalogue: { ORDER0001: { status: 409, summary: "Shipped." } },
  maxBytesPerCharacter: 4,
  sharedShapes: false,
  responseCheck: { enabled: true, log: (faults) => faults.map(({ rule }) => rule) },
  requestId: { generator: (req) => req.method, trustInbound: () => false },
  requestContext: true,
  httpsOnly: { maxAge: false },
  bodyLength: { status: 400, methods: ["POST"] },
  utf8Guard: {},
  queryParameters: { plus: "space" },
  contentType: { consumes: ["application/json"] },
  jsonBody: false,
  notFound: true,
  errorFormatter: { log: (error, { status }) => [error, status.toFixed()] },
});

/** `parts` has those that are switched on, typed. */
export const handler: RequestHandler = chosen.parts.httpsOnly;
export const fallback: ErrorRequestHandler = chosen.parts.errorFormatter;
// @ts-expect-error -- it is switched off
export const off = chosen.parts.jsonBody;
// @ts-expect-error -- it is switched off
export const alsoOff = chosen.parts.sharedShapes;
// @ts-expect-error -- there is no such part
export const unknownPart = chosen.parts.operationCors;

/** All are on when nothing is said. */
export const first: RequestHandler = suite().parts.sharedShapes;
export const last: ErrorRequestHandler = suite({}).parts.errorFormatter;

/** What is known only at run time may be absent. */
const perhaps = suite({ httpsOnly: process.env["TLS"] === "1" });
export const maybe: RequestHandler | undefined = perhaps.parts.httpsOnly;
// @ts-expect-error -- it may be switched off
export const sure: RequestHandler = perhaps.parts.httpsOnly;

/** Options can be declared apart, wide or as they are. */
const wide: SuiteOptions = { bodyLength: false };
export const ofWide: Suite = suite(wide);
export const wideMaybe: RequestHandler | undefined = suite(wide).parts.requestId;
const exact = { bodyLength: false } as const satisfies SuiteOptions;
export const ofExact: RequestHandler = suite(exact).parts.requestId;
// @ts-expect-error -- it is switched off
export const exactOff = suite(exact).parts.bodyLength;
export const anySuite: Suite = suite({ bodyLength: false });
export const anyParts: SuiteParts = suite().parts;

// @ts-expect-error -- the option is misspelled
suite({ httpOnly: false });
// @ts-expect-error -- the option of the middleware is misspelled
suite({ httpsOnly: { maxage: 1 } });
// @ts-expect-error -- also beside one that is right
suite({ httpsOnly: { maxAge: 1, maxage: 1 } });
// @ts-expect-error -- nor is null "off"
suite({ httpsOnly: null });
// @ts-expect-error -- it has no options
suite({ notFound: { log: () => undefined } });

// Shared options are given once, at the top.
// @ts-expect-error -- trust is shared
suite({ httpsOnly: { trust: "loopback" } });
// @ts-expect-error -- trust is shared
suite({ requestContext: { trust: ["loopback"] } });
// @ts-expect-error -- namespace is shared
suite({ requestId: { namespace: "acme" } });
// @ts-expect-error -- headerName is shared
suite({ requestId: { headerName: "X-Id" } });
// @ts-expect-error -- headerName is shared
suite({ errorFormatter: { headerName: "X-Id" } });
// @ts-expect-error -- catalogue is shared
suite({ errorFormatter: { catalogue: {} } });
// @ts-expect-error -- maxBytesPerCharacter is shared
suite({ jsonBody: { maxBytesPerCharacter: 4 } });
const apart = { trust: "loopback" };
// @ts-expect-error -- also from a value that is declared apart
suite({ httpsOnly: apart });

// What reports instead of refusing.
suite({ mode: "report", onReport: ({ guard, rule, status, option }) => [guard, rule, status.toFixed(), option] });
suite({ mode: "enforce", contentType: { mode: "report" }, notFound: { mode: "report" } });
// @ts-expect-error -- no such mode
suite({ mode: "warn" });
// @ts-expect-error -- nor for one guard
suite({ jsonBody: { mode: "off" } });
// @ts-expect-error -- requestId refuses nothing
suite({ requestId: { mode: "report" } });
// @ts-expect-error -- true is no mode
suite({ mode: true });
// @ts-expect-error -- a report has no such member
suite({ mode: "report", onReport: ({ message }) => message });
// @ts-expect-error -- it is a function
suite({ onReport: "console" });
// @ts-expect-error -- onReport is shared
suite({ contentType: { onReport: () => undefined } });
// @ts-expect-error -- in the suite, mode says it
suite({ contentType: { report: true } });
