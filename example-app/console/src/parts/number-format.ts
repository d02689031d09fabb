import { LOCALE } from "../texts/language.js";

/** Numbers as the reader writes them: `4,900`. */
export const NUMBER = new Intl.NumberFormat(LOCALE);
