import { readFileSync } from "node:fs";
import path from "node:path";

/* Which pages the site has, at which addresses, and in which order its menu lists them: that of docs/README.md and the README. */

export const ROOT = path.join(import.meta.dirname, "../..");

const OVERVIEW = "docs/README.md";

/** Pages that have pages below them, and where these are. */
const PARENTS = {
  "docs/guides/monitoring.md": "docs/guides/alerts/",
  "docs/reference/api.md": "docs/reference/api/",
  "docs/explanation/design/README.md": "docs/explanation/design/",
};

const PLACES = [
  [/^site\/index\.md$/, "index.md"],
  [/^README\.md$/, "readme.md"],
  [/^docs\/README\.md$/, "pages.md"],
  [/^docs\/explanation\/design\/README\.md$/, "explanation/design/index.md"],
  [/^docs\/(.*)$/, "$1"],
  [/^lib\/\w+\/(.*)$/, "middleware/$1"],
  [/^([A-Z]+)\.md$/, (file) => file.toLowerCase()],
];

/** The address of a page, as a file below the root of the site. */
export function rewrite(file) {
  const place = PLACES.find(([pattern]) => pattern.test(file));
  return place ? file.replace(...place) : file;
}

export const MENU = [
  toGroup("Begin", [toItem("README.md"), toItem(OVERVIEW)]),
  ...[...read(OVERVIEW).matchAll(/^## (.*)\n([^]*?)(?=^## |$(?![^]))/gm)].map(([, text, section]) =>
    toGroup(text, toItems(OVERVIEW, section)),
  ),
  toGroup("Middlewares", middlewares()),
];

function toGroup(text, items) {
  return { text, collapsed: true, items };
}

/** The pages of the README's tables. */
function middlewares() {
  const [, section] = /^### The middlewares\n([^]*?)^## /m.exec(read("README.md"));
  const listed = linksOf("README.md", section).filter((page) => /^(?:middleware|lib)\//.test(page));
  return listed.map((page) => toItem(page));
}

function toItems(page, section) {
  const [own, ...parts] = section.split(/^### /m);
  const groups = parts.map((part) => {
    const [text, ...lines] = part.split("\n");
    return { text, collapsed: false, items: linksOf(page, lines.join("\n")).map(toItem) };
  });
  return [...linksOf(page, own).map(toItem), ...groups];
}

function toItem(page) {
  const folder = PARENTS[page];
  const below = folder && linksOf(page, read(page)).filter((linked) => linked.startsWith(folder) && linked !== page);
  const item = { text: titleOf(page), link: addressOf(page) };
  return below ? { ...item, collapsed: true, items: below.map(toItem) } : item;
}

/** The pages that a text of `page` links to, each once; the README has a place of its own. */
function linksOf(page, text) {
  const targets = [...text.matchAll(/\]\((?!\w+:)([^)#\s]+\.md)/g)].map(([, target]) =>
    path.posix.join(path.posix.dirname(page), target),
  );
  return [...new Set(targets)].filter((target) => target !== "README.md");
}

function titleOf(page) {
  return /^# (.*)$/m.exec(read(page))[1];
}

function read(page) {
  return readFileSync(path.join(ROOT, page), "utf8");
}

/** Every page but the first is in the menu, so that readers find it. */
export function assertListed(pages) {
  const listed = new Set(linksIn(MENU));
  const missing = pages.filter((page) => rewrite(page) !== "index.md" && !listed.has(addressOf(page)));
  if (missing.length > 0) throw new Error(`docs/README.md and the README list no page ${missing.join(", ")}`);
}

function linksIn(items) {
  return items.flatMap(({ link, items: below = [] }) => [link, ...linksIn(below)]);
}

function addressOf(page) {
  return `/${rewrite(page).replace(/(?:index)?\.md$/, "")}`;
}
