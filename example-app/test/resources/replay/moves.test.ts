import type { Provider } from "../../../src/discovery/providers.js";
import { runAtOnce } from "../../../src/pace/steps.js";
import { createMoves } from "../../../src/resources/replay/moves.js";

const provider = (id: string): Provider => ({ id, type: "SAML2", name: id });
const answer = (...ids: string[]) => ({
  rule: { id: "rule", name: "rule" },
  providers: ids.map((id) => (id === "org" ? id : provider(id))),
  reason: "matched" as const,
});

const asked = (login: string) => ({
  login,
  clientIp: undefined,
  platform: { type: "OTHER" as const, os: "OTHER" as const },
});

function count(moved: readonly (readonly [before: string[], after: string[]])[], moves = 3, examples = 2) {
  const counted = createMoves({ moves, examples });
  for (const [i, [before, after]] of moved.entries()) {
    counted.add({ asked: asked(`joe${i}`), before: answer(...before), after: answer(...after) });
  }
  const { listed, others } = runAtOnce(counted.list());
  const nameOf = (each: Provider) => (each === "org" ? each : each.id);
  return {
    changed: counted.changed(),
    others,
    moves: listed.map((move) => [nameOf(move.from), nameOf(move.to), move.count, move.examples.length]),
  };
}

describe("createMoves", () => {
  it("counts by the first providers, also where only others differ", () => {
    const moved = [
      [["a"], ["a"]],
      [["a", "b"], ["b"]],
      [["a"], ["b", "a"]],
      [
        ["a", "b"],
        ["a", "c"],
      ],
      [["a"], ["a", "b"]],
      [["org"], ["a"]],
    ] as [string[], string[]][];
    expect(count(moved)).toEqual({
      changed: 5,
      others: 0,
      moves: [
        ["a", "b", 2, 2],
        ["a", "a", 2, 2],
        ["org", "a", 1, 1],
      ],
    });
  });

  it("S9 lists as many moves as its limit, those with the most logins, and counts the logins of the others", () => {
    const move = (to: string, times: number) =>
      Array.from({ length: times }, () => [["a"], [to]] as [string[], string[]]);
    const two = [...move("b", 1), ...move("c", 4)];
    const three = [...two, ...move("d", 2)];
    const four = [...three, ...move("e", 3)];
    expect(count(two)).toMatchObject({
      others: 0,
      moves: [
        ["a", "c", 4, 2],
        ["a", "b", 1, 1],
      ],
    });
    expect(count(three)).toMatchObject({
      others: 0,
      moves: [
        ["a", "c", 4, 2],
        ["a", "d", 2, 2],
        ["a", "b", 1, 1],
      ],
    });
    expect(count(four)).toMatchObject({
      changed: 10,
      others: 1,
      moves: [
        ["a", "c", 4, 2],
        ["a", "e", 3, 2],
        ["a", "d", 2, 2],
      ],
    });
  });
});
