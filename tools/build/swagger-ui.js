"use strict";

/* Copies what the server needs of Swagger UI, with its licences, into example-app/swagger-ui. */
const { copyFileSync, mkdirSync } = require("node:fs");
const path = require("node:path");

const FILES = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];
const LICENCES = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];

const source = path.dirname(require.resolve("swagger-ui-dist/package.json"));
const target = path.join(__dirname, "../../example-app/swagger-ui");
mkdirSync(target, { recursive: true });
for (const file of [...FILES, ...LICENCES]) copyFileSync(path.join(source, file), path.join(target, file));
