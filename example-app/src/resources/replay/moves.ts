import type { Answer } from "../../discovery/compile-routing.js";
import type { Provider } from "../../discovery/providers.js";
import type { Steps } from "../../pace/steps.js";
import type { AskedLogin } from "./asked-logins.js";

export interface MoveLimits {
  /** The moves that are listed; the others are only counted. */
  readonly moves: number;
  /** The examples of each. */
  readonly examples: number;
}

/** A login, and what the rules decide before and after the change. */
export interface Moved {
  readonly asked: AskedLogin;
  readonly before: Answer;
  readonly after: Answer;
}

/** Logins that go from one provider to another: the first ones that rules select. */
export interface Move {
  readonly from: Provider;
  readonly to: Provider;
  readonly count: number;
  readonly examples: readonly Moved[];
}

export type Moves = ReturnType<typeof createMoves>;

/** Counts the logins whose providers differ, or have another order. */
export function createMoves({ moves: most, examples }: MoveLimits) {
  const moves = new Map<string, { from: Provider; to: Provider; count: number; examples: Moved[] }>();
  let changed = 0;

  return {
    add(moved: Moved): void {
      const { before, after } = moved;
      if (isSame(before.providers, after.providers)) return;
      changed++;
      const [[from = "org"], [to = "org"]] = [before.providers, after.providers];
      const key = `${idOf(from)} ${idOf(to)}`;
      let move = moves.get(key);
      if (!move) moves.set(key, (move = { from, to, count: 0, examples: [] }));
      if (++move.count <= examples) move.examples.push(moved);
    },
    changed: () => changed,

    /** The most frequent ones, and how many logins the others have. */
    *list(): Steps<{ listed: Move[]; others: number }> {
      const listed: Move[] = [];
      let others = changed;
      for (const move of moves.values()) {
        yield 1;
        const place = listed.findLastIndex(({ count }) => count >= move.count) + 1;
        if (place >= most) continue;
        listed.splice(place, 0, move);
        listed.splice(most);
      }
      for (const { count } of listed) others -= count;
      return { listed, others };
    },
  };
}

function isSame(before: readonly Provider[], after: readonly Provider[]): boolean {
  if (before === after) return true;
  return before.length === after.length && before.every((provider, i) => idOf(provider) === idOf(after[i]));
}

function idOf(provider: Provider | undefined): string | undefined {
  return typeof provider === "object" ? provider.id : provider;
}
