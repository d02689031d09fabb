import { findExpectFault, findRequestFault, type RequestHead } from "../../../lib/faults/request-head.js";

const RULES = { maxHeadersCount: 100, acceptsUpgrade: () => false };

function head(rawHeaders: string[], rest: Partial<RequestHead> = {}): RequestHead {
  return { method: "GET", url: "/", httpVersion: "1.1", rawHeaders, ...rest };
}

/** The type of the fault, which tells which check found it. */
function faultOf(request: RequestHead, rules = RULES): string | undefined {
  return findRequestFault(request, rules)?.[1].type;
}

describe("findRequestFault", () => {
  it.each<[string, RequestHead, string | undefined]>([
    ["an ordinary request", head(["Host", "a", "Accept", "*/*"]), undefined],
    ["HTTP/1.0 without Host", head([], { httpVersion: "1.0" }), undefined],
    ["HTTP/0.9", head([], { httpVersion: "0.9" }), "version.unsupported"],
    ["HTTP/2.0", head(["Host", "a"], { httpVersion: "2.0" }), "version.unsupported"],
    ["no Host", head(["Accept", "*/*"]), "host.missing"],
    ["two Host lines", head(["Host", "a", "HOST", "a"]), "host.duplicate"],
    ["an invalid Host", head(["host", "a/b"]), "host.invalid"],
    ["a field as long as Host", head(["Host", "a", "From", "b@c"]), undefined],
    ["no target", head(["Host", "a"], { url: undefined }), "target.invalid"],
    ["OPTIONS *", head(["Host", "a"], { method: "OPTIONS", url: "*" }), undefined],
    ["GET *", head(["Host", "a"], { url: "*" }), "target.invalid"],
    ["CONNECT", head(["Host", "a:1"], { method: "CONNECT", url: "a:1" }), undefined],
    ["an absolute target", head(["Host", "A:1"], { url: "http://a:1/x" }), undefined],
    ["an absolute target in HTTP/1.0", head([], { url: "https://a", httpVersion: "1.0" }), undefined],
    ["an absolute target of another host", head(["Host", "a"], { url: "http://b/" }), "target.misdirected"],
    ["an absolute target of another port", head(["Host", "a"], { url: "http://a:1/" }), "target.misdirected"],
    ["an absolute target without host", head(["Host", "a"], { url: "http:///x" }), "target.invalid"],
    ["another scheme", head(["Host", "a"], { url: "ws://a/" }), "target.invalid"],
    ["chunked", head(["Host", "a", "Transfer-Encoding", "CHUNKED"]), undefined],
    ["an empty coding", head(["Host", "a", "Transfer-Encoding", ""]), "transfer-encoding.invalid"],
    [
      "chunked twice",
      head(["Host", "a", "Transfer-Encoding", "chunked", "transfer-encoding", "chunked"]),
      "transfer-encoding.invalid",
    ],
    [
      "chunked in HTTP/1.0",
      head(["Transfer-Encoding", "chunked"], { httpVersion: "1.0" }),
      "transfer-encoding.invalid",
    ],
    ["an upgrade", head(["Host", "a", "Upgrade", "websocket", "Connection", "Upgrade"]), "upgrade.unsupported"],
    [
      "an upgrade of a longer Connection",
      head(["Host", "a", "Upgrade", "websocket", "Connection", "keep-alive ,\tUPGRADE , x"]),
      "upgrade.unsupported",
    ],
    [
      "an upgrade to one of several",
      head(["Host", "a", "Upgrade", "h2c, websocket", "Connection", "x", "Connection", "upgrade"]),
      "upgrade.unsupported",
    ],
    ["an upgrade to h2c", head(["Host", "a", "Upgrade", "H2C", "Connection", "Upgrade"]), undefined],
    ["an Upgrade alone", head(["Host", "a", "Upgrade", "websocket", "Connection", "x-upgrade, upgrades"]), undefined],
    [
      "an upgrade in HTTP/1.0",
      head(["Upgrade", "websocket", "Connection", "upgrade"], { httpVersion: "1.0" }),
      undefined,
    ],
  ])("judges %s", (_title, request, type) => {
    expect(faultOf(request)).toBe(type);
  });

  it("lets 100 field lines pass, not 101", () => {
    const lines = (count: number): string[] => [
      "Host",
      "a",
      ...Array<string[]>(count - 1)
        .fill(["b", "c"])
        .flat(),
    ];
    for (const count of [99, 100]) expect(faultOf(head(lines(count)))).toBeUndefined();
    expect(faultOf(head(lines(101)))).toBe("header.too-large");
  });

  it("asks whether upgrades are accepted only when one comes", () => {
    const acceptsUpgrade = jest.fn(() => true);
    const rules = { ...RULES, acceptsUpgrade };
    expect(faultOf(head(["Host", "a", "Upgrade", "websocket"]), rules)).toBeUndefined();
    expect(acceptsUpgrade).not.toHaveBeenCalled();
    expect(faultOf(head(["Host", "a", "Upgrade", "websocket", "Connection", "upgrade"]), rules)).toBeUndefined();
    expect(acceptsUpgrade).toHaveBeenCalledTimes(1);
  });

  it("tells at most 64 characters of what came", () => {
    const [, { causes = [] }] = findRequestFault(head(["Host", `/${"x".repeat(10_000)}`]), RULES)!;
    expect(causes[0]).toContain(`"/${"x".repeat(63)}…"`);
    const [, duplicate] = findRequestFault(
      head(
        Array<string[]>(99)
          .fill(["Host", "x".repeat(99)])
          .flat(),
      ),
      RULES,
    )!;
    expect(duplicate.causes?.[0]?.length).toBeLessThan(300);
  });
});

describe("findExpectFault", () => {
  it.each(["100-continue", "100-Continue", "100-continue, 100-continue", " 100-continue "])("meets %j", (expect_) => {
    expect(findExpectFault(expect_)).toBeUndefined();
  });

  it.each(["", "tea", "100-continue, tea", "100-continue=1", "x-100-continue", "100-continue,"])(
    "does not meet %j",
    (expect_) => {
      expect(findExpectFault(expect_)).toMatchObject(["E0009005", { type: "expectation.unmet" }]);
    },
  );
});
