import { defineTexts } from "../define.js";

/** What to try first. */
export const loginHint = defineTexts("loginHint", {
  rules: "The rules decide, whether or not there is such an account.",
  domain: "The rule {rule} is for everyone at {domain}: try joe@{domain}, then somebody elsewhere.",
});
