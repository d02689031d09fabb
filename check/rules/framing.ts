import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import type { ProbeRequest } from "../request.js";
import { statusFault } from "../response.js";
import { firstOf, type Verdict } from "../verdict.js";
import { findErrorFault } from "./error-object.js";

const SMUGGLING = "A proxy and a server that read the end of a request differently let a client smuggle a second one.";

/** The request sends a body of no byte in chunks, should the server read chunks. */
const LAST_CHUNK = "0\r\n\r\n";

/** What frameworks never see: lengths, codings, `Host` and targets (rules V2, V3 and E5). */
export const FRAMING_CHECKS: readonly Check[] = [
  framingCheck({
    id: "length-invalid",
    title: "A malformed Content-Length is refused",
    requests: ["abc", "-1", "+7", "0x7", "7, 7", ""].map((length) => [
      `Content-Length: ${length}`,
      { headers: { "Content-Length": length } },
    ]),
    expected: [400],
  }),
  framingCheck({
    id: "length-twice",
    title: "Two Content-Length lines that differ are refused",
    requests: [["Content-Length: 0 and 7", { headers: { "Content-Length": ["0", "7"] } }]],
    expected: [400],
  }),
  framingCheck({
    id: "length-and-chunked",
    title: "A request with a length and chunks is refused",
    requests: [["Both", { headers: { "Content-Length": "5", "Transfer-Encoding": "chunked" }, body: LAST_CHUNK }]],
    expected: [400],
  }),
  framingCheck({
    id: "transfer-encoding-empty",
    title: "An empty Transfer-Encoding is refused",
    requests: [["An empty Transfer-Encoding", { headers: { "Transfer-Encoding": "" } }]],
    expected: [400, 501],
  }),
  framingCheck({
    id: "transfer-encoding-unknown",
    title: "An unknown transfer coding is refused",
    requests: ["gzip, chunked", "identity", "chunked, chunked", "x"].map((coding) => [
      `Transfer-Encoding: ${coding}`,
      { headers: { "Transfer-Encoding": coding }, body: LAST_CHUNK },
    ]),
    expected: [400, 501],
  }),
  framingCheck({
    id: "transfer-encoding-old",
    title: "A transfer coding in HTTP/1.0 is refused",
    requests: [
      ["Chunks in HTTP/1.0", { headers: { "Transfer-Encoding": "chunked" }, body: LAST_CHUNK, version: "HTTP/1.0" }],
    ],
    expected: [400, 501, 505],
  }),
  framingCheck({
    id: "field-name-space",
    title: "A space before the colon of a field is refused",
    requests: [["A space before the colon", { headers: { "Content-Length ": "0" } }]],
    expected: [400],
    specification: "RFC 9112 section 5.1",
  }),
  {
    id: "length-missing",
    rule: "V2",
    severity: "security",
    title: "A write without any length is refused, and the connection is closed",
    why: "The bytes that follow would be the next request: a body that somebody else wrote becomes a request of its own.",
    specification: "RFC 9110 section 15.5.12",
    mend: "Send 411 and close the connection when a POST or PUT has neither Content-Length nor Transfer-Encoding.",
    needs: ["writable"],
    async run(probe) {
      const { method, writable = "/" } = probe.plan;
      return expectRefusal(probe, `${method} without a length`, { method, target: writable }, [400, 411]);
    },
  },
  {
    ...hostCheck("host-missing", "A request without Host is refused, with the error object", "No Host", { Host: null }),
    severity: "interoperability",
    run: (probe) => expectObject(probe, "No Host", { headers: { Host: null } }, [400]),
  },
  hostCheck("host-twice", "Two Host lines are refused", "Two Host lines", (host) => ({
    Host: [host, "etiquette-check.invalid"],
  })),
  hostCheck("host-invalid", "A malformed Host is refused", "Host: user@x/..", { Host: "user@x/.." }),
  {
    id: "target-elsewhere",
    rule: "E5",
    severity: "security",
    title: "A request for another host than its Host says is refused",
    why: "A cache or a filter that reads the one, and an app that reads the other, disagree on whose request it is.",
    specification: "RFC 9112 section 3.2.2",
    mend: "Compare the authority of a target in absolute form with `Host`; send 400 or 421 if they differ.",
    async run(probe) {
      const response = await probe.get(`http://etiquette-check.invalid${probe.path}`);
      return statusFault(response, [400, 421], "GET http://etiquette-check.invalid/…");
    },
  },
  ...protocolFailures(),
];

