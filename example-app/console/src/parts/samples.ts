import type { ComparedSample } from "../api/types.js";
import { describePlatformEntry } from "./describe-rule.js";

/** A sample of the server, as one may call it: `joe@example.com · 192.0.2.7 · a phone or tablet with iOS`. */
export function nameSamples(samples: readonly ComparedSample[]) {
  return samples.map(({ login, clientIp, platform, ...result }) => {
    const device = platform && describePlatformEntry({ type: platform.type, os: { type: platform.os } });
    const facts = [login, clientIp, device].filter((text) => text !== undefined && text !== "");
    return { ...result, name: facts.join(" · ") };
  });
}
