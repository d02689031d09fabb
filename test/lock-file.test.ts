import { readFileSync } from "node:fs";
import path from "node:path";

interface LockedPackage {
  resolved?: string;
  link?: boolean;
}

describe("package-lock.json", () => {
  const text = readFileSync(path.join(__dirname, "../package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };

  it("holds no address that a package was resolved to", () => {
    const resolved = Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link);
    expect(resolved).toEqual([]);
    expect(text).not.toMatch(
      /https?:\/\/(?!(www\.)?(github|opencollective|paypal|tidelift|feross|patreon|ko-fi|buymeacoffee))[^"]*\.tgz/,
    );
  });

  it("links only folders of this repository", () => {
    const links = Object.values(packages).filter(({ link }) => link);
    expect(links.map(({ resolved }) => resolved).sort()).toEqual(["", "example-app"]);
  });
});
