import type { Translation } from "../define.js";
import type * as english from "../en/idp-replacement.js";

export const idpReplacement: Translation<typeof english.idpReplacement> = {
  title: "Ersetzen durch",
  choose: "Anderen Anbieter wählen",
  noneFound: "Kein Anbieter hat diesen Namen",
  tooMany: "{n} Regeln führen dorthin. Die Konsole ersetzt in höchstens {max}; ein Import ersetzt in mehr.",
  replaceIn: { one: "In {n} Regel ersetzen", other: "In {n} Regeln ersetzen" },
  incomplete: "Er wurde nicht in jeder Regel ersetzt",
  anyway: "Trotzdem ersetzen",
  question: {
    one: "„{from}“ in {n} Regel durch „{to}“ ersetzen?",
    other: "„{from}“ in {n} Regeln durch „{to}“ ersetzen?",
  },
  replace: "Ersetzen",
  isOff: "„{name}“ ist ausgeschaltet: Regeln überspringen ihn.",
  tested: "Logins wurden für die ersten {n} dieser Regeln getestet.",
  done: { one: "„{from}“ in {n} Regel durch „{to}“ ersetzt", other: "„{from}“ in {n} Regeln durch „{to}“ ersetzt" },
  partlyDone: {
    one: "„{from}“ in {n} von {all} Regeln durch „{to}“ ersetzt",
    other: "„{from}“ in {n} von {all} Regeln durch „{to}“ ersetzt",
  },
  more: "und {n} weitere",
};
