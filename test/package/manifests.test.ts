import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/* What package.json says of both packages. */

const ROOT = path.join(__dirname, "../..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

interface Manifest {
  name: string;
  version: string;
  repository: { url: string; directory?: string };
  homepage: string;
  bugs: { url: string };
  funding: string;
  dependencies: Record<string, string>;
  scripts: Record<string, string>;
}

const SUITE = JSON.parse(read("package.json")) as Manifest & Record<string, unknown>;
const SERVER = JSON.parse(read("example-app/package.json")) as Manifest & Record<string, unknown>;
const ADDRESS = /^git\+(https:\/\/.*)\.git$/.exec(SUITE.repository.url)?.[1] ?? "";

describe("the address of the repository", () => {
  it("is the same in both packages, and their other addresses begin with it", () => {
    expect(ADDRESS).toMatch(/^https:\/\/[^/]+\/[^/]+\/[^/]+$/);
    expect(SERVER.repository).toEqual({ ...SUITE.repository, directory: "example-app" });
    for (const { homepage, bugs, funding } of [SUITE, SERVER])
      for (const url of [homepage, bugs.url, funding]) expect(url).toMatch(new RegExp(`^${ADDRESS}[/#]`));
  });

  it("is nowhere else", () => {
    const files = grep(ADDRESS.replace("https://", "")).filter(
      (file) => !/^(?:example-app\/)?package\.json$/.test(file),
    );
    expect(files).toEqual(["package-lock.json"]);
  });
});

describe("the package of the server", () => {
  it.each(["license", "type", "engines", "version"])("has the same %s", (member) => {
    expect(SERVER[member]).toEqual(SUITE[member]);
  });

  it("needs the suite as it is published, in this version", () => {
    expect(SERVER.dependencies["etiquette"]).toBe(`^${SUITE.version}`);
  });

  it("has the licence", () => {
    expect(read("example-app/LICENSE")).toBe(read("LICENSE"));
  });

  it("starts Node with the options of `npm start`", () => {
    const [, options] = /exec node (.*) example-app/.exec(String(SUITE.scripts["start"])) ?? [];
    expect(read("example-app/src/main.ts")).toMatch(`#!/usr/bin/env -S node ${String(options)}\n`);
  });
});

/** The files of the repository that have a text. */
function grep(text: string): string[] {
  const args = ["grep", "--files-with-matches", "--fixed-strings", "--no-index", "--exclude-standard", text, "."];
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n")
    .map((file) => path.normalize(file));
}
