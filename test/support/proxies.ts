import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { accepts } from "./raw-socket.js";
import { createTestCertificate } from "./tls.js";

/** Runs real proxies on the loopback, with the configurations that a page shows. */

export interface ProxyKind {
  readonly name: "nginx" | "Caddy" | "HAProxy";
  /** Its configuration in docs/examples. */
  readonly file: string;
  /** How it says its version, and the version that the page is about. */
  readonly version: readonly [command: string, argument: string, version: string];
  /** Writes the configuration for the tests into `folder`, and returns the command that runs it. */
  readonly prepare: (config: string, place: Place) => readonly string[];
}

interface Place {
  readonly folder: string;
  readonly port: number;
}

export interface Proxy {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Replace texts that the configuration must have. */
export function edit(config: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the configuration has no ${JSON.stringify(from)}`);
    return text.replaceAll(from, to);
  }, config);
}

const NGINX: ProxyKind = {
  name: "nginx",
  file: "nginx.conf",
  version: ["nginx", "-v", "nginx/1.22."],
  prepare(config, { folder, port }) {
    const site = edit(config, {
      "listen 443": `listen 127.0.0.1:${port}`,
      "/etc/ssl/api.example.com": `${folder}/tls`,
    });
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (what) => `${what}_temp_path ${folder}/${what};`,
    );
    const main = `daemon off; worker_processes 1; pid ${folder}/pid; events {}
      http { access_log off; ${temporary.join(" ")}\n${site}\n}`;
    writeFileSync(path.join(folder, "nginx.conf"), main);
    return ["nginx", "-p", folder, "-e", "stderr", "-c", path.join(folder, "nginx.conf")];
  },
};

const CADDY: ProxyKind = {
  name: "Caddy",
  file: "Caddyfile",
  version: ["caddy", "version", "2.6."],
  prepare(config, { folder, port }) {
    const site = edit(config, {
      "api.example.com {": `https://api.example.com:${port}, https://localhost:${port} {\n\ttls ${folder}/tls.crt ${folder}/tls.key`,
      "\tauto_https disable_redirects\n":
        "\tauto_https off\n\tskip_install_trust\n\tadmin off\n\tdefault_bind 127.0.0.1\n",
      "\tservers {\n": "\tservers {\n\t\tprotocols h1 h2\n",
    });
    writeFileSync(path.join(folder, "Caddyfile"), site);
    return ["caddy", "run", "--adapter", "caddyfile", "--config", path.join(folder, "Caddyfile")];
  },
};

export const HAPROXY: ProxyKind = {
  name: "HAProxy",
  file: "haproxy.cfg",
  version: ["haproxy", "-v", "version 2.6."],
  prepare(config, { folder, port }) {
    const own = config.includes("ssl crt") ? { "/etc/ssl/api.example.com.pem": `${folder}/tls.pem` } : {};
    writeFileSync(path.join(folder, "haproxy.cfg"), edit(config, { "bind :443": `bind 127.0.0.1:${port}`, ...own }));
    return ["haproxy", "-db", "-f", path.join(folder, "haproxy.cfg")];
  },
};

/** Below those that systems give to servers on port 0. */
const PORTS = [10_000, 32_000] as const;

export const PROXIES: readonly ProxyKind[] = [NGINX, CADDY, HAPROXY];

/** Whether the version that the page is about is installed. */
export function isInstalled({ version: [command, argument, version] }: ProxyKind): boolean {
  const { stdout, stderr } = spawnSync(command, [argument], { encoding: "utf8" });
  return `${stdout}${stderr}`.includes(version);
}

/** Run a proxy with `config` on a free port of the loopback. */
export async function startProxy(kind: ProxyKind, config: string): Promise<Proxy> {
  const folder = mkdtempSync(path.join(tmpdir(), "proxy-"));
  chmodSync(folder, 0o711); // as root, the workers of nginx run as another user
  const { key, cert } = await createTestCertificate();
  for (const [ending, text] of Object.entries({ crt: cert, key, pem: `${cert}\n${key}\n` })) {
    writeFileSync(path.join(folder, `tls.${ending}`), text);
  }
  const port = await freePort();
  const [command = "", ...args] = kind.prepare(`${config}\n`, { folder, port });
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit");
  async function close(): Promise<void> {
    child.kill(kind === NGINX ? "SIGTERM" : "SIGKILL"); // nginx ends its workers; Caddy would wait for connections
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    await opened(child, port);
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

/** A port that nobody has now, and that the system gives to no other test meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

async function opened(child: ChildProcess, port: number): Promise<void> {
  let said = "";
  child.stdout?.on("data", (chunk) => (said += String(chunk)));
  child.stderr?.on("data", (chunk) => (said += String(chunk)));
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`the proxy did not start:\n${said}`);
    await setTimeout(20);
  }
}
