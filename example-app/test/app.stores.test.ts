import type { Store } from "../src/store/store.js";
import { listApiOperations } from "./support/api.js";
import { buildSettings, call, startTestServer } from "./support/server.js";
import { describeStores } from "./support/stores.js";

/** A path for each of its names, with that name in the other case: `/API/v1/users`, `/api/V1/users`, `/api/v1/USERS`. */
function changeCase(path: string): string[] {
  const names = path.split("/");
  return names.flatMap((name, index) => (/^[a-z]/.test(name) ? [names.with(index, name.toUpperCase()).join("/")] : []));
}

/** What is an id of something else in another case, though of nothing that is there. */
const IDS = new Map([
  ["/api/v1/policies/:policyId/routingTests/RESULTS", { status: 401, code: "E0000011" }],
  ["/api/v1/idps/METADATA", { status: 405, code: "E0000022" }], // nothing is made at an id
]);

describeStores((_engine, database) => {
  test("S7 the case of every path counts", async () => {
    const settings = buildSettings({ secrets: ["s".repeat(32)] });
    const documented = listApiOperations({ settings, store: {} as Store }).map((operation) => operation.split(" "));
    const server = await startTestServer(await database());
    try {
      for (const [method = "", template = ""] of [
        ...documented,
        ["GET", "/sso/idps/SVC"],
        ["GET", "/sso/login?login=joe"],
      ]) {
        for (const path of changeCase(template)) {
          const { status, body } = await call(server, path, { method });
          const expected = IDS.get(path) ?? { status: 404, code: "E0000008" };
          expect({ path, status, code: body?.errorCode }).toEqual({ path, ...expected });
        }
      }
      for (const path of ["/.Well-Known/webfinger", "/.well-known/WebFinger"]) {
        const { status, headers, body } = await call(server, `${path}?resource=svc:acct:joe`);
        expect({ path, status, code: body.errorCode }).toEqual({ path, status: 404, code: "E0000008" });
        expect(headers["access-control-allow-origin"]).toBeUndefined();
      }
    } finally {
      await server.close();
    }
  });
});
