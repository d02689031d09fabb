import type { User } from "../../../src/model/records.js";
import { USER_STATUSES } from "../../../src/model/user-shapes.js";
import { startApi } from "../../support/api.js";
import { describeStores } from "../../support/stores.js";
import { CREATED, insertUsers, readUserEvents, storedUser } from "../../support/users.js";

type Status = User["status"];

/** Supplement, "Users": from where to where, and what is said from elsewhere. */
const TABLE: Record<string, { from: readonly Status[]; to?: Status; status: number; code: string; event: string }> = {
  activate: {
    from: ["STAGED", "DEPROVISIONED"],
    to: "ACTIVE",
    status: 403,
    code: "E0000016",
    event: "user.lifecycle.activate",
  },
  reactivate: { from: ["PROVISIONED", "RECOVERY"], status: 403, code: "E0000038", event: "user.lifecycle.reactivate" },
  deactivate: {
    from: ["STAGED", "PROVISIONED", "ACTIVE", "RECOVERY", "PASSWORD_EXPIRED", "LOCKED_OUT", "SUSPENDED"],
    to: "DEPROVISIONED",
    status: 400,
    code: "E0000001",
    event: "user.lifecycle.deactivate",
  },
  suspend: { from: ["ACTIVE"], to: "SUSPENDED", status: 400, code: "E0000001", event: "user.lifecycle.suspend" },
  unsuspend: { from: ["SUSPENDED"], to: "ACTIVE", status: 400, code: "E0000001", event: "user.lifecycle.unsuspend" },
  unlock: { from: ["LOCKED_OUT"], to: "ACTIVE", status: 403, code: "E0000038", event: "user.lifecycle.unlock" },
  expire_password: {
    from: ["ACTIVE"],
    to: "PASSWORD_EXPIRED",
    status: 403,
    code: "E0000038",
    event: "user.account.expire_password",
  },
  confirm_password: {
    from: ["PROVISIONED", "RECOVERY", "PASSWORD_EXPIRED"],
    to: "ACTIVE",
    status: 403,
    code: "E0000038",
    event: "user.account.confirm_password",
  },
};

const relationOf = (operation: string) => operation.replace("_password", "Password");

describeStores((_engine, database) => {
  test.each(["v1", "v2"])(
    "L4 in %s the operations that a user's status publishes succeed, and no others",
    async (version) => {
      const { options, ...rest } = await database();
      const { server, api } = await startApi({ options, ...rest });
      try {
        const cases = USER_STATUSES.flatMap((status) =>
          Object.keys(TABLE).map((operation) => ({
            operation,
            user: storedUser(`${status}-${operation}`, { status, activated: null, statusChanged: null }),
          })),
        );
        await insertUsers(
          options,
          cases.map(({ user }) => user),
        );
        const events: string[] = [];
        for (const { operation, user } of cases) {
          const { from, to = user.status, status, code, event } = TABLE[operation]!;
          const path = `https://host/api/${version}/users/${user.id}`;
          const before = await api(path);
          const link = before.body._links[relationOf(operation)];
          expect(before.body._links.self.href).toMatch(
            new RegExp(`^https://localhost:\\d+/api/${version}/users/${user.id}$`),
          );
          const isAllowed = from.includes(user.status);
          expect(link !== undefined).toBe(isAllowed);
          if (isAllowed)
            expect(link).toEqual({ href: `${before.body._links.self.href}/lifecycle/${operation}`, method: "post" });

          const answer = await api(`${path}/lifecycle/${operation}`, { method: "POST" });
          const after = await api(path);
          if (!isAllowed) {
            expect(answer).toMatchObject({ status, body: { errorCode: code } });
            expect(answer.body.errorCauses).toEqual([
              { errorSummary: `status: is ${user.status}; ${operation} takes ${from.join(", ")}` },
            ]);
            expect(after).toMatchObject({ body: before.body, headers: { etag: before.headers.etag } });
            continue;
          }
          events.push(event);
          expect(answer).toMatchObject({ status: 200, text: "{}" });
          expect(after.body).toEqual({
            ...before.body,
            status: to,
            activated: after.body.activated,
            statusChanged: after.body.statusChanged,
            lastUpdated: after.body.lastUpdated,
            _links: after.body._links,
          });
          if (to === user.status) {
            expect(after).toMatchObject({ body: before.body, headers: { etag: before.headers.etag } });
          } else {
            expect(after.headers.etag).not.toBe(before.headers.etag);
            expect(after.body.statusChanged).toBe(after.body.lastUpdated);
            expect(after.body.lastUpdated > CREATED).toBe(true);
            expect(after.body.activated).toBe(operation === "activate" ? after.body.lastUpdated : null);
          }
        }
        expect((await readUserEvents(options)).map(({ eventType }) => eventType)).toEqual(events);
      } finally {
        await server.close();
      }
    },
  );

  test("L4 from each status the published links lead to ACTIVE, and nobody has to be deactivated for it", async () => {
    const { options, ...rest } = await database();
    const { server, api } = await startApi({ options, ...rest });
    try {
      const users = USER_STATUSES.map((status) => storedUser(status, { status }));
      await insertUsers(options, users);
      for (const { id, status } of users) {
        const walked = [status];
        for (let at: string = status; at !== "ACTIVE" && walked.length <= USER_STATUSES.length;) {
          const { self, ...links } = (await api(`/users/${id}`)).body._links;
          delete links.deactivate;
          for (const { href, method } of Object.values<{ href: string; method: string }>(links)) {
            expect(await api(href, { method: method.toUpperCase() })).toMatchObject({ status: 200 });
            at = (await api(self.href)).body.status;
            walked.push(at as Status);
            if (at !== walked.at(-2)) break;
          }
        }
        expect({ status, last: walked.at(-1) }).toEqual({ status, last: "ACTIVE" });
      }
    } finally {
      await server.close();
    }
  });

  test("T4 of operations that come at once one succeeds, and the others see what it left", async () => {
    const { options, ...rest } = await database();
    const { server, api } = await startApi({ options, ...rest });
    try {
      const user = storedUser("joe");
      await insertUsers(options, [user]);
      const path = `/users/${user.id}/lifecycle/suspend`;
      const answers = await Promise.all(Array.from({ length: 20 }, () => api(path, { method: "POST" })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.errorCode === "E0000001")).toHaveLength(19);
      expect(await readUserEvents(options)).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});
