import { Suspense } from "react";
import { LANGUAGE } from "../texts/language.js";
import { capitalise } from "./capitalise.js";
import { later } from "./later.js";

const Translated = later(async () => (await import("./translated.js")).Translated);

export interface ServerTextProps {
  /** English, as the server sent it. */
  readonly text: string;
  /** Whether it begins with a capital letter, whatever the server began it with. */
  readonly isSentence?: boolean;
}

/** What the server says, in the person's language. */
export function ServerText({ text, isSentence = false }: ServerTextProps) {
  if (LANGUAGE === "en") return isSentence ? capitalise(text) : text;
  return (
    <Suspense>
      <Translated text={text} isSentence={isSentence} />
    </Suspense>
  );
}
