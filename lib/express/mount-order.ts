import { listMounted, type Mounted, SUITE_GUARDS_NAME } from "./mounted-layers.js";
import type { ResponseFault } from "../faults/index.js";

/** By the name of its function, what the author wrote. */
const WRITTEN: Readonly<Record<string, string>> = {
  requestIdMiddleware: "requestId()",
  httpsOnlyMiddleware: "httpsOnly()",
  bodyLengthMiddleware: "bodyLength()",
  utf8GuardMiddleware: "utf8Guard()",
  queryParametersMiddleware: "queryParameters()",
  contentTypeMiddleware: "contentType()",
  jsonBodyMiddleware: "jsonBody()",
  notFoundMiddleware: "notFound()",
  errorFormatterMiddleware: "errorFormatter()",
  jsonParser: "express.json()",
  urlencodedParser: "express.urlencoded()",
  textParser: "express.text()",
  rawParser: "express.raw()",
  multerMiddleware: "multer",
  corsMiddleware: "cors()",
  operationCorsMiddleware: "operationCors()",
  "<anonymous>": "a function without a name",
};

/** Each needs to see a request before its route does. */
const GUARDS = [SUITE_GUARDS_NAME, "requestIdMiddleware", "httpsOnlyMiddleware"];
/** Each needs to see a request before its body is read. */
const BODY_GUARDS = [SUITE_GUARDS_NAME, "bodyLengthMiddleware", "contentTypeMiddleware", "jsonBodyMiddleware"];
/** Each may refuse a request. */
const REFUSING = [...BODY_GUARDS, "httpsOnlyMiddleware", "utf8GuardMiddleware", "queryParametersMiddleware"];
const CORS = ["corsMiddleware", "operationCorsMiddleware"];
const BODY_PARSERS = ["jsonParser", "urlencodedParser", "textParser", "rawParser", "multerMiddleware"];

/** What one middleware is told of the others that stand on its wrong side. */
const MESSAGES = {
  guards: (others: string) =>
    `stands behind ${others}, whose requests it does not see. Mount it before the routes. If a route stands before it on purpose, name its path: responseCheck({ unguarded: ["/path"] }).`,
  parser: (others: string) =>
    `stands before ${others}, so a body is read before its length, its type and its characters are checked. Mount it behind them, on the routes that need it; jsonBody() parses JSON.`,
  cors: (others: string) =>
    `stands behind ${others}, so a page of another origin can't read what they refuse. Mount it before them.`,
  formatter: (others: string) => `stands before ${others}, whose errors it does not get. Mount it last.`,
  notFound: (others: string) =>
    `stands before ${others}, which is never reached: notFound() answers every request. Mount it behind the routes.`,
  deadHandler: (others: string) =>
    `stands before ${others}, which is never called: errorFormatter() sends every error. Mount your own error handler before it.`,
};

/** More names than these are counted. */
const MAX_NAMES = 3;

/**
 * Find what is mounted in the wrong order in an app of Express 4 or 5, its routers, and the apps that it is mounted in. Only
 * what is certain is reported: a middleware is known by the name of its function, and is compared with what it shares a path
 * with. Never throws.
 *
 * @param requestPath the path of a request that the app got
 * @param unguarded paths of routes that stand before the guards on purpose
 * @example
 * findOrderFaults(req.app, "/users", []); // [{ rule: "order", place: "errorFormatter()", message: "stands before GET /users, …" }]
 */
export function findOrderFaults(
  app: unknown,
  requestPath: string,
  unguarded: readonly string[],
): readonly ResponseFault[] {
  try {
    const mounted = listMounted(app, requestPath);
    return [
      ...findUnguarded(mounted, unguarded),
      ...findParsers(mounted),
      ...findCors(mounted),
      ...findFormatters(mounted),
      ...findDead(mounted),
    ];
  } catch {
    return []; // a router of another form
  }
}

function findUnguarded(mounted: readonly Mounted[], unguarded: readonly string[]): ResponseFault[] {
  const isGuard = named(GUARDS);
  const unseen = group(mounted, (route, before, after) => {
    if (!isRoute(route) || route.handlers.some((name) => GUARDS.includes(name))) return undefined;
    if (
      unguarded.some((path) => route.covers(path)) ||
      before.some((guard) => isGuard(guard) && covers(guard, route))
    ) {
      return undefined;
    }
    return after.find((guard) => isGuard(guard) && covers(guard, route));
  });
  return unseen.map(([guard, routes]) => fault(guard, MESSAGES.guards(list(routes))));
}

