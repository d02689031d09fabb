import { formatPath, type Path } from "../model/faults.js";

/** What is wrong with an import file in one place. */
export interface Fault {
  path: Path;
  reason: string;
  /** From 1. */
  line: number;
}

/** Faults that an error lists; the others are only counted. */
export const MAX_LISTED = 100;

/** A file that can't be imported, with what is wrong in it: one line each, `demo.json:7: orgs[0].name: is required`. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** The first ones by line, at most {@link MAX_LISTED}. */
  readonly faults: readonly Fault[];

  /**
   * @param source the name of the file
   * @param count of all faults, also of those that are not listed
   */
  constructor(source: string, faults: readonly Fault[], count: number = faults.length) {
    const lines = faults.map(({ path, reason, line }) => {
      const place = formatPath(path);
      return `${source}:${line}: ${place === "" ? "" : `${place}: `}${reason}`;
    });
    if (count > faults.length) lines.push(`${source}: and ${count - faults.length} more`);
    super(lines.join("\n"));
    this.faults = faults;
  }
}
