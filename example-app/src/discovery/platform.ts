import type { UserAgent } from "etiquette/request-context";
import type { PlatformEntry } from "../model/records.js";

/** The client's device and operating system, as values of the platform condition. */
export interface ClientPlatform {
  readonly type: Exclude<PlatformEntry["type"], "ANY">;
  readonly os: Exclude<NonNullable<PlatformEntry["os"]>["type"], "ANY">;
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

/** The platform in a user agent; `OTHER` where it is unknown. */
export function toClientPlatform({ device, os }: Pick<UserAgent, "device" | "os">): ClientPlatform {
  return { type: TYPES[device] ?? "OTHER", os: SYSTEMS[os] ?? "OTHER" };
}
