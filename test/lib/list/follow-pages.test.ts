import {
  followPages,
  FollowPagesError,
  type FollowPagesOptions,
  type FollowPagesErrorReason,
  type PageResponse,
} from "../../../lib/list/follow-pages.js";

const FIRST = "https://acme.example.com/users";

type Answer = Partial<PageResponse> & { body?: unknown; link?: string };

/** A `fetch` that knows these pages, and notes what it was asked for. */
function site(pages: Record<string, Answer | unknown[] | (() => Answer)>) {
  const calls: string[] = [];
  const inits: { signal?: AbortSignal }[] = [];
  const fetch = (url: string, init: { signal?: AbortSignal }): Promise<PageResponse> => {
    calls.push(url);
    inits.push(init);
    const page = pages[url];
    if (page === undefined) return Promise.reject(new Error(`there is no ${url}`));
    const answer: Answer = typeof page === "function" ? page() : Array.isArray(page) ? { body: page } : page;
    return Promise.resolve({
      ok: true,
      status: 200,
      headers: { get: (name: string) => (name.toLowerCase() === "link" ? (answer.link ?? null) : null) },
      json: () => Promise.resolve(answer.body ?? []),
      ...answer,
    });
  };
  return { fetch, calls, inits };
}

async function walk(
  pages: Parameters<typeof site>[0],
  options?: FollowPagesOptions<unknown>,
): Promise<{ rows: unknown[]; calls: string[]; next: string | undefined }> {
  const { fetch, calls } = site(pages);
  const rows: unknown[] = [];
  let next: string | undefined;
  for await (const page of followPages(fetch, FIRST, options)) {
    rows.push(...page.rows);
    next = page.next;
  }
  return { rows, calls, next };
}

async function expectEnd(
  pages: Parameters<typeof site>[0],
  reason: FollowPagesErrorReason,
  message: string,
  options?: FollowPagesOptions<unknown>,
): Promise<FollowPagesError> {
  const error: unknown = await walk(pages, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FollowPagesError);
  expect(error).toMatchObject({ reason, message, name: "FollowPagesError" });
  return error as FollowPagesError;
}

