import { readdirSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import path from "node:path";

const FOLDER = path.join(__dirname, "app");

/** The files of the app, by their names. */
export type Sources = ReadonlyMap<string, string>;

interface App {
  readonly createExpenseServer: (options: object) => Server;
  readonly createStore: () => { readonly list: () => Promise<unknown[]> };
}

export function readApp(): Sources {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".js"));
  return new Map(names.map((name) => [name, readFileSync(path.join(FOLDER, name), "utf8")]));
}

/** Change the app as blocks in the language `diff` say, which begin with `--- FILE` and need no numbers of lines. */
export function applyDiffs(sources: Sources, diffs: readonly string[]): Sources {
  const changed = new Map(sources);
  for (const diff of diffs) {
    const [head = "", ...lines] = diff.split("\n");
    const name = head.replace("--- ", "");
    const hunks = lines.join("\n").split(/^@@\n/m);
    changed.set(
      name,
      hunks.reduce((source, hunk) => applyHunk(source, hunk.replace(/\n$/, "").split("\n")), changed.get(name) ?? ""),
    );
  }
  return changed;
}

function applyHunk(source: string, lines: readonly string[]): string {
  const side = (other: string) =>
    lines
      .filter((line) => !line.startsWith(other))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const parts = source.split(side("+"));
  if (parts.length !== 2) throw new Error(`the app has this ${parts.length - 1} times:\n${lines.join("\n")}`);
  return parts.join(side("-"));
}

/** How many lines blocks add and remove. */
export function countLines(diffs: readonly string[]): { added: number; removed: number } {
  const lines = diffs.flatMap((diff) => diff.split("\n").slice(1));
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count("+"), removed: count("-") };
}

/** Load the app with other modules in place of some, such as a version of Express. */
export function loadApp(sources: Sources, modules: Readonly<Record<string, unknown>>): App {
  const loaded = new Map<string, { exports: unknown }>();

  function load(id: string): unknown {
    if (id in modules) return modules[id];
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the app names what it imports
    if (!id.startsWith("./")) return require(id);
    const name = `${id.slice(2)}.js`;
    const known = loaded.get(name);
    if (known) return known.exports;
    const source = sources.get(name);
    if (source === undefined) throw new Error(`the app has no ${name}`);
    const module = { exports: {} };
    loaded.set(name, module);
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the text is a file of this repository
    new Function("require", "module", "__dirname", source)(Object.assign(load, { main: undefined }), module, FOLDER);
    return module.exports;
  }

  return { ...(load("./server") as App), ...(load("./store") as App) };
}