function findParsers(mounted: readonly Mounted[]): ResponseFault[] {
  const isGuard = named(BODY_GUARDS);
  return mounted.filter(named(BODY_PARSERS)).flatMap((parser) => {
    const [before, after] = around(mounted, parser);
    if (before.some((guard) => isGuard(guard) && covers(guard, parser))) return [];
    const guard = after.find((other) => isGuard(other) && covers(parser, other));
    return guard ? [fault(parser, MESSAGES.parser(list([guard])))] : [];
  });
}

function findCors(mounted: readonly Mounted[]): ResponseFault[] {
  const isCors = named(CORS);
  const isRefusing = named(REFUSING);
  return mounted.filter(isCors).flatMap((cors) => {
    const [before] = around(mounted, cors);
    const guard = before.find((other) => isRefusing(other) && (covers(other, cors) || covers(cors, other)));
    if (!guard || around(mounted, guard)[0].some((other) => isCors(other) && covers(other, guard))) return [];
    return [fault(cors, MESSAGES.cors(list([guard])))];
  });
}

function findFormatters(mounted: readonly Mounted[]): ResponseFault[] {
  const isFormatter = named(["errorFormatterMiddleware"]);
  const unformatted = group(mounted, (route, before, after) => {
    if (!(isRoute(route) || isNotFound(route)) || isDead(route, before)) return undefined;
    if (after.some((handler) => handler.kind === "errorHandler" && covers(handler, route))) return undefined;
    return before.find((formatter) => isFormatter(formatter) && covers(formatter, route));
  });
  return unformatted.map(([formatter, routes]) => fault(formatter, MESSAGES.formatter(list(routes))));
}

function findDead(mounted: readonly Mounted[]): ResponseFault[] {
  const isFormatter = named(["errorFormatterMiddleware"]);
  const unreached = group(mounted, (other, before) => {
    const ends = other.kind === "errorHandler" ? isFormatter : isNotFound;
    const end = isNotFound(other) ? undefined : before.find((one) => ends(one) && covers(one, other));
    return end && ends === isFormatter && before.some((one, index) => mayFail(one, index)) ? undefined : end;

    /** What comes between the formatter and another error handler, and may have errors for that. */
    function mayFail(one: Mounted, index: number): boolean {
      if (!end || index < before.indexOf(end) || one.kind === "errorHandler") return false;
      return !isDead(one, before.slice(0, index)) && (covers(one, other) || covers(other, one));
    }
  });
  return unreached.map(([first, dead]) =>
    fault(first, (isFormatter(first) ? MESSAGES.deadHandler : MESSAGES.notFound)(list(dead))),
  );
}

/** Each of `mounted` under the one that `choose` finds for it, in the order of `mounted`. */
function group(
  mounted: readonly Mounted[],
  choose: (one: Mounted, before: readonly Mounted[], after: readonly Mounted[]) => Mounted | undefined,
): [Mounted, Mounted[]][] {
  const groups = new Map<Mounted, Mounted[]>();
  for (const one of mounted) {
    const chosen = choose(one, ...around(mounted, one));
    if (chosen) groups.set(chosen, [...(groups.get(chosen) ?? []), one]);
  }
  return [...groups];
}

function around(mounted: readonly Mounted[], one: Mounted): [before: readonly Mounted[], after: readonly Mounted[]] {
  const index = mounted.indexOf(one);
  return [mounted.slice(0, index), mounted.slice(index + 1)];
}

/** Whether every request to `other` goes to `one` as well. */
function covers(one: Mounted, other: Mounted): boolean {
  return one.isEverywhere || (other.sample !== undefined && one.covers(other.sample));
}

function isDead(one: Mounted, before: readonly Mounted[]): boolean {
  return !isNotFound(one) && before.some((notFound) => isNotFound(notFound) && covers(notFound, one));
}

function isNotFound({ name }: Mounted): boolean {
  return name === "notFoundMiddleware";
}

/** A path on which only CORS is mounted is none. */
function isRoute({ kind, handlers }: Mounted): boolean {
  return kind === "app" || (kind === "route" && !handlers.every((name) => CORS.includes(name)));
}

function named(names: readonly string[]): (one: Mounted) => boolean {
  return ({ kind, name }) => kind !== "route" && names.includes(name);
}

function fault(one: Mounted, message: string): ResponseFault {
  return { rule: "order", place: write(one), message: `${write(one)} ${message}` };
}

function list(others: readonly Mounted[]): string {
  const names = others.slice(0, MAX_NAMES).map(write);
  const more = others.length - names.length;
  if (more > 0) return `${names.join(", ")} and ${more} more`;
  return names.join(" and ");
}

function write({ kind, name, sample }: Mounted): string {
  if (kind === "app") return sample === undefined ? "a mounted app" : `the app on ${sample}`;
  return WRITTEN[name] ?? name;
}
