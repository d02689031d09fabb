/** What a check found. */
export interface Finding {
  /** What was looked at, in a word. */
  readonly check: string;
  /** A fault prevents the service or breaks a promise; a warning will, or may. */
  readonly level: "ok" | "warning" | "fault";
  /** What is so. */
  readonly text: string;
  /** What to do about it; for each but `ok`. */
  readonly remedy?: string;
}

export function ok(check: string, text: string): Finding {
  return { check, level: "ok", text };
}

export function warning(check: string, text: string, remedy: string): Finding {
  return { check, level: "warning", text, remedy };
}

export function fault(check: string, text: string, remedy: string): Finding {
  return { check, level: "fault", text, remedy };
}