/** Failures that Node's parser, and not the app, sends: they need the error object as well. */
function protocolFailures(): Check[] {
  const base = {
    rule: "E5",
    severity: "style" as const,
    why: "Clients parse each failure, and support needs its id. Servers send these themselves, before the app sees the request.",
    mend: "Send the error object from the server's handlers too; `createServer` of etiquette does.",
  };
  return [
    {
      ...base,
      id: "malformed-object",
      title: "A malformed request gets the error object",
      run: (probe) => expectObject(probe, "Content-Length: abc", { headers: { "Content-Length": "abc" } }, [400]),
    },
    {
      ...base,
      id: "expect-object",
      title: "An unknown Expect gets 417 and the error object",
      specification: "RFC 9110 section 10.1.1",
      run: (probe) => expectObject(probe, "Expect: tea", { headers: { Expect: "tea" } }, [417]),
    },
    {
      ...base,
      id: "header-size-object",
      title: "A header that is too large gets the error object",
      specification: "RFC 6585 section 5",
      async run(probe) {
        const headers = { "X-Etiquette-Check": "x".repeat(20_000) };
        const response = await probe.get(probe.path, headers);
        return response.ok ? undefined : findErrorFault(response, "A header of 20 KB");
      },
    },
  ];
}

interface FramingCheck extends Pick<Check, "id" | "title"> {
  requests: readonly (readonly [sent: string, request: ProbeRequest])[];
  expected: readonly number[];
  specification?: string;
}

function framingCheck({ id, title, requests, expected, specification }: FramingCheck): Check {
  return {
    id,
    rule: "V3",
    severity: "security",
    title,
    why: SMUGGLING,
    specification: specification ?? "RFC 9112 sections 6.1 to 6.3",
    mend: "Refuse it with 400 and close the connection, in the server or in the proxy before it.",
    run: (probe) => firstOf(requests, ([sent, request]) => expectRefusal(probe, sent, request, expected)),
  };
}

async function expectRefusal(
  probe: Probe,
  sent: string,
  request: ProbeRequest,
  expected: readonly number[],
): Promise<Verdict> {
  const response = await probe.send({
    ...request,
    headers: { Connection: null, ...request.headers },
    followUp: true,
  });
  const fault = statusFault(response, expected, sent);
  return fault ?? (response.followed ? `${sent}: the connection stays open.` : undefined);
}

async function expectObject(
  probe: Probe,
  sent: string,
  request: ProbeRequest,
  expected: readonly number[],
): Promise<Verdict> {
  const response = await probe.send(request);
  return statusFault(response, expected, sent) ?? findErrorFault(response, sent);
}

type HostHeaders = NonNullable<ProbeRequest["headers"]>;

function hostCheck(
  id: string,
  title: string,
  sent: string,
  headers: HostHeaders | ((host: string) => HostHeaders),
): Check {
  return {
    id,
    rule: "E5",
    severity: "security",
    title,
    why: "Proxies, caches and apps that choose different hosts for one request mix up tenants, links and caches.",
    specification: "RFC 9112 section 3.2",
    mend: "Send 400 unless there is exactly one valid Host.",
    async run(probe) {
      const response = await probe.get(probe.path, typeof headers === "function" ? headers(probe.host) : headers);
      return statusFault(response, [400], sent);
    },
  };
}
