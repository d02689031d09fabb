import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [precompress],
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
