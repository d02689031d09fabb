import { execFileSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import commonjs from "@rollup/plugin-commonjs";
import json from "@rollup/plugin-json";
import nodeResolve from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import webpack from "webpack";

/* node bundlers.mjs BUNDLER OUTPUT ENTRY…: bundles each entry into a file of its own in OUTPUT/esm and in OUTPUT/cjs. */

const FORMATS = ["esm", "cjs"];
const [bundler, output, ...entries] = process.argv.slice(2);

const BUNDLERS = {
  esbuild: async () => {
    const banner = {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    };
    const options = { bundle: true, minify: true, platform: "node", logLevel: "error", entryPoints: entries };
    for (const format of FORMATS) {
      const outdir = path.join(output, format);
      await esbuild.build({ ...options, format, outdir, banner: format === "esm" ? banner : {} });
    }
  },
  rollup: async () => {
    for (const input of entries) {
      const plugins = [nodeResolve({ preferBuiltins: true }), commonjs(), json()];
      const bundle = await rollup({ input, plugins, external: /^node:/, logLevel: "silent" });
      for (const format of FORMATS)
        await bundle.write({ format, dir: path.join(output, format), entryFileNames: "[name].js" });
    }
  },
  webpack: async () => {
    const stats = await promisify(webpack)(FORMATS.map(configureWebpack));
    if (stats.hasErrors()) throw new Error(stats.toString("errors-only"));
  },
  bun: () => {
    const options = ["build", "--target=node", "--minify", "--conditions=module"];
    for (const format of FORMATS) {
      const own = [`--format=${format}`, `--outdir=${path.join(output, format)}`];
      execFileSync(process.env.BUN_PATH ?? "bun", [...options, ...own, ...entries], {
        stdio: ["ignore", "ignore", "inherit"],
      });
    }
  },
};

function configureWebpack(format) {
  const isModule = format === "esm";
  return {
    mode: "production",
    target: "node20",
    entry: Object.fromEntries(entries.map((entry) => [path.parse(entry).name, entry])),
    experiments: { outputModule: isModule },
    optimization: { minimize: isModule }, // takes most of the time, and makes the same of both
    output: {
      path: path.join(output, format),
      filename: "[name].js",
      library: { type: isModule ? "module" : "commonjs2" },
      module: isModule,
    },
  };
}

await BUNDLERS[bundler]();
