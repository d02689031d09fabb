import { z } from "zod";

export const MAX_PORT = 65_535;

export const host = z.string().regex(/^[A-Za-z0-9._:%-]+$/, "must be an address or a host name");

export const text = z.string().min(1, "must not be empty");

/** Empty counts as absent. */
export const postgresUrl = z
  .string()
  .regex(/^(?:postgres(?:ql)?:\/\/.*)?$/s, "must begin with postgres:// or postgresql://")
  .transform((url) => (url === "" ? undefined : url));

export const toggle = z
  .enum(["true", "1", "false", "0"], "must be true or false")
  .transform((value) => value === "true" || value === "1");

export function integer(min: number, max: number) {
  const message = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${String(max).length}}$`), message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}