describe("followPages", () => {
  it("P3 ends at a page without next", async () => {
    const { rows, calls, next } = await walk({
      [FIRST]: { body: [1, 2], link: `<${FIRST}>; rel="self", <${FIRST}?after=2>; rel="next"` },
      [`${FIRST}?after=2`]: { body: [3], link: `<${FIRST}?after=2>; rel="self"` },
    });
    expect(rows).toEqual([1, 2, 3]);
    expect(calls).toEqual([FIRST, `${FIRST}?after=2`]);
    expect(next).toBeUndefined();
  });

  it("P3 ends at a page without Link, and goes on past an empty one that has next", async () => {
    const pages = { [FIRST]: { link: "<?after=1>; rel=next" }, [`${FIRST}?after=1`]: [1] };
    expect((await walk(pages)).rows).toEqual([1]);
  });

  it("P4 ends at an empty page whose next is its own URL, without being told of polling", async () => {
    const pages = {
      [FIRST]: { body: [1], link: `<${FIRST}?after=1>; rel="next"` },
      [`${FIRST}?after=1`]: { link: `<${FIRST}?after=1>; rel="next"` },
    };
    const { rows, next } = await walk(pages);
    expect(rows).toEqual([1]);
    expect(next).toBe(`${FIRST}?after=1`);
  });

  it("P4 ends at an empty page when the list is polled, with where to go on", async () => {
    const pages = {
      [FIRST]: { body: [1], link: `<${FIRST}?after=1>; rel="next"` },
      [`${FIRST}?after=1`]: { link: `<${FIRST}?after=1b>; rel="next"` },
    };
    const { rows, next } = await walk(pages, { polling: true });
    expect(rows).toEqual([1]);
    expect(next).toBe(`${FIRST}?after=1b`);
  });

  it("P4 goes on after an empty page when polling says when, until the signal", async () => {
    let count = 0;
    const abort = new AbortController();
    const { fetch, inits } = site({
      [FIRST]: () => ({ body: count++ % 2 === 0 ? [] : [count], link: `<${FIRST}?x>; rel="next"` }),
      [`${FIRST}?x`]: () => ({ body: count++ % 2 === 0 ? [] : [count], link: `<${FIRST}>; rel="next"` }),
    });
    let waits = 0;
    const polling = (): Promise<void> => {
      waits += 1;
      if (waits === 3) abort.abort(new Error("enough"));
      return Promise.resolve();
    };
    const rows: unknown[] = [];
    await expect(async () => {
      for await (const page of followPages(fetch, FIRST, { polling, signal: abort.signal })) rows.push(...page.rows);
    }).rejects.toThrow("enough");
    expect(rows).toEqual([2, 4]);
    expect(waits).toBe(3);
    expect(inits[0]).toEqual({ signal: abort.signal });
  });

  it("reads nothing once it is aborted", async () => {
    const { fetch, calls } = site({ [FIRST]: [1] });
    const pages = followPages(fetch, FIRST, { signal: AbortSignal.abort(new Error("stop")) });
    await expect(pages.next()).rejects.toThrow("stop");
    expect(calls).toEqual([]);
  });

  it("throws the reason of the signal when the body is cut off by it", async () => {
    const abort = new AbortController();
    const { fetch } = site({
      [FIRST]: {
        json: () => {
          abort.abort(new Error("stop"));
          return Promise.reject(new Error("terminated"));
        },
      },
    });
    await expect(followPages(fetch, FIRST, { signal: abort.signal }).next()).rejects.toThrow("stop");
  });

  it("does not wait once the reader has aborted", async () => {
    const abort = new AbortController();
    const { fetch } = site({ [FIRST]: { link: `<${FIRST}>; rel="next"` } });
    const polling = jest.fn(() => Promise.resolve());
    const pages = followPages(fetch, FIRST, { polling, signal: abort.signal });
    await pages.next();
    abort.abort(new Error("stop"));
    await expect(pages.next()).rejects.toThrow("stop");
    expect(polling).not.toHaveBeenCalled();
  });

  it("reads only as many pages as are asked for", async () => {
    const { fetch, calls } = site({ [FIRST]: { body: [1], link: "<?after=1>; rel=next" } });
    for await (const { rows } of followPages(fetch, FIRST)) {
      expect(rows).toEqual([1]);
      break;
    }
    expect(calls).toEqual([FIRST]);
  });

  it.each([
    ["?after=1", `${FIRST}?after=1`],
    ["/users?after=1", `${FIRST}?after=1`],
    ["//acme.example.com/users?after=1", `${FIRST}?after=1`],
    ["members", "https://acme.example.com/members"],
  ])("P2 follows the relative next %s", async (target, expected) => {
    const { calls } = await walk({ [FIRST]: { body: [1], link: `<${target}>; rel="next"` }, [expected]: [2] });
    expect(calls).toEqual([FIRST, expected]);
  });

  it("P2 resolves a relative next against where redirects led to", async () => {
    const { calls } = await walk({
      [FIRST]: { url: "https://acme.example.com/v2/users", link: "<users?after=1>; rel=next" },
      "https://acme.example.com/v2/users?after=1": { url: "" },
    });
    expect(calls[1]).toBe("https://acme.example.com/v2/users?after=1");
  });

  it.each(["https://evil.example/users", "http://acme.example.com/users", "https://acme.example.com:8443/users"])(
    "does not follow %s, which is of another origin",
    async (target) => {
      const pages = { [FIRST]: { body: [1], link: `<${target}>; rel="next"` } };
      await expectEnd(pages, "origin", `${FIRST}: its next page ${target} has another origin`);
    },
  );

  it("follows to an origin that is allowed", async () => {
    const pages = { [FIRST]: { link: "<https://eu.example.com/x>; rel=next" }, "https://eu.example.com/x": [1] };
    expect((await walk(pages, { origins: ["https://eu.example.com"] })).rows).toEqual([1]);
  });

  it("ends a loop, of one page or of several", async () => {
    await expectEnd({ [FIRST]: { body: [1], link: `<${FIRST}>; rel="next"` } }, "loop", `${FIRST}: was read before`);
    await expectEnd(
      {
        [FIRST]: { body: [1], link: "<?b>; rel=next" },
        [`${FIRST}?b`]: { link: `<${FIRST}#x>; rel="next", <${FIRST}>; rel="next"` },
        [`${FIRST}#x`]: { link: `<${FIRST}>; rel="next"` },
      },
      "loop",
      `${FIRST}: was read before`,
    );
  });

  it("ends a list that never ends", async () => {
    let count = 0;
    const endless = (): Answer => ({ body: [1], link: `<?after=${++count}>; rel="next"` });
    const pages = Object.fromEntries(
      [FIRST, ...[1, 2, 3, 4].map((n) => `${FIRST}?after=${n}`)].map((url) => [url, endless]),
    );
    await expectEnd(pages, "maxPages", `${FIRST}?after=3: there are more than 3 pages`, { maxPages: 3 });
    expect(count).toBe(3);
  });

  it("reads exactly `maxPages` pages without a complaint", async () => {
    const pages = { [FIRST]: { link: "<?b>; rel=next", body: [1] }, [`${FIRST}?b`]: [2] };
    expect((await walk(pages, { maxPages: 2 })).rows).toEqual([1, 2]);
  });

  it("ends at an answer that is no success, and shows it", async () => {
    const { url, response } = await expectEnd(
      { [FIRST]: { ok: false, status: 429 } },
      "status",
      `${FIRST}: the response has status 429`,
    );
    expect(url).toBe(FIRST);
    expect(response?.status).toBe(429);
  });

  it("ends at a body that is no array, or no JSON", async () => {
    const { cause } = await expectEnd({ [FIRST]: { body: { users: [] } } }, "body", `${FIRST}: the body can't be read`);
    expect(cause).toEqual(new TypeError("the body is not an array; give `rowsOf`"));
    const broken = { json: () => Promise.reject(new SyntaxError("x")) };
    await expectEnd({ [FIRST]: broken }, "body", `${FIRST}: the body can't be read`);
  });

  it("takes the rows out of a body that wraps them", async () => {
    const pages = { [FIRST]: { body: { users: [1, 2] } } };
    expect((await walk(pages, { rowsOf: (body) => (body as { users: number[] }).users })).rows).toEqual([1, 2]);
  });

  it("ends at a next that is no URL", async () => {
    await expectEnd(
      { [FIRST]: { link: "<https://[>; rel=next" } },
      "link",
      `${FIRST}: its next page https://[ is not a URL`,
    );
  });

  it("lets through what fetch throws", async () => {
    await expect(walk({})).rejects.toThrow(`there is no ${FIRST}`);
  });

  it("refuses a first URL that is not absolute", async () => {
    await expect(followPages(site({}).fetch, "/users").next()).rejects.toThrow("Invalid URL");
  });
});
