/** Keys and indices from the root of the document to a value. */
export type Path = readonly (string | number)[];

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

/** `orgs[0].idps[1].name`; a key that is no plain word is quoted: `profile["first name"]`. */
export function formatPath(path: Path): string {
  return path
    .map((step, i) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[A-Za-z_]\w*$/.test(step)) return `[${JSON.stringify(step)}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join("");
}

/** The beginning of `value`, to show what was found. */
export function excerpt(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
