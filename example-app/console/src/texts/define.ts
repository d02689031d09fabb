import { LOCALE } from "./language.js";

/*
 * The texts of the console. Each room has a file in each language, under the same name; English is the one that says what a
 * text is. A text may have places: `{name} is on`. One that depends on a number has a form for each category of
 * `Intl.PluralRules`, chosen by `n`: `{ one: "{n} rule", other: "{n} rules" }`. The first page, of at most 150 KB,
 * has no room for a library.
 */

/** The forms of a text by the category of its `n`. */
type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The texts of a room, by name. */
export type Room = Readonly<Record<string, string | Plural>>;

type Places<S extends string> = S extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never;

type Value = string | number;

/** A text with places. Numbers are written as the reader writes them. With other values than text, it is a list of parts. */
interface Fill<P extends string> {
  (values: Readonly<Record<P, Value>>): string;
  <Part>(values: Readonly<Record<P, Value | Part>>): (string | Part)[];
}

type Text<T extends string | Plural> = T extends string
  ? [Places<T>] extends [never]
    ? string
    : Fill<Places<T>>
  : T extends Plural
    ? Fill<"n" | Places<T["other"]>>
    : never;

type Texts<E extends Room> = { readonly [K in keyof E]: Text<E[K]> };

/** The same texts in another language. */
export type Translation<T> = { readonly [K in keyof T]: T[K] extends string ? string : string | Plural };

const PLURALS = new Intl.PluralRules(LOCALE);
const NUMBER = new Intl.NumberFormat(LOCALE);

/** The texts of a language: of each room, by name. */
export type Rooms = Readonly<Record<string, Room>>;

const current: { rooms: Rooms } = { rooms: {} };

/** From now on, the texts are these; a text that is not there is English. */
export function setRooms(rooms: Rooms): void {
  current.rooms = rooms;
}

/** Adds the texts of a room that comes later. */
export function addRoom(name: string, room: Room): void {
  current.rooms = { ...current.rooms, [name]: room };
}

/**
 * Texts in the person's language.
 *
 * @param room the name of their file, as `de/index.ts` exports it
 */
export function defineTexts<const E extends Room>(room: string, english: E): Texts<E> {
  const texts = {};
  for (const [name, text] of Object.entries(english)) {
    Object.defineProperty(texts, name, { enumerable: true, get: () => toText(current.rooms[room]?.[name] ?? text) });
  }
  return texts as Texts<E>;
}

function toText(text: string | Plural): string | ((values: Record<string, unknown>) => unknown) {
  return typeof text === "string" && !text.includes("{") ? text : (values) => fillText(text, values);
}

/** A text with values in its places; see {@link Fill}. */
export function fillText(text: string | Plural, values: Readonly<Record<string, unknown>>): unknown {
  return fill(typeof text === "string" ? text : (text[PLURALS.select(Number(values["n"]))] ?? text.other), values);
}

/** The texts that were split at their places, of which every second part is one: a list fills the same for each row. */
const SPLIT = new Map<string, readonly string[]>();

function split(text: string): readonly string[] {
  const known = SPLIT.get(text);
  if (known) return known;
  const parts = text.split(/\{(\w+)\}/);
  SPLIT.set(text, parts);
  return parts;
}

function fill(text: string, values: Readonly<Record<string, unknown>>): unknown {
  const parts = split(text).map((part, index) => {
    if (index % 2 === 0) return part;
    const value = values[part];
    return typeof value === "number" ? NUMBER.format(value) : value;
  });
  return parts.every((part) => typeof part === "string") ? parts.join("") : parts;
}
