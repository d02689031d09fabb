"use strict";

/** Tells all that listen what happened: server-sent events for the page, WebSockets for the mobile app. */
function createHub() {
  const listeners = new Set();

  function add(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  function tell(event) {
    for (const listener of listeners) listener(event);
  }

  function stream(res) {
    res.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    });
    res.write(": welcome\n\n");
    res.on(
      "close",
      add((event) => res.write(`data: ${JSON.stringify(event)}\n\n`)),
    );
  }

  return { add, tell, stream };
}

module.exports = { createHub };
