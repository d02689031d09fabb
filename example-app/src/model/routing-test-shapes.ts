import { z } from "zod";
import { isAddress, MAX_USER_AGENT_LENGTH } from "./client-shapes.js";
import type { FileProvider, RuleReferences } from "./rule-shapes.js";
import { ID_SHAPE, LIMITS, line, NAME_SHAPE, record } from "./shapes.js";
import { makeOnce } from "./make-once.js";

/** The accepted values of routing tests, in an import file and in the API. */

/** How a test refers to identity providers, zones and rules: by name in a file, by id in the API. */
interface TestReferences<P extends object> extends RuleReferences<P> {
  rule: z.ZodType<string>;
}

export function createRoutingTestShape<P extends object>({ provider, zone, rule }: TestReferences<P>) {
  return record({
    id: ID_SHAPE,
    name: NAME_SHAPE,
    login: line(LIMITS.login),
    clientIp: z
      .string()
      .refine(isAddress, "must be an IPv4 or IPv6 address")
      .exactOptional()
      .describe("The address of the client; unknown by default."),
    zone: zone.exactOptional().describe("The zone of the client, in place of clientIp."),
    userAgent: line(MAX_USER_AGENT_LENGTH).exactOptional().describe("The user agent of the client."),
    expected: record({
      provider: provider.exactOptional().describe("The first of the selected providers."),
      rule: rule.exactOptional().describe("The rule that selects it."),
    }).refine(({ provider: first, rule: by }) => first !== undefined || by !== undefined, {
      message: "must have provider, rule or both",
    }),
  }).refine(({ clientIp, zone: from }) => clientIp === undefined || from === undefined, {
    path: ["zone"],
    message: "goes without clientIp",
  });
}

/** The shape of a test in a file, with the provider of its rules. */
export const createFileTestShape = makeOnce((provider: z.ZodType<FileProvider>) => {
  return createRoutingTestShape({ provider, zone: NAME_SHAPE, rule: NAME_SHAPE });
});

export type FileRoutingTest = z.infer<ReturnType<typeof createFileTestShape>>;
