import { z } from "zod";
import { excerpt } from "./faults.js";
import { ID_SHAPE, LIMITS, record, storedLine } from "./shapes.js";
import { findHiddenFault } from "./visible-text.js";

/** The accepted values of users, in an import file and in the API. */

export const USER_STATUSES = [
  "STAGED",
  "PROVISIONED",
  "ACTIVE",
  "RECOVERY",
  "PASSWORD_EXPIRED",
  "LOCKED_OUT",
  "SUSPENDED",
  "DEPROVISIONED",
] as const;

const ATTRIBUTE_REGEXP = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const EMAIL_REGEXP = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

export const ATTRIBUTE_SHAPE = z
  .string()
  .regex(ATTRIBUTE_REGEXP, "must be 1 to 64 letters, digits and _, a letter first");

/** Members that every user has. {@link findHiddenMembers} says what is wrong with new ones besides. */
export const PROFILE_MEMBERS = {
  login: storedLine(LIMITS.login),
  email: z.string().max(LIMITS.login).regex(EMAIL_REGEXP, "must be an e-mail address"),
  firstName: storedLine(LIMITS.name),
  lastName: storedLine(LIMITS.name),
};

type Member = keyof typeof PROFILE_MEMBERS;

/**
 * The members of every user that have a character which nobody sees, and what is wrong with each. Those that `before` has
 * too are left out: such a user can change in every other way.
 */
export function findHiddenMembers(
  profile: Readonly<Record<Member, string>>,
  before?: Readonly<Record<Member, string>>,
): [member: Member, message: string][] {
  return (Object.keys(PROFILE_MEMBERS) as Member[]).flatMap((member) => {
    const message = profile[member] === before?.[member] ? undefined : findHiddenFault(profile[member]);
    return message === undefined ? [] : [[member, message]];
  });
}

/** A value of an attribute. Of several faults only the first is told. */
const attribute = z
  .custom<string | number | boolean | string[] | number[]>()
  .superRefine((value, context) => {
    const fault = findAttributeFault(value);
    if (fault) context.addIssue({ code: "custom", ...fault });
  })
  .meta({
    anyOf: [
      { type: "string", maxLength: LIMITS.text },
      { type: "number" },
      { type: "boolean" },
      { type: "array", items: { type: "string", maxLength: LIMITS.text }, maxItems: LIMITS.elements },
      { type: "array", items: { type: "number" }, maxItems: LIMITS.elements },
    ],
  });

/** The members that every user has, beside the org's own attributes. */
export const PROFILE_SHAPE = atMost(LIMITS.attributes).pipe(
  z.object(PROFILE_MEMBERS).catchall(attribute).superRefine(checkNames()),
);

/** The org's own attributes alone. */
export const ATTRIBUTES_SHAPE = atMost(LIMITS.attributes - Object.keys(PROFILE_MEMBERS).length).pipe(
  z.object({}).catchall(attribute).superRefine(checkNames(PROFILE_MEMBERS)),
);

export const USER_SHAPE = record({
  id: ID_SHAPE,
  status: z.enum(USER_STATUSES).exactOptional(),
  profile: PROFILE_SHAPE.superRefine((profile, context) => {
    for (const [member, message] of findHiddenMembers(profile)) {
      context.addIssue({ code: "custom", path: [member], message });
    }
  }),
});

export type FileUser = z.infer<typeof USER_SHAPE>;

/** What is wrong with the length of a profile. One that is longer already, because it is older than the limit, can't grow. */
export function findLengthFault(profile: object, before?: object): string | undefined {
  const length = lengthOf(profile);
  if (length <= LIMITS.profile) return undefined;
  const present = before ? lengthOf(before) : 0;
  if (length <= present) return undefined;
  const more = present > LIMITS.profile ? `, or the ${present} that it has` : "";
  return `has ${length} bytes as JSON; at most ${LIMITS.profile} are allowed${more}`;
}

function lengthOf(profile: object): number {
  return Buffer.byteLength(JSON.stringify(profile));
}

/** An object with at most `max` members, whatever they are. The members of a larger one are not checked. */
function atMost(max: number) {
  return z.looseObject({}).superRefine((values, context) => {
    const { length } = Object.keys(values);
    if (length <= max) return;
    context.addIssue({ code: "custom", message: `has ${length} attributes; at most ${max} are allowed` });
  });
}

/** Checks the names of attributes, which can't be any of `reserved`. */
function checkNames(reserved: object = {}) {
  return (values: object, context: z.RefinementCtx): void => {
    for (const key of Object.keys(values)) {
      if (!ATTRIBUTE_REGEXP.test(key)) {
        context.addIssue({ code: "custom", path: [key], message: "is no attribute name: letters, digits and _" });
      } else if (Object.hasOwn(reserved, key)) {
        context.addIssue({ code: "custom", path: [key], message: "is no attribute of your own: every user has it" });
      }
    }
  };
}

/** A fault of a value, or of one of its elements. */
interface Fault {
  readonly message: string;
  readonly path?: number[];
}

function findAttributeFault(value: unknown): Fault | undefined {
  if (isText(value)) return findTextFault(value);
  if (isNumber(value) || typeof value === "boolean") return undefined;
  const elements: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
  if (elements === undefined || !(elements.every(isText) || elements.every(isNumber))) {
    const kinds = `a text of at most ${LIMITS.text} characters, a number, a boolean, or an array of at most`;
    return { message: `must be ${kinds} ${LIMITS.elements} texts or numbers, not ${excerpt(value)}` };
  }
  if (elements.length > LIMITS.elements) {
    return { message: `is too long: ${elements.length} elements; at most ${LIMITS.elements} are allowed` };
  }
  for (const [index, element] of elements.entries()) {
    const fault = isText(element) ? findTextFault(element) : undefined;
    if (fault) return { ...fault, path: [index] };
  }
  return undefined;
}

function findTextFault(text: string): Fault | undefined {
  if (text.length > LIMITS.text) {
    return { message: `is too long: ${text.length} characters; at most ${LIMITS.text} are allowed` };
  }
  return text.includes("\0") ? { message: "must not have the character U+0000" } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
