import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig } from "vite";

/** Smaller files don't get smaller. */
const MIN_LENGTH = 1_024;

/** Writes each file compressed beside it, so that the server compresses nothing. */
const precompress = {
  name: "precompress",
  apply: "build",
  writeBundle({ dir }) {
    for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:css|html|js|svg)$/.test(name)) continue;
      const file = join(dir, name);
      const content = readFileSync(file);
      if (content.length < MIN_LENGTH) continue;
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

/** Packages whose index exports everything that they have. */
const BARRELS = ["@mantine/core", "@mantine/hooks"];

/** Imports of an index as imports of its files: by the index, every page would load what any page needs. */
const directImports = {
  name: "direct-imports",
  apply: "build",
  transform: {
    filter: { id: /\/console\/src\/.*\.tsx?$|@mantine\/core\/esm\/.*\.mjs$/ },
    handler(code) {
      let text = code;
      for (const name of BARRELS) {
        const files = readIndex(name);
        text = text.replace(new RegExp(`import \\{([^}]+)\\} from "${name}";`, "g"), (_, list) =>
          list
            .split(",")
            .map((part) => part.trim())
            .filter((part) => part !== "" && !part.startsWith("type "))
            .map((part) => `import { ${part} } from ${JSON.stringify(files.get(part) ?? name)};`)
            .join(" "),
        );
      }
      return text === code ? undefined : { code: text, map: null };
    },
  },
};

/** Fails when a component is used whose styles styles.ts does not import. */
const ownStyles = {
  name: "own-styles",
  apply: "build",
  generateBundle(_, bundle) {
    const imported = readFileSync(join(import.meta.dirname, "src/styles.ts"), "utf8");
    const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
    for (const id of modules) {
      const [, name] = /@mantine\/core\/esm\/(?:components|utils)\/.*\/(\w+)\.module\.mjs$/.exec(id) ?? [];
      if (name === undefined || imported.includes(`/${name}.css"`)) continue;
      this.error(`src/styles.ts does not import "@mantine/core/styles/${name}.css"`);
    }
  },
};

const known = new Map();

/** The file of each export of an index. */
function readIndex(name) {
  if (known.has(name)) return known.get(name);
  const index = join(dirname(fileURLToPath(import.meta.resolve(name))), "../esm/index.mjs");
  const files = new Map();
  for (const [, list, path] of readFileSync(index, "utf8").matchAll(/import \{ ([^}]+) \} from "(\.[^"]+)";/g)) {
    for (const part of list.split(", ")) if (!part.includes(" as ")) files.set(part, join(dirname(index), path));
  }
  known.set(name, files);
  return files;
}

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [directImports, ownStyles, precompress],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
});
