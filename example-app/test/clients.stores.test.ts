import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import HttpLinkHeader from "http-link-header";
import { Client, type State } from "ketting";
import parseLinks from "parse-link-header";
import { followPages } from "etiquette/follow-pages";
import { insertApiToken, startApi, type ApiClient } from "./support/api.js";
import { describeStores } from "./support/stores.js";

const FETCH_PAGES = join(__dirname, "support/fetch-pages.js");

const LOGINS = ["ann@example.com", "bob@example.com", "cem@example.com"];

/** Users of the demonstration org, one for each of {@link LOGINS}. */
async function createUsers({ api }: ApiClient): Promise<void> {
  for (const login of LOGINS) {
    const profile = { login, email: login, firstName: "A", lastName: "B" };
    expect((await api("/users", { method: "POST", body: { profile } })).status).toBe(200);
  }
}

/** `fetch`, as other people's clients call it. */
function createFetch({ api }: ApiClient) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const { status, headers, text } = await api(request.url, {
      method: request.method,
      headers: { accept: request.headers.get("accept") ?? "*/*" },
      ...(request.method !== "GET" && { body: await request.text() }),
    });
    const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(status === 204 || status === 304 ? null : text, { status, headers: fields });
  };
}

describeStores((_engine, database) => {
  test("P2 P3 L1 L4 N2 ketting follows next to the end, and the operations of a user, and warns of the version's end", async () => {
    const warn = jest.spyOn(console, "warn").mockReturnValue();
    const v1Deprecation = new Date("2027-01-01T00:00:00.000Z");
    const v1Sunset = new Date("2037-01-01T00:00:00.000Z");
    const client = await startApi(await database(), { v1Deprecation, v1Sunset });
    try {
      await createUsers(client);
      const [first] = (await client.api("/users?limit=1")).body;
      const ketting = new Client(new URL("/", first._links.self.href).href);
      const fetch = createFetch(client);
      ketting.use((request: Request) => fetch(request));

      const logins: string[] = [];
      let page: State | undefined = await ketting.go("/api/v1/users?limit=1").get();
      while (page) {
        logins.push(
          ...Object.values(page.data as { profile: { login: string } }[]).map(({ profile }) => profile.login),
        );
        page = page.links.has("next") ? await page.follow("next").get() : undefined;
      }
      expect(logins.toSorted()).toEqual(LOGINS);

      const user = ketting.go("/api/v1/users/ann@example.com");
      const before = await user.get();
      expect(before.links.has("suspend")).toBe(true);
      expect(before.links.has("unsuspend")).toBe(false);
      await before.follow("suspend").post({ data: {} });
      const after = await user.refresh();
      expect(after.data).toMatchObject({ status: "SUSPENDED" });
      expect(after.links.has("unsuspend")).toBe(true);
      expect(warn).toHaveBeenCalledWith(expect.stringMatching(/is deprecated. It will no longer respond .* 2037/));
    } finally {
      warn.mockRestore();
      await client.server.close();
    }
  });

  test("S2 P2 fetch follows next with nothing but the authority to trust, whichever name of the org it begins with", async () => {
    const data = await database();
    const client = await startApi(data, { tlsFiles: undefined });
    const { server } = client;
    try {
      await createUsers(client);
      const token = await insertApiToken(data.options, "demo", ["users.read"]);
      for (const origin of [server.url, server.url.replace("localhost", "127.0.0.1")]) {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [FETCH_PAGES, `${origin}/api/v1/users?limit=2`, token],
          { env: { ...process.env, NODE_EXTRA_CA_CERTS: join(data.options.dataFolder, "tls.crt") } },
        );
        const pages = stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as { profile: { login: string } }[]);
        expect(pages.map(({ length }) => length)).toEqual([2, 1]);
        expect(
          pages
            .flat()
            .map(({ profile }) => profile.login)
            .toSorted(),
        ).toEqual(LOGINS);
      }
    } finally {
      await server.close();
    }
  });

  test("P2 parse-link-header and http-link-header read the Link lines of lists", async () => {
    const client = await startApi(await database());
    try {
      await createUsers(client);
      for (const path of ["/users?limit=1&filter=status%20eq%20%22ACTIVE%22", "/logs?limit=1"]) {
        const { headers, body } = await client.api(path);
        const line = String(headers["link"]);
        const next = parseLinks(line)?.["next"]?.url ?? "";
        expect(HttpLinkHeader.parse(line).get("rel", "next")).toMatchObject([{ uri: next }]);
        const following = await client.api(next);
        expect(following.status).toBe(200);
        expect(following.body[0]).not.toEqual(body[0]);
      }
    } finally {
      await client.server.close();
    }
  });

  test("P4 followPages reads a list to its end, and the log as far as it goes", async () => {
    const client = await startApi(await database());
    try {
      await createUsers(client);
      const [first] = (await client.api("/users?limit=1")).body;
      const { origin } = new URL(first._links.self.href);
      const rowsOf = async (path: string): Promise<object[]> => {
        const rows: object[] = [];
        for await (const page of followPages<object>(createFetch(client), `${origin}/api/v1${path}`)) {
          rows.push(...page.rows);
        }
        return rows;
      };
      expect(await rowsOf("/users?limit=1")).toHaveLength(LOGINS.length);
      const created = await rowsOf("/logs?limit=1&filter=eventType%20eq%20%22user.lifecycle.create%22");
      expect(created).toHaveLength(LOGINS.length);
    } finally {
      await client.server.close();
    }
  });
});
