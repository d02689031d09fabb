import { createRequestSlot, type RequestSlot } from "../factory/index.js";

/** The media type that `contentType()` selected for the response. */
export const negotiatedType: RequestSlot<string> = createRequestSlot<string>(
  "contentType",
  "its option `negotiate` is false",
);
