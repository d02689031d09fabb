import { setRooms, type Rooms, type Translation } from "./define.js";
import { LANGUAGE, LOCALE, type Language } from "./language.js";
import type * as english from "./en/index.js";

/** Every room has its texts in every language. */
type Complete = { readonly [K in keyof typeof english]: Translation<(typeof english)[K]> };

/** What reads a language's texts. English comes with the pages that show it. */
const READERS: Readonly<Record<Exclude<Language, "en">, () => Promise<Complete>>> = {
  de: () => import("./de/index.js"),
  fr: () => import("./fr/index.js"),
  ja: () => import("./ja/index.js"),
};

/** Reads the texts of the person's language. No text may be shown before. English stays when they can't be read. */
export async function loadTexts(): Promise<void> {
  if (LANGUAGE === "en") return;
  try {
    setRooms((await READERS[LANGUAGE]()) satisfies Rooms);
    document.documentElement.lang = LOCALE;
  } catch {
    // the page shows what it has
  }
}
