interface Samples {
  readonly ours: readonly object[];
  readonly peer: readonly object[];
}

const { sampleInTurns } = jest.requireActual<{
  sampleInTurns: (
    comparisons: readonly { ours: string; peer: string }[],
    figure: string,
    sample: (server: string) => Promise<object>,
  ) => Promise<readonly Samples[]>;
}>("../tools/bench/http/rounds.js");
const { formatRow } = jest.requireActual<{ formatRow: (row: object) => Record<string, unknown> }>(
  "../tools/bench/rows.js",
);
const { formatTable } = jest.requireActual<{ formatTable: (rows: readonly object[]) => string }>(
  "../tools/bench/table.js",
);
const { targetOf } = jest.requireActual<{
  targetOf: (name: string, peer: string | null) => { readonly text: string } | undefined;
}>("../tools/bench/targets.js");

describe("sampleInTurns", () => {
  it("repeats a comparison until the middle 80 % of its ratios are within 10 %, at least 5 and at most 15 times", async () => {
    const asked: string[] = [];
    const figures: Record<string, (round: number) => number> = {
      ours: () => 10,
      steady: () => 20,
      late: (round) => (round === 0 ? 42 : 20), // one of ten lies outside the middle 80 %
      noisy: (round) => (round % 2 === 0 ? 20 : 30),
    };
    const results = await sampleInTurns(
      ["steady", "late", "noisy"].map((peer) => ({ ours: "ours", peer })),
      "cpu",
      (server) => {
        const round = asked.filter((name) => name === server).length;
        asked.push(server);
        return Promise.resolve({ cpu: figures[server]!(round) });
      },
    );
    expect(results.map(({ ours, peer }) => [ours.length, peer.length])).toEqual([
      [5, 5],
      [11, 11],
      [15, 15],
    ]);
    expect(asked.slice(0, 8)).toEqual(["steady", "ours", "late", "noisy", "steady", "ours", "late", "noisy"]);
  });
});

describe("formatTable", () => {
  const cellsOf = (peer: number): string[] => {
    const row = formatRow({ name: "get/a", peerName: "b", unit: "µs", samples: { ours: [10, 10], peer: [20, peer] } });
    const table = formatTable([{ ...row, throughput: { ours: 1, peer: 2 } }]);
    return table
      .split("\n")[2]!
      .split("|")
      .map((cell) => cell.trim());
  };

  it("says that a whole request is noisy when the middle 80 % are wider than 10 %", () => {
    expect(cellsOf(20)).toContain("2.00–2.00");
    expect(cellsOf(30)).toContain("noisy: 2.10–2.90");
  });
});

describe("targets", () => {
  it.each([
    ["node-20/get/create-server", "express-5", "≥ 3.5 ×"],
    ["node-22/get/create-server", "express-5", "≥ 3 ×"],
    ["node-24/get/create-server", "express-5", "≥ 1.15 ×"],
    ["node-26/post-1k/create-server", "express-5", "≥ 2.4 ×"],
    ["node-25/post-1k/create-server", "express-5", "≥ 2.2 ×"], // the column before
    ["node-22/get/batching", "express-5", undefined],
    ["node-24/get/batching", "express-5", "≥ 1.5 ×"],
    ["node-26/get/batching", "fastify", "≥ 1 ×"],
    ["node-26/get/create-server", "fastify-plugins", "≥ 1.5 ×"],
    ["node-26/without-kernel/get/unseen", "bound", "≥ 0.7 ×"],
    ["node-20/without-kernel/get/unseen", "bound", "≥ 0.65 ×"],
    ["node-20/without-kernel/list/unseen", "bound", undefined],
    ["node-24/without-kernel/get/unseen/listen", "express-5", "≥ 1 ×"],
    ["node-26/without-kernel/preflight/unseen", "packages", "≥ 3 ×"],
    ["node-24/allocated/get/repeated", "express-5", "≥ 0.769 ×"],
    ["node-26/server/users/sqlite", "bare Express, createServer", "≥ 0.4 ×"],
    ["node-26/get-behind-100/create-server", "express-5", "≥ 2 ×"],
    ["node-26/post-1k/create-server", "fastify", "≥ 1.05 ×"],
    ["node-26/server/webfinger/sqlite", "bare Express, createServer", "≥ 0.55 ×"],
    ["get/create-server", "node-http", undefined],
    ["all-conventions", null, "≤ 4"],
    ["utf8/64k/ascii", "JSON.parse", "≥ 50 ×"],
    ["utf8/64k/cjk", "JSON.parse", "≥ 10 ×"],
    ["utf8/1k/cjk", "JSON.parse", undefined],
    ["entity-tag/4k/fields", "pick + stringify + etag", "≥ 1.2 ×"],
    ["no/such/case", "peer", undefined],
  ])("has for %s against %s: %s", (name, peer, expected) => {
    expect(targetOf(name, peer)?.text).toBe(expected);
  });
});
