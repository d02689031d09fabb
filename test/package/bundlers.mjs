import { execFileSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import nodeResolve from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import webpack from "webpack";

/* node bundlers.mjs BUNDLER FORMAT OUTPUT ENTRY…: bundles each entry into a file of its own in the folder OUTPUT. */

const BUNDLERS = {
  esbuild: async (format, outdir, entryPoints) => {
    const banner = {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    };
    const options = { bundle: true, minify: true, platform: "node", logLevel: "error", format, outdir, entryPoints };
    await esbuild.build({ ...options, banner: format === "esm" ? banner : {} });
  },
  rollup: async (format, dir, inputs) => {
    for (const input of inputs) {
      const plugins = [nodeResolve({ preferBuiltins: true }), commonjs(), json()];
      const bundle = await rollup({ input, plugins, external: /^node:/, logLevel: "silent" });
      await bundle.write({ format, dir, entryFileNames: "[name].js" });
    }
  },
  webpack: async (format, folder, entries) => {
    const stats = await promisify(webpack)({
      mode: "production",
      target: "node20",
      entry: Object.fromEntries(entries.map((entry) => [path.parse(entry).name, entry])),
      experiments: { outputModule: format === "esm" },
      output: {
        path: folder,
        filename: "[name].js",
        library: { type: format === "esm" ? "module" : "commonjs2" },
        module: format === "esm",
      },
    });
    if (stats.hasErrors()) throw new Error(stats.toString("errors-only"));
  },
  bun: (format, outdir, entries) => {
    const options = [
      "build",
      "--target=node",
      "--minify",
      "--conditions=module",
      `--format=${format}`,
      `--outdir=${outdir}`,
    ];
    execFileSync(process.env.BUN_PATH ?? "bun", [...options, ...entries], { stdio: ["ignore", "ignore", "inherit"] });
  },
};

const [bundler, format, output, ...entries] = process.argv.slice(2);
await BUNDLERS[bundler](format, output, entries);
