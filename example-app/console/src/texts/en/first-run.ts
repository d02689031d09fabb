import { defineTexts } from "../define.js";

/** The steps of a new org. */
export const firstRun = defineTexts("firstRun", {
  title: "First steps",
  away: "Put away",
  done: "Done: ",
  idp: "{link}: where people sign in",
  idpLink: "Add an identity provider",
  rule: "{link} that leads logins there, such as everyone at your domain",
  ruleLink: "Add a rule",
  tried: "Try a login: type one below",
  token: "{link} for a colleague, who signs in here with it, or for a program",
  tokenLink: "Create an API token",
});
