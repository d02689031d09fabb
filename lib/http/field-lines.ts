/**
 * The values of all lines of one header field, in the order received. Node's `headers` keeps only the first line of some
 * fields and joins those of others.
 *
 * @param rawHeaders names and values, alternating
 * @example
 * fieldLines(["Host", "a.example", "host", "b.example"], "Host"); // ["a.example", "b.example"]
 */
export function fieldLines(rawHeaders: readonly string[], name: string): string[] {
  const wanted = name.toLowerCase();
  const lines: string[] = [];
  for (let index = 1; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index - 1] ?? "";
    if (candidate.length === wanted.length && candidate.toLowerCase() === wanted) lines.push(rawHeaders[index] ?? "");
  }
  return lines;
}
