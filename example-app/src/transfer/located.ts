import type { Path } from "../model/faults.js";

/** Reports a fault at a path. */
export type Report = (path: Path, reason: string) => void;

/** A value of the file and its path. */
export interface Located<T> {
  path: Path;
  value: T;
}
