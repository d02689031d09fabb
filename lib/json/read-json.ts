const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const SPACE = 0x20;

/** The literals by their first characters. */
const LITERALS: ReadonlyMap<number, boolean | null> = new Map([
  [0x66, false],
  [0x6e, null],
  [0x74, true],
]);

/** An open array or object. */
interface Level {
  readonly container: unknown[] | Record<string, unknown>;
  /** The name of the member whose value comes next. */
  name: string | undefined;
}

/**
 * The value of `text`, which must be JSON. Works at any depth.
 *
 * @param readNumber makes a value of the text of a number
 */
export function readJson(text: string, readNumber: (token: string) => unknown = Number): unknown {
  const values: unknown[] = [];
  const parents: Level[] = [];
  let level: Level = { container: values, name: undefined };
  for (let offset = 0; offset < text.length;) {
    const start = offset++;
    const code = text.charCodeAt(start);
    if (code === QUOTE) {
      offset = endOfString(text, start);
      add(level, readString(text.slice(start, offset)));
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      const container = code === OPENING_BRACE ? {} : [];
      add(level, container);
      parents.push(level);
      level = { container, name: undefined };
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      level = parents.pop() ?? level;
    } else if (isScalarCode(code)) {
      while (isScalarCode(text.charCodeAt(offset))) offset++;
      const literal = LITERALS.get(code);
      add(level, literal === undefined ? readNumber(text.slice(start, offset)) : literal);
    }
  }
  return values[0];
}

/** Whether a character belongs to a scalar that is no string. */
function isScalarCode(code: number): boolean {
  return code > SPACE && code !== COMMA && code !== COLON && code !== CLOSING_BRACKET && code !== CLOSING_BRACE;
}

function readString(quoted: string): string {
  return quoted.includes("\\") ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

/** Add a value, or the name of the next one. */
function add(level: Level, value: unknown): void {
  const { container, name } = level;
  if (Array.isArray(container)) {
    container.push(value);
    return;
  }
  level.name = name === undefined ? (value as string) : undefined;
  if (name === undefined) return;
  if (name in container) {
    // there twice, or called like a member of Object.prototype, such as `__proto__`
    Object.defineProperty(container, name, { value, configurable: true, enumerable: true, writable: true });
  } else {
    container[name] = value;
  }
}

/** The offset after the string of `text` in which `start` is the opening quote or the first backslash. */
export function endOfString(text: string, start: number): number {
  let offset = text.charCodeAt(start) === QUOTE ? start + 1 : start;
  for (let code = text.charCodeAt(offset); code !== QUOTE; code = text.charCodeAt(offset)) {
    offset += code === BACKSLASH ? 2 : 1;
  }
  return offset + 1;
}
