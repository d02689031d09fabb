import { readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

const { exports: PATHS } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  exports: Record<string, string | { default: string }>;
};

/** The source file of each public path: `etiquette/accept` and so on. */
export const PUBLIC_FILES: ReadonlyMap<string, string> = new Map(
  Object.entries(PATHS)
    .map(([name, target]) => [name, typeof target === "string" ? target : target.default] as const)
    .filter(([, target]) => target.startsWith("./dist/"))
    .map(([name, target]) => [
      `etiquette${name.slice(1)}`,
      path.join(ROOT, target.replace("./dist/", "").replace(/\.js$/, ".ts")),
    ]),
);
