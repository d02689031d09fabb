import { compileFilter, compileFilterSql, parseFilter } from "etiquette/filter";
import { sql } from "kysely";
import type { LogEvent } from "../../src/model/records.js";
import { appendLogEvents } from "../../src/store/log/events.js";
import type { NewLogEvent } from "../../src/store/log/stored-facts.js";
import { LOG_FILTER } from "../../src/store/log/filter.js";
import { openStore } from "../../src/store/store.js";
import { describeApi, type TestOrg } from "../support/api.js";
import { buildEvent, emptyLog, formatQuery } from "../support/logs.js";
import { TEST_NODES, type Answer } from "../support/server.js";
import { until } from "../../../test/support/until.js";

/** Only the clock is moved. */
const TIMERS = [
  "hrtime",
  "nextTick",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "clearImmediate",
  "setInterval",
  "clearInterval",
  "setTimeout",
  "clearTimeout",
] as const;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Left out are the requests of the tests themselves. */
const MINE = 'eventType sw "test."';

const titlesOf = ({ body }: Pick<Answer, "body">): string[] =>
  (body as LogEvent[]).map(({ displayMessage }) => displayMessage);

function linkOf({ headers }: Answer, relation: string): string | undefined {
  return new RegExp(`<([^>]+)>; rel="${relation}"`).exec(String(headers["link"]))?.[1];
}

