import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

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

const { config } = ts.readConfigFile(path.join(ROOT, "tsconfig.json"), (file) => readFileSync(file, "utf8"));
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const program = ts.createProgram([...PUBLIC_FILES.values()], options);
const checker = program.getTypeChecker();

/** The names that a file exports, in order; those that are only types as `type Name`. */
export function exportedNames(file: string): string[] {
  return exportsOf(file)
    .map((symbol) => (resolve(symbol).flags & ts.SymbolFlags.Value ? symbol.name : `type ${symbol.name}`))
    .sort((a, b) => compare(a.replace("type ", ""), b.replace("type ", "")));
}

/** The members of each interface that a file exports under a name that ends in `suffix`, with those that they inherit. */
export function optionsOf(file: string, suffix = "Options"): string[] {
  const types = exportsOf(file).filter(({ name }) => name.endsWith(suffix));
  const members = types.flatMap((symbol) =>
    checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(resolve(symbol))).map(({ name }) => name),
  );
  return [...new Set(members)].sort(compare);
}

function exportsOf(file: string): ts.Symbol[] {
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (!symbol) throw new Error(`${file} is no module of the package`);
  return checker.getExportsOfModule(symbol);
}

function resolve(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function compare(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}
