import { use } from "react";
import { loadTranslator, type Translate } from "../texts/server-texts.js";
import { capitalise } from "./capitalise.js";
import type { ServerTextProps } from "./server-text.js";

/** Nothing can be told when the texts can't be read. */
const loaded: Promise<Translate> = loadTranslator().catch(() => () => undefined);

/** What the server says in the person's language. It stays English where that has no words for it, and says that it is. */
export function Translated({ text, isSentence = false }: ServerTextProps) {
  const translation = use(loaded)(text);
  const shown = translation ?? text;
  const words = isSentence ? capitalise(shown) : shown;
  return translation === undefined ? <span lang="en">{words}</span> : words;
}
