import { addRoom, type Translation } from "./define.js";
import { LANGUAGE, type Language } from "./language.js";
import type { help } from "./en/help.js";

/** What reads the help in a language. It is in no `index.ts`, because it comes later. */
const READERS: Readonly<Record<Exclude<Language, "en">, () => Promise<{ help: Translation<typeof help> }>>> = {
  de: () => import("./de/help.js"),
  fr: () => import("./fr/help.js"),
  ja: () => import("./ja/help.js"),
};

/** Reads the help in the person's language. English stays when it can't be read. */
export async function loadHelpTexts(): Promise<void> {
  if (LANGUAGE === "en") return;
  try {
    addRoom("help", (await READERS[LANGUAGE]()).help);
  } catch {
    // the help is in English
  }
}
