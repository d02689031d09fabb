import { z } from "zod";
import type { QueryParameter } from "./query.js";

/** WebFinger, which a trace explains, for the description of the API. */

export const WEBFINGER_PARAMETERS: Readonly<Record<string, QueryParameter>> = {
  resource: {
    shape: z.string().max(512),
    description: "Who signs in: `svc:acct:<login>`, or another prefix that the server accepts.",
    isRequired: true,
  },
  rel: { shape: z.array(z.string()), description: "Only links of these relations." },
};

export const JRD_LINK = z
  .object({
    rel: z.string(),
    href: z.string().meta({ format: "uri" }),
    titles: z.record(z.string(), z.string()),
    properties: z.record(z.string(), z.string()),
  })
  .meta({ id: "JrdLink" });

/** A JSON Resource Descriptor, RFC 7033 section 4.4. */
export const JRD_SHAPE = z.object({ subject: z.string(), links: z.array(JRD_LINK) });
