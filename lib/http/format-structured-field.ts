import {
  type BareItem,
  FieldDecimal,
  FieldDisplayString,
  isPrintable,
  KEY,
  MAX_DECIMAL,
  MAX_INTEGER,
  SF_TOKEN,
  FieldToken,
} from "./structured-field.js";

const KEY_REGEXP = new RegExp(`^${KEY}$`);
const TOKEN_REGEXP = new RegExp(`^${SF_TOKEN}$`);

/** What a display string writes as the hexadecimal digits of its bytes (section 4.1.11). */
const ENCODED_REGEXP = /[^ !#$&-~]+/g;

/** The values that are objects. */
const OBJECTS = [FieldToken, FieldDecimal, FieldDisplayString, Date, Uint8Array];

interface Parameterized {
  readonly parameters?: Iterable<readonly [key: string, value: BareItem]>;
}

interface ItemInput extends Parameterized {
  readonly value: BareItem;
}

interface InnerListInput extends Parameterized {
  readonly items: Iterable<BareItem | ItemInput>;
}

/** A bare item, or an item or inner list whose parameters may be left out. */
export type FieldMemberInput = BareItem | ItemInput | InnerListInput;

/**
 * Format the value of a structured field whose type is List. An empty list is an empty text: don't send the field then.
 *
 * @throws {TypeError} when a value has no form in the field, such as an integer of sixteen digits
 * @see RFC 9651 section 4.1.1
 * @example
 * formatListField([{ value: "day", parameters: [["q", 1000], ["w", 86_400]] }]); // "\"day\";q=1000;w=86400"
 */
export function formatListField(members: Iterable<FieldMemberInput>): string {
  return Array.from(members, formatMember).join(", ");
}

/**
 * Format the value of a structured field whose type is Dictionary.
 *
 * @throws {TypeError} when a key or a value has no form in the field
 * @see RFC 9651 section 4.1.2
 * @example
 * formatDictionaryField([["u", 1], ["i", true]]); // "u=1, i"
 */
export function formatDictionaryField(members: Iterable<readonly [string, FieldMemberInput]>): string {
  return Array.from(members, ([key, input]) => {
    const member = toMember(input);
    const isTrue = "value" in member && member.value === true;
    return `${formatKey(key)}${isTrue ? formatParameters(member.parameters) : `=${formatMember(member)}`}`;
  }).join(", ");
}

/**
 * Format the value of a structured field whose type is Item.
 *
 * @throws {TypeError} when a value has no form in the field
 * @see RFC 9651 section 4.1.3
 * @example
 * formatItemField(new FieldToken("gzip")); // "gzip"
 */
export function formatItemField(item: BareItem | ItemInput): string {
  return formatMember(item);
}

function formatMember(input: FieldMemberInput): string {
  const member = toMember(input);
  const text =
    "items" in member ? `(${Array.from(member.items, formatMember).join(" ")})` : formatBareItem(member.value);
  return text + formatParameters(member.parameters);
}

function toMember(input: FieldMemberInput): ItemInput | InnerListInput {
  const isBare = typeof input !== "object" || OBJECTS.some((type) => input instanceof type);
  return isBare ? { value: input as BareItem } : (input as ItemInput | InnerListInput);
}

function formatParameters(parameters: Parameterized["parameters"] = []): string {
  let text = "";
  for (const [key, value] of parameters) {
    text += `;${formatKey(key)}${value === true ? "" : `=${formatBareItem(value)}`}`;
  }
  return text;
}

function formatKey(key: string): string {
  if (!KEY_REGEXP.test(key)) throw new TypeError(`${JSON.stringify(key)} is not a key of a structured field`);
  return key;
}

/** The text of a value without parameters. */
export function formatBareItem(value: BareItem): string {
  if (typeof value === "number") return formatInteger(value);
  if (typeof value === "boolean") return value ? "?1" : "?0";
  if (typeof value === "string") return formatString(value);
  if (value instanceof FieldToken) return formatToken(value.value);
  if (value instanceof FieldDecimal) return formatDecimal(value.value);
  if (value instanceof Date) return `@${formatInteger(Math.floor(value.getTime() / 1_000))}`;
  if (value instanceof Uint8Array) return `:${Buffer.from(value).toString("base64")}:`;
  if (value instanceof FieldDisplayString) return formatDisplayString(value.value);
  throw new TypeError(`a structured field has no form for ${typeof value}`);
}

function formatInteger(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) > MAX_INTEGER) {
    throw new TypeError(
      `${value} is not an integer of at most fifteen digits; a number with a fraction is a FieldDecimal`,
    );
  }
  return String(value === 0 ? 0 : value);
}

/** Rounds to three digits, a half to the even one (section 4.1.5). */
function formatDecimal(value: number): string {
  if (!(Math.abs(value) < MAX_DECIMAL)) throw new TypeError(`${value} has more than twelve digits before its point`);
  const scaled = Math.abs(value) * 1_000;
  const floor = Math.floor(scaled);
  const isHalf = scaled - floor === 0.5;
  const thousandths = isHalf ? floor + (floor % 2) : Math.round(scaled);
  const fraction = String(thousandths % 1_000)
    .padStart(3, "0")
    .replace(/0{1,2}$/, "");
  const sign = value < 0 && thousandths > 0 ? "-" : "";
  return `${sign}${Math.floor(thousandths / 1_000)}.${fraction}`;
}

function formatString(text: string): string {
  if (!isPrintable(text)) {
    throw new TypeError(`${JSON.stringify(text)} is not printable ASCII; other text is a FieldDisplayString`);
  }
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function formatToken(text: string): string {
  if (!TOKEN_REGEXP.test(text)) throw new TypeError(`${JSON.stringify(text)} is not a token of a structured field`);
  return text;
}

function formatDisplayString(text: string): string {
  if (/[\ud800-\udfff]/u.test(text)) throw new TypeError("a display string has no lone surrogates");
  const encoded = text.replace(ENCODED_REGEXP, (part) => Buffer.from(part).toString("hex").replace(/../g, "%$&"));
  return `%"${encoded}"`;
}
