import type { Zone } from "../../api/types.js";
import type { Body } from "./requests.js";

/** A zone as its form holds it. The lists have a range in each line, also in empty ones. */
export interface Draft {
  readonly name: string;
  readonly gateways: readonly string[];
  readonly proxies: readonly string[];
}

export const NEW_ZONE: Draft = { name: "", gateways: [], proxies: [] };

export function toDraft({ name, gateways, proxies }: Pick<Zone, "name" | "gateways" | "proxies">): Draft {
  return { name, gateways: gateways.map(({ value }) => value), proxies: proxies.map(({ value }) => value) };
}

export function toBody({ name, gateways, proxies }: Draft): Body {
  return { name, gateways: toRanges(gateways), proxies: toRanges(proxies) };
}

function toRanges(lines: readonly string[]): Zone["gateways"] {
  return lines.flatMap((line) => {
    const value = line.trim();
    return value === "" ? [] : [{ type: value.includes("/") ? "CIDR" : "RANGE", value }];
  });
}
