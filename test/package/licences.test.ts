import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What users install, and what the console has of others: nobody needs to ask a lawyer. */
const ALLOWED = /^\(?(?:0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|ISC|MIT|Unlicense)(?: OR |\)?$)/;

const ROOT = path.join(__dirname, "../..");
const CONSOLE = path.join(ROOT, "example-app/console/src");

interface LockedPackage {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

it.each([
  ["packages that are installed with ours", installed()],
  ["packages that the console is built from", bundled()],
])("%s have a licence that is allowed", (_title, names) => {
  expect(names.size).toBeGreaterThan(20);
  const others = [...names].filter((name) => !ALLOWED.test(packages[name]?.license ?? ""));
  expect(others.map((name) => [name, packages[name]?.license])).toEqual([]);
});

function installed(): Set<string> {
  return new Set(
    Object.entries(packages)
      .filter(([name, { dev, link }]) => name.includes("node_modules/") && !dev && !link)
      .map(([name]) => name),
  );
}

/** The packages that the console's files import, and those that these need. */
function bundled(): Set<string> {
  const files = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const texts = files.map((file) => readFileSync(path.join(CONSOLE, file), "utf8"));
  const imported = texts.flatMap((text) => [...text.matchAll(/ from "((?:@[\w-]+\/)?[\w-]+)[^"\s]*";/g)]);
  const found = new Set(imported.map(([, name = ""]) => locate("example-app", name)));
  for (const name of found) {
    for (const needed of Object.keys(packages[name]?.dependencies ?? {})) found.add(locate(name, needed));
  }
  return found;
}

/** The place of the package `name` in the lock file for one that is at `from`, as Node finds it. */
function locate(from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const place = path.posix.join(folder, "node_modules", name);
    if (place in packages || folder === "") return place;
  }
}
