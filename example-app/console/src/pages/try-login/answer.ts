export { KeepAsTest } from "../tests/keep-as-test.js";
export { AsOf } from "./as-of.js";
export { CopyLink } from "./copy-link.js";
export { Decision } from "./decision.js";
export { Response } from "./response.js";
export { Verdict } from "./verdict.js";
