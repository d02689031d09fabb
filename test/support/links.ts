import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The links and images of `page`, a path below `root`, that lead to no file or no heading there, or are no URL of a web site. */
export function brokenLinks(root: string, page: string): string[] {
  return targetsOf(readFileSync(path.join(root, page), "utf8")).filter((target) => {
    if (/^\w+:/.test(target)) return !isPublicUrl(target);
    const [file = "", heading] = target.split("#");
    const linked = path.join(root, file === "" ? page : path.join(path.dirname(page), file));
    return !existsSync(linked) || (heading !== undefined && !headingsOf(linked).includes(heading));
  });
}

/** What the Markdown and the HTML of a page link to and show. */
function targetsOf(text: string): string[] {
  const prose = withoutCode(text);
  const inMarkdown = prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)/gm);
  const inHtml = prose.matchAll(/ (?:src|srcset|href)="([^"]+)"/g);
  return [...inMarkdown, ...inHtml].map(([, target = "", reference]) => reference ?? target);
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[^]*?^```/gm, "");
}

function isPublicUrl(target: string): boolean {
  return URL.canParse(target) && /^https:\/\/[a-z\d-]+(?:\.[a-z\d-]+)+(?:[/?#]|$)/.test(target);
}

/** The anchors of a page, as GitHub makes them. */
function headingsOf(file: string): string[] {
  const known = new Map<string, number>();
  return [...withoutCode(readFileSync(file, "utf8")).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-");
    const count = known.get(anchor) ?? 0;
    known.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}
