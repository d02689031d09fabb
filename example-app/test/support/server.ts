import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { createLog } from "../../src/program/process/log.js";
import { parseSettings } from "../../src/program/settings/parse.js";
import type { Settings } from "../../src/program/settings/settings.js";
import { start, type StartedServer } from "../../src/program/process/start.js";
import { importText } from "../../src/transfer/import.js";
import { createDescriptionCheck } from "./description-check.js";
import { reach } from "./pool.js";
import { withStore, type TestDatabase } from "./stores.js";

/** What the server warns of when the machine is busy. */
const LONG_TURN = "long turn of the event loop";

/** A server in this process, on a free port of the loopback; or two on one database, see {@link TEST_NODES}. */
export interface TestServer extends StartedServer {
  readonly port: number;
  /** Where the next request goes. */
  readonly nextPort: () => number;
  /** The certificate to trust. */
  readonly ca: string | undefined;
  /** The lines of the log so far, without long turns of the event loop. */
  readonly lines: Record<string, unknown>[];
  /** Keeps the connections of {@link call}: their handshakes cost more than most requests. */
  readonly agent: https.Agent | http.Agent;
}

/**
 * With `TEST_NODES=2` on PostgreSQL every server is two, each with its own store and caches, and requests go to one and
 * to the other in turns.
 */
export const TEST_NODES = Number(process.env["TEST_NODES"] ?? 1);

/** How long a change takes to reach the other node, and some more. */
const PROPAGATION_MS = 50;

/** With the default namespace, which the description of the API has too. */
const REQUEST_ID_FIELD = "x-svc-request-id";

/** A folder without the pages of the console, which a server reads when it starts. */
const NO_PAGES = __dirname;

/**
 * Settings as they are without any flag, on a free port and without the pages of the console. Requests are not limited,
 * because tests send many from one address, and nothing is refused when the event loop lags, because it does on a busy
 * machine.
 */
export function buildSettings(overrides: Partial<Settings> = {}): Settings {
  const settings = parseSettings(new Map());
  const overloadLimits = { ...settings.overloadLimits, lag: false as const };
  return { ...settings, rateLimits: null, overloadLimits, port: 0, consoleFolder: NO_PAGES, ...overrides };
}

/** Start on `database`, after the import of `document`; without one the demonstration org is there. */
export async function startTestServer(
  { options }: Pick<TestDatabase, "options">,
  overrides: Partial<Settings> = {},
  document?: unknown,
): Promise<TestServer> {
  if (document !== undefined) await importDocument(options, document);
  const lines: Record<string, unknown>[] = [];
  const settings = buildSettings({ ...reach(options), ...(overrides.http && { tlsFiles: undefined }), ...overrides });
  const log = createLog(settings.logLevel, {
    write(text) {
      const line = JSON.parse(text) as Record<string, unknown>;
      if (line["msg"] !== LONG_TURN) lines.push(line);
    },
  });
  const server = await start(settings, log);
  const port = Number(new URL(server.url).port);
  const nodes = [server];
  if (options.databaseUrl !== undefined && !settings.http && settings.publicPort === undefined) {
    while (nodes.length < TEST_NODES) nodes.push(await start({ ...settings, publicPort: port }, log));
  }
  const ports = nodes.map(({ url }) => Number(new URL(url).port));
  let requests = 0;
  const ca = settings.http
    ? undefined
    : readFileSync(settings.tlsFiles?.cert ?? join(options.dataFolder, "tls.crt"), "utf8");
  // its connections end sooner than the server ends them
  const agent = new (settings.http ? http.Agent : https.Agent)({ keepAlive: true, timeout: 1_000 });
  return {
    ...server,
    agent,
    port,
    nextPort: () => ports[requests++ % ports.length] ?? port,
    ca,
    lines,
    async close() {
      await Promise.all(nodes.map(({ close }) => close()));
      agent.destroy();
    },
  };
}

export async function importDocument(options: TestDatabase["options"], document: unknown): Promise<void> {
  await withStore(options, (store) => importText(store, JSON.stringify(document)));
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the tests say what they expect
  body: any;
}

