import { z } from "zod";
import type { User } from "../../model/records.js";
import { DATE, ID } from "../../model/sent-shapes.js";
import { ATTRIBUTES_SHAPE, PROFILE_MEMBERS, PROFILE_SHAPE, USER_STATUSES } from "../../model/user-shapes.js";

/** The shapes of users in a version of the API: as they are sent, in a body, and the changes in a body. */

const HEAD = { id: ID, status: z.enum(USER_STATUSES) };
const DATES = {
  created: DATE,
  activated: DATE.nullable(),
  statusChanged: DATE.nullable(),
  lastLogin: DATE.nullable(),
  lastUpdated: DATE,
};

const { login, email, firstName, lastName } = PROFILE_MEMBERS;
const PROFILE_CHANGES = z
  .object(PROFILE_MEMBERS)
  .partial()
  .catchall(z.unknown())
  .describe("The members to change; those that are null are removed.");

const EXAMPLE = { login: "ann@example.com", email: "ann@example.com", firstName: "Ann", lastName: "Ames", floor: 3 };
const EXAMPLE_V2 = {
  login: EXAMPLE.login,
  email: EXAMPLE.email,
  name: { given: EXAMPLE.firstName, family: EXAMPLE.lastName },
  attributes: { floor: EXAMPLE.floor },
};

export const V1 = {
  shape: z.object({ ...HEAD, ...DATES, profile: PROFILE_SHAPE }) satisfies z.ZodType<User>,
  body: z.object({ profile: PROFILE_SHAPE }).meta({ examples: [{ profile: EXAMPLE }] }),
  changes: z.object({ profile: PROFILE_CHANGES.exactOptional() }).meta({ examples: [{ profile: { floor: 4 } }] }),
};

const NAME = z.object({ given: firstName, family: lastName });

export const V2 = {
  shape: z.object({ ...HEAD, login, email, name: NAME, attributes: ATTRIBUTES_SHAPE, ...DATES }),
  body: z
    .object({ login, email, name: NAME, attributes: ATTRIBUTES_SHAPE.exactOptional() })
    .meta({ examples: [EXAMPLE_V2] }),
  changes: z
    .object({ login, email, name: NAME.partial(), attributes: z.record(z.string(), z.unknown()) })
    .partial()
    .meta({
      description: "The members to change; attributes that are null are removed.",
      examples: [{ attributes: { floor: 4 } }],
    }),
};

/** RFC 6902 */
export const JSON_PATCH_SHAPE = z
  .array(
    z.object({
      op: z.enum(["add", "remove", "replace", "move", "copy", "test"]),
      path: z.string(),
      from: z.string().exactOptional(),
      value: z.unknown().exactOptional(),
    }),
  )
  .meta({ examples: [[{ op: "test", path: "/status", value: "ACTIVE" }]] });
