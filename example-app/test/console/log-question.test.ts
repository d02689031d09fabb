import { readQuestion, startOf, startOfExpression, toSearch } from "../../console/src/pages/log/question.js";

const NOTHING = { view: "", types: [], values: {}, expression: "", words: "", since: "7d", until: undefined };

describe("The question of an address of the log", () => {
  it.each([
    ["", {}],
    ['severity ne "DEBUG"', { view: 'severity ne "DEBUG"' }],
    ['eventType eq "zone.create"', { types: ["zone.create"] }],
    ['eventType eq "zone.create" or eventType eq "org.export"', { types: ["zone.create", "org.export"] }],
    [
      '(eventType eq "a" or eventType eq "b") and actor.id eq "1" and severity ne "DEBUG"',
      { types: ["a", "b"], values: { "actor.id": "1" }, view: 'severity ne "DEBUG"' },
    ],
    ['target.id eq "say \\"and\\" (twice"', { values: { "target.id": 'say "and" (twice' } }],
    [
      '(severity eq "INFO" or severity eq "WARN") and target.id eq "1"',
      {
        expression: 'severity eq "INFO" or severity eq "WARN"',
        values: { "target.id": "1" },
      },
    ],
    ['severity eq "INFO" or target.id eq "1"', { expression: 'severity eq "INFO" or target.id eq "1"' }],
    ["(target pr) or (actor pr)", { expression: "(target pr) or (actor pr)" }],
    [
      '(target pr and not (debugContext.debugData.policyId pr)) and actor.id eq "1"',
      {
        view: "target pr and not (debugContext.debugData.policyId pr)",
        values: { "actor.id": "1" },
      },
    ],
    ["eventType eq (", { expression: "eventType eq (" }],
    ['actor.id eq "1" and actor.id eq "2"', { values: { "actor.id": "1" }, expression: 'actor.id eq "2"' }],
  ])("reads %s", (filter, expected) => {
    expect(readQuestion({ filter })).toEqual({ ...NOTHING, ...expected });
  });

  it("is in the address again, with the expression first", () => {
    const question = {
      ...NOTHING,
      view: 'severity ne "DEBUG"',
      types: ["a", "b"],
      values: { "actor.id": "1" },
      expression: "a pr or b pr",
      words: "ann",
      until: "2026-01-05T09:00:00.000Z",
    };
    const search = toSearch(question);
    expect(search).toEqual({
      filter: '(a pr or b pr) and (eventType eq "a" or eventType eq "b") and actor.id eq "1" and severity ne "DEBUG"',
      q: "ann",
      since: "7d",
      until: "2026-01-05T09:00:00.000Z",
    });
    expect(readQuestion(search)).toEqual(question);
    expect(startOfExpression(question)).toBe(1);
    expect(startOfExpression({ ...NOTHING, expression: "a pr or b pr" })).toBe(0);
  });

  it.each([
    ["24h", "2026-01-04T09:00:00.000Z"],
    ["30d", "2025-12-06T09:00:00.000Z"],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["yesterday", "yesterday"],
  ])("begins %s", (since, expected) => {
    expect(startOf(since, Date.parse("2026-01-05T09:00:00.000Z"))).toBe(expected);
  });
});
