import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { HAPROXY, isInstalled } from "./support/proxies.js";

interface Write {
  acknowledge: (time: number) => void;
  withdraw: () => void;
}
interface Writes {
  write: (value: string, now: number) => Write;
  between: (from: number, to: number) => Set<string>;
}
interface Times {
  begin: (node: string, now: number) => void;
  end: (node: string, now: number) => void;
  areOver: boolean;
}
interface Fault {
  name: string;
  of: string;
  node?: object;
}
interface Answer {
  timeline: Writes;
  troubles: Times[];
  node: string;
  value: string;
  sent: number;
  received: number;
}

const { Timeline, Troubles, judgeAnswer, GONE } = jest.requireActual<{
  Timeline: new (value: string) => Writes;
  Troubles: new () => Times;
  judgeAnswer: (answer: Answer) => { isAllowed: boolean; isStale: boolean; mayBeGone: boolean };
  GONE: string;
}>("../tools/torture/chaos/model.js");
const { drawFaults, FAULTS, troubledBy } = jest.requireActual<{
  drawFaults: (random: object, nodes: object[]) => Iterable<{ faults: { name: string; of: string; node?: object }[] }>;
  FAULTS: { name: string }[];
  troubledBy: (fault: Fault, nodes: object[]) => object[];
}>("../tools/torture/chaos/faults.js");
const { Random } = jest.requireActual<{ Random: new (seed: number) => object }>("../tools/torture/random.js");
const { formatConfiguration } = jest.requireActual<{
  formatConfiguration: (nodes: { name: string; port: number }[], port: number) => string;
}>("../tools/torture/chaos/balancer.js");

describe("the model of the chaos", () => {
  /** P0 at first; P1 is sent at 1,000 and acknowledged at 1,100. */
  function change(): Writes {
    const timeline = new Timeline("P0");
    timeline.write("P1", 1_000).acknowledge(1_100);
    return timeline;
  }
  const judge = (value: string, sent: number, { timeline = change(), troubles = new Troubles() } = {}) =>
    judgeAnswer({ timeline, troubles: [troubles], node: "a", value, sent, received: sent + 10 });

  it("allows both values while a write is under way, and the old one for a second after it", () => {
    for (const [sent, allowed] of [
      [980, ["P0"]],
      [990, ["P0", "P1"]],
      [1_050, ["P0", "P1"]],
      [2_099, ["P0", "P1"]],
      [2_100, ["P1"]],
    ] as const) {
      for (const value of ["P0", "P1", "P2"]) {
        expect([sent, value, judge(value, sent).isAllowed]).toEqual([
          sent,
          value,
          (allowed as readonly string[]).includes(value),
        ]);
      }
    }
  });

  it("allows what nobody acknowledged until a later write is, and not what was withdrawn", () => {
    const timeline = change();
    timeline.write("P2", 2_000);
    const refused = timeline.write("P3", 3_000);
    expect([...timeline.between(9_000, 9_000)].sort()).toEqual(["P1", "P2", "P3"]);
    refused.withdraw();
    timeline.write("P4", 10_000).acknowledge(10_100);
    expect([...timeline.between(10_100, 10_200)]).toEqual(["P4"]);
  });

  it("allows a node in trouble what counted since the trouble began, and nothing older", () => {
    const timeline = change();
    timeline.write("P2", 5_000).acknowledge(5_100);
    const troubles = new Troubles();
    troubles.begin("a", 4_000);
    expect(judge("P1", 60_000, { timeline, troubles })).toMatchObject({ isAllowed: true, isStale: true });
    expect(judge("P0", 60_000, { timeline, troubles }).isAllowed).toBe(false);
    expect(judge("P2", 60_000, { timeline, troubles })).toMatchObject({ isAllowed: true, isStale: false });
    expect(troubles.areOver).toBe(false);
    troubles.end("a", 61_000);
    expect(judge("P1", 60_999, { timeline, troubles }).isAllowed).toBe(true);
    expect(judge("P1", 61_001, { timeline, troubles }).isAllowed).toBe(false);
    expect(troubles.areOver).toBe(true);
  });

  it("knows when an org may have been suspended", () => {
    const timeline = new Timeline("P0");
    timeline.write(GONE, 1_000).acknowledge(1_100);
    expect(judge("P0", 500, { timeline }).mayBeGone).toBe(false);
    expect(judge(GONE, 5_000, { timeline })).toEqual({ isAllowed: true, isStale: false, mayBeGone: true });
  });
});

describe("the faults of the chaos", () => {
  const nodes = [{ name: "a" }, { name: "b" }, { name: "c" }];
  const draw = (seed: number) => {
    const drawn = [];
    for (const one of drawFaults(new Random(seed), nodes)) {
      drawn.push(one);
      if (drawn.length === 20 * FAULTS.length) return drawn;
    }
    return drawn;
  };

  it("are all there, in an order that the seed determines", () => {
    const firsts = draw(7).map(({ faults }) => faults[0]!.name);
    expect(new Set(firsts.slice(0, FAULTS.length)).size).toBe(FAULTS.length);
    expect(draw(7)).toEqual(draw(7));
    expect(draw(8)).not.toEqual(draw(7));
  });

  it("leave a right answer when two come at once: on two nodes, or one that troubles no node", () => {
    const pairs = draw(7).filter(({ faults }) => faults.length > 1);
    expect(pairs.length).toBeGreaterThan(10);
    for (const { faults } of pairs) {
      const [first, second] = faults;
      expect(faults).toHaveLength(2);
      expect(first!.of === "node" ? first!.node !== second!.node : troubledBy(second!, nodes)).toEqual(
        first!.of === "node" ? true : [],
      );
    }
  });
});

(isInstalled(HAPROXY) ? it : it.skip)("HAProxy takes the configuration of the page on monitoring for any nodes", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "haproxy-"));
  const file = path.join(folder, "haproxy.cfg");
  const nodes = [1, 2, 3].map((index) => ({ name: `node${index}`, port: 8_080 + index }));
  const configuration = formatConfiguration(nodes, 8_000);
  writeFileSync(file, configuration);
  const { status, stderr } = spawnSync(HAPROXY.version[0], ["-c", "-f", file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  for (const { name, port } of nodes) expect(configuration.split(`server ${name} 127.0.0.1:${port}`)).toHaveLength(3);
});
