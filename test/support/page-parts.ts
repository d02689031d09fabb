/** The text below a heading, up to the next one of the same level or above. */
export function sectionOf(page: string, heading: string): string {
  const start = new RegExp(`^(#+) ${heading.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}\\n`, "m").exec(page);
  if (!start) throw new Error(`the page has no heading ${heading}`);
  const text = page.slice(start.index + start[0].length);
  const end = new RegExp(`^#{1,${start[1]?.length ?? 1}} `, "m").exec(text.replaceAll(/^```[^]*?^```/gm, blank));
  return text.slice(0, end?.index);
}

function blank(text: string): string {
  return " ".repeat(text.length);
}

/** The lines of the first table below a heading, each as its cells. */
export function rowsBelow(page: string, heading: string): string[][] {
  const [table = ""] = /^\|[^]*?\n(?=\n|$(?![^]))/m.exec(`${sectionOf(page, heading)}\n`) ?? [];
  const [, , ...lines] = table.trim().split("\n");
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
