import { randomUUID } from "node:crypto";
import type { Check } from "../check.js";
import type { Probe } from "../probe.js";
import { type Response, statusFault } from "../response.js";
import { firstOf, NotApplicable } from "../verdict.js";

const SPECIFICATION = "draft-ietf-httpapi-idempotency-key-header-07";

/** No API keeps a key of so many characters. */
const LONG_KEY = `"${"k".repeat(4_000)}"`;

/** `Idempotency-Key` (rules I1 to I3). An API that replays no response takes no keys, and is not judged. */
export const IDEMPOTENCY_CHECKS: readonly Check[] = [
  {
    id: "idempotency-replayed",
    rule: "I1",
    severity: "interoperability",
    title: "A key that comes again gets the first response",
    why: "A client repeats a write whose response it lost. Another response makes it believe that something else happened.",
    specification: `${SPECIFICATION} section 2.6`,
    mend: "Keep status, fields and bytes of the first response under its key, and send them again.",
    needs: ["writable"],
    async run(probe) {
      const { first, again } = await writeTwice(probe);
      if (again.status !== first.status)
        return `The key again: the status is ${again.status}, at first ${first.status}.`;
      const changed = ["Location", "ETag"].find((name) => again.field(name) !== first.field(name));
      if (changed !== undefined) return `The key again: another ${changed}.`;
      return again.text === first.text ? undefined : "The key again: another body.";
    },
  },
  {
    id: "idempotency-key",
    rule: "I2",
    severity: "interoperability",
    title: "A malformed Idempotency-Key is refused",
    why: "A client whose key is dropped in silence believes that it may repeat the write.",
    specification: `${SPECIFICATION} sections 2.1 and 2.7`,
    mend: "Take one string of 1 to 255 characters, and send 400 for anything else.",
    needs: ["writable"],
    async run(probe) {
      await writeTwice(probe);
      const sent = [
        ["An empty key", '""'],
        ["A key of 4,000 characters", LONG_KEY],
        ["Two keys", [newKey(), newKey()]],
      ] as const;
      return firstOf(sent, async ([title, key]) => statusFault(await write(probe, key), [400, 422, 431], title));
    },
  },
  {
    id: "idempotency-payload",
    rule: "I3",
    severity: "interoperability",
    title: "A key that comes with another body is refused",
    why: "The second write is lost when it gets the first one's response.",
    specification: `${SPECIFICATION} section 2.7`,
    mend: "Keep a hash of method, target and body under the key, and send 422 for another one.",
    needs: ["writable", "field"],
    async run(probe) {
      const { key } = await writeTwice(probe);
      const body = await probe.writable.changed("etiquette check idempotency");
      return statusFault(await write(probe, key, body), [409, 422], "The key with another body");
    },
  },
];

interface Repeated {
  readonly key: string;
  readonly first: Response;
  readonly again: Response;
}

/** @throws {NotApplicable} when the second response isn't marked as the first one's repetition */
async function writeTwice(probe: Probe): Promise<Repeated> {
  const key = newKey();
  const first = await write(probe, key);
  const again = await write(probe, key);
  if (again.field("Idempotent-Replayed")?.toLowerCase() !== "true") {
    throw new NotApplicable("The response to a repeated Idempotency-Key has no Idempotent-Replayed: true.");
  }
  return { key, first, again };
}

async function write(probe: Probe, key: string | readonly string[], body?: string): Promise<Response> {
  return probe.writable.write({ headers: { "Idempotency-Key": key }, ...(body !== undefined && { body }) });
}

function newKey(): string {
  return `"${randomUUID()}"`;
}