export interface Call {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON, unless it is a text. */
  body?: unknown;
  agent?: https.Agent | http.Agent;
}

const checkDescription = createDescriptionCheck();

/** Send one request over the loopback, to the host `localhost` unless a header says otherwise. */
export async function call(
  { port, nextPort, ca, url, agent: kept }: Pick<TestServer, "port" | "ca" | "url"> & Partial<TestServer>,
  path: string,
  { method = "GET", headers = {}, body, agent }: Call = {},
): Promise<Answer> {
  const module = url.startsWith("https:") ? https : http;
  const content = body === undefined || typeof body === "string" ? (body ?? "") : JSON.stringify(body);
  const framing = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(content)) };
  const request = module.request({
    host: "127.0.0.1",
    port: nextPort?.() ?? port,
    path,
    method,
    headers: { Host: `localhost:${port}`, ...(method !== "GET" && method !== "HEAD" && framing), ...headers },
    agent: agent ?? kept ?? false,
    ...(ca !== undefined && { ca, servername: "localhost" }),
  });
  request.end(content);
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += String(chunk);
  if (TEST_NODES > 1 && method !== "GET" && method !== "HEAD") await sleep(PROPAGATION_MS);
  if (response.headers[REQUEST_ID_FIELD] !== undefined) {
    const { statusCode: status = 0, headers: fields } = response;
    const requestType = request.getHeader("content-type") as string | undefined;
    checkDescription({ method, path, requestType, requestText: content, status, headers: fields, text });
  }
  const isJson = response.headers["content-type"]?.includes("json") === true && text !== "";
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/** Sends a request again while the server has no room for it, as clients do: many at a time wait for each other. */
export async function untilServed(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    await sleep(100);
  }
}

/** The path of a WebFinger query for `login`, given as it stands in the URL. */
export function webfingerPath(login: string, ...parameters: string[]): string {
  return [`/.well-known/webfinger?resource=svc:acct:${login}`, ...parameters].join("&");
}

const PROGRAM = join(__dirname, "../../../node_modules/.cache/etiquette-tests", String(process.env["TEST_RUN"]));

/** The file that `node` runs for `npm start`, made once a run. */
export function programFile(): string {
  return bundle(PROGRAM);
}

/** The file that `node` runs for one of this folder, which requires sources of the program. */
export function supportFile(name: string): string {
  return bundle(join(PROGRAM, name), join(__dirname, name));
}

function bundle(folder: string, ...entry: string[]): string {
  const file = join(folder, "main.js");
  if (!existsSync(file)) execFileSync(process.execPath, [join(__dirname, "program-file.js"), folder, ...entry]);
  return file;
}

/** A line in which the server says that. */
const LONG_TURN_REGEXP = new RegExp(`^\\{.*"msg":"${LONG_TURN}"\\}\\n`, "gm");

/** The program in a process of its own. */
export interface TestProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it has written so far, without long turns of the event loop. */
  readonly output: { readonly stdout: string; readonly stderr: string };
  /** Wait until it ends; its exit code, or the name of the signal that ended it. */
  readonly exit: Promise<number | string>;
}

/** The environment of this process, without settings of the server. */
export function withoutSettings(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(ETIQUETTE_|DATABASE_URL$|NODE_OPTIONS$)/.test(name),
  );
  return Object.fromEntries(inherited);
}

/** Run the program, or another `command` of Node, with `args` and no other settings in its environment than `env`. */
export function runProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  command: readonly string[] = [programFile()],
): TestProcess {
  const child = spawn(process.execPath, [...command, ...args], { env: { ...withoutSettings(), ...env } });
  const output = { stdout: "", stderr: "" };
  let log = "";
  child.stdout.on("data", (chunk) => (output.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => {
    log += String(chunk);
    output.stderr = log.replaceAll(LONG_TURN_REGEXP, "");
  });
  const exit = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string);
  return { child, output, exit };
}

/** Wait for the line that says where the server listens. */
export async function listeningUrl({ child, output }: Pick<TestProcess, "child" | "output">): Promise<string> {
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^etiquette listening on (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the server did not start: ${output.stderr}`);
}
