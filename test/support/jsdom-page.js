"use strict";

/**
 * A worker that is a page of jsdom, which jest can't load on Node 20. Its data is the page's address; each message
 * `{ url, method, headers }` is sent by XMLHttpRequest and answered with what the page may read of the answer.
 */
const { parentPort, workerData } = require("node:worker_threads");
const { JSDOM, VirtualConsole } = require("jsdom");

const { window } = new JSDOM("", { url: workerData, virtualConsole: new VirtualConsole() });

parentPort.on("message", ({ url, method, headers }) => {
  const xhr = new window.XMLHttpRequest();
  xhr.onload = () => {
    const { status, responseText: body } = xhr;
    const [etag, link] = ["ETag", "Link"].map((name) => xhr.getResponseHeader(name));
    parentPort.postMessage({ status, body, etag, link });
  };
  xhr.onerror = () => parentPort.postMessage("blocked");
  xhr.open(method, url);
  for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
  xhr.send();
});
