import https from "node:https";
import { SLICE_COST } from "../../src/pace/slices.js";
import { startApi, type ApiClient } from "../support/api.js";
import { rule } from "../support/documents.js";
import { call, webfingerPath, type TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const RULES = 31;
const PATTERNS = 1_000;
const LENGTH = 255;

/** As many bytes of patterns as an org may have. */
const BIG = {
  subdomain: "demo",
  name: "Big",
  rules: Array.from({ length: RULES }, (_, place) => ({
    ...rule(`r${place}`),
    conditions: {
      userIdentifier: {
        type: "IDENTIFIER",
        patterns: Array.from({ length: PATTERNS }, (_, i) => ({
          matchType: "CONTAINS",
          value: `${(place * PATTERNS + i) * 7_919}-`.padEnd(LENGTH, "x"),
        })),
      },
    },
  })),
};

describeStores((_engine, database) => {
  let server: TestServer;
  let api: ApiClient["api"];
  let agent: https.Agent;

  beforeEach(async () => {
    ({ server, api } = await startApi(
      await database(),
      { logLevel: "debug" },
      {
        orgs: [BIG, { subdomain: "quiet", name: "Quiet", rules: [rule("only")] }],
      },
    ));
    agent = new https.Agent({ keepAlive: true });
  });
  afterEach(async () => {
    agent.destroy();
    await server.close();
  });

  const askWebfinger = (org: string) =>
    call(server, webfingerPath("joe@example.com"), {
      headers: { Host: `${org}.localhost:${server.port}` },
      ...(org === "quiet" && { agent }),
    });

  const compilations = () => server.lines.filter(({ msg, slices }) => msg === "rules compiled" && Number(slices) > 1);

  it("S9 other orgs are served while the rules of one are compiled", async () => {
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const rules = `/policies/${policy.id}/rules`;
    const [first] = (await api(`${rules}?limit=1`)).body;
    await askWebfinger("quiet");

    for (let round = 1; round <= 3; round++) {
      const path = `${rules}/${first.id}/lifecycle/${round % 2 === 1 ? "deactivate" : "activate"}`;
      expect((await api(path, { method: "POST" })).status).toBe(200);
      const state = { isCompiled: false };
      const compiled = askWebfinger("demo").then(({ status }) => {
        state.isCompiled = true;
        return status;
      });
      let served = 0;
      while (!state.isCompiled) {
        expect((await askWebfinger("quiet")).status).toBe(200);
        served++;
      }
      expect(await compiled).toBe(200);
      expect(served).toBeGreaterThan(2);
    }

    expect(compilations()).toHaveLength(3);
    for (const { slices, longest } of compilations()) {
      expect(slices).toBeGreaterThan(((RULES - 1) * PATTERNS * 10) / SLICE_COST);
      expect(longest).toBeLessThan(SLICE_COST * 1.2);
    }
  });

  it("S9 ten changes in a row are compiled once", async () => {
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const rules = `/policies/${policy.id}/rules`;
    const [first] = (await api(`${rules}?limit=1`)).body;
    for (let change = 0; change < 10; change++) {
      const path = `${rules}/${first.id}/lifecycle/${change % 2 === 0 ? "deactivate" : "activate"}`;
      expect((await api(path, { method: "POST" })).status).toBe(200);
    }
    const answers = await Promise.all(Array.from({ length: 10 }, () => askWebfinger("demo")));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(compilations()).toHaveLength(1);
  });
});
