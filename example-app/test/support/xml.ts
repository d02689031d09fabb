import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** An element as a parser of a browser's kind sees it. */
export interface XmlElement {
  namespace: string | null;
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

/** The root of an XML document; fails when it is not well-formed. */
export async function parseXml(text: string): Promise<XmlElement> {
  const worker = new Worker(join(__dirname, "xml-page.js"));
  try {
    worker.postMessage(text);
    const [root] = (await once(worker, "message")) as [XmlElement | null];
    if (!root) throw new Error(`not well-formed: ${text}`);
    return root;
  } finally {
    await worker.terminate();
  }
}

/** The elements below `root` with this name, and `root` itself when it has it. */
export function findElements(root: XmlElement, namespace: string, name: string): XmlElement[] {
  const below = root.children.flatMap((child) => findElements(child, namespace, name));
  return root.namespace === namespace && root.name === name ? [root, ...below] : below;
}
