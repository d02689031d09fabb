import { brotliDecompress, gunzip, inflate, type ZlibOptions } from "node:zlib";

/** Decodes a whole body. */
export type Decode = (
  bytes: Buffer,
  options: Pick<ZlibOptions, "maxOutputLength">,
  callback: (error: NodeJS.ErrnoException | null, decoded: Buffer) => void,
) => void;

/** The content codings of RFC 9110 section 8.4.1, and brotli (RFC 7932). */
export const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", inflate],
  ["br", brotliDecompress],
]);

/** The names in `Accept-Encoding`. */
export const CONTENT_CODINGS = "gzip, deflate, br";
