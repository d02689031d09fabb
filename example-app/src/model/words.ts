/*
 * How texts are compared in a search: by their words, without case, accents and the like. Whoever changes what a text gives
 * must also have the words of all users made anew, by a migration that sets `users.words_revision` to null.
 */

/** What a word has at most, in characters after {@link foldText}; what is behind is ignored, in a query too. */
export const MAX_WORD_LENGTH = 40;

/** The most words of a user. */
export const MAX_USER_WORDS = 64;

/**
 * So much of a text of a user is read, in characters, and so much of what that is folded to: one character of Arabic may give
 * eighteen, and the users of a batch are folded in one turn of the event loop.
 */
const MAX_TEXT = 256;
const MAX_FOLDED = 512;

/** The most words of a query. */
export const MAX_QUERY_WORDS = 20;

/** Letters that Unicode doesn't decompose, and marks between the parts of a name that it takes for letters. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  ȷ: "j",
  ŋ: "n",
  ĸ: "k",
  ŧ: "t",
  þ: "th",
  ə: "e",
  ς: "σ",
  ʹ: "'",
  ʻ: "'",
  ʼ: "'",
  ʽ: "'",
};

const LETTERS_REGEXP = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII_REGEXP = /^[\0-\x7f]*$/;

/** The form in which texts are compared: `SØREN Müller` is `soren muller`. */
export function foldText(text: string): string {
  return ASCII_REGEXP.test(text) ? text.toLowerCase() : foldDecomposed(text.normalize("NFKD"));
}

function foldDecomposed(text: string): string {
  return text
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(LETTERS_REGEXP, (letter) => LETTERS[letter] ?? letter);
}

/** The words of a text in their order: letters and digits, folded, {@link MAX_WORD_LENGTH} characters of each. */
export function wordsOf(text: string): string[] {
  return splitFolded(foldText(text));
}

function splitFolded(folded: string): string[] {
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) =>
    word.length > MAX_WORD_LENGTH ? Array.from(word).slice(0, MAX_WORD_LENGTH).join("") : word,
  );
}

/** The members of a profile whose words find a user. */
interface NamedProfile {
  readonly login: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly displayName?: unknown;
}

/** The words that find a user, sorted: the first {@link MAX_USER_WORDS} of the first and last name, login, e-mail address and display name. */
export function userWords({ firstName, lastName, displayName, login, email }: NamedProfile): string[] {
  const texts = [firstName, lastName, login, email, displayName].filter((text) => typeof text === "string");
  const words = texts.flatMap((text) => {
    const decomposed = text.slice(0, MAX_TEXT).normalize("NFKD");
    return splitFolded(foldDecomposed(decomposed.slice(0, MAX_FOLDED)));
  });
  return [...new Set(words)].slice(0, MAX_USER_WORDS).sort();
}

/** What a user must have: a word that begins with each of these, the longest first. Those that others begin with are left out. */
export function queryWords(text: string): string[] {
  const words = [...new Set(wordsOf(text))].sort((a, b) => b.length - a.length);
  return words.filter((word, i) => !words.slice(0, i).some((longer) => longer.startsWith(word)));
}

/** What is wrong with a query, to be told after its name. */
export function findQueryFault(text: string): string | undefined {
  const { length } = wordsOf(text);
  if (length === 0) return "found no word at offset 0, expected a letter or a digit";
  if (length <= MAX_QUERY_WORDS) return undefined;
  const number = MAX_QUERY_WORDS + 1;
  const offset = Array.from({ length: text.length }, (_, i) => i).find(
    (i) => wordsOf(text.slice(0, i + 1)).length >= number,
  );
  return `found word ${number} at offset ${offset}, expected at most ${MAX_QUERY_WORDS} words`;
}
