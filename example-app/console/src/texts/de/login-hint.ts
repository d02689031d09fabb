import type { Translation } from "../define.js";
import type * as english from "../en/login-hint.js";

export const loginHint: Translation<typeof english.loginHint> = {
  rules: "Die Regeln entscheiden, auch wenn es ein solches Konto nicht gibt.",
  domain:
    "Die Regel „{rule}“ gilt für alle bei {domain}: zuerst joe@{domain} ausprobieren, dann jemanden von anderswo.",
};
