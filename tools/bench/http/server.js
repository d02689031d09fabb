"use strict";

/** A process with one server, named by its argument. Tells its port, and what it has used when it is asked. */
require("../../kit/probe.js");
const { SERVERS } = require("./servers.js");

SERVERS[process.argv[2]]().then((server) => process.send({ port: server.address().port }));
