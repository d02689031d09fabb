import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

/** The paths that a page names, from the root. Those that begin with src/ are of the server. */
function pathsOf(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  return [...text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, file = ""]) =>
    file.replace(/^src\//, "example-app/src/"),
  );
}

it("docs/explanation/architecture.md names paths that exist", () => {
  const paths = pathsOf("docs/explanation/architecture.md");
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

it("CONTRIBUTING.md names files and rooms that exist", () => {
  const [, tree = ""] = /^```\n([^]*?)^```/m.exec(readFileSync(path.join(ROOT, "CONTRIBUTING.md"), "utf8")) ?? [];
  let parents: string[] = [];
  const named = [...tree.matchAll(/^( *)([\w./-]+(?:, [\w./-]+)*) {2,}/gm)].flatMap(([, indent = "", names = ""]) => {
    parents = [...parents.slice(0, indent.length / 2), names];
    const [first = ""] = names.split(", ");
    const above = parents.slice(0, -1);
    return names
      .split(", ")
      .map((name, index) => path.posix.join(...above, index > 0 ? path.posix.dirname(first) : "", name));
  });
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});
