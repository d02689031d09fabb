import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { SETTINGS, variableOf, type SettingName } from "../../src/program/settings/index.js";
import { parseSettings } from "../../src/program/settings/parse.js";
import type { GivenValue } from "../../src/program/settings/settings.js";
import { listeningUrl, runProgram } from "../support/server.js";
import { makeFolder } from "../support/stores.js";
import { until } from "../../../test/support/until.js";

/* The files that install the server, against the server. docs/guides/installing.md says where they were tried. */

jest.setTimeout(60_000);

const ROOT = join(__dirname, "../../..");
const parent = makeFolder();
const CONTAINERFILE = read("Containerfile");
const ENTRYPOINT = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(CONTAINERFILE)?.[1] ?? "[]") as string[];
const UNIT = read("example-app/deploy/etiquette.service");
const ENV_FILE = read("example-app/deploy/etiquette.env");
const COMPOSE = parse(read("compose.yaml")) as {
  services: {
    server: { environment: Record<string, string>; build: { dockerfile: string }; stop_grace_period: string };
  };
};

const VARIABLES = new Map(
  Object.keys(SETTINGS).map((name) => [variableOf(name as SettingName), name as SettingName] as const),
);

function read(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** The values of `NAME=value` lines, also of those that are comments. */
function assignments(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^(?:# |ENV | {4})?([A-Z_]+)=([^\s\\]*)/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
}

function settingsOf(values: Readonly<Record<string, string>>): ReadonlyMap<SettingName, GivenValue> {
  return new Map(
    Object.entries(values).flatMap(([source, text]) => {
      const name = VARIABLES.get(source);
      return name === undefined ? [] : [[name, { text, source }] as const];
    }),
  );
}

/** The values of a setting of the unit, such as `ExecStart`. */
function unitValues(name: string): string[] {
  return [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
}

test.each(["Containerfile", "compose.yaml", "example-app/deploy/etiquette.env", "docs/guides/installing.md"])(
  "%s names variables that exist",
  (file) => {
    const names = read(file).match(/\b(?:ETIQUETTE_[A-Z_]+|DATABASE_URL)\b/g) ?? [];
    expect(names).not.toEqual([]);
    for (const name of names) expect([...VARIABLES.keys()]).toContain(name);
  },
);

test("their values are accepted", () => {
  const secrets = { ETIQUETTE_SECRETS: "s".repeat(64) };
  const container = assignments(CONTAINERFILE);
  expect(parseSettings(settingsOf(container))).toMatchObject({ host: "0.0.0.0", dataFolder: "/data", adminPort: 9464 });

  const { environment } = COMPOSE.services.server;
  const withDefaults = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, "$1")]),
  );
  const composed = parseSettings(settingsOf({ ...container, ...withDefaults, ...secrets }));
  expect(composed).toMatchObject({ databaseUrl: "postgres://etiquette@database/etiquette", baseDomain: "localhost" });

  const file = assignments(ENV_FILE);
  expect(Object.keys(file).length).toBeGreaterThan(5);
  expect(parseSettings(settingsOf({ ...file, ...secrets }))).toMatchObject({ dataFolder: "/var/lib/etiquette" });
});

test("the image has every file that the server is started with, and the build every source", () => {
  const copies = [...CONTAINERFILE.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" "),
  );
  for (const file of copies) expect(existsSync(join(ROOT, file))).toBe(true);
  const { include } = JSON.parse(read("tsconfig.build.json")) as { include: string[] };
  for (const source of [...include, "example-app"]) expect(copies).toContain(source);
  const ignored = read(".dockerignore").split("\n");
  for (const file of copies) expect(ignored).toContain(`!${file.split("/")[0] ?? ""}`);
  expect(existsSync(join(ROOT, COMPOSE.services.server.build.dockerfile))).toBe(true);

  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const command = /exec (.*)$/.exec(String(scripts["start"]))?.[1];
  expect(command).toContain("example-app/dist/main.js");
  const installed = String(command).replace("example-app/", "node_modules/etiquette-server/");
  expect(unitValues("ExecStart")).toEqual([`/usr/bin/${installed}`]);
  const link = String(/^ln -s (\S+) "\$root\/app\/etiquette-server"$/m.exec(read("tools/build/image.sh"))?.[1]);
  expect(ENTRYPOINT.join(" ").replace("etiquette-server", link)).toBe(installed);
});

