import { WARNING_MS, watchCertificates } from "../../src/metadata/watch-certificates.js";
import { certificateFacts } from "../../src/model/certificates.js";
import type { Store } from "../../src/store/store.js";
import { startApi, type ApiClient } from "../support/api.js";
import { countTurns } from "../support/count-turns.js";
import { CERTIFICATE, oidcIdp, samlIdp } from "../support/documents.js";
import type { TestServer } from "../support/server.js";
import { describeStores } from "../support/stores.js";

const FACTS = certificateFacts(CERTIFICATE)!;
const EXPIRES = Date.parse(FACTS.validTo);
const DOCUMENT = {
  orgs: [
    {
      subdomain: "demo",
      name: "Demo",
      idps: [samlIdp("Contoso"), { ...samlIdp("Off"), status: "INACTIVE" }, oidcIdp("Open")],
    },
  ],
};

describeStores((_engine, database) => {
  let server: TestServer;
  let api: ApiClient["api"];
  let store: Store;

  beforeEach(async () => {
    const data = await database();
    ({ server, api } = await startApi(data, {}, DOCUMENT));
    store = await data.open();
  });
  afterEach(() => server.close());

  const idpNamed = async (name: string) => (await api(`/idps?q=${name}`)).body[0];
  const events = async () => {
    const filter = encodeURIComponent('eventType eq "system.idp.certificate.expire"');
    return (await api(`/logs?filter=${filter}`)).body;
  };
  /** What a look at this time finds. */
  async function lookAt(now: number) {
    const watch = watchCertificates({ store, log: { warn: jest.fn() }, now: () => now });
    await watch.look();
    await watch.close();
    return watch.counts();
  }

  test("the log of the org warns of a certificate once, thirty days before it expires", async () => {
    expect(await lookAt(EXPIRES - WARNING_MS - 1)).toEqual({ soon: 0, expired: 0 });
    expect(await events()).toEqual([]);
    expect(await lookAt(EXPIRES - WARNING_MS)).toEqual({ soon: 1, expired: 0 });
    const { id } = await idpNamed("Contoso");
    expect(await events()).toMatchObject([
      {
        severity: "WARN",
        displayMessage: "Certificate of IdentityProvider expires soon",
        outcome: { result: "SUCCESS" },
        actor: { id: "system" },
        target: [{ id, displayName: "Contoso", detailEntry: { expires: FACTS.validTo } }],
      },
    ]);
    expect(await lookAt(EXPIRES - WARNING_MS + 1)).toEqual({ soon: 1, expired: 0 });
    expect(await lookAt(EXPIRES)).toEqual({ soon: 0, expired: 1 });
    expect(await events()).toHaveLength(1);
  });

  test("of several processes one warns, and a change of the provider does not warn again", async () => {
    await Promise.all(Array.from({ length: 3 }, () => lookAt(EXPIRES)));
    expect(await events()).toMatchObject([{ displayMessage: "Certificate of IdentityProvider expired" }]);
    const { id } = await idpNamed("Contoso");
    expect((await api(`/idps/${id}`, { method: "PUT", body: samlIdp("Renamed") })).status).toBe(200);
    expect(await lookAt(EXPIRES)).toEqual({ soon: 0, expired: 1 });
    expect(await events()).toHaveLength(1);
  });

  test("a provider that is switched on is found, and one whose certificate went away is not", async () => {
    expect(await lookAt(EXPIRES)).toEqual({ soon: 0, expired: 1 });
    const off = await idpNamed("Off");
    expect((await api(`/idps/${off.id}/lifecycle/activate`, { method: "POST" })).status).toBe(200);
    expect(await lookAt(EXPIRES)).toEqual({ soon: 0, expired: 2 });
    const { id } = await idpNamed("Contoso");
    const { type, endpoints } = samlIdp("").protocol;
    expect(
      (await api(`/idps/${id}`, { method: "PUT", body: { ...samlIdp("Contoso"), protocol: { type, endpoints } } }))
        .status,
    ).toBe(200);
    expect(await lookAt(EXPIRES)).toEqual({ soon: 0, expired: 1 });
  });

  test("nobody is warned of a certificate that a node of the version before has replaced", async () => {
    expect(await lookAt(EXPIRES - WARNING_MS - 1)).toEqual({ soon: 0, expired: 0 });
    const { id: orgId } = (await store.findOrgBySubdomain("demo"))!;
    const { id, protocol } = await idpNamed("Contoso");
    const { type, endpoints } = protocol;
    await store.write(({ db, now }) => {
      const idp = db.updateTable("idps").where("id", "=", id).where("org_id", "=", orgId);
      return idp.set({ protocol: JSON.stringify({ type, endpoints }), last_updated: now }).execute();
    });
    expect(await lookAt(EXPIRES)).toEqual({ soon: 0, expired: 0 });
    expect(await events()).toEqual([]);
  });

  test("requests go on between the warnings, and between the batches that are read", async () => {
    for (let i = 0; i < 25; i++)
      expect((await api("/idps", { method: "POST", body: samlIdp(`P${i}`) })).status).toBe(200);
    expect(await countTurns(() => lookAt(EXPIRES - WARNING_MS - 1))).toBeGreaterThan(1);
    expect(await countTurns(() => lookAt(EXPIRES))).toBeGreaterThan(25);
    expect(await events()).toHaveLength(26);
  });

  test("the response with one provider has the dates of its certificate, and lists don't", async () => {
    const listed = await idpNamed("Contoso");
    expect(listed).not.toHaveProperty("certificate");
    expect((await api(`/idps/${listed.id}`)).body.certificate).toEqual(FACTS);
    const { id } = await idpNamed("Open");
    expect((await api(`/idps/${id}`)).body).not.toHaveProperty("certificate");
  });
});
