import { z } from "zod";
import { CONSOLE_FOLDER } from "../../web/console/pages.js";
import { DURATION, parseDuration, parseLifetime } from "./durations.js";

/** Of a session, in milliseconds. Uses are recorded once a minute. */
const MIN_IDLE = 300_000;

const lifetime = z
  .string()
  .refine((text) => parseLifetime(text) !== undefined, `must be never or ${DURATION}`)
  .transform((text) => Number(parseLifetime(text)));

const duration = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, `must be ${DURATION}`)
  .transform((text) => Number(parseDuration(text)));

const idle = z
  .string()
  .refine((text) => Number(parseDuration(text)) >= MIN_IDLE, "must be a time of 5m to 3650d, such as 30m or 12h")
  .transform((text) => Number(parseDuration(text)));

/** The settings of API tokens and of the console's sessions, as given. */
export const SESSION_SHAPES = {
  "token-lifetime": lifetime,
  "token-max-lifetime": lifetime,
  "token-overlap": duration,
  "console-idle": idle,
};

type Given = { readonly [N in keyof typeof SESSION_SHAPES]: z.infer<(typeof SESSION_SHAPES)[N]> } & {
  readonly console?: boolean | undefined;
};

export function toSessionSettings(given: Given) {
  return {
    tokenLifetime: Math.min(given["token-lifetime"], given["token-max-lifetime"]),
    tokenMaxLifetime: given["token-max-lifetime"],
    tokenOverlap: given["token-overlap"],
    consoleFolder: (given.console ?? true) ? CONSOLE_FOLDER : undefined,
    consoleIdle: given["console-idle"],
  };
}
