import { parseIpRange } from "etiquette/ip-ranges";
import { z } from "zod";
import { explain, faultOf } from "./faults.js";
import { LIMITS } from "./shapes.js";

/** How many ranges a token has at most. */
const MAX_ADDRESSES = 50;

/** Addresses, CIDR blocks and ranges from which a token may be used. */
export const ADDRESSES_SHAPE = z
  .array(
    z
      .string()
      .max(LIMITS.name, { abort: true })
      .superRefine((text, context) => {
        const message = faultOf(() => parseIpRange(text));
        if (message !== undefined) context.addIssue({ code: "custom", message });
      }),
    { error: explain },
  )
  .min(1)
  .max(MAX_ADDRESSES);
