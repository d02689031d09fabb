/** Shorter values would be found everywhere, and are no secrets. */
const MIN_SECRET_LENGTH = 8;

/**
 * Make a function that replaces what the person gave in `headers` by "…": their lines, and wherever else a value or its
 * last word (a token behind its scheme) comes, as it is or encoded.
 */
export function compileRedaction(
  headers: readonly (readonly [name: string, value: string])[],
): (text: string) => string {
  const lines = headers.map(([name, value]) => [`${name}: ${value}\r\n`, `${name}: …\r\n`] as const);
  const secrets = headers
    .flatMap(([, value]) => [value, value.split(" ").at(-1) ?? ""])
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return (text) => {
    let safe = text;
    for (const [line, replacement] of lines) safe = safe.replaceAll(line, replacement);
    for (const secret of longestFirst) safe = safe.replaceAll(secret, "…");
    return safe;
  };
}
