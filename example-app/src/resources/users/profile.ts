import { z } from "zod";
import type { User } from "../../model/records.js";
import { USER_SHAPE } from "../../model/shapes.js";
import { parseBody } from "../../rest/body.js";

type Profile = User["profile"];

/** Status, dates and id are none of a body's business: what it says of them is left out, like all that is unknown. */
const SHAPE = z.strictObject({ profile: USER_SHAPE.shape.profile });

const CHANGES = z.strictObject({ profile: z.looseObject({}).exactOptional() });

/**
 * The whole profile that a body gives; members that are null are absent.
 *
 * @throws {ApiError} E0000003 or E0000001, see {@link parseBody}
 */
export function parseProfile(body: unknown): Profile {
  return parseBody(SHAPE, body).profile;
}

/**
 * `profile` with the members that a body changes; those that are null in it are unset.
 *
 * @throws {ApiError} as {@link parseProfile}, also when what comes of it lacks what every profile has
 */
export function mergeProfile(profile: Profile, body: unknown): Profile {
  parseBody(CHANGES, body);
  const { profile: changes } = body as { profile?: object | null };
  return parseProfile({ profile: { ...profile, ...changes } });
}
