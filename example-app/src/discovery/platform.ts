import type { UserAgent } from "etiquette/request-context";
import type { OS_TYPES, PLATFORM_TYPES } from "../model/records.js";

/** The device and the operating system of who asks, in the words of the platform condition. */
export interface ClientPlatform {
  readonly type: Exclude<(typeof PLATFORM_TYPES)[number], "ANY">;
  readonly os: Exclude<(typeof OS_TYPES)[number], "ANY">;
}

const TYPES: Readonly<Record<string, ClientPlatform["type"]>> = {
  Computer: "DESKTOP",
  Mobile: "MOBILE",
  Tablet: "MOBILE",
};

const SYSTEMS: Readonly<Record<string, ClientPlatform["os"]>> = {
  Android: "ANDROID",
  "Chrome OS": "CHROMEOS",
  iOS: "IOS",
  Linux: "LINUX",
  "Mac OS X": "OSX",
  Windows: "WINDOWS",
};

/** What a user agent says; `OTHER` where it does not say. */
export function toClientPlatform({ device, os }: Pick<UserAgent, "device" | "os">): ClientPlatform {
  return { type: TYPES[device] ?? "OTHER", os: SYSTEMS[os] ?? "OTHER" };
}
