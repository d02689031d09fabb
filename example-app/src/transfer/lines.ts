import { visit } from "jsonc-parser";
import type { Path } from "../model/faults.js";

/** A value whose line is wanted, and the values inside it. */
interface Place {
  line?: number;
  children: Map<string | number, Place>;
}

/**
 * The line of each of `paths` in `text`, from 1. A missing path gets the line of its nearest existing parent. The text
 * must be valid JSON.
 */
export function findLines(text: string, paths: readonly Path[]): number[] {
  const root: Place = { line: 1, children: new Map() };
  for (const path of paths) {
    let place = root;
    for (const step of path) {
      let child = place.children.get(step);
      if (!child) place.children.set(step, (child = { children: new Map() }));
      place = child;
    }
  }
  markLines(text, root);

  return paths.map((path) => {
    let place: Place | undefined = root;
    let line = 1;
    for (const step of path) {
      place = place?.children.get(step);
      line = place?.line ?? line;
    }
    return line;
  });
}

/** Walk the text and the tree of wanted values in parallel. */
function markLines(text: string, root: Place): void {
  const open: { place: Place; index: number }[] = [];
  /** The place of the next value, when it has a key. */
  let keyed: Place | undefined = root;

  function nextPlace(line: number): Place | undefined {
    const parent = open[open.length - 1];
    if (!parent || parent.index < 0) return keyed;
    const place = parent.place.children.get(parent.index++);
    if (place) place.line = line + 1;
    return place;
  }

  /** Returns `false` to skip the content. */
  function enter(index: number, line: number): boolean {
    const place = nextPlace(line);
    open.push({ place: place ?? { children: new Map() }, index });
    return place !== undefined && place.children.size > 0;
  }

  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line) => enter(-1, line),
      onArrayBegin: (_offset, _length, line) => enter(0, line),
      onObjectEnd: () => void open.pop(),
      onArrayEnd: () => void open.pop(),
      onObjectProperty(name, _offset, _length, line) {
        keyed = open[open.length - 1]?.place.children.get(name);
        if (keyed) keyed.line = line + 1;
      },
      onLiteralValue: (_value, _offset, _length, line) => void nextPlace(line),
    },
    { disallowComments: true },
  );
}
