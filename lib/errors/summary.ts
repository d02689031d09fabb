/** `summary` with `{0}` filled in; without `detail` the sentence ends before the placeholder. */
export function formatSummary(summary: string, detail?: string): string {
  if (!summary.includes("{0}")) return summary;
  if (detail === undefined) return summary.replaceAll(/:? ?'?\{0\}'?/g, "");
  return summary.replaceAll("{0}", () => detail);
}
