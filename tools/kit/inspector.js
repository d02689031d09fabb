"use strict";

const { Session } = require("node:inspector");

/** A function that gives a command to the inspector of this process, and returns the result, which is there at once. */
function openInspector() {
  const session = new Session();
  session.connect();
  return function post(method, parameters = {}) {
    let found;
    session.post(method, parameters, (error, result) => {
      if (error) throw error;
      found = result;
    });
    return found;
  };
}

module.exports = { openInspector };
