import { readFileSync } from "node:fs";
import { CONSOLE_TYPES, generateTypes } from "./support/console-types.js";

test("the types of the description are those of the console; `npm run openapi` writes them", () => {
  expect(generateTypes() === readFileSync(CONSOLE_TYPES, "utf8")).toBe(true);
});
