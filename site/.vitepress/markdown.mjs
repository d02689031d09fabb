import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { ROOT, rewrite } from "./pages.mjs";

const ERRORS = "docs/reference/errors.md";

/** The anchor of a heading, as GitHub makes it: the pages are read there too. */
export function slugify(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

/** Makes addresses of the site of links between pages, and addresses of the repository of those to other files. */
export function addLinks(md, repository) {
  md.core.ruler.push("site-links", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href && !/^(?:#|\/|\w+:)/.test(href)) token.attrSet("href", resolve(href, sourceOf(env), repository));
    }
  });
}

function resolve(href, source, repository) {
  const [target, anchor] = href.split("#");
  const file = path.posix.join(path.posix.dirname(source), target);
  if (!existsSync(path.join(ROOT, file))) return href; // the build names it
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (file.endsWith(".md") && !file.startsWith(".")) return `/${rewrite(file)}${hash}`;
  const kind = statSync(path.join(ROOT, file)).isDirectory() ? "tree" : "blob";
  return `${repository}/${kind}/main/${file}${hash}`;
}

function sourceOf({ realPath, path: file }) {
  return path.relative(ROOT, realPath ?? file);
}

/** Gives each error code and each type of error an anchor: errors#E0000231. */
export function addAnchors(md) {
  md.core.ruler.push("error-anchors", ({ tokens, env }) => {
    if (sourceOf(env) !== ERRORS) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "code_inline" && isName(token.content) && !seen(env, token.content))
        token.attrSet("id", token.content);
    }
  });
}

/** A code of the catalogue, or a type such as `body.too-deep`. */
function isName(text) {
  return /^E\d{7}$|^[a-z][a-z-]*(?:\.[a-z-]+)+$/.test(text);
}

function seen(env, name) {
  env.names ??= new Set();
  return env.names.has(name) || !env.names.add(name);
}

/** The HTML of a page for the search: code has no colours, and each code and type of error is a section of its own. */
export function renderForSearch(text, env, md) {
  const { highlight } = md.options;
  md.set({ highlight: null });
  const html = md.render(text, env);
  md.set({ highlight });
  if (sourceOf(env) !== ERRORS) return html;
  return html.replaceAll(/<code[^>]* id="([^"]+)"[^>]*>/g, (tag, name) => {
    const heading = name.includes(".") ? "h4" : "h3"; // types are below a heading of their own
    return `<${heading}>${name} <a href="#${name}"></a></${heading}>${tag}`;
  });
}
