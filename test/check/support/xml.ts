/** An element of the part of XML 1.0 that reports use. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** `Char` of XML 1.0 section 2.2, all of them allowed in text. */
const CHARS_REGEXP = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

const TOKEN_REGEXP = /<!--(?:(?!--)[^])*-->|<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy;

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** Read a document without processing instructions, types or CDATA; whatever is not well-formed is an error. */
export function parseXml(document: string): XmlElement {
  if (!CHARS_REGEXP.test(document)) throw new Error("a character is not allowed");
  const source = document.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, "");
  const root = { name: "", attributes: {}, children: [] as XmlElement[], text: "" };
  const open: (typeof root)[] = [root];
  let end = 0;
  for (const match of source.matchAll(TOKEN_REGEXP)) {
    const [token, closing = "", name, attributes = "", empty = "", text] = match;
    end += token.length;
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.text += decode(text);
    if (name === undefined) continue;
    if (closing !== "") {
      if (parent.name !== name) throw new Error(`</${name}> closes ${parent.name}`);
      open.pop();
      continue;
    }
    const element = { name, attributes: readAttributes(attributes), children: [], text: "" };
    parent.children.push(element);
    if (empty === "") open.push(element);
  }
  if (end !== source.length) throw new Error(`malformed: ${source.slice(end, end + 40)}`);
  const [element, ...others] = root.children;
  if (open.length !== 1 || !element || others.length > 0 || root.text.trim() !== "") throw new Error("not one element");
  return element;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, decode(value)]),
  );
}

function decode(text: string): string {
  if (text.includes("]]>")) throw new Error("]]> in text");
  return text.replace(/&([a-z]*)(;?)/g, (_, name: string, semicolon: string) => {
    const character = ENTITIES[name];
    if (character === undefined || semicolon === "") throw new Error(`&${name} is no entity`);
    return character;
  });
}
