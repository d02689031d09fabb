/** How bad a finding is, the mildest first. */
export const SEVERITIES = ["style", "interoperability", "security"] as const;

/**
 * `security`: somebody can read, change or hide what is not theirs. `interoperability`: a client or proxy that follows the standards
 * fails, or loses data. `style`: a decision of etiquette, which another API may decide differently.
 */
export type Severity = (typeof SEVERITIES)[number];

/** Whether `severity` is at least as bad as `least`. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}