describeApi((openOrg, engine) => {
  let org: TestOrg;
  let now: number;

  beforeEach(async () => {
    org = await openOrg();
    await emptyLog(org.store, org.id);
    now = Date.now();
  });

  const ask = (parameters: Record<string, string | number> = {}): Promise<Answer> => org.api(formatQuery(parameters));

  const at = (ago: number): string => new Date(now - ago).toISOString();

  /** Events of the org, each so many milliseconds ago. */
  async function publish(events: readonly (readonly [ago: number, event: Partial<NewLogEvent>])[]): Promise<void> {
    for (const [ago, event] of events) {
      const complete = buildEvent({ eventType: "test.event", ...event });
      await org.store.write((transaction) => appendLogEvents({ ...transaction, now: at(ago) }, org.id, [complete]));
    }
  }

  const publishTitles = (...entries: readonly (readonly [ago: number, title: string])[]): Promise<void> =>
    publish(entries.map(([ago, displayMessage]) => [ago, { displayMessage }]));

  /** Every page from the first on, until there is no next one, or until `isEnd`. */
  async function walk(
    parameters: Record<string, string | number>,
    isEnd: (answer: Answer) => boolean = () => false,
  ): Promise<Answer[]> {
    const pages = [await ask(parameters)];
    for (;;) {
      const last = pages.at(-1)!;
      expect(last.status).toBe(200);
      const next = linkOf(last, "next");
      if (next === undefined || isEnd(last)) return pages;
      pages.push(await org.api(next));
    }
  }

  async function expectRefusal(parameters: Record<string, string | number>, code: string, cause: unknown) {
    const { status, body } = await ask(parameters);
    expect([status, body.errorCode, body.errorCauses]).toEqual([400, code, [{ errorSummary: cause }]]);
  }

  it("gives the events as they were written, with uuid and published", async () => {
    await publishTitles([HOUR_MS, "one"]);
    const { body } = await ask({ filter: MINE });
    const [row] = await org.store.reader
      .selectFrom("log_events")
      .selectAll()
      .where("org_id", "=", org.id)
      .where("event_type", "=", "test.event")
      .execute();
    expect(body).toEqual([
      {
        uuid: row!.uuid,
        published: at(HOUR_MS),
        ...buildEvent({ eventType: "test.event", displayMessage: "one" }),
      },
    ]);
  });

  it("A2 needs the scope logs.read, and shows nothing of another org", async () => {
    await publishTitles([HOUR_MS, "demo's"]);
    const scoped = await org.as(["users.manage"]);
    expect((await scoped("/logs")).status).toBe(403);
    const reader = await org.as(["logs.read"]);
    expect(titlesOf(await reader("/logs"))).toContain("demo's");
    const acme = await openOrg();
    expect(titlesOf(await acme.api("/logs"))).not.toContain("demo's");
    const next = linkOf(await reader("/logs?limit=1"), "next")!;
    expect(await acme.api(next)).toMatchObject({ status: 400, body: { errorCode: "E0000029" } });
  });

  describe("since and until", () => {
    beforeEach(() =>
      publishTitles([9 * DAY_MS, "old"], [6 * DAY_MS, "a"], [2 * HOUR_MS, "b"], [HOUR_MS, "c"], [-HOUR_MS, "d"]),
    );

    it("are the last seven days and those to come when they are absent or empty", async () => {
      for (const parameters of [{}, { since: "" }, { until: "" }, { since: "", until: "", q: "", sortOrder: "" }]) {
        expect(titlesOf(await ask({ filter: MINE, ...parameters }))).toEqual(["a", "b", "c", "d"]);
      }
    });

    it("are the first instant and the one after the last", async () => {
      const cases: [ago: Record<string, number>, expected: string[]][] = [
        [{ since: 2 * HOUR_MS }, ["b", "c", "d"]],
        [{ since: 2 * HOUR_MS - 1 }, ["c", "d"]],
        [{ since: 2 * HOUR_MS, until: HOUR_MS }, ["b"]],
        [{ since: 2 * HOUR_MS, until: HOUR_MS - 1 }, ["b", "c"]],
        [{ since: HOUR_MS, until: HOUR_MS }, []],
        [{ until: HOUR_MS }, ["a", "b"]],
        [{ until: 5 * DAY_MS }, ["old", "a"]],
        [{ until: 5 * DAY_MS, since: 8 * DAY_MS }, ["a"]],
      ];
      for (const [ago, expected] of cases) {
        const dates = Object.fromEntries(Object.entries(ago).map(([name, value]) => [name, at(value)]));
        expect([ago, titlesOf(await ask({ filter: MINE, ...dates }))]).toEqual([ago, expected]);
        const descending = await ask({ filter: MINE, ...dates, sortOrder: "DESCENDING" });
        expect([ago, titlesOf(descending)]).toEqual([ago, expected.toReversed()]);
      }
    });

    it("take the ends of time", async () => {
      expect((await ask({ until: "0000-01-01T00:00:00.000Z" })).body).toEqual([]);
      const all = { since: "0000-01-01T00:00:00.000Z", until: "9999-12-31T23:59:59.999Z", filter: MINE };
      expect(titlesOf(await ask(all))).toEqual(["old", "a", "b", "c", "d"]);
      expect((await ask({ since: "9999-12-31T23:59:59.999Z" })).body).toEqual([]);
    });

    it("F8 take every form of RFC 3339", async () => {
      const since = at(HOUR_MS).replace("Z", "9+01:00"); // two hours ago
      expect(titlesOf(await ask({ since, until: at(HOUR_MS).toLowerCase(), filter: MINE }))).toEqual(["b"]);
    });

    it("S4 refuse what is no date", async () => {
      const others = ["2026-02-30T00:00:00.000Z", "2026-01-01T00:00:00", "2026-01-01T24:00:00Z"];
      for (const text of ["2026-01-01", "now", "0", " ", ...others]) {
        for (const name of ["since", "until"]) {
          await expectRefusal({ [name]: text }, "E0000030", `${name}: is no date such as 2026-01-31T08:00:00.000Z.`);
        }
      }
    });

    it("refuse an end before the beginning, and to come twice", async () => {
      await expectRefusal({ since: at(0), until: at(1) }, "E0000001", `since: is later than until, which is ${at(1)}`);
      const twice = await org.api(`/logs?since=${at(1)}&since=${at(1)}`);
      expect(twice).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
    });
  });

  describe("limit", () => {
    it("P6 is an integer from 0 to 1000", async () => {
      await publishTitles([3, "a"], [2, "b"], [1, "c"]);
      for (const [limit, count] of [
        [0, 0],
        [1, 1],
        [1_000, 3],
      ] as const) {
        expect((await ask({ limit, filter: MINE })).body).toHaveLength(count);
      }
      for (const limit of ["1001", "-1", "x", "1.5", ""]) {
        expect(await ask({ limit })).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
      }
    });

    it("P6 is 100 when it is absent", async () => {
      await publishTitles(...Array.from({ length: 101 }, (_, i) => [1_000 - i, `${i}`] as const));
      expect((await ask({ filter: MINE })).body).toHaveLength(100);
    });
  });

  describe("a walk", () => {
    const TITLES = Array.from({ length: 25 }, (_, i) => `event ${i}`);
    // several of one instant
    beforeEach(() => publishTitles(...TITLES.map((title, i) => [HOUR_MS - Math.floor(i / 4), title] as const)));

    it("P3 P5 ends where until is given, and has seen each event once, in order", async () => {
      for (const limit of [1, 4, 7, 24, 25, 26]) {
        const pages = await walk({ limit, filter: MINE, until: at(0) });
        expect(pages.flatMap(titlesOf)).toEqual(TITLES);
        expect(pages).toHaveLength(Math.ceil(TITLES.length / limit));
      }
    });

    it("P3 P5 ends in descending order, at since, however many pages that takes", async () => {
      await publishTitles([0, "late"]);
      for (const limit of [1, 4, 24, 25, 26]) {
        const parameters = { limit, sortOrder: "DESCENDING", since: at(HOUR_MS - 2) };
        const pages = await walk({ ...parameters, filter: MINE });
        expect(pages.flatMap(titlesOf)).toEqual(["late", ...TITLES.slice(8).toReversed()]);
        expect(pages).toHaveLength(Math.ceil(18 / limit));
      }
    });

    it("P1 refuses a cursor for another order or filter, since beside it, and before", async () => {
      const next = linkOf(await ask({ limit: 2, filter: MINE }), "next")!;
      const after = new URL(next).searchParams.get("after")!;
      expect((await ask({ after, filter: MINE, limit: 5 })).status).toBe(200);
      for (const parameters of [{}, { filter: MINE, sortOrder: "DESCENDING" }, { filter: MINE, until: at(0) }]) {
        expect(await ask({ after, ...parameters })).toMatchObject({ status: 400, body: { errorCode: "E0000029" } });
      }
      await expectRefusal({ after, filter: MINE, since: at(1) }, "E0000063", "since, after: give one of them.");
      expect(await ask({ before: after, filter: MINE })).toMatchObject({
        status: 400,
        body: { errorCode: "E0000029" },
      });
    });

    it("S2 P2 has links to itself and to the next page alone, without since", async () => {
      const parameters = { since: at(HOUR_MS), limit: 2, filter: MINE };
      const first = await ask(parameters);
      const base = `${org.origin}/api/v1`;
      expect(linkOf(first, "self")).toBe(base + formatQuery(parameters));
      const next = new URL(linkOf(first, "next")!);
      expect([...next.searchParams.keys()]).toEqual(["limit", "filter", "after"]);
      expect(linkOf(await org.api(next.href), "prev")).toBeUndefined();
    });
  });

  describe("polling", () => {
    it.each([{}, { until: "" }, { sortOrder: "ASCENDING" }])("P4 always has next: %j", async (parameters) => {
      const first = await ask({ filter: MINE, ...parameters });
      expect(first.body).toEqual([]);
      let next = linkOf(first, "next")!;
      const seen: string[] = [];
      for (const arrivals of [[], ["a"], ["b", "c", "d"], [], [], ["e"]]) {
        await publishTitles(...arrivals.map((title) => [0, title] as const));
        const answer = await org.api(next);
        expect(titlesOf(answer)).toEqual(arrivals);
        seen.push(...titlesOf(answer));
        next = linkOf(answer, "next")!;
      }
      expect(seen).toEqual(["a", "b", "c", "d", "e"]);
    });

    it("P4 goes on from an empty first page at its own beginning, however late", async () => {
      const first = await ask({ filter: MINE });
      await publish([[0, { displayMessage: "old in a moment" }]]);
      const { pathname, search } = new URL(linkOf(first, "next")!);
      expect(search).toContain("after=");
      jest.useFakeTimers({ now: now + 30 * DAY_MS, doNotFake: [...TIMERS] });
      try {
        expect(titlesOf(await org.api(`https://x${pathname}${search}`))).toEqual(["old in a moment"]);
        expect(titlesOf(await ask({ filter: MINE }))).toEqual([]); // a list that begins then
      } finally {
        jest.useRealTimers();
      }
    });

    it("P4 of what is to come begins there", async () => {
      const since = at(-HOUR_MS);
      const first = await ask({ since, filter: MINE });
      await publishTitles([0, "before"]);
      const second = await org.api(linkOf(first, "next")!);
      expect(titlesOf(second)).toEqual([]);
      await publishTitles([-HOUR_MS, "then"]);
      expect(titlesOf(await org.api(linkOf(second, "next")!))).toEqual(["then"]);
    });

    it("P4 with limit 0 leads to the beginning, and loses nothing", async () => {
      await publishTitles([1, "a"]);
      const answer = await ask({ limit: 0, filter: MINE });
      expect(answer.body).toEqual([]);
      const next = linkOf(answer, "next")!;
      expect(titlesOf(await org.api(next.replace("limit=0", "limit=5")))).toEqual(["a"]);
    });

    it("P4 keeps its URL while nothing comes, and leaves behind what does not match when there is much of it", async () => {
      await publishTitles([1, "a"]);
      const noise = Array.from({ length: 1_001 }, () => buildEvent({ eventType: "noise" }));
      const first = await ask({ filter: MINE });
      const second = await org.api(linkOf(first, "next")!);
      expect(linkOf(second, "next")).toBe(linkOf(second, "self"));
      await org.store.write((transaction) => appendLogEvents(transaction, org.id, noise));
      const third = await org.api(linkOf(second, "next")!);
      expect(linkOf(third, "next")).not.toBe(linkOf(third, "self"));
      await publishTitles([0, "b"]);
      expect(titlesOf(await org.api(linkOf(third, "next")!))).toEqual(["b"]);
    });

    it("D2 P4 sees the polls themselves, unless the filter leaves them out", async () => {
      const first = await ask();
      const requestId = String(first.headers["x-svc-request-id"]);
      let answer = first;
      const ids: string[] = [];
      await until(async () => {
        answer = await org.api(linkOf(answer, "next")!);
        ids.push(...answer.body.map(({ transaction }: LogEvent) => transaction.id));
        return ids.includes(requestId);
      });
      expect(ids.filter((id) => id === requestId)).toHaveLength(1);
      expect((await ask({ filter: 'severity ne "DEBUG"' })).body).toEqual([]);
    });
  });

  describe("q", () => {
    beforeEach(() =>
      publishTitles([4, "Größe 100% sure"], [3, "grey cat"], [2, "GREY dog_1"], [1, "İstanbul ' \" \\"]),
    );

    it("finds the events that have every word, in any case", async () => {
      const cases: [q: string, expected: string[]][] = [
        ["grey", ["grey cat", "GREY dog_1"]],
        ["gREY", ["grey cat", "GREY dog_1"]],
        ["grey dog", ["GREY dog_1"]],
        ["  dog   grey ", ["GREY dog_1"]],
        ["grey bird", []],
        ["größe", ["Größe 100% sure"]],
        ["100%", ["Größe 100% sure"]],
        ["%", ["Größe 100% sure"]],
        ["g_1", ["GREY dog_1"]],
        ["' \" \\", ["İstanbul ' \" \\"]],
        ["İstanbul", ["İstanbul ' \" \\"]],
        ["joe@example.com dog", ["GREY dog_1"]],
        ["192.0.2.1 token-1 request-1 cat", ["grey cat"]],
      ];
      for (const [q, expected] of cases) expect([q, titlesOf(await ask({ q, filter: MINE }))]).toEqual([q, expected]);
    });

    it("Q3 reads form encoding, in q and in filter, and a cursor works in either encoding", async () => {
      const parameters = { q: "grey 1 +0", filter: MINE, limit: "1" };
      const form = (others: Record<string, string>): string =>
        `/logs?${new URLSearchParams({ ...parameters, ...others }).toString()}`;
      expect(form({ q: "grey" })).toContain("filter=eventType+sw+%22test.%22");
      expect(titlesOf(await org.api(form({ q: "grey dog" })))).toEqual(["GREY dog_1"]);
      expect(titlesOf(await org.api("/logs?q=dog+grey"))).toEqual(["GREY dog_1"]);
      expect(titlesOf(await org.api("/logs?q=dog%2Bgrey"))).toEqual([]);
      const first = await org.api(form({ q: "grey" }));
      const next = linkOf(first, "next")!;
      expect(next).toContain("&filter=eventType+sw+%22test.%22&");
      expect(titlesOf(await org.api(next))).toEqual(["GREY dog_1"]);
      const after = new URL(next).searchParams.get("after")!;
      expect(titlesOf(await ask({ ...parameters, q: "grey", after }))).toEqual(["GREY dog_1"]);
      for (const other of [{ q: "dog" }, { filter: "uuid pr" }, { sortOrder: "DESCENDING" }, { until: at(0) }]) {
        const refused = await ask({ ...parameters, q: "grey", after, ...other });
        expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000029" } });
      }
    });

    it("takes ten words of forty characters", async () => {
      const words = Array<string>(10).fill("grey").join(" ");
      expect((await ask({ q: words, filter: MINE })).body).toHaveLength(2);
      await expectRefusal({ q: `${words} grey` }, "E0000001", "q: has 11 words; at most 10 are allowed");
      for (const [length, status] of [
        [39, 200],
        [40, 200],
        [41, 400],
      ] as const) {
        expect((await ask({ q: `a ${"x".repeat(length)}` })).status).toBe(status);
      }
      const cause = "q: has a word of 41 characters; at most 40 are allowed";
      await expectRefusal({ q: "x".repeat(41) }, "E0000001", cause);
    });
  });

  describe("filter", () => {
    const EVENTS: Partial<NewLogEvent>[] = [
      {},
      { severity: "WARN", outcome: { result: "FAILURE", reason: "E0000001: no" }, target: null },
      { severity: "ERROR", eventType: "test.other", displayMessage: "" },
      {
        target: [
          { id: "1", type: "User", alternateId: "ann@example.com", displayName: "Ann", detailEntry: null },
          { id: "2", type: "AppUser", alternateId: "a", displayName: 'O"Neil', detailEntry: { k: "v" } },
        ],
        actor: { id: "9", type: "User", alternateId: "unknown", displayName: "Unknown", detailEntry: { a: 1 } },
      },
      {
        client: {
          userAgent: { rawUserAgent: "Mozilla/5.0", os: "iOS", browser: "SAFARI" },
          zone: "Office",
          device: "Mobile",
          id: "c",
          ipAddress: "2001:db8::1",
          geographicalContext: null,
        },
        request: {
          ipChain: [
            { ip: "2001:db8::1", geographicalContext: null, version: "V6", source: "x-forwarded-for" },
            { ip: "127.0.0.1", geographicalContext: null, version: "V4", source: "socket" },
          ],
        },
        debugContext: { debugData: { requestId: "other", requestUri: "/x", url: "/x?y", statusCode: "404" } },
        transaction: { type: "WEB", id: "other", detail: {} },
      },
    ];

    /** The same in memory and in the database (rule F10). */
    async function expectSame(expression: string, all: readonly LogEvent[]): Promise<number> {
      const matches = compileFilter(parseFilter(expression), LOG_FILTER);
      const { status, body, text } = await ask({ filter: `${MINE} and (${expression})` });
      expect([expression, status, status === 200 || text]).toEqual([expression, 200, true]);
      const expected = all.filter(matches);
      expect([expression, body.map(({ uuid }: LogEvent) => uuid)]).toEqual([
        expression,
        expected.map(({ uuid }) => uuid),
      ]);
      return expected.length;
    }

    it("is not resolved again when the same query comes again", async () => {
      for (let node = 0; node < TEST_NODES; node++) await ask({ filter: MINE });
      const lookUp = jest.spyOn(LOG_FILTER.attributes, "get");
      for (let node = 0; node < TEST_NODES; node++) await ask({ filter: MINE });
      expect(lookUp).not.toHaveBeenCalled();
      await ask({ filter: `${MINE} and severity eq "WARN"` });
      expect(new Set(lookUp.mock.calls.map(([name]) => name))).toEqual(new Set(["eventType", "severity"]));
      lookUp.mockRestore();
    });

    it("F4 F10 takes every attribute with every operator", async () => {
      await publish(EVENTS.map((event) => [1, event]));
      const all = (await ask({ filter: MINE })).body as LogEvent[];
      expect(all).toHaveLength(EVENTS.length);
      const { uuid } = all[2]!;
      const names = [...LOG_FILTER.attributes.keys()].map((name) => name.replace(/\*$/, "url"));
      const operands: Record<string, string> = {
        uuid,
        "transaction.id": "other",
        "debugContext.debugData.requestId": "request-1",
        "target.alternateId": "ann@example.com",
        "request.ipChain.ip": "127.0.0.1",
        "client.zone": "Office",
      };
      for (const name of names) {
        await expectSame(`${name} pr`, all);
        if (LOG_FILTER.attributes.get(name)?.type === "complex") continue;
        const operand = JSON.stringify(operands[name] ?? "User");
        const operators = ["eq", "ne", "gt", "ge", "lt", "le", "sw", "ew", "co"];
        await expectSame(operators.map((operator) => `(${name} ${operator} ${operand})`).join(" and not "), all);
        for (const operator of name in operands ? operators : ["eq", "co"]) {
          await expectSame(`${name} ${operator} ${operand}`, all);
        }
      }
    });

    it("F7 finds what an expression means", async () => {
      await publish(EVENTS.map((event) => [1, event]));
      const cases: [expression: string, count: number][] = [
        ['target.id eq "2"', 1],
        ['target.displayName eq "O\\"Neil"', 1],
        ["target pr", 4],
        ["not (target pr)", 1],
        ["client pr and outcome pr and debugContext.debugData pr and actor pr and transaction pr", 5],
        ["client.userAgent pr and request.ipChain pr", 5],
        ["actor.detailEntry pr", 1],
        ["client.geographicalContext pr or authenticationContext pr or securityContext pr", 0],
        ['outcome.result eq "FAILURE" and outcome.reason sw "E0000001"', 1],
        ["outcome.reason pr", 1],
        ['debugContext.debugData.statusCode eq "404"', 1],
        ['debugContext.debugData.url co "activate"', 4],
        ["actor.detailEntry.a eq 1", 1],
        ['client.userAgent.os eq "iOS" and client.device eq "Mobile" and client.ipAddress sw "2001:"', 1],
        ['request.ipChain.version eq "V6"', 1],
        ['severity eq "WARN" or severity eq "ERROR"', 2],
        ['eventType eq "test.other"', 1],
        ['authenticationContext.externalSessionId eq "x"', 0],
      ];
      for (const [expression, count] of cases) {
        const { body } = await ask({ filter: `${MINE} and (${expression})` });
        expect([expression, body.length]).toEqual([expression, count]);
      }
    });

    it("F4 F9 refuses what it does not know or can't read", async () => {
      const cases: [filter: string, code: string][] = [
        ['published gt "2026-01-01T00:00:00.000Z"', "E0000094"],
        ["published pr", "E0000094"],
        ['client eq "192.0.2.1"', "E0000094"],
        ['debugContext.debugData co "request"', "E0000094"],
        ["debug pr", "E0000094"],
        ["client.ipAddress.x pr", "E0000094"],
        ['search_text co "x"', "E0000094"],
        ['EventType eq "x"', "E0000094"],
        ["severity eq 5", "E0000037"],
        ['severity eq "x', "E0000031"],
        ["", "E0000031"],
      ];
      for (const [text, code] of cases) {
        const { status, body } = await ask({ filter: text });
        expect([text, status, body.errorCode]).toEqual([text, 400, code]);
      }
    });

    it("finds an event with text that no database holds", async () => {
      await publishTitles([1, "a\u0000b\ud800"]);
      expect(titlesOf(await ask({ filter: `${MINE} and displayMessage co "a"` }))).toEqual(["a\ufffdb\ufffd"]);
    });

    it("uses an index for the request, the transaction and the type", async () => {
      await publishTitles(...Array.from({ length: 3 }, (_, i) => [i, `${i}`] as const));
      const { id, store } = org;
      const noise = (type: string) =>
        Array.from({ length: 3_000 }, (_, i) => buildEvent({ eventType: type }, `noise ${i}`));
      await store.write((transaction) => appendLogEvents(transaction, id, noise("noise")));
      if (engine === "PostgreSQL") await store.write(({ db }) => sql`analyze log_events`.execute(db));
      for (const [expression, index, column] of [
        ['debugContext.debugData.requestId eq "request-1"', "log_events_request", "request_id"],
        ['transaction.id eq "request-1"', "log_events_request", "request_id"],
        ['eventType eq "test.event"', "log_events_type", "event_type"],
      ] as const) {
        const plans = await explainQueries(expression);
        // weeks to come are empty, and read as they are
        const onPostgres = `Index Scan (?:using|on) log_events_\\d+_org_id_${column}_[^]*Index Cond: [^"]*${column} =`;
        expect(plans).toMatch(engine === "PostgreSQL" ? new RegExp(onPostgres) : `USING INDEX ${index}`);
        expect(plans).not.toMatch(/SCAN log_events|TEMP B-TREE/);
      }
    });

    /** In a store of its own: after an explanation, SQLite reads the rows of that time. */
    async function explainQueries(expression: string): Promise<string> {
      const store = await openStore(org.options);
      const { strings, parameters } = compileFilterSql(parseFilter(expression), LOG_FILTER, store.dialect.filter);
      const prefix = engine === "PostgreSQL" ? sql`explain` : sql`explain query plan`;
      const { rows } = await sql`${prefix} select uuid, event from log_entries where org_id = ${org.id}
        and published >= ${at(7 * DAY_MS)} and ${sql(strings, ...parameters)}
        order by published, sequence limit 101`.execute(store.reader);
      await store.close();
      return JSON.stringify(rows);
    }
  });

  it("refuses another sortOrder", async () => {
    for (const sortOrder of ["asc", "descending", "DESCENDING "]) {
      await expectRefusal({ sortOrder }, "E0000001", "sortOrder: must be ASCENDING or DESCENDING");
    }
  });
});
