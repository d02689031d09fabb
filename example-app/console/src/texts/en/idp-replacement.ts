import { defineTexts } from "../define.js";

/** How every rule of an identity provider is led to another one. */
export const idpReplacement = defineTexts("idpReplacement", {
  title: "Replace it by",
  choose: "Choose another provider",
  noneFound: "No provider has this name",
  tooMany: "{n} rules lead to it. The console replaces it in {max} at most; an import replaces it in more.",
  replaceIn: { one: "Replace in {n} rule", other: "Replace in {n} rules" },
  incomplete: "It was not replaced in every rule",
  anyway: "Replace anyway",
  question: { one: "Replace {from} by {to} in {n} rule?", other: "Replace {from} by {to} in {n} rules?" },
  replace: "Replace it",
  isOff: "{name} is off: rules skip it.",
  tested: "Logins were tested for the first {n} of these rules.",
  done: { one: "Replaced {from} by {to} in {n} rule", other: "Replaced {from} by {to} in {n} rules" },
  partlyDone: {
    one: "Replaced {from} by {to} in {n} rule of {all}",
    other: "Replaced {from} by {to} in {n} rules of {all}",
  },
  more: "and {n} more",
});
