/** The texts that an address has: a router reads `?ip=1` as a number. */
export function readTexts<N extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly N[],
): Partial<Record<N, string>> {
  const texts = names.flatMap((name) =>
    ["string", "number", "boolean"].includes(typeof search[name]) ? [[name, String(search[name])]] : [],
  );
  return Object.fromEntries(texts) as Partial<Record<N, string>>;
}
