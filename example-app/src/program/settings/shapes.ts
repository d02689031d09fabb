import { z } from "zod";
import { faultOf } from "../../model/faults.js";

export const MAX_PORT = 65_535;

export const host = z.string().regex(/^[A-Za-z0-9._:%-]+$/, "must be an address or a host name");

export const text = z.string().min(1, "must not be empty");

/** Empty counts as absent. */
export const postgresUrl = z
  .string()
  .regex(/^(?:postgres(?:ql)?:\/\/.*)?$/s, "must begin with postgres:// or postgresql://")
  .transform((url) => (url === "" ? undefined : url))
  .optional();

export const toggle = z
  .enum(["true", "1", "false", "0"], "must be true or false")
  .transform((value) => value === "true" || value === "1");

export const list = z.string().transform(splitList);

export function integer(min: number, max: number) {
  const message = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${String(max).length}}$`), message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** 1 to `max`, at most seven digits; `false` for `off`. */
export function limit(max: number) {
  return z
    .string()
    .refine(
      (value) => value === "off" || (/^\d{1,7}$/.test(value) && Number(value) >= 1 && Number(value) <= max),
      `must be an integer from 1 to ${max} or off`,
    )
    .transform((value) => value !== "off" && Number(value));
}

/** Text that `parse` reads. The message of what it throws completes the sentence. */
export function parsed<T>(parse: (value: string) => T) {
  return z.string().transform((value, context): T => {
    try {
      return parse(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
      return z.NEVER;
    }
  });
}

/** Text that `compile` takes. */
export function compilable(compile: (value: string) => unknown, expected: string) {
  return z.string().refine((value) => faultOf(() => compile(value)) === undefined, expected);
}

export function splitList(value: string): string[] {
  return value.split(",").map((entry) => entry.trim());
}
