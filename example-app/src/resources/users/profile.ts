import { z } from "zod";
import type { User } from "../../model/records.js";
import { USER_SHAPE } from "../../model/shapes.js";
import { parseBody } from "../../rest/body.js";

type Profile = User["profile"];

/** A body can't set status, dates and id. They are ignored like unknown members. */
const SHAPE = z.strictObject({ profile: USER_SHAPE.shape.profile });

const CHANGES = z.strictObject({ profile: z.looseObject({}).exactOptional() });

/**
 * The whole profile in a body. Members that are null count as absent.
 *
 * @throws {ApiError} E0000003 or E0000001, see {@link parseBody}
 */
export function parseProfile(body: unknown): Profile {
  return parseBody(SHAPE, body).profile;
}

/**
 * Merge the profile in a body into `profile`. Members that are null are removed.
 *
 * @throws {ApiError} as {@link parseProfile}, also when the result lacks a required member
 */
export function mergeProfile(profile: Profile, body: unknown): Profile {
  parseBody(CHANGES, body);
  const { profile: changes } = body as { profile?: object | null };
  return parseProfile({ profile: { ...profile, ...changes } });
}
