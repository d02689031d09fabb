import { FENCES } from "./shell-blocks.js";

/** What the blocks of a page print, by the heading that they are under. */
export type Outputs = ReadonlyMap<string, string>;

/** What the words of a page say about what its commands print. */
export const CHECKS: Readonly<Record<string, (outputs: Outputs) => void>> = {
  "README.md": checkReadme,
  "docs/tutorials/server.md": checkTutorial,

  "docs/guides/import.md": (outputs) => {
    const shown = FENCES.find(({ page, kind }) => page === "docs/guides/import.md" && kind === "")?.text;
    expect(outputs.get("Import and export")).toBe(shown);
  },

  "docs/guides/personal-data.md": (outputs) => {
    expect(outputs.get("Erase a user")).toMatch(/^user: deleted\nlog: [1-9]\d* events erased\n$/);
  },

  "docs/reference/api/logs.md": (outputs) => {
    const [event, ...others] = json(outputs.get("Parameters"));
    expect(event).toMatchObject({ eventType: "system.api.request", request: { ipChain: [{ ip: "127.0.0.1" }] } });
    expect(others).toEqual([]);
  },
};

function checkReadme(outputs: Outputs): void {
  expect(json(outputs.get("The server"))).toMatchObject({ links: [{ rel: "svc:idp" }] });
}

function checkTutorial(outputs: Outputs): void {
  const read = (title: string) => String(outputs.get(title)).split("\n");
  const bodiesOf = (title: string) =>
    read(title)
      .filter((line) => /^[{[]/.test(line))
      .map(json);

  expect(json(read("Route a domain to a provider")[0])).toMatchObject({
    subject: "svc:acct:dan@example.org",
    links: [{ rel: "svc:idp", titles: { und: "Example Organisation" } }],
  });
  const explained = read("See why a login goes where it goes").filter(Boolean);
  expect(json(explained[0])).toMatchObject({ match: { name: "example.org", conditions: [{ holds: true }] } });
  expect(explained.at(-1)).toBe("example.org");
  const [changed, off, on] = bodiesOf("Change where a login goes");
  expect(changed.conditions.userIdentifier.patterns).toHaveLength(2);
  expect([off.status, on.status]).toEqual(["INACTIVE", "ACTIVE"]);
  const updates = "Change a user, and lose no update";
  expect(read(updates)).toContainEqual(expect.stringMatching(/^ETag: W\/"1\.[0-9A-Za-z]{20}\.1"\r$/));
  const [created, renamed, refused] = bodiesOf(updates);
  expect(created).toMatchObject({ status: "ACTIVE", profile: { lastName: "Lee" } });
  expect(renamed).toMatchObject({ id: created.id, profile: { lastName: "Ng", firstName: "Ann" } });
  expect(refused).toMatchObject({ errorCode: "E0000231" });
  expect(bodiesOf("Read a list to its end")).toMatchObject([[{ id: created.id }]]);
  const walked = read("Read a list to its end").filter((line) => /^\w+@example\.com$/.test(line));
  expect(walked.toSorted()).toEqual(["ann@example.com", "bob@example.com", "cem@example.com"]);
  const added = read("Add an org");
  expect(added[0]).toBe("orgs: 1 created, 0 updated, 0 unchanged");
  expect(json(added.at(-1))).toMatchObject({ links: [{ titles: { und: "Acme employees" } }] });
  const [token, ...listed] = read("Hand out a token");
  expect(token).toMatch(/^etq_[0-9A-Za-z]{33}$/);
  expect(listed.filter((line) => line.includes("Nightly job"))).toHaveLength(1);
  expect(outputs.get("See what changed")).toMatch(/^\S+Z {2}My shell {2}policy\.rule\.add {2}example\.org$/m);
  const [found, polled] = bodiesOf("See what changed");
  expect(found).toMatchObject([{ outcome: { result: "FAILURE" } }]);
  expect(polled.length).toBeGreaterThan(0);
  expect(json(outputs.get("Put the server behind a proxy"))).toMatchObject({
    links: [{ href: expect.stringMatching(/^https:\/\/idp\.example\//), titles: { und: "Example Corporation" } }],
  });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the checks say what they expect
function json(text = ""): any {
  return JSON.parse(text);
}
