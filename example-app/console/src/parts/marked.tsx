import { Mark } from "@mantine/core";
import { markWords } from "./find-words.js";

/** A text with the words of a search marked in it. */
export function Marked({ text, words }: Readonly<{ text: string; words: readonly string[] }>) {
  if (words.length === 0) return text;
  return markWords(text, words).map((part, index) => (part.isFound ? <Mark key={index}>{part.text}</Mark> : part.text));
}
