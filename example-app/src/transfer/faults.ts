import { formatPath, type Path } from "../model/faults.js";

/** One fault in an import file. */
export interface Fault {
  path: Path;
  reason: string;
  /** From 1. */
  line: number;
}

/** The number of faults that an error lists; the rest is only counted. */
export const MAX_LISTED = 100;

/** An import file with faults. The message has a line for each: `demo.json:7: orgs[0].name: is required`. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** The first faults by line, at most {@link MAX_LISTED}. */
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
