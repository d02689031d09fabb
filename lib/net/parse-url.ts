/**
 * The URL that `text` is, or `undefined`. `URL.canParse` of Node 20 and 22 refuses URLs with letters such as `ü` after some
 * thousand calls, and `URL.parse` came with Node 22.
 *
 * @example
 * parseUrl("https://bücher.example/")?.host; // "xn--bcher-kva.example"
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
