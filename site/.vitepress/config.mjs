import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitepress";
import { addAnchors, addLinks, renderForSearch, slugify } from "./markdown.mjs";
import { assertListed, MENU, ROOT, rewrite } from "./pages.mjs";

/* The site is made of the pages as they are. `npm run docs` shows it, and `npm run docs:build` writes site/.vitepress/dist. */

const { description, repository } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));

const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, "");

export default defineConfig({
  title: "etiquette",
  description,
  lang: "en",
  base: process.env.DOCS_BASE ?? "/",
  cleanUrls: true,
  srcDir: "..",
  srcExclude: ["!(docs|lib|middleware|site)/**/*.md"],
  cacheDir: path.join(ROOT, "node_modules/.cache/vitepress"),
  rewrites: rewrite,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${process.env.DOCS_BASE ?? "/"}icon.svg` }]],
  vite: { publicDir: path.join(ROOT, "site/public"), server: { host: "127.0.0.1" } },
  markdown: {
    anchor: { slugify },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (md) => {
      addLinks(md, REPOSITORY);
      addAnchors(md);
    },
  },
  buildEnd: ({ pages }) => assertListed(pages),
  themeConfig: {
    nav: MENU.slice(1).map(({ text, items }) => ({ text, link: firstLink(items), activeMatch: `^${folderOf(items)}` })),
    sidebar: MENU,
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: REPOSITORY }],
    editLink: {
      pattern: `${REPOSITORY}/edit/main/:path`,
      text: "Edit this page",
    },
    search: {
      provider: "local",
      options: {
        _render: renderForSearch,
        miniSearch: {
          searchOptions: { combineWith: "AND", fuzzy: 0.1, prefix: true, boost: { title: 6, titles: 2, text: 1 } },
        },
      },
    },
    footer: { message: "MIT licence" },
  },
});

function firstLink([{ link, items }]) {
  return link ?? firstLink(items);
}

function folderOf(items) {
  return firstLink(items).replace(/[^/]*$/, "");
}