test("base images and actions are those that were reviewed: by digest and by commit", () => {
  const compose = parse(read("compose.yaml")) as { services: Record<string, { image: string; build?: object }> };
  const images = [
    ...[...CONTAINERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image),
    ...Object.values(compose.services).flatMap(({ image, build }) => (build ? [] : [image])),
  ];
  expect(images).toHaveLength(3);
  for (const image of images.filter((name) => name !== "scratch"))
    expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);

  const folder = ".github/workflows";
  const workflows = readdirSync(join(ROOT, folder)).map((file) => read(join(folder, file)));
  const actions = [...workflows.join("\n").matchAll(/\buses: (.*)$/gm)].map(([, action = ""]) => action);
  expect(actions).not.toEqual([]);
  for (const action of actions) expect(action).toMatch(/^[\w-]+(?:\/[\w-]+){1,2}@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test("what the server imports is there without the development dependencies", () => {
  const { dependencies } = JSON.parse(read("example-app/package.json")) as { dependencies: Record<string, string> };
  const folder = "example-app/src";
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const names = files.flatMap((file) =>
    [
      ...read(join(folder, file)).matchAll(/^(?:import (?!type )|\} )[^"]*from "((?:@[^/"]+\/)?[^./"][^/":]*)[/"]/gm),
    ].map(([, name = ""]) => name),
  );
  expect(names.length).toBeGreaterThan(100);
  for (const name of new Set(names)) expect(Object.keys(dependencies)).toContain(name);
});

/** Runs the health check of the image as it stands. */
function checkHealth(port: number): number | null {
  const json = /^HEALTHCHECK .*\\\n\s+CMD (.*)$/m.exec(CONTAINERFILE)?.[1];
  const [, ...args] = JSON.parse(String(json)) as string[];
  const env = { ...process.env, ETIQUETTE_ADMIN_PORT: String(port) };
  return spawnSync(process.execPath, args, { env }).status;
}

test("the built server starts; the health check and the signals are those of the server", async () => {
  expect(unitValues("ExecReload")).toEqual(["/bin/kill -HUP $MAINPID"]);
  const folder = mkdtempSync(join(parent, "data-"));
  const main = join(ROOT, "example-app/dist/main.js");
  const [, ...command] = ENTRYPOINT.map((word) => (word === "etiquette-server" ? main : word));
  const program = runProgram(["--port", "0", "--admin-port", "0", "--data", folder], {}, command);
  try {
    await listeningUrl(program);
    const adminPort = Number(/http:\/\/\S+:(\d+)\/readyz/.exec(program.output.stderr)?.[1]);
    expect(checkHealth(adminPort)).toBe(0);

    program.child.kill("SIGHUP");
    await until(() => program.output.stderr.includes("certificate reloaded"));
    expect(checkHealth(adminPort)).toBe(0);

    program.child.kill("SIGTERM");
    expect(await program.exit).toBe(0);
    expect(checkHealth(adminPort)).toBe(1);
  } finally {
    program.child.kill("SIGKILL");
    await program.exit;
  }
});

test("the unit gives the server time to end", () => {
  const seconds = Number(unitValues("TimeoutStopSec")[0]);
  expect(seconds).toBeGreaterThan(15);
  expect(COMPOSE.services.server.stop_grace_period).toBe(`${seconds}s`);
  expect(read("docs/guides/installing.md")).toContain(`--stop-timeout ${seconds} `);
});
