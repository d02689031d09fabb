"use strict";

const { requireCompiled } = require("../../kit/compiled.js");

/** Every path of the API once, with its parameters: `/api/v1/users/:id`. */
function listRoutes() {
  const { createResources } = requireCompiled("resources/index.js");
  const { parseSettings } = requireCompiled("program/settings/parse.js");
  const settings = { ...parseSettings(new Map()), secrets: ["s".repeat(32)] };
  const routes = createResources({ settings, store: {} }).flatMap(([version, resources]) =>
    resources.map(({ path }) => `/api/${version}${path}`),
  );
  return [...new Set(routes)];
}

module.exports = { listRoutes };
