import type { UserAgent } from "etiquette/request-context";
import type { PlatformEntry } from "../model/records.js";

/** The values of the platform condition that a client can have. */
export const CLIENT_TYPES = ["DESKTOP", "MOBILE", "OTHER"] as const satisfies PlatformEntry["type"][];
export const CLIENT_SYSTEMS = [
  "ANDROID",
  "IOS",
  "OSX",
  "WINDOWS",
  "LINUX",
  "CHROMEOS",
  "OTHER",
] as const satisfies NonNullable<PlatformEntry["os"]>["type"][];

/** The client's device and operating system. */
export interface ClientPlatform {
  readonly type: (typeof CLIENT_TYPES)[number];
  readonly os: (typeof CLIENT_SYSTEMS)[number];
}

/** That of a client that tells nothing of itself. */
export const UNKNOWN_PLATFORM: ClientPlatform = { type: "OTHER", os: "OTHER" };

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
