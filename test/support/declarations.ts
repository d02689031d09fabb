import path from "node:path";
import ts from "typescript";
import { PUBLIC_FILES } from "./public-files.js";

/** What modules declare needs no packages that they import, and of the libraries only `Omit` and the like. */
const options: ts.CompilerOptions = { lib: ["lib.es5.d.ts"], types: [], module: ts.ModuleKind.Node20 };

const host = ts.createCompilerHost(options);
host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
host.resolveModuleNameLiterals = (literals, from) =>
  literals.map(({ text }) => {
    if (!text.startsWith(".")) return { resolvedModule: undefined };
    const resolvedFileName = path.resolve(path.dirname(from), text.replace(/\.js$/, ".ts"));
    return { resolvedModule: { resolvedFileName, extension: ".ts" } };
  });

const program = ts.createProgram([...PUBLIC_FILES.values()], options, host);
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
