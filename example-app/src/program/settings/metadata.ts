import { z } from "zod";
import { compileAddressCheck } from "../../metadata/addresses.js";
import { parseDuration } from "./durations.js";
import type { SettingGroup } from "./setting.js";
import { compilable, splitList } from "./shapes.js";

const MIN_INTERVAL = 300_000;
const MAX_INTERVAL = 30 * 86_400_000;

const interval = z
  .string()
  .transform((text) => (text === "off" ? (false as const) : (parseDuration(text) ?? 0)))
  .refine(
    (time) => time === false || (time >= MIN_INTERVAL && time <= MAX_INTERVAL),
    "must be a time of 5m to 30d, such as 12h, or off",
  );

/** What the server fetches from identity providers. */
export const METADATA = {
  "metadata-interval": {
    placeholder: "TIME",
    fallback: "24h",
    help: "time after which the metadata of an identity provider is fetched again: 5m to 30d, or off",
    details: "See [metadata of providers](../guides/operating.md#metadata-of-providers).",
    shape: interval,
    target: "metadataInterval",
  },
  "metadata-networks": {
    placeholder: "LIST",
    help: "networks from which it may be fetched though their addresses are not public, such as 10.1.0.0/16",
    details: "An org could let the server ask every host in them.",
    shape: compilable((value) => compileAddressCheck(splitList(value)), "must be a list of addresses and networks")
      .transform(splitList)
      .default([]),
    target: "metadataNetworks",
  },
} as const satisfies SettingGroup;
