import type { Check } from "../check.js";
import { statusFault } from "../response.js";
import { NotApplicable } from "../verdict.js";
import { findErrorFault, findJsonFault, unknownPath } from "./error-object.js";
import { changeCase } from "./path-case.js";
import { withQuery } from "./text.js";

/** A line of a stack trace of Node, Java or Python, or a path of the server's machine. */
const TRACE_REGEXP =
  /^\s+at .+[:(]|\bat [\w.$]+ \(.*:\d+|Traceback \(most recent|node_modules[\\/]|^\s*File ".+", line \d+/m;

/** Statuses of 5xx that are right for a request that the server doesn't support. */
const UNSUPPORTED: ReadonlySet<number> = new Set([501, 505]);

/** What clients are told of failures (rules E1, E4, S7 and N1). */
export const ERROR_CHECKS: readonly Check[] = [
  {
    id: "not-found",
    rule: "S7",
    severity: "interoperability",
    title: "A path that doesn't exist is 404",
    why: "A client with a wrong path must not take what it gets for an object.",
    specification: "RFC 9110 section 15.5.5",
    mend: "Mount a handler for everything else behind the routes.",
    run: async (probe) => statusFault(await probe.get(unknownPath(probe)), [404], unknownPath(probe)),
  },
  {
    id: "path-case",
    rule: "S7",
    severity: "security",
    title: "The case of a path counts",
    why: "Rules of proxies, caches and permissions compare paths with their case.",
    specification: "RFC 3986 section 6.2.2.1",
    mend: 'On Express: `app.enable("case sensitive routing")`, and the same for each router.',
    needs: ["success"],
    async run(probe) {
      const other = changeCase(probe.plan);
      if (other === undefined) throw new NotApplicable("No part of the path is known to be the same for all objects.");
      return statusFault(await probe.get(other), [404], other);
    },
  },
  {
    id: "error-json",
    rule: "E1",
    severity: "interoperability",
    title: "A failure is JSON",
    why: "Clients parse what they get; a page of HTML becomes a second failure that hides the first.",
    specification: "RFC 9110 section 15.5",
    mend: "Send each failure from one error handler, `errorFormatter()` of etiquette or your own.",
    async run(probe) {
      const response = await probe.get(unknownPath(probe));
      if (response.status < 400) throw new NotApplicable("A path that doesn't exist is no failure here.");
      const fault = findJsonFault(response);
      return fault && `A ${response.status}: ${fault}`;
    },
  },
  {
    id: "error-object",
    rule: "E1",
    severity: "style",
    title: "A failure is the error object, with the id of the request",
    why: "Clients branch on `errorCode`, show `errorCauses` at their fields, and quote `errorId` to support.",
    specification: "RFC 9457 has another form for the same",
    mend: "Send errorCode, errorSummary, errorLink, errorId and errorCauses.",
    run: async (probe) => findErrorFault(await probe.get(unknownPath(probe)), "A path that doesn't exist"),
  },
  {
    id: "method-unknown",
    rule: "S7",
    severity: "interoperability",
    title: "A method that a path doesn't have is 405 with Allow",
    why: "A 404 tells the client that the object is gone.",
    specification: "RFC 9110 section 15.5.6",
    mend: "Mount `methodNotAllowed()` behind the routes, or end each route with your own handler for all methods.",
    needs: ["success", "write"],
    async run(probe) {
      const response = await probe.send({ method: "PROPFIND" });
      const fault = statusFault(response, [405], "PROPFIND");
      return fault ?? (response.field("Allow") === undefined ? "The 405 has no Allow." : undefined);
    },
  },
  {
    id: "version-unknown",
    rule: "N1",
    severity: "interoperability",
    title: "A version that doesn't exist is 404",
    why: "A server that ignores the version answers clients of the next one with this one.",
    mend: "Mount each version on its own path.",
    needs: ["success"],
    async run(probe) {
      const path = probe.path.replace(/\/v\d+(?=\/|$)/, "/v987654");
      if (path === probe.path) throw new NotApplicable("The path has no version.");
      return statusFault(await probe.get(path), [404], path);
    },
  },
  {
    id: "error-cause",
    rule: "E4",
    severity: "security",
    title: "No failure of this run is a 5xx or tells its cause",
    why: "A stack trace tells an attacker what runs where; a 500 for a bad request wakes the wrong people.",
    specification: "CWE-209",
    mend: "Log the cause under the id of the request, and send the id. On Express: NODE_ENV=production is not enough.",
    async run(probe) {
      await probe.get(withQuery(unknownPath(probe), "etiquetteCheck=%ff"));
      const { failures } = probe;
      const shown = failures.find(
        ({ status, text }) => TRACE_REGEXP.test(text) || (status >= 500 && !UNSUPPORTED.has(status)),
      );
      if (!shown) return undefined;
      probe.show(shown.exchange);
      return TRACE_REGEXP.test(shown.text) ? `A ${shown.status} shows a stack trace.` : `A request is ${shown.status}.`;
    },
  },
];
