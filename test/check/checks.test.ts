import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArguments } from "../../check/command-line/parse.js";
import { CHECKS } from "../../check/rules/index.js";
import { runChecks, type CheckResult } from "../../check/engine.js";
import { createTestCertificate, type TestCertificate } from "../support/tls.js";
import { createEtiquetteServer, TOKEN } from "./peers/etiquette.js";
import { ITEM, LIST, ORIGIN } from "./peers/items.js";
import { BROKEN, BROKEN_ARGS } from "./support/broken.js";
import { checkServer, outcomesOf } from "./support/run.js";
import { createScriptedServer, type ScriptedRequest } from "./support/scripted-server.js";

let folder: string;
let certificate: TestCertificate;
let ca: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "etiquette-check-"));
  certificate = await createTestCertificate();
  ca = path.join(folder, "ca.pem");
  writeFileSync(ca, certificate.cert);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The result of one check on a server that listens nowhere yet. */
async function tryCheck(
  id: string,
  server: Server,
  protocol: string,
  args: string[],
): Promise<CheckResult | undefined> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  // an address that is not known to be of this machine, so that plain HTTP counts
  const host = id === "http-refused" ? "0.0.0.0" : "127.0.0.1";
  const url = `${protocol}://${host}:${port}/v1/items/1`;
  try {
    const { plan, checks } = parseArguments([url, "--rate", "1000", "--rules", id, ...args]);
    return (await runChecks(plan, checks)).results[0];
  } finally {
    server.close();
  }
}

it("every check passes on an app with the suite, over TLS", async () => {
  const args = [
    ...["--list", LIST, "--resource", ITEM, "--write", "--writable", ITEM, "--field", "/name", "--ca", ca],
    ...["--origin", ORIGIN, "--filter", 'status eq "ACTIVE"', "--header", `Authorization: Bearer ${TOKEN}`],
  ];
  const report = await checkServer(createEtiquetteServer(certificate), LIST, args, "https");
  const others = Object.entries(outcomesOf(report)).filter(([, outcome]) => outcome !== "passed");
  const plain = CHECKS.filter(({ needs }) => needs?.includes("http")).map(({ id }) => [
    id,
    "skipped: It needs an http: URL.",
  ]);
  const local = ["hsts", "skipped: With it, browsers would use HTTPS for every other server on this machine."];
  expect(Object.fromEntries(others)).toEqual(Object.fromEntries([local, ...plain]));
  expect(report.notes).toEqual([]);
}, 60_000);

it("http-refused passes where plain HTTP is refused", async () => {
  const server = createScriptedServer(() => ({ status: 403 }));
  expect(await tryCheck("http-refused", server, "http", [])).toMatchObject({ outcome: "passed" });
});

it("error-cause takes no 501 or 505 for a failure of the server", async () => {
  for (const status of [501, 505]) {
    const server = createScriptedServer(({ index }) => ({ status: index > 0 ? status : 200 }));
    expect(await tryCheck("error-cause", server, "http", [])).toMatchObject({ outcome: "passed" });
  }
});

describe("a server that breaks the rule", () => {
  const plain = CHECKS.filter(({ needs }) => !needs?.includes("tls")).map(({ id }) => id);

  it.each(plain)("fails %s", async (id) => {
    const server = createScriptedServer(BROKEN[id] ?? (() => ({})));
    const result = await tryCheck(id, server, "http", BROKEN_ARGS);
    expect(result).toMatchObject({ check: { id }, outcome: "finding", message: expect.stringMatching(/[^ ]$/) });
    expect(result?.exchanges.at(-1)?.response).toMatch(/^HTTP\/1\.1 \d{3} /);
  });

  it("fails hsts", async () => {
    const headers = { "Strict-Transport-Security": "max-age=0" };
    const server = createScriptedServer(() => ({ headers }), certificate);
    expect(await tryCheck("hsts", server, "https", ["--ca", ca])).toMatchObject({ outcome: "finding" });
  });

  it("does not ask for hsts on this machine", async () => {
    const server = createScriptedServer(() => ({}), certificate);
    expect(await tryCheck("hsts", server, "https", ["--ca", ca])).toMatchObject({ outcome: "skipped" });
  });

  it("fails tls-old", async () => {
    const tls = { ...certificate, minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const server = createScriptedServer(() => ({}), tls);
    expect(await tryCheck("tls-old", server, "https", ["--ca", ca])).toMatchObject({ outcome: "finding" });
  });

  it("fails plain-http, and gets no credentials over plain HTTP", async () => {
    const requests: ScriptedRequest[] = [];
    const plainServer = createScriptedServer((request) => {
      requests.push(request);
      return {};
    });
    const tlsServer = createScriptedServer(() => ({}), certificate);
    const server = createServer((socket) => {
      socket.once("data", (first: Buffer) => {
        socket.pause();
        socket.unshift(first);
        const isTls = first[0] === 0x16;
        (isTls ? tlsServer : plainServer).emit("connection", socket);
        if (!isTls) socket.resume();
      });
    });
    const args = ["--ca", ca, "--header", "Authorization: Bearer the-token"];
    expect(await tryCheck("plain-http", server, "https", args)).toMatchObject({ outcome: "finding" });
    expect(requests.map(({ target, headers }) => [target, headers["authorization"]])).toEqual([
      ["/v1/items/1", undefined],
    ]);
  });
});
