import { describeApi, type ApiClient } from "../support/api.js";
import { causesOf, profile } from "../support/users.js";

const MORE = "There are more faults than these.";

/** An object with as many members, `a0` and so on. */
const membersOf = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, value]));

describeApi((openOrg) => {
  let api: ApiClient["api"];

  beforeEach(async () => {
    ({ api } = await openOrg());
  });

  const post = (path: string, body: unknown) => api(path, { method: "POST", body });

  test.each([
    [19, 19, false],
    [20, 20, false],
    [21, 20, true],
    [96, 20, true],
  ])("E2 of %d faults an error has %d as causes, and says whether there are more", async (faults, told, hasMore) => {
    const answer = await post("/users", { profile: profile("joe", membersOf(faults, null)) });
    expect(answer.status).toBe(200); // null counts as absent
    const refused = await post("/users", { profile: profile("ann", membersOf(faults, [[]])) });
    expect(refused).toMatchObject({ status: 400, body: { errorCode: "E0000001" } });
    const causes = causesOf(refused);
    expect(causes.filter((cause) => /^profile\.a\d+: must be a text/.test(cause))).toHaveLength(told);
    expect(causes.slice(told)).toEqual(hasMore ? [MORE] : []);
  });

  test("E2 the members of an object or array that is too large are not checked one by one", async () => {
    const users = await post("/users", { profile: profile("joe", membersOf(150, [])) });
    expect(causesOf(users)).toEqual(["profile: has 154 attributes; at most 100 are allowed"]);
    const [policy] = (await api("/policies?type=IDP_DISCOVERY")).body;
    const conditions = { userIdentifier: { type: "IDENTIFIER", patterns: Array(1_001).fill(0) } };
    const actions = { idp: { providers: [{ type: "SVC" }] } };
    const rules = await post(`/policies/${policy.id}/rules`, { name: "Many", conditions, actions });
    expect(causesOf(rules)).toEqual([
      "conditions.userIdentifier.patterns: is too long: 1001 elements; at most 1000 are allowed",
    ]);
  });

  test.each([
    [9_999, 200],
    [10_000, 200],
    [10_001, 400],
  ])("E2 a body with %d members and elements is %d", async (count, status) => {
    const answer = await post("/zones", { name: "Zone", unknown: Array(count - 2).fill(0) });
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.body.errorCode).toBe("E0000003"); // it is counted before it is parsed
    expect(causesOf(answer)).toEqual([
      expect.stringMatching(/^The body has more than 10000 members and elements; the next one is at byte \d+\.$/),
    ]);
  });

  test.each([
    [199, 200],
    [200, 200],
    [201, 400],
  ])("E2 a body with an object of %d members is %d, wherever it is", async (count, status) => {
    const name = `Zone ${count}`;
    const answer = await post("/zones", { name, unknown: [{ deep: membersOf(count, 0) }] });
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.body.errorCode).toBe("E0000001");
    expect(causesOf(answer)).toEqual(["unknown[0].deep: has 201 members; an object has at most 200"]);
    const body = [{ op: "add", path: "/x", value: membersOf(count, 0) }];
    const patched = await api("/users/nobody", {
      method: "PATCH",
      body,
      headers: { "Content-Type": "application/json-patch+json" },
    });
    expect(patched.status).toBe(400); // before the user is looked up
  });

  test("E2 the error of a long name does not repeat it", async () => {
    const answer = await post("/users", { profile: profile("joe", { ["a".repeat(100_000)]: [[]] }) });
    const [cause = ""] = causesOf(answer);
    expect(cause).toMatch(/^profile\["a{59}…\]: must be a text/);
    expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
  });
});
