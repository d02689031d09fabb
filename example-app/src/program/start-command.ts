import { sep } from "node:path";

/** Whether npm installed the program. What is elsewhere is a checkout, which `npm start` builds first. */
const IS_INSTALLED = __dirname.includes(`${sep}node_modules${sep}`);

/**
 * What a reader types to start the program with these words: `npm start -- import FILE` in a checkout, `npx etiquette-server
 * import FILE` if npx started it, or else `etiquette-server import FILE`.
 *
 * @param isSilent whether the output is for programs, so that npm must not add lines
 */
export function formatStart(words: string, isSilent = false): string {
  return `${programName(isSilent)} ${words}`.trimEnd();
}

function programName(isSilent: boolean): string {
  if (!IS_INSTALLED) return isSilent ? "npm start --silent --" : "npm start --";
  return process.env["npm_lifecycle_event"] === "npx" ? "npx etiquette-server" : "etiquette-server";
}
