import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const ROOT = path.join(__dirname, "../../..");

/** Where the texts stand that a client reads when something is wrong. */
const FOLDERS = [
  ...["model", "rest", "resources", "transfer", "metadata", "access", "web/console", "tenancy"].map(
    (room) => `example-app/src/${room}`,
  ),
  "lib/filter",
  "lib/net/ip-ranges.ts",
];

/** Files in which the message of a `TypeError` is for the client. */
const TOLD_ERRORS: ReadonlySet<string> = new Set(["lib/net/ip-ranges.ts", "example-app/src/model/shapes.ts"]);

/** What takes texts that are for nobody who made a mistake. */
const OTHER_CALLS = /(?:^|\.)(?:describe|meta|optionError)$/;
const ERRORS = /^(?:Type|Range)?Error$/;
const OTHER_MEMBERS = /^(?:description|summary|id|displayMessage)$/;

/** Three words or more; shorter ones are names. */
const SENTENCE = /[a-z]\S* \S+ \S/;

/** The texts in the server's source that may be faults, by file; `{}` stands for what is filled in. */
export function listFaultLiterals(): { file: string; text: string }[] {
  return FOLDERS.flatMap(listFiles).flatMap((file) => readLiterals(file).map((text) => ({ file, text })));
}

function listFiles(place: string): string[] {
  if (place.endsWith(".ts")) return [place];
  const files = readdirSync(path.join(ROOT, place), { recursive: true, encoding: "utf8" });
  return files.filter((name) => name.endsWith(".ts") && !name.startsWith("openapi")).map((name) => `${place}/${name}`);
}

function readLiterals(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(ROOT, file), "utf8"),
    ts.ScriptTarget.Latest,
    undefined,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isForOthers(node, source)) return;
    const text = toText(node);
    if (text !== undefined && SENTENCE.test(text)) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isForOthers(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return true;
  if (ts.isPropertyAssignment(node)) return OTHER_MEMBERS.test(node.name.getText(source));
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  const callee = node.expression.getText(source);
  return OTHER_CALLS.test(callee) || (ERRORS.test(callee) && !TOLD_ERRORS.has(source.fileName));
}

function toText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join("");
}
