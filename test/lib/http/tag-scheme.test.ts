import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { strongMatch, weakMatch } from "../../../lib/http/entity-tag.js";
import { compileTagScheme, type TagScheme, type TagSchemeOptions } from "../../../lib/http/tag-scheme.js";

const DAY = 24 * 60 * 60 * 1000;

function compile(options: TagSchemeOptions, now = 0, isStrong = false): TagScheme {
  return compileTagScheme("weakEtag", options, { isStrong, now: () => now });
}

const USER = {
  id: "00u1",
  status: "ACTIVE",
  lastLogin: "2024-01-01T00:00:00.000Z",
  profile: { firstName: "Joe", lastName: "Doe", email: "joe@example.com" },
};

describe("compileTagScheme: fields", () => {
  const { format } = compile({ fields: ["id", "profile.email", "profile.firstName"] });

  it("T2 makes a weak tag with the version and 22 digits of a hash", () => {
    expect(format(USER)).toMatch(/^W\/"1\.[\w-]{22}"$/);
  });

  it("T2 makes the same tag in another process, now and ever", () => {
    const script = `
      const { hash } = require("node:crypto");
      const text = '"4:00u1\\n"15:joe@example.com\\n"3:Joe\\n';
      process.stdout.write('W/"1.' + hash("sha256", text, "base64url").slice(0, 22) + '"');`;
    expect(format(USER)).toBe(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
  });

  it.each([
    [{ ...USER, lastLogin: "2025-01-01T00:00:00.000Z" }],
    [{ ...USER, status: "SUSPENDED", profile: { ...USER.profile, lastName: "X" } }],
    [{ profile: { firstName: "Joe", email: "joe@example.com" }, id: "00u1" }],
    [{ ...USER, extra: NaN }],
  ])("T2 makes the same tag of what differs elsewhere", (other) => {
    expect(format(other)).toBe(format(USER));
  });

  it.each([
    [{ ...USER, id: "00u2" }],
    [{ ...USER, id: undefined }],
    [{ ...USER, profile: { ...USER.profile, email: "Joe@example.com" } }],
    [{ ...USER, profile: { ...USER.profile, email: ["joe@example.com"] } }],
    [{ ...USER, profile: null }],
    [{ ...USER, profile: { email: "Joe", firstName: "joe@example.com" } }],
  ])("T2 makes another tag of what differs in a field", (other) => {
    expect(format(other)).not.toBe(format(USER));
  });

  it("T2 makes the same tag in whatever order the fields are given", () => {
    expect(compile({ fields: ["profile.firstName", "id", "profile.email"] }).format(USER)).toBe(format(USER));
  });

  it("T2 counts all that is below a path, in any order, null as absent, and Dates as their text", () => {
    const whole = compile({ fields: ["profile", "created"] });
    const created = "2024-02-29T01:02:03.004Z";
    const tag = whole.format({ profile: { a: [1, { b: 2, c: 3 }] }, created });
    expect(whole.format({ created: new Date(created), profile: { z: null, a: [1, { c: 3, b: 2 }] } })).toBe(tag);
    expect(whole.format({ profile: { a: [1, { b: 2, c: 4 }] }, created })).not.toBe(tag);
    expect(whole.format({ profile: { a: [1, { b: 2, c: 3 }] }, created: null })).not.toBe(tag);
  });

  it("T2 does not take what an object inherits for its own", () => {
    const { format: formatProto } = compile({ fields: ["id", "constructor.name", "__proto__"] });
    expect(formatProto({ id: 1 })).toBe(formatProto({ id: 1, constructor: {} }));
    expect(formatProto({ id: 1 })).not.toBe(formatProto({ id: 1, constructor: { name: "x" } }));
  });

  it("T2 tells halves of surrogate pairs apart, which UTF-8 does not", () => {
    const tags = ["\ud800", "\ud801", "\ufffd", "\udc00", "\ud800\udc00", "\\ud800"].map((id) => format({ id }));
    expect(new Set(tags).size).toBe(tags.length);
  });

  it("refuses an object that has none of the fields: all such would share a tag", () => {
    const message = "weakEtag: an object has none of the fields id, profile.email, profile.firstName";
    expect(() => format({})).toThrow(new TypeError(message));
    expect(() => format({ id: null, profile: [] })).toThrow(new TypeError(message));
    expect(() => format(undefined as never)).toThrow(new TypeError(message));
  });

  it("names the field that has no form in JSON", () => {
    expect(() => format({ id: 1, profile: { email: NaN } })).toThrow(
      "weakEtag: field `profile.email` can't be in a tag: TypeError: JSON has no form for NaN",
    );
  });

  it("T2 makes equal tags exactly of equal fields", () => {
    const scheme = compile({ fields: ["a", "b.c"] });
    const leaf = fc.constantFrom<unknown>(null, "", "\n", "1", 1, '"', "a\n", [], [1], {}, { c: "\n" });
    const entity = fc.record({ a: leaf, b: fc.record({ c: leaf }) });
    fc.assert(
      fc.property(entity, entity, (first, second) => {
        fc.pre(first.a !== null || first.b.c !== null);
        fc.pre(second.a !== null || second.b.c !== null);
        const isSame = JSON.stringify([first.a, first.b.c]) === JSON.stringify([second.a, second.b.c]);
        expect(scheme.format(first) === scheme.format(second)).toBe(isSame);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("compileTagScheme: revision", () => {
  const { format } = compile({ revision: "meta.version", version: 3 });

  it.each([
    [7, 'W/"3.7"'],
    [0, 'W/"3.0"'],
    [9007199254740993n, 'W/"3.9007199254740993"'],
    ["0x00000000000007D1", 'W/"3.0x00000000000007D1"'],
    ["a.b_c~d:e+f/g=h-i", 'W/"3.a.b_c~d:e+f/g=h-i"'],
    ["a".repeat(64), `W/"3.${"a".repeat(64)}"`],
    [new Date(0), 'W/"3.1970-01-01T00:00:00.000Z"'],
  ])("T2 puts %p into the tag as it is", (version, tag) => {
    expect(format({ meta: { version } })).toBe(tag);
  });

  it.each([
    [undefined],
    [null],
    [""],
    [1.5],
    [NaN],
    [2 ** 53],
    [true],
    ['a"b'],
    ["a,b"],
    ["a b"],
    ["a".repeat(65)],
    [{}],
  ])("refuses %p", (version) => {
    expect(() => format({ meta: { version } })).toThrow(
      new TypeError(
        "weakEtag: field `meta.version` must be an integer, a Date or 1 to 64 characters of A-Z a-z 0-9 . _ ~ : + / = -",
      ),
    );
  });
});

describe("compileTagScheme: versions", () => {
  const replacedAt = new Date(Date.UTC(2024, 0, 1));
  const end = replacedAt.getTime() + 7 * DAY;
  const previous = [
    { version: 1, fields: ["profile"], replacedAt },
    { version: 2, revision: "revision", replacedAt: new Date(0) },
  ];
  const user = { ...USER, revision: 5 };
  const oldTag = compile({ fields: ["profile"], version: 1 }).format(user);

  function accepts(tag: string, now: number, entity: object = user): boolean {
    const scheme = compile({ fields: ["profile.email"], version: 3, previous }, now);
    return scheme.createMatcher(entity)(tag, weakMatch);
  }

  it.each([
    [0, true],
    [replacedAt.getTime(), true],
    [end - 1, true],
    [end, false],
    [end + 1, false],
    [NaN, false],
  ])("T5 accepts tags of a version for seven days after it was replaced: at %i", (now, isAccepted) => {
    expect(accepts(oldTag, now)).toBe(isAccepted);
  });

  it("T5 compares a tag of a previous version with what that version makes of the object", () => {
    expect(accepts(oldTag, 0, { ...user, profile: { ...user.profile, lastName: "X" } })).toBe(false);
    expect(accepts(oldTag, 0, { ...user, status: "X" })).toBe(true);
    expect(accepts('W/"2.5"', 0)).toBe(true);
    expect(accepts('W/"2.6"', 0)).toBe(false);
    expect(accepts('W/"2.5"', 7 * DAY)).toBe(false);
  });

  it("T5 writes tags of the current version, whose own are always accepted", () => {
    const scheme = compile({ fields: ["profile.email"], version: 3, previous }, end);
    const tag = scheme.format(user);
    expect(tag).toMatch(/^W\/"3\./);
    expect(scheme.createMatcher(user)(tag, weakMatch)).toBe(true);
    expect(scheme.createMatcher(user, tag)(tag, weakMatch)).toBe(true);
    expect(scheme.createMatcher(user)(`${tag.slice(0, -1)}x"`, weakMatch)).toBe(false);
  });

  it.each([
    ['""'],
    ['W/"4.x"'],
    ['W/"03.x"'],
    ['"3"'],
    ['"3.'],
    ['"0.x"'],
    ['"1234567890.x"'],
    ['"toString.x"'],
    ['"-1.x"'],
  ])("T5 knows no tag %s", (tag) => {
    expect(accepts(tag, 0)).toBe(false);
  });

  it("hashes an object once for each version, however many tags are sent", () => {
    let reads = 0;
    const counted = {
      get revision() {
        reads++;
        return 5;
      },
    };
    const hasTag = compile({ revision: "revision", version: 2 }).createMatcher(counted);
    for (let index = 10; index < 60; index++) expect(hasTag(`W/"2.${index}"`, weakMatch)).toBe(false);
    expect(hasTag('W/"2.5"', weakMatch)).toBe(true);
    expect(reads).toBe(1);
  });

  it("makes strong tags where that is asked for", () => {
    const scheme = compile({ fields: ["id"] }, 0, true);
    const tag = scheme.format(USER);
    expect(tag).toMatch(/^"1\.[\w-]{22}"$/);
    expect(scheme.createMatcher(USER)(tag, strongMatch)).toBe(true);
    expect(scheme.createMatcher(USER)(`W/${tag}`, strongMatch)).toBe(false);
  });
});

describe("compileTagScheme: options", () => {
  const fields = ["id"];
  const replacedAt = new Date(0);

  it.each<[options: object, message: string]>([
    [{}, "weakEtag: give either option `fields` or option `revision`"],
    [{ fields, revision: "id" }, "weakEtag: give either option `fields` or option `revision`"],
    ...[[], "id", [""], ["a."], [".a"], ["a..b"], [1], ["a", "a"], null].map((value): [object, string] => [
      { fields: value },
      'weakEtag: option `fields` must be a non-empty array of different paths such as "profile.email"',
    ]),
    ...["", 1, "a..b", null].map((value): [object, string] => [
      { revision: value },
      'weakEtag: option `revision` must be the path of a field, such as "version"',
    ]),
    ...[0, -1, 1.5, "1", 1_000_000_000, null].map((version): [object, string] => [
      { fields, version },
      "weakEtag: option `version` must be an integer from 1 to 999999999",
    ]),
    [
      { fields, previous: {} },
      "weakEtag: option `previous` must be an array of `{ version, fields or revision, replacedAt }`",
    ],
    [
      { fields, previous: [{ fields, replacedAt }] },
      "weakEtag: option `previous[0].version` must be different from the other versions",
    ],
    [
      {
        fields,
        version: 3,
        previous: [
          { version: 2, fields, replacedAt },
          { version: 2, fields, replacedAt },
        ],
      },
      "weakEtag: option `previous[1].version` must be different from the other versions",
    ],
    ...[undefined, 0, "2024-01-01", new Date(NaN)].map((value): [object, string] => [
      { fields, version: 2, previous: [{ fields, replacedAt: value }] },
      "weakEtag: option `previous[0].replacedAt` must be a valid Date",
    ]),
    [
      { fields, version: 2, previous: [{ replacedAt }] },
      "weakEtag: give either option `previous[0].fields` or option `previous[0].revision`",
    ],
    [
      { fields, version: 2, previous: [{ fields, until: replacedAt, replacedAt }] },
      "weakEtag: option `until` is unknown; the options are `version`, `fields`, `revision`, `replacedAt`",
    ],
  ])("refuses %j", (options, message) => {
    expect(() => compile(options)).toThrow(new TypeError(message));
  });

  it.each([1, 2, 999_999_998, 999_999_999])("takes version %i, and knows its tags", (version) => {
    const scheme = compile({ fields, version });
    expect(scheme.createMatcher(USER)(scheme.format(USER), weakMatch)).toBe(true);
  });

  it("keeps its own copy of the fields", () => {
    const mutable = ["id"];
    const scheme = compile({ fields: mutable });
    const tag = scheme.format(USER);
    mutable[0] = "status";
    expect(scheme.format(USER)).toBe(tag);
  });
});
