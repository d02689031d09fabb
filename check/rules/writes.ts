import type { Check } from "../check.js";

/** The write that all other checks that write build upon. */
export const WRITE_CHECKS: readonly Check[] = [
  {
    id: "write-accepted",
    rule: "N3",
    severity: "interoperability",
    title: "An object can be written as it was read",
    why: "A client reads an object, changes one member and sends all of it back. Until this works, no other write tells anything.",
    specification: "RFC 9110 sections 9.3.4 and 15.5",
    mend: "Ignore the members that clients can't change. If the API is right, name another object, `--method` or `--body`.",
    needs: ["object"],
    async run(probe) {
      const { ok, status } = await probe.writable.plain();
      const { method } = probe.plan;
      return ok ? undefined : `${method} ${probe.writable.path} with ${await probe.writable.type()}: ${status}.`;
    },
  },
];
