import type { Translation } from "../define.js";
import type * as english from "../en/login-hint.js";

export const loginHint: Translation<typeof english.loginHint> = {
  rules: "Les règles décident, que ce compte existe ou non.",
  domain:
    "La règle « {rule} » vaut pour tout le monde chez {domain} : essayez joe@{domain}, puis quelqu’un d’ailleurs.",
};
