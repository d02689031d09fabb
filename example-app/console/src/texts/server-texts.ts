import { fillText, type Room } from "./define.js";
import * as english from "./en/server/index.js";
import { LANGUAGE, LOCALE, type Language } from "./language.js";

/*
 * The server speaks English. The English texts of `en/server` are its own, with places for what it fills in. What it says
 * is told by the same text in the person's language. No page needs them at first: they come when the server says something.
 */

/** A text of the server in another language; `undefined` for one that is not known. */
export type Translate = (text: string) => string | undefined;

type ServerRooms = Readonly<Record<keyof typeof english, Room>>;

const ROOMS: Readonly<Record<Exclude<Language, "en">, () => Promise<ServerRooms>>> = {
  de: () => import("./de/server/index.js"),
  fr: () => import("./fr/server/index.js"),
  ja: () => import("./ja/server/index.js"),
};

/** Reads the texts of the person's language. */
export async function loadTranslator(): Promise<Translate> {
  return LANGUAGE === "en" ? (text) => text : compileTranslator(await ROOMS[LANGUAGE]());
}

/** What may stand in a place, and how it is told. One that can't be told makes the text unknown. */
interface Place {
  readonly pattern: string;
  readonly read: (found: string, translate: Translate) => string | number | undefined;
}

const TEXT: Place = { pattern: "[^]+?", read: (found) => found };

const COUNT: Place = { pattern: "\\d+", read: Number };

/** A text, or else a value: in quotes, or without white space. */
const PIECE: Place = {
  pattern: "[^]+?",
  read: (found, translate) => translate(found) ?? (/^(?:"[^]*"|\S+)$/.test(found) ? found : undefined),
};

const COUNTS = ["n", "min", "max", "more", "offset", "start", "index", "elements", "present", "before", "after"];

const PIECES = ["found", "expected", "syntax", "detail", "thing", "what", "need", "wanted", "provider", "got"];

/** Places by their names. All others are {@link TEXT}. */
function placesIn(locale: string): Readonly<Record<string, Place>> {
  const or = new Intl.ListFormat(locale, { type: "disjunction" });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  return {
    ...Object.fromEntries(COUNTS.map((name) => [name, COUNT])),
    ...Object.fromEntries(PIECES.map((name) => [name, PIECE])),
    // of a routing test: its name and its login, or all that is told of it
    test: { pattern: "[^]+?", read: (found, translate) => translate(found) ?? found },
    // A, B or C
    choices: {
      pattern: "[^\\s,]+(?:, [^\\s,]+)*(?: or [^\\s,]+)*",
      read: (found) => or.format(found.split(/, | or /)),
    },
    // name must not be empty; url is required
    faults: {
      pattern: "[^]+",
      read(found, translate) {
        const told = found
          .split(/; (?=\w+ (?:is|must|has|can't) )/)
          .map((fault) => translate(fault.replace(/^\w+ /, "")));
        return told.includes(undefined) ? undefined : told.join("; ");
      },
    },
    date: { pattern: "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", read: (found) => time.format(Date.parse(found)) },
  };
}

/** What stands before a fault: `profile["first name"]: `, `[0]: `. */
const PATH_REGEXP = /^((?:\[\d+\]|\["(?:[^"\\]|\\.)*"\]|\.?[A-Za-z_]\w*)+: )([^]*)$/;

/** A text of the server with its places. */
interface Template {
  readonly regexp: RegExp;
  /** The length of what is not a place. The longest that fits says most. */
  readonly size: number;
  readonly translation: Room[string];
}

/** @param rooms the texts of a language */
export function compileTranslator({ pieces, ...rooms }: ServerRooms, locale: string = LOCALE): Translate {
  const places = placesIn(locale);
  const names = Object.keys(rooms) as (keyof typeof rooms)[];
  const texts = names.flatMap((name) => compileRoom(english[name], rooms[name])).sort(bySize);
  const parts = compileRoom(english.pieces, pieces).sort(bySize);

  return function translate(text) {
    const [, path = "", fault = ""] = PATH_REGEXP.exec(text) ?? [];
    const told = find(texts, fault);
    return find(texts, text) ?? (told === undefined ? undefined : path + told);
  };

  function compileRoom(sent: Room, told: Room): Template[] {
    return Object.entries(sent).flatMap(([key, text]) => {
      const forms = typeof text === "string" ? [text] : Object.values(text);
      return forms.map((form) => compileTemplate(form, told[key] ?? text));
    });
  }

  function compileTemplate(form: string, translation: Room[string]): Template {
    const split = form.split(/\{(\w+)\}/);
    const literals = split.filter((_, index) => index % 2 === 0);
    const pattern = split.map((part, index) =>
      index % 2 === 0 ? escape(part) : `(?<${part}>${(places[part] ?? TEXT).pattern})`,
    );
    return { regexp: new RegExp(`^${pattern.join("")}$`), size: literals.join("").length, translation };
  }

  function find(templates: readonly Template[], text: string): string | undefined {
    for (const template of templates) {
      const translation = tell(text, template);
      if (translation !== undefined) return translation;
    }
    return undefined;
  }

  function tell(text: string, { regexp, translation }: Template): string | undefined {
    const match = regexp.exec(text);
    if (!match) return undefined;
    const values: Record<string, string | number> = {};
    for (const [name, found] of Object.entries(match.groups ?? {})) {
      const value = (places[name] ?? TEXT).read(found, (piece) => find(texts, piece) ?? find(parts, piece));
      if (value === undefined) return undefined;
      values[name] = value;
    }
    return String(fillText(translation, values));
  }
}

function bySize(a: Template, b: Template): number {
  return b.size - a.size;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
