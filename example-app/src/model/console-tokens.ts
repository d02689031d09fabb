import type { ApiToken, TokenCreator } from "./records.js";

/** The creator of the tokens that links to the console make. */
export const CONSOLE_CREATOR = { type: "Command", id: "console" } as const satisfies TokenCreator;

/** Whether a link to the console made this token. */
export function isConsoleToken({ createdBy }: Pick<ApiToken, "createdBy">): boolean {
  return createdBy?.type === CONSOLE_CREATOR.type && createdBy.id === CONSOLE_CREATOR.id;
}
