import type express from "express";
import type request from "supertest";

/** A line of a table of docs/guides/from-other-packages.md: what the package and what ours does, in the words of its cells. */
export type Row = (express: Framework, side: Side) => Promise<string> | string;

export type Side = "package" | "ours";

export type Framework = typeof express;

export async function status(test: request.Test): Promise<string> {
  return String((await test).status);
}

/** Whether an option is accepted. */
export function accepts(make: () => unknown): string {
  try {
    make();
    return "accepted";
  } catch (error) {
    return `\`${(error as Error).name}\``;
  }
}
