import { z } from "zod";
import type { SettingGroup } from "./setting.js";
import { list, text } from "./shapes.js";

/** Length of an HMAC-SHA256 key in bytes. */
export const MIN_SECRET_LENGTH = 32;

/** The certificate, and the keys of what the server hands out. */
export const SECRETS = {
  "tls-cert": {
    placeholder: "FILE",
    help: "certificate chain, PEM; without it the server generates one",
    details: "See [certificates](../guides/operating.md#certificates).",
    isPath: true,
    isReloaded: true,
    shape: text.optional(),
  },
  "tls-key": {
    placeholder: "FILE",
    help: "private key of --tls-cert, PEM, without a passphrase",
    isPath: true,
    isReloaded: true,
    shape: text.optional(),
  },
  secrets: {
    placeholder: "LIST",
    help: "secrets for cursors, fingerprint hashes and kept responses, newest first, the same on every node; without it one in the data folder",
    details: `At least ${MIN_SECRET_LENGTH} bytes each, separated by commas.`,
    secret: true,
    shape: list
      .pipe(z.array(z.string().refine(isSecret, `must have at least ${MIN_SECRET_LENGTH} bytes each`)))
      .default([]),
    target: "secrets",
  },
} as const satisfies SettingGroup;

export function isSecret(value: string): boolean {
  return Buffer.byteLength(value) >= MIN_SECRET_LENGTH;
}
