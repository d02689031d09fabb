import express from "express";
import express4 from "express4";

/** Both majors, for `describe.each`. */
export const EXPRESS_VERSIONS: readonly (readonly [string, typeof express])[] = [
  ["Express 4", express4 as unknown as typeof express],
  ["Express 5", express],
];
