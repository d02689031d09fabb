"use strict";

/*
 * `node tools/release/changelog.js` ends what changesets wrote into both changelogs: the new version comes below the
 * introduction, with its date, and takes over what was written by hand below "Unreleased".
 */
const { readFileSync, writeFileSync } = require("node:fs");
const path = require("node:path");

const ROOT = path.join(__dirname, "../..");
const FILES = ["CHANGELOG.md", "example-app/CHANGELOG.md"];

/** What changesets puts behind the title: a version, kinds of changes, and a line for each change. */
const WRITTEN = /^(# .*\n\n)## (\d+\.\d+\.\d+\S*)\n((?:(?:### .*|- .*)?\n)*)/;

/**
 * @param date such as 2026-12-01
 * @returns the text as it is when changesets wrote no version at its begin
 */
function arrange(text, date) {
  const [whole, title, version, changes] = WRITTEN.exec(text) ?? [];
  if (whole === undefined) return text;
  const [introduction, ...versions] = text.slice(whole.length).split(/^(?=## )/m);
  const [first = ""] = versions;
  const isUnreleased = first.startsWith("## Unreleased\n");
  const own = isUnreleased ? first.replace("## Unreleased\n", "") : "";
  const sections = [`## ${version} - ${date}`, changes.trim(), own.trim()].filter((section) => section !== "");
  const older = versions.slice(isUnreleased ? 1 : 0).join("");
  return `${title}${introduction.trim()}\n\n${sections.join("\n\n")}\n${older && `\n${older}`}`;
}

module.exports = { arrange };

if (require.main === module) {
  const date = new Date().toISOString().slice(0, 10);
  for (const file of FILES.map((name) => path.join(ROOT, name)))
    writeFileSync(file, arrange(readFileSync(file, "utf8"), date));
}
