import { foldText } from "../../../src/model/words.js";

/** The words of a search, in the form in which the server compares them too. */
export function splitWords(search: string): string[] {
  return foldText(search)
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Whether a text has every word, wherever it is. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const folded = foldText(text);
  return words.every((word) => folded.includes(word));
}

/** A text in parts: those that have a word, and those between them. */
export function markWords(text: string, words: readonly string[]): { text: string; isFound: boolean }[] {
  const characters = Array.from(text);
  const folded = characters.map(foldText);
  const owners = folded.flatMap((part, index) => Array.from({ length: part.length }, () => index));
  const whole = folded.join("");
  const found = new Set<number>();
  for (const word of words) {
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + 1)) {
      for (const owner of owners.slice(at, at + word.length)) found.add(owner);
    }
  }
  const parts: { text: string; isFound: boolean }[] = [];
  for (const [index, character] of characters.entries()) {
    const isFound = found.has(index);
    const last = parts.at(-1);
    if (last?.isFound === isFound) last.text += character;
    else parts.push({ text: character, isFound });
  }
  return parts;
}
