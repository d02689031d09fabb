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

const MANTINE = dirname(fileURLToPath(import.meta.resolve("@mantine/core/styles.css")));

/** Mantine's own file of all styles, which has the files in the order in which they may override each other. */
const ALL_STYLES = readFileSync(join(MANTINE, "styles.css"), "utf8");

/** How much of a file is enough to find it in the file of all. */
const EXCERPT = 80;

/** The names of the files of Mantine's styles in their order. */
const STYLE_NAMES = readdirSync(join(MANTINE, "styles"))
  .filter((name) => /^[\w-]+\.css$/.test(name))
  .map((name) => ({
    name: name.replace(".css", ""),
    at: ALL_STYLES.indexOf(
      readFileSync(join(MANTINE, "styles", name), "utf8")
        .trim()
        .slice(0, EXCERPT),
    ),
  }))
  .toSorted((a, b) => a.at - b.at)
  .map(({ name }) => name);

/** The file with the shades of every colour. */
const COLORS = "default-css-variables";

const SOURCES = readdirSync(join(import.meta.dirname, "src"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(?:tsx?|css)$/.test(name))
  .map((name) => readFileSync(join(import.meta.dirname, "src", name), "utf8"))
  .join("\n");

/** The colours of Mantine that the console names nowhere are a half of its first styles. */
function withoutUnusedColors(code) {
  const isUsed = (color) => new RegExp(`\\b${color}\\b`).test(SOURCES);
  return code.replace(/^ *--mantine-color-([a-z]+)-\w.*;\n/gm, (line, color) => (isUsed(color) ? line : ""));
}

/**
 * Each component brings its styles, so a page loads those that it has. Each file is a layer, and the first page begins
 * with their order: it decides which file overrides which, not the order in which pages load them. main.css, which is
 * no layer, overrides all.
 */
const ownStyles = {
  name: "own-styles",
  apply: "build",
  enforce: "pre",
  transform: {
    filter: { id: /@mantine\/core\/(?:esm\/.*\.module\.mjs|styles\/[\w-]+\.css)$/ },
    handler(code, id) {
      const [, name, kind] = /([\w-]+)(\.module\.mjs|\.css)$/.exec(id);
      if (kind === ".css") {
        return { code: `@layer ${name} {\n${name === COLORS ? withoutUnusedColors(code) : code}\n}`, map: null };
      }
      if (!STYLE_NAMES.includes(name)) this.error(`@mantine/core has no styles/${name}.css`);
      return { code: `import "@mantine/core/styles/${name}.css";\n${code}`, map: null };
    },
  },
  transformIndexHtml: () => [{ tag: "style", children: `@layer ${STYLE_NAMES.join(",")};`, injectTo: "head-prepend" }],
};

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));

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

/** Files that are larger together compress better: what the frame has, and the fields that nearly every page has. */
const CHUNKS = [
  { name: "first", tags: ["$initial"] },
  {
    name: "fields",
    test: /@mantine\/core\/.*\/(?:TextInput|InputBase)\/|(?:useInfiniteQuery|useSuspenseQuery|use-debounced-value)\.m?js$/,
  },
];

/** The page at which nearly all begin waits for no file that names another. The other pages are loaded before one opens them. */
const FIRST_PAGE = /\/try-login-/;

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  define: { PRODUCT_VERSION: JSON.stringify(version) },
  plugins: [directImports, ownStyles, precompress],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, files) =>
        FIRST_PAGE.test(file) ? files : files.filter((name) => name.endsWith(".css")),
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    chunkSizeWarningLimit: 1_000,
  },
});
