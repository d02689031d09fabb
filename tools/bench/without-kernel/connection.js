"use strict";

const { setImmediate } = require("node:timers");
const { SERVERS } = require("./apps.js");
const { SocketDouble } = require("./socket.js");

/** A connection to a server of `apps.js`, by its name. */
async function open(name, options) {
  const server = await SERVERS[name](options);
  const socket = new SocketDouble();
  server.emit("connection", socket);
  return socket;
}

/** Send one request after the other, each in a turn of its own. */
function send(socket, requests) {
  return new Promise((resolve) => {
    let sent = 0;
    socket.onResponse = () => {
      if (sent === requests.length) {
        socket.onResponse = undefined;
        setImmediate(resolve);
        return;
      }
      const bytes = requests[sent];
      sent += 1;
      setImmediate(() => socket.push(bytes));
    };
    socket.onResponse();
  });
}

module.exports = { open, send };
