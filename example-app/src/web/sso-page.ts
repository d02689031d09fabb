import { createHash } from "node:crypto";
import { LIMITS } from "../model/shapes.js";
import { escapeMarkup } from "../model/markup.js";
import type { Hints } from "./sign-on.js";

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1.25rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; }
label, input, button { display: block; box-sizing: border-box; width: 100%; font: inherit; }
input { margin: .35rem 0 1rem; padding: .5rem .6rem; }
button { padding: .55rem; cursor: pointer; }
ul { list-style: none; padding: 0; }
ul a { display: block; margin: .5rem 0; padding: .55rem .75rem; border: 1px solid; border-radius: .25rem; color: inherit; text-decoration: none; }
ul a:hover, ul a:focus-visible { text-decoration: underline; outline: 2px solid; outline-offset: 1px; }
.note a { color: inherit; }
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

const NOTE =
  "You are sent on to the identity provider that signs you in. This server finds it; it asks for no password and signs nobody in.";

/** A link of a page. */
export interface Choice {
  readonly name: string;
  readonly href: string;
}

/** What the sign-in page begins with. */
export interface SignInForm {
  readonly login?: string | undefined;
  /** Whether discovery says that the org itself signs this login in. */
  readonly isDiscovered?: boolean;
  /** Parameters that are sent with the login. */
  readonly hints: Hints;
}

/**
 * The org's own sign-in page, as HTML.
 *
 * @param name of the org
 */
export function formatSignInPage(name: string, { login, isDiscovered = false, hints }: SignInForm): string {
  const org = escapeMarkup(name);
  const value = login === undefined ? "" : ` value="${escapeMarkup(login)}"`;
  const status =
    login === undefined || !isDiscovered
      ? ""
      : `<p role="status"><b>${escapeMarkup(login)}</b> is signed in by ${org} itself, not by another identity provider.</p>\n`;
  const kept = hints.map(
    ([parameter, text]) => `<input type="hidden" name="${parameter}" value="${escapeMarkup(text)}">\n`,
  );
  return formatPage(
    `Sign in to ${org}`,
    `${status}<form action="/sso/login" method="get">
<label for="login">Login</label>
<input id="login" name="login"${value} maxlength="${LIMITS.login}" required autofocus autocomplete="username" autocapitalize="none" spellcheck="false">
${kept.join("")}<button>Continue</button>
</form>
<p class="note">${NOTE}</p>`,
  );
}

/**
 * The page on which people choose among the providers that discovery selects, as HTML.
 *
 * @param name of the org
 * @param again the path of the page that asks for another login
 */
export function formatChoicePage(name: string, login: string, choices: readonly Choice[], again: string): string {
  const items = choices.map(
    ({ name: text, href }) => `<li><a href="${escapeMarkup(href)}" dir="auto">${escapeMarkup(text)}</a></li>`,
  );
  return formatPage(
    `Choose how to sign in to ${escapeMarkup(name)}`,
    `<p><b>${escapeMarkup(login)}</b> can sign in with one of these:</p>
<ul role="list">
${items.join("\n")}
</ul>
<p class="note"><a href="${escapeMarkup(again)}">Use another login</a></p>
<p class="note">${NOTE}</p>`,
  );
}

/**
 * The page that says that the request can't go on, as HTML.
 *
 * @param title what is wrong
 * @param next the link that goes on
 */
export function formatRefusalPage(title: string, text: string, next: Choice): string {
  return formatPage(
    escapeMarkup(title),
    `<p role="status">${escapeMarkup(text)}</p>
<ul role="list">
<li><a href="${escapeMarkup(next.href)}">${escapeMarkup(next.name)}</a></li>
</ul>`,
  );
}

/** Both are HTML. */
function formatPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
}
