import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { brokenLinks } from "../support/links.js";
import { PAGES } from "../support/snippets.js";
import { bin, packTarball, run } from "../support/tarball.js";

const tarball = packTarball(["cjs-express4", "esm-express5", "jest"]);

/** What tools read. */
const DOCUMENTS = ["docs/alerts.yml", "docs/grafana.json", "docs/openapi-v2.json", "docs/openapi.json"];

describe("the packed tarball", () => {
  it("holds the build and the pages, and nothing of the sources, tests or server", async () => {
    const { stdout } = await run("tar", ["-tzf", tarball.file]);
    const files = stdout
      .trim()
      .split("\n")
      .map((file) => file.replace("package/", ""));
    const others = files.filter((file) => !/^dist\/.*\.(js|d\.ts)$|\.md$|^docs\/examples\//.test(file));
    expect(others.sort()).toEqual(["LICENSE", "dist/esm/package.json", ...DOCUMENTS, "package.json"]);
    expect(files.filter((file) => file.endsWith(".md")).sort()).toEqual([...PAGES].sort());
  });

  it("holds everything that its pages link to", () => {
    const home = path.join(tarball.folder, "jest/node_modules/etiquette");
    const pages = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
    expect(pages).toContain("README.md");
    // the pictures stay in the repository, which is where npm's site shows them from
    const broken = (page: string) => brokenLinks(home, page).filter((link) => !/\.(?:png|svg)$/.test(link));
    expect(Object.fromEntries(pages.map((page) => [page, broken(page)]))).toEqual(
      Object.fromEntries(pages.map((page) => [page, []])),
    );
  });
});

describe("a consumer of the tarball", () => {
  it.each([
    ["CommonJS on Express 4", "cjs-express4", "index.js"],
    ["ESM on Express 5", "esm-express5", "index.mjs"],
  ])("runs as %s", async (_title, name, file) => {
    const { stdout } = await run(process.execPath, [file], { cwd: path.join(tarball.folder, name) });
    expect(stdout).toBe("works\n");
  });

  it("has the command etiquette, whose page is there", async () => {
    const cwd = path.join(tarball.folder, "cjs-express4");
    const home = path.join(cwd, "node_modules/etiquette");
    const { bin } = JSON.parse(await readFile(path.join(home, "package.json"), "utf8")) as {
      bin: { etiquette: string };
    };
    const command = path.join(home, bin.etiquette);
    expect(await readFile(command, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    const server = createServer((_req, res) => res.end("{}"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const args = [command, "check", `http://127.0.0.1:${port}/`, "--rules", "nosniff", "--verbose"];
    const { code, stdout }: { code?: number; stdout: string } = await run(process.execPath, args, { cwd }).catch(
      (error: unknown) => error as { code: number; stdout: string },
    );
    server.close();
    expect(code).toBe(4); // a finding of security
    const [, page = "", heading] = /^ +Page: (.*)#(.*)$/m.exec(stdout) ?? [];
    expect(await readFile(page, "utf8")).toContain(`#### ${heading}\n`);
  });

  it("runs in a user's own plain jest", async () => {
    const cwd = path.join(tarball.folder, "jest");
    const { stderr } = await run(bin("jest"), ["--rootDir", cwd, "--config", "{}"], { cwd });
    expect(stderr).toContain("1 passed");
  }, 60_000);
});
