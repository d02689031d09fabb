import { readFileSync } from "node:fs";
import path from "node:path";

const read = (name: string): string => readFileSync(path.join(__dirname, "..", name), "utf8");

describe("the versions of Node", () => {
  const [, list = ""] = /^versions=\(\n([^)]+)\)/m.exec(read(".ci/versions")) ?? [];
  const versions = list.trim().split(/\s+/);

  it("on which CI runs the tests are those that the README names", () => {
    const last = versions.at(-1) ?? "";
    expect(read("README.md").replaceAll(/\s+/g, " ")).toContain(`Node ${versions.slice(0, -1).join(", ")} and ${last}`);
  });

  it("begin with the oldest that package.json allows", () => {
    expect((JSON.parse(read("package.json")) as { engines: unknown }).engines).toEqual({
      node: `>=${versions[0] ?? ""}`,
    });
  });
});
