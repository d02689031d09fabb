import { authenticate } from "etiquette/authenticate";
import { z } from "zod";
import { CONSOLE_FOLDER } from "../../web/console/pages.js";
import { DURATION, parseDuration, parseLifetime } from "./durations.js";
import type { SettingGroup } from "./setting.js";
import { compilable, toggle } from "./shapes.js";

/** The shortest idle time of a session, in milliseconds. Uses are recorded once a minute. */
const MIN_IDLE = 300_000;

const lifetime = z
  .string()
  .refine((value) => parseLifetime(value) !== undefined, `must be never or ${DURATION}`)
  .transform((value) => Number(parseLifetime(value)));

const duration = z
  .string()
  .refine((value) => parseDuration(value) !== undefined, `must be ${DURATION}`)
  .transform((value) => Number(parseDuration(value)));

const idle = z
  .string()
  .refine((value) => Number(parseDuration(value)) >= MIN_IDLE, "must be a time of 5m to 3650d, such as 30m or 12h")
  .transform((value) => Number(parseDuration(value)));

const scheme = compilable(
  (name) => authenticate({ schemes: { [name]: () => null } }),
  "must be an authentication scheme",
).refine((name) => !/^(?:bearer|dpop)$/i.test(name), "must not be Bearer or DPoP, which are for access tokens");

/** API tokens, and the sessions of the console. */
export const TOKENS = {
  "api-token-scheme": {
    placeholder: "NAME",
    help: "authentication scheme of API tokens; without it the namespace in capitals",
    details: "Not `Bearer` or `DPoP`.",
    shape: scheme.optional(),
  },
  "token-lifetime": {
    placeholder: "TIME",
    fallback: "90d",
    help: "lifetime of API tokens for which no other is asked: 1m to 3650d, such as 90m, 12h, 30d, or never",
    shape: lifetime,
  },
  "token-max-lifetime": {
    placeholder: "TIME",
    fallback: "365d",
    help: "longest lifetime of API tokens, like --token-lifetime",
    details: "It does not shorten the life of tokens that exist.",
    shape: lifetime,
    target: "tokenMaxLifetime",
  },
  "token-overlap": {
    placeholder: "TIME",
    fallback: "24h",
    help: "how long the old secret of a rotated API token stays valid, at most: 1m to 3650d",
    shape: duration,
    target: "tokenOverlap",
  },
  console: {
    negatable: true,
    help: "serve the console at /console; it is served without this too, and with --no-console never",
    shape: toggle.default(true).transform((isServed) => (isServed ? CONSOLE_FOLDER : undefined)),
    target: "consoleFolder",
  },
  "console-idle": {
    placeholder: "TIME",
    fallback: "1h",
    help: "after this time without a request a session of the console ends: 5m to 3650d, such as 30m or 12h",
    details: "See [sessions](../guides/console.md#sessions).",
    shape: idle,
    target: "consoleIdle",
  },
} as const satisfies SettingGroup;
