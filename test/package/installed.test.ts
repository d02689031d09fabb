import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expectPage } from "../support/page.js";
import { bin, MODULES, run } from "../support/tarball.js";

/* Both packages as npm installs them, without the network; `.ci/versions` lets npm do it. */

const ROOT = path.join(__dirname, "../..");
const SERVER = path.join(ROOT, "example-app");
const PAGE = "docs/guides/installing.md";

const { walk } = jest.requireActual<{ walk: (home: string) => Promise<number> }>("../../tools/install/walk.js");

let folder: string;
let files: string[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "etiquette-installed-"));
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder, ROOT, SERVER];
  const { stdout } = await run("npm", args, { cwd: ROOT });
  files = stdout
    .trim()
    .split("\n")
    .map((file) => path.join(folder, file));
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What npm would make of both, with the packages that they need linked from here. */
async function install(): Promise<string> {
  const home = path.join(folder, "home");
  const modules = path.join(home, "node_modules");
  mkdirSync(path.join(modules, ".bin"), { recursive: true });
  for (const [place, name] of ["etiquette", "etiquette-server"].entries()) {
    const own = path.join(modules, name);
    mkdirSync(own);
    await run("tar", ["-xzf", String(files[place]), "--strip-components", "1", "-C", own]);
    const { bin: programs, dependencies } = JSON.parse(readFileSync(path.join(own, "package.json"), "utf8")) as {
      bin: Record<string, string>;
      dependencies: Record<string, string>;
    };
    for (const [program, file] of Object.entries(programs)) {
      chmodSync(path.join(own, file), 0o755);
      symlinkSync(path.join("..", name, file), path.join(modules, ".bin", program));
    }
    for (const needed of Object.keys(dependencies).filter((other) => other !== "etiquette"))
      symlinkSync(path.join(MODULES, needed), path.join(modules, needed));
  }
  return home;
}

test("the server runs from its package, with the console, the page of the API and the commands beside it", async () => {
  expect(await walk(await install())).toBeGreaterThan(0);
}, 120_000);

test("the package of the server has what it runs, and nothing of the sources and tests", async () => {
  const { stdout } = await run("tar", ["-tzf", String(files[1])]);
  const packed = stdout.trim().split("\n");
  const places = new Set(packed.map((file) => /^package\/(?:(?:console\/)?[\w-]+\/|.*)/.exec(file)?.[0]));
  const deploy = readdirSync(path.join(SERVER, "deploy")).length;
  expect([...places].toSorted()).toEqual(
    [
      ...["CHANGELOG.md", "LICENSE", "README.md", "demo.json", "package.json"],
      ...["console/dist/", "deploy/", "dist/", "swagger-ui/"],
    ]
      .map((place) => `package/${place}`)
      .toSorted(),
  );
  expect(packed.filter((file) => file.startsWith("package/deploy/"))).toHaveLength(deploy);
  expect(packed.filter((file) => /\.(?:ts|tsx|map|tsbuildinfo)$|\/\.inputs$/.test(file))).toEqual([]);
});

test("publint finds nothing in the package of the server", async () => {
  const { stdout } = await run(bin("publint"), [String(files[1]), "--strict"]);
  expect(stdout).toContain("All good");
}, 120_000);

interface Row {
  node: string;
  milliseconds: number;
  suite: { packages: number; megabytes: number };
  server: { packages: number; megabytes: number };
}

test("the page has what `node tools/install/main.js --write` measured", () => {
  const rows = JSON.parse(readFileSync(path.join(ROOT, "docs/data/installed.json"), "utf8")) as Row[];
  const table = [
    "| Node | packages, with the server | MB on disk | start to the first answer, ms |",
    "| --- | --: | --: | --: |",
    ...rows.map(
      ({ node, milliseconds, server }) => `| ${node} | ${server.packages} | ${server.megabytes} | ${milliseconds} |`,
    ),
  ].join("\n");
  const page = readFileSync(path.join(ROOT, PAGE), "utf8");
  expectPage(PAGE, page.replace(/(<!-- generated -->)[^]*?(<!-- \/generated -->)/, `$1\n\n${table}\n\n$2`));
});
