"use strict";

const { WebSocketServer } = require("ws");

/** Only who is signed in may listen. */
function serveSockets(server, sessions, hub) {
  const sockets = new WebSocketServer({ noServer: true });

  server.on("upgrade", (req, socket, head) => {
    sessions(req, {}, () => {
      if (req.url !== "/live" || !req.session || !req.session.user) {
        socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n");
        return;
      }
      sockets.handleUpgrade(req, socket, head, (client) => {
        client.on(
          "close",
          hub.add((event) => client.send(JSON.stringify(event))),
        );
        client.on("message", (data) => client.send(JSON.stringify({ heard: String(data), by: req.session.user.name })));
      });
    });
  });
}

module.exports = { serveSockets };
