/** The page of the API's description, with the files of Swagger UI. It has no script and no style of its own in it. */

/** Only files of this server, no frames, no `eval`; what is tried goes to this server. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="icon" href="/api/docs/favicon-32x32.png">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<link rel="stylesheet" href="/api/docs/page.css">
</head>
<body>
<header>
<nav aria-label="Versions"><a href="/api/docs">v1</a> <a href="/api/docs?version=v2">v2</a> <a href="/console">Console</a></nav>
<p>What you try here is done in this org. Requests have the session of the console in this browser, or the token that you give under “Authorize”.</p>
</header>
<main id="description"></main>
<noscript><p>This page needs JavaScript. The description is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p></noscript>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/page.js"></script>
</body>
</html>
`;

export const DOCS_STYLE = `body { margin: 0; background: #fff; }
header, noscript { display: block; max-width: 1460px; margin: 0 auto; padding: 1rem 20px 0; font: 1rem/1.5 system-ui, sans-serif; color: #222; }
nav a { margin-right: 1rem; color: #1a4fa3; }
nav a[aria-current] { font-weight: bold; color: inherit; text-decoration: none; }
`;

export const DOCS_SCRIPT = `"use strict";
const version = new URLSearchParams(location.search).get("version") === "v2" ? "v2" : "v1";
for (const link of document.querySelectorAll("nav a")) {
  if (link.textContent === version) link.setAttribute("aria-current", "page");
}
SwaggerUIBundle({
  url: "/api/" + version + "/openapi.json",
  domNode: document.getElementById("description"),
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: "list",
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: "none",
});
`;
