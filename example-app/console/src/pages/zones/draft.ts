import type { Zone } from "../../api/types.js";
import { statusOf, type Switched } from "../../parts/records/kind.js";
import type { Body } from "./requests.js";

/** A zone as its form holds it. The lists have a range in each line, also in empty ones. */
export interface Draft extends Switched {
  readonly name: string;
  readonly gateways: readonly string[];
  readonly proxies: readonly string[];
}

export const NEW_ZONE: Draft = { name: "", gateways: [], proxies: [], isOn: true };

export function toDraft({ name, gateways, proxies, status }: Body): Draft {
  return { name, gateways: toLines(gateways), proxies: toLines(proxies), isOn: status === "ACTIVE" };
}

export function toBody({ name, gateways, proxies, isOn }: Draft): Body {
  return { name, gateways: toRanges(gateways), proxies: toRanges(proxies), status: statusOf(isOn) };
}

function toLines(ranges: Zone["gateways"]): string[] {
  return ranges.map(({ value }) => value);
}

function toRanges(lines: readonly string[]): Zone["gateways"] {
  return lines.flatMap((line) => {
    const value = line.trim();
    return value === "" ? [] : [{ type: value.includes("/") ? "CIDR" : "RANGE", value }];
  });
}
