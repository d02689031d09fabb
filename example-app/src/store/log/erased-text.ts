/** Stands for what was erased. */
export const ERASED = "[erased]";

/** The type of the event that tells of an erasure. */
export const ERASURE = "user.lifecycle.erase";

/** Words of paths, which may look like a login. */
const FIXED_PATH_REGEXP = /^\/(?:api\/[^/]*\/[^/]*|\.well-known\/webfinger|sso(?:\/idps)?)(?=\/|$)/;

/** Erases texts where they stand alone, in any case: `joe@example.com`, but not in `mary.joe@example.com`. */
export function createTextEraser(texts: ReadonlySet<string>) {
  const pattern = compilePattern(texts);
  const eraseText = (text: string): string => text.replace(pattern, ERASED);
  const isNamed = (encoded: string): boolean => {
    const text = decode(encoded);
    return eraseText(text) !== text;
  };

  return {
    eraseText,

    /** Erases whole segments. */
    erasePath: (path: string): string => {
      const [fixed = ""] = FIXED_PATH_REGEXP.exec(path) ?? [];
      const segments = path.slice(fixed.length).split("/");
      return fixed + segments.map((segment) => (isNamed(segment) ? ERASED : segment)).join("/");
    },

    /**
     * Erases whole values.
     *
     * @param query with its `?`
     */
    eraseQuery: (query: string): string =>
      query.replace(/([?&][^=&#]*)=([^&#]*)/g, (parameter: string, name: string, value: string) =>
        isNamed(value) || isNamed(value.replaceAll("+", " ")) ? `${name}=${ERASED}` : parameter,
      ),
  };
}

function compilePattern(texts: ReadonlySet<string>): RegExp {
  const escaped = [...texts]
    .filter((text) => text.trim() !== "")
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  if (escaped.length === 0) return /(?!)/g;
  return new RegExp(`(?<![\\p{L}\\p{N}_.+-])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_@-]|\\.[\\p{L}\\p{N}])`, "giu");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
