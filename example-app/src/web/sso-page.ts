import { createHash } from "node:crypto";
import { LIMITS } from "../model/shapes.js";
import { escapeMarkup } from "../model/markup.js";

const STYLE = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1.25rem; }
h1 { font-size: 1.4rem; }
label, input, button { display: block; box-sizing: border-box; width: 100%; font: inherit; }
input { margin: .35rem 0 1rem; padding: .5rem .6rem; }
button { padding: .55rem; cursor: pointer; }
[role="status"] { border-left: .25rem solid; padding-left: .75rem; }
.note { font-size: .875rem; }
`;

/**
 * Allows only the page's own style, and no framing. The form goes to this server, which redirects to the org's identity
 * provider, on any host. Some browsers apply `form-action` to redirects, so it allows any host.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "form-action 'self' https: http:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The org's own sign-in page, as HTML.
 *
 * @param name of the org
 * @param login the login in the form
 * @param isDiscovered whether discovery says that the org itself signs this login in
 */
export function formatSignInPage(name: string, login?: string, isDiscovered = false): string {
  const org = escapeMarkup(name);
  const value = login === undefined ? "" : ` value="${escapeMarkup(login)}"`;
  const status =
    login === undefined || !isDiscovered
      ? ""
      : `<p role="status"><b>${escapeMarkup(login)}</b> is signed in by ${org} itself, not by another identity provider.</p>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in to ${org}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Sign in to ${org}</h1>
${status}<form action="/sso/login" method="get">
<label for="login">Login</label>
<input id="login" name="login"${value} maxlength="${LIMITS.login}" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false">
<button>Continue</button>
</form>
<p class="note">You are sent on to the identity provider that signs you in. This server finds it; it asks for no password and signs nobody in.</p>
</main>
</body>
</html>
`;
}
