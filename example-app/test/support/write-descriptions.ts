import { writeFileSync } from "node:fs";
import { CONSOLE_TYPES, generateTypes } from "./console-types.js";
import { COPIES } from "./description-copies.js";
import { createDescriptions, formatDescription } from "./descriptions.js";

/** `npm run openapi` */
for (const [version, description] of Object.entries(createDescriptions())) {
  writeFileSync(String(COPIES[version]), formatDescription(description));
}
writeFileSync(CONSOLE_TYPES, generateTypes());
