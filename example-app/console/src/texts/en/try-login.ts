import { defineTexts } from "../define.js";

/** The question of the page that tries a login. */
export const tryLogin = defineTexts("tryLogin", {
  about:
    "Type a login and see who signs this person in, and which rule decides it. Nothing is changed and nobody is signed in.",
  login: "Login",
  address: "From the address",
  device: "With the device",
  yourOwn: "your own",
  yours: "your own",
  ownDevice: "Your own device",
  rulesOf: "With the rules of",
  emptyForNow: "Empty for now.",
  revision: "Revision {revision}",
  rulesOfNow: "Use the rules of now",
  triedLast: "Tried last",
  asking: "Asking",
  begin: "Type a login to begin",
});
