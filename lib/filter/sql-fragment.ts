/** A parameter of a statement. */
export type SqlParameter = string | number | boolean;

/**
 * A piece of SQL: its parameters, and the texts around them, always one more than parameters. Texts come only from template
 * literals of the source, so that no name or literal of an expression can become SQL.
 */
export class SqlFragment {
  constructor(
    readonly texts: readonly string[],
    readonly parameters: readonly SqlParameter[],
  ) {}
}

/** Build a fragment. An interpolated fragment is inserted, any other value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...values: readonly (SqlFragment | SqlParameter)[]): SqlFragment {
  return concatenate(texts, values);
}

/** Join fragments with `separator`. */
export function join(fragments: readonly SqlFragment[], separator: " AND " | " OR "): SqlFragment {
  const texts = ["", ...fragments.slice(1).map(() => separator), ""];
  return concatenate(texts, fragments);
}

/**
 * The name of a column in `quote`.
 *
 * @param name an identifier, qualified or not, that was checked when the schema was compiled
 */
export function identifier(name: string, quote: string): SqlFragment {
  const quoted = name
    .split(".")
    .map((part) => `${quote}${part}${quote}`)
    .join(".");
  return new SqlFragment([quoted], []);
}

function concatenate(texts: readonly string[], values: readonly (SqlFragment | SqlParameter)[]): SqlFragment {
  const closed: string[] = [];
  const parameters: SqlParameter[] = [];
  let open = texts[0] ?? "";
  for (const [index, value] of values.entries()) {
    const piece = value instanceof SqlFragment ? value : new SqlFragment(["", ""], [value]);
    for (const [position, text] of piece.texts.entries()) {
      if (position > 0) {
        closed.push(open);
        open = "";
      }
      open += text;
    }
    parameters.push(...piece.parameters);
    open += texts[index + 1] ?? "";
  }
  return new SqlFragment([...closed, open], parameters);
}
