import type { LogEvent } from "../../src/model/records.js";
import { withMetadata } from "../support/metadata-idps.js";
import { describeApi, type ApiClient, type TestOrg } from "../support/api.js";
import { CERTIFICATE, fullOrg, samlIdp } from "../support/documents.js";
import { readEventTypes } from "../support/event-types.js";
import {
  LOOPBACK,
  oidcMetadata,
  samlMetadata,
  startMetadataServer,
  type MetadataServer,
} from "../support/metadata-server.js";
import { startTestServer, type Answer } from "../support/server.js";

const REFRESH = "system.idp.metadata.refresh";

/** The server refreshes nothing by itself. */
const SETTINGS = { metadataInterval: false as const, metadataNetworks: LOOPBACK };

describeApi((openOrg) => {
  let org: TestOrg;
  let host: MetadataServer;
  let api: ApiClient["api"];

  beforeEach(async () => {
    host = await startMetadataServer();
    org = await openOrg(fullOrg);
    ({ api } = org);
  });
  afterEach(() => host.close());

  async function create(body: object = withMetadata("Corporate", host.url)): Promise<string> {
    const { status, body: created } = await api("/idps", { method: "POST", body });
    expect(status).toBe(200);
    return created.id;
  }

  const refresh = (id: string, headers: Record<string, string> = {}) =>
    api(`/idps/${id}/lifecycle/refresh_metadata`, { method: "POST", headers });
  const causesOf = ({ body }: Answer) => body.errorCauses.map((cause: { errorSummary: string }) => cause.errorSummary);
  const events = async () => (await api(`/logs?filter=${encodeURIComponent(`eventType eq "${REFRESH}"`)}`)).body;

  test("L4 a provider with a metadata address links to the operation, which takes over what its host says", async () => {
    host.respond(samlMetadata({ url: "https://new.example/sso", certificates: [CERTIFICATE] }));
    const id = await create();
    const before = await api(`/idps/${id}`);
    const link = before.body._links.refreshMetadata;
    expect(link).toEqual({ href: expect.stringMatching(`/idps/${id}/lifecycle/refresh_metadata$`), method: "post" });

    const refreshed = await api(link.href, { method: "POST" });
    expect(refreshed.status).toBe(200);
    expect(refreshed.body).toMatchObject({
      protocol: { endpoints: { sso: { url: "https://new.example/sso", binding: "HTTP-POST" } } },
      metadata: { lastRefreshed: expect.stringMatching(/Z$/), lastError: null },
    });
    expect(refreshed.body.lastUpdated > before.body.lastUpdated).toBe(true);
    expect(refreshed.headers["etag"]).not.toBe(before.headers["etag"]);
    expect((await api(`/idps/${id}`)).body).toEqual(refreshed.body);
    expect(await events()).toMatchObject([
      {
        displayMessage: "Refresh metadata of IdentityProvider",
        severity: "INFO",
        outcome: { result: "SUCCESS", reason: null },
        actor: { type: "ApiToken" },
        target: [
          {
            id,
            displayName: "Corporate",
            detailEntry: {
              changes: {
                "protocol.endpoints.sso.url": { old: "https://idp.example.com/sso", new: "https://new.example/sso" },
              },
            },
          },
        ],
      },
    ]);

    const again = await refresh(id);
    expect(again.status).toBe(200);
    expect(again.headers["etag"]).toBe(refreshed.headers["etag"]);
    expect(again.body.lastUpdated).toBe(refreshed.body.lastUpdated);
    expect(await events()).toHaveLength(1);
  });

  test("a certificate that changes is told by its fingerprint", async () => {
    host.respond(samlMetadata({ url: "https://idp.example.com/sso", certificates: [CERTIFICATE] }));
    const { protocol, ...idp } = withMetadata("Corporate", host.url);
    const trust = { issuer: protocol.credentials.trust.issuer };
    const id = await create({ ...idp, protocol: { ...protocol, credentials: { trust } } });
    const { status, body } = await refresh(id);
    expect(status).toBe(200);
    expect(body.protocol.credentials.trust.certificate.trim()).toBe(CERTIFICATE.trim());
    const [event] = await events();
    expect(event.target[0].detailEntry.changes).toEqual({
      "protocol.credentials.trust.certificate": {
        old: null,
        new: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      },
    });
  });

  test("a host that says 304 changes nothing but the date", async () => {
    host.respond((req, res) => {
      if (req.headers["if-none-match"] === '"1"') res.writeHead(304).end();
      else res.setHeader("ETag", '"1"').end(samlMetadata());
    });
    const id = await create();
    const first = await refresh(id);
    const second = await refresh(id);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(host.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"1"']);
    expect(second.headers["etag"]).toBe(first.headers["etag"]);
    expect(second.body).toEqual({ ...first.body, metadata: { lastRefreshed: expect.any(String), lastError: null } });
  });

  test("a failure is 422 with the reason, and an event when it is another one than before", async () => {
    host.respond(samlMetadata({ entityId: "https://evil.example", url: "https://evil.example/sso" }));
    const id = await create();
    const before = await api(`/idps/${id}`);
    const reason = "the entityID is not protocol.credentials.trust.issuer";
    for (const round of [1, 2]) {
      const failed = await refresh(id);
      expect(failed).toMatchObject({ status: 422, body: { errorCode: "E0009006" } });
      expect(causesOf(failed)).toEqual([`protocol.metadata.url: ${reason}`]);
      const after = await api(`/idps/${id}`);
      expect(after.body).toEqual({ ...before.body, metadata: { lastRefreshed: null, lastError: reason } });
      expect([round, after.headers["etag"]]).toEqual([round, before.headers["etag"]]);
      expect(await events()).toMatchObject([{ severity: "WARN", outcome: { result: "FAILURE", reason } }]);
    }
    host.respond((_, res) => res.writeHead(503).end());
    expect((await refresh(id)).status).toBe(422);
    expect((await events()).map((event: LogEvent) => event.outcome.reason)).toEqual([
      reason,
      "the host responds with 503",
    ]);
    host.respond(samlMetadata());
    expect((await refresh(id)).body.metadata.lastError).toBeNull();
  });

  test("an address that is not public is refused, unless its network is listed", async () => {
    const strict = await startTestServer(org, { ...SETTINGS, metadataNetworks: [] });
    ({ api } = org.at(strict));
    const id = await create();
    expect(causesOf(await refresh(id))).toEqual(["protocol.metadata.url: the host has an address that is not public"]);
    await strict.close();
    expect(host.requests).toHaveLength(0);
  });

  test("OpenID Connect has its sign-on address from the discovery document", async () => {
    host.respond(oidcMetadata());
    const { protocol } = withMetadata("Partner", host.url);
    const trust = { issuer: protocol.credentials.trust.issuer };
    const id = await create({
      name: "Partner",
      type: "OIDC",
      protocol: { ...protocol, type: "OIDC", credentials: { trust } },
    });
    expect((await refresh(id)).body.protocol.endpoints.sso.url).toBe("https://idp.example.com/authorize");
  });

  test("If-Match holds when the request comes and when the change is stored", async () => {
    host.respond(samlMetadata({ url: "https://new.example/sso" }));
    const id = await create();
    const { headers } = await api(`/idps/${id}`);
    expect((await refresh(id, { "If-Match": 'W/"1.other"' })).status).toBe(412);
    expect(host.requests).toHaveLength(0);

    host.respond((_, res) => {
      void api(`/idps/${id}`, { method: "PUT", body: withMetadata("Renamed", host.url) }).then(() =>
        res.end(samlMetadata({ url: "https://new.example/sso" })),
      );
    });
    expect((await refresh(id, { "If-Match": String(headers["etag"]) })).status).toBe(412);
    expect((await api(`/idps/${id}`)).body).toMatchObject({ ...withMetadata("Renamed", host.url) });
  });

  test("an edit while metadata is fetched is not lost: of the name it stays, of the protocol it is 409", async () => {
    const id = await create();
    const edit = (body: object) => {
      host.respond((_, res) => {
        void api(`/idps/${id}`, { method: "PUT", body }).then(() =>
          res.end(samlMetadata({ url: "https://new.example/sso" })),
        );
      });
    };

    const edited = withMetadata("Corporate", host.url);
    edited.protocol.endpoints.sso.url = "https://mine.example/sso";
    edit(edited);
    const conflict = await refresh(id);
    expect(conflict).toMatchObject({ status: 409, body: { errorCode: "E0000195" } });
    expect((await api(`/idps/${id}`)).body).toMatchObject(edited);

    edit({ ...edited, name: "Renamed" });
    const renamed = await refresh(id);
    expect(renamed.status).toBe(200);
    expect(renamed.body).toMatchObject({
      name: "Renamed",
      protocol: { endpoints: { sso: { url: "https://new.example/sso" } } },
    });
  });

  test("a provider that is deleted while its metadata is fetched is 404", async () => {
    const id = await create();
    host.respond((_, res) => {
      void api(`/idps/${id}`, { method: "DELETE" }).then(() => res.end(samlMetadata()));
    });
    expect(await refresh(id)).toMatchObject({ status: 404, body: { errorCode: "E0000007" } });
    expect(await events()).toEqual([]);
  });

  test("a request with an Idempotency-Key is carried out once", async () => {
    host.respond(samlMetadata({ url: "https://new.example/sso" }));
    const id = await create();
    const headers = { "Idempotency-Key": '"a"' };
    const answers = [await refresh(id, headers), await refresh(id, headers)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]!.headers["idempotent-replayed"]).toBe("true");
    expect(host.requests).toHaveLength(1);
  });

  test("A2 it needs the right to change providers, an own provider, and one with a metadata address", async () => {
    const id = await create();
    const path = `/idps/${id}/lifecycle/refresh_metadata`;
    const reader = await org.as(["idps.read"]);
    const { api: stranger } = await openOrg(fullOrg);
    expect((await reader(path, { method: "POST" })).status).toBe(403);
    expect((await stranger(path, { method: "POST" })).status).toBe(404);
    expect(host.requests).toHaveLength(0);

    const bare = await create(samlIdp("Bare"));
    expect(causesOf(await refresh(bare))).toEqual(["protocol.metadata: is not given, so there is nothing to refresh"]);
    expect((await api(`/idps/${bare}`)).body._links).not.toHaveProperty("refreshMetadata");
    expect(await readEventTypes(org, REFRESH)).toEqual([]);
  });

  test("a change of routing data reaches discovery: the sign-on page redirects to the new address", async () => {
    host.respond(samlMetadata({ url: "https://new.example/sso" }));
    const id = await create();
    expect((await refresh(id)).status).toBe(200);
    expect((await org.visit(`/sso/idps/${id}`)).headers["location"]).toBe("https://new.example/sso");
  });
}, SETTINGS);
