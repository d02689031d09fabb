import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { describeIf } from "../../../../test/support/requirements.js";
import { generateCertificate } from "../../../src/program/secrets/certificate.js";
import { listeningUrl, programFile, runProgram, type TestProcess } from "../../support/server.js";
import { describePostgres, makeFolder } from "../../support/stores.js";
import { until } from "../../../../test/support/until.js";
import { accepts } from "../../../../test/support/raw-socket.js";

jest.setTimeout(60_000);

const API_LINE = /^API +https:\/\/localhost:(\d+)\/api\/v1\s[^]*^Token [^\n]*\n/m;

const parent = makeFolder();
const running: TestProcess[] = [];

afterEach(async () => {
  for (const { child, exit } of running.splice(0)) {
    child.kill("SIGKILL");
    await exit;
  }
});

function newFolder(): string {
  return mkdtempSync(join(parent, "data-"));
}

async function start(...args: string[]): Promise<TestProcess & { port: number }> {
  const program = runProgram(["--port", "0", "--data", newFolder(), ...args]);
  running.push(program);
  return { ...program, port: Number(new URL(await listeningUrl(program)).port) };
}

/** Put a new certificate into the files. Returns its serial number. */
async function writeCertificate(cert: string, key: string): Promise<void> {
  const made = await generateCertificate(newFolder(), ["localhost"]);
  writeFileSync(cert, made.cert);
  writeFileSync(key, made.key);
}

async function handshake(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", servername: "localhost", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  return socket;
}

async function serialOf(port: number): Promise<string> {
  const socket = await handshake(port);
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

async function untilLog({ output }: TestProcess, text: string, count = 1): Promise<void> {
  await until(() => output.stderr.split(text).length > count);
}

describe("SIGHUP", () => {
  it("makes the server use the certificate that is in its files now; a broken one changes nothing", async () => {
    const folder = newFolder();
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    await writeCertificate(cert, key);
    const server = await start("--tls-cert", cert, "--tls-key", key);
    const first = await serialOf(server.port);
    const old = await handshake(server.port);

    await writeCertificate(cert, key);
    expect(await serialOf(server.port)).toBe(first);
    server.child.kill("SIGHUP");
    await untilLog(server, "certificate reloaded");
    const second = await serialOf(server.port);
    expect(second).not.toBe(first);
    old.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(String((await once(old, "data"))[0])).toMatch(/^HTTP\/1\.1 404 /);
    old.destroy();

    const good = readFileSync(cert);
    const otherKey = join(folder, "other.pem");
    copyFileSync(key, otherKey);
    await writeCertificate(cert, otherKey); // another key than the certificate's
    server.child.kill("SIGHUP");
    await untilLog(server, "certificate not reloaded: the old one stays in use");
    expect(server.output.stderr).toContain("is not that of the certificate in --tls-cert");
    expect(await serialOf(server.port)).toBe(second);

    writeFileSync(cert, "junk");
    server.child.kill("SIGHUP");
    await untilLog(server, "certificate not reloaded: the old one stays in use", 2);
    expect(await serialOf(server.port)).toBe(second);

    writeFileSync(cert, good);
    server.child.kill("SIGHUP");
    await untilLog(server, "certificate reloaded", 2);
    expect(await serialOf(server.port)).toBe(second);
  });

  it("makes a server without such files generate a new certificate, which clients trust as before", async () => {
    const server = await start();
    const first = await serialOf(server.port);
    server.child.kill("SIGHUP");
    await untilLog(server, "certificate reloaded");
    expect(await serialOf(server.port)).not.toBe(first);
  });

  it("leaves a server of plain HTTP alone", async () => {
    const server = await start("--http", "--trusted-proxies", "loopback");
    server.child.kill("SIGHUP");
    await sleep(300);
    expect(server.child.exitCode).toBeNull();
    server.child.kill("SIGTERM");
    expect(await server.exit).toBe(0);
  });

  it("takes over the level of the log and the place of the certificate, and names what needs a restart", async () => {
    const folder = newFolder();
    const config = join(folder, "etiquette.toml");
    const write = (...lines: string[]) => {
      writeFileSync(config, lines.join("\n"));
    };
    for (const name of ["a", "b"]) await writeCertificate(join(folder, `${name}.pem`), join(folder, `${name}.key`));
    write('tls-cert = "a.pem"', 'tls-key = "a.key"', 'log-level = "warn"');
    const server = await start("--config", config);
    const first = await serialOf(server.port);

    write('tls-cert = "b.pem"', 'tls-key = "b.key"', 'log-level = "info"', 'namespace = "acme"', 'host = "::1"');
    server.child.kill("SIGHUP");
    await untilLog(server, "certificate reloaded"); // which is told as info
    expect(await serialOf(server.port)).not.toBe(first);
    expect(server.output.stderr).toContain('"settings":["host","namespace"],"msg":"changed settings need a restart"');

    write("port = ");
    server.child.kill("SIGHUP");
    await untilLog(server, "settings not reloaded: the old ones stay in use");
    expect(server.output.stderr).toContain("etiquette.toml is no TOML, in line 1");
  });

  const hasScript = spawnSync("script", ["--version"]).status === 0;
  describeIf(hasScript, "in a terminal", "the command `script`", () => {
    it("is told where everything is, and ends the server when it is closed", async () => {
      const data = newFolder();
      const command = [process.execPath, programFile(), "--port", "0", "--data", data].join(" ");
      const terminal = spawn("script", ["--quiet", "--command", command, "/dev/null"], {
        stdio: ["pipe", "pipe", "ignore"],
        env: { PATH: process.env["PATH"], HOME: data, TMPDIR: tmpdir() },
      });
      let text = "";
      for await (const chunk of terminal.stdout) {
        text += String(chunk);
        if (API_LINE.test(text)) break;
      }
      const port = Number(API_LINE.exec(text)?.[1]);
      expect(text.match(/^(?:Console|API|Try it|Data|Token) +\S/gm)).toHaveLength(5);
      terminal.kill("SIGKILL");
      await until(async () => !(await accepts(port)));
    });
  });
});

describePostgres((_engine, database) => {
  test("SIGHUP to the parent reaches every worker", async () => {
    const folder = newFolder();
    const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    await writeCertificate(cert, key);
    const databaseUrl = String((await database()).options.databaseUrl);
    const args = ["--workers", "2", "--database-url", databaseUrl, "--tls-cert", cert, "--tls-key", key];
    const server = await start(...args);
    const first = await serialOf(server.port);
    await writeCertificate(cert, key);
    server.child.kill("SIGHUP");
    await untilLog(server, "certificate reloaded", 2);
    for (let i = 0; i < 4; i++) expect(await serialOf(server.port)).not.toBe(first);
    server.child.kill("SIGTERM");
    expect(await server.exit).toBe(0);
  });
});
