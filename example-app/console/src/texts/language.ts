/** The languages of the console, each in its own words. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", ja: "日本語" } as const;

export type Language = keyof typeof LANGUAGES;

const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];

/** Under it, the browser keeps the language that the person chose. */
export const KEY = "etiquette.language";

/** What a browser has, and no test that runs without one. */
interface Browser {
  readonly navigator?: { readonly languages?: readonly string[] };
  readonly localStorage?: { readonly getItem: (key: string) => string | null };
}

const browser = globalThis as Browser;

/** The language that the person chose; `undefined` for the first one of the browser that the console has. */
export const CHOSEN: Language | undefined = toLanguage(readChoice());

/** How dates, numbers and names are written: `en-GB`, if that is how the browser has the language. */
export const LOCALE: string = chooseLocale(CHOSEN, browser.navigator?.languages ?? []);

export const LANGUAGE = languageOf(LOCALE) ?? "en";

/** @param preferred what the browser prefers, best first */
export function chooseLocale(chosen: Language | undefined, preferred: readonly string[]): string {
  return (
    preferred.find((locale) => {
      const language = languageOf(locale);
      return chosen === undefined ? language : language === chosen;
    }) ??
    chosen ??
    "en"
  );
}

function languageOf(locale: string): Language | undefined {
  return toLanguage(locale.split("-", 1)[0]);
}

/** The language with this name; `undefined` if the console does not have it. */
function toLanguage(name: string | null | undefined): Language | undefined {
  return LANGUAGE_NAMES.find((language) => language === name);
}

function readChoice(): string | null | undefined {
  try {
    return browser.localStorage?.getItem(KEY);
  } catch {
    return null; // the browser keeps nothing
  }
}
