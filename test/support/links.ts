import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The relative links of `page`, a path below `root`, that lead to no file or no heading there. */
export function brokenLinks(root: string, page: string): string[] {
  const text = readFileSync(path.join(root, page), "utf8").replaceAll(/^```[^]*?^```/gm, "");
  const targets = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => {
    const [file = "", heading] = target.split("#");
    const linked = path.join(root, file === "" ? page : path.join(path.dirname(page), file));
    return !existsSync(linked) || (heading !== undefined && !headingsOf(linked).includes(heading));
  });
}

/** The anchors of a page, as GitHub makes them. */
function headingsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}
