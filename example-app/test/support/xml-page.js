"use strict";

/**
 * A worker in which jsdom reads XML: jest can't load it on Node 20. Each message is a document and is answered with its
 * root element `{ namespace, name, attributes, children, text }`, or `null` when it is not well-formed.
 */
const { parentPort } = require("node:worker_threads");
const { JSDOM } = require("jsdom");

const { DOMParser } = new JSDOM("").window;

parentPort.on("message", (text) => {
  const { documentElement: root } = new DOMParser().parseFromString(text, "application/xml");
  parentPort.postMessage(root.localName === "parsererror" ? null : describe(root));
});

function describe({ namespaceURI: namespace, localName: name, attributes, children, textContent: text }) {
  return {
    namespace,
    name,
    attributes: Object.fromEntries([...attributes].map((attribute) => [attribute.name, attribute.value])),
    children: [...children].map(describe),
    text,
  };
}
