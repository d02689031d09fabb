import { SaxesParser, type SaxesTagNS } from "saxes";
import type { Steps } from "../pace/steps.js";
import { MetadataError } from "./metadata-error.js";

const PREFIXES: Readonly<Record<string, string>> = {
  "urn:oasis:names:tc:SAML:2.0:metadata": "md:",
  "urn:oasis:names:tc:SAML:metadata:ui": "mdui:",
  "http://www.w3.org/2000/09/xmldsig#": "ds:",
};

const PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol";

/** Elements in each other. Metadata has about seven. */
const MAX_DEPTH = 32;

/** Of one element. */
const MAX_ATTRIBUTES = 64;

/** What is parsed in a step, in characters, and what that costs. */
const STEP = 4_096;
const STEP_COST = 500;

/** The elements around a place, from the root: `md:EntityDescriptor`. */
export type Path = readonly string[];

/** Told of each element and text, in the order of the document. */
export interface SamlReader {
  open(path: Path, tag: SaxesTagNS): void;
  text(part: string): void;
  close(path: Path): void;
}

/**
 * Parse metadata (SAML metadata 2.0) within bounds. A document with a DOCTYPE is refused, so there are no entities to
 * expand.
 *
 * @throws {MetadataError} when it is no such metadata
 */
export function* walkSaml(text: string, reader: SamlReader): Steps<void> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const path: string[] = [];
  let attributes = 0;
  parser.on("doctype", () => {
    throw new MetadataError("the metadata has a DOCTYPE");
  });
  parser.on("opentagstart", () => {
    attributes = 0;
    if (path.length === MAX_DEPTH) throw new MetadataError(`the metadata has more than ${MAX_DEPTH} levels`);
  });
  parser.on("attribute", () => {
    attributes++;
    if (attributes > MAX_ATTRIBUTES) {
      throw new MetadataError(`an element of the metadata has more than ${MAX_ATTRIBUTES} attributes`);
    }
  });
  parser.on("opentag", (tag) => {
    const name = nameOf(tag);
    if (path.length === 0 && name !== "md:EntityDescriptor" && name !== "md:EntitiesDescriptor") {
      throw new MetadataError("the metadata is no EntityDescriptor");
    }
    path.push(name);
    reader.open(path, tag);
  });
  parser.on("text", (part) => {
    reader.text(part);
  });
  parser.on("closetag", () => {
    reader.close(path);
    path.pop();
  });
  for (let start = 0; start < text.length; start += STEP) {
    assertXml(() => parser.write(text.slice(start, start + STEP)));
    yield STEP_COST;
  }
  assertXml(() => parser.close());
}

function assertXml(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    throw error instanceof MetadataError ? error : new MetadataError("the metadata is no well-formed XML");
  }
}

function nameOf({ uri, local }: SaxesTagNS): string {
  const prefix = PREFIXES[uri];
  return prefix === undefined ? "" : prefix + local;
}

export function valueOf({ attributes }: SaxesTagNS, name: string): string {
  return attributes[name]?.value ?? "";
}

/** Whether a role, such as IDPSSODescriptor, is one for SAML 2.0. */
export function isSaml2(tag: SaxesTagNS): boolean {
  return valueOf(tag, "protocolSupportEnumeration").split(/\s+/).includes(PROTOCOL);
}
