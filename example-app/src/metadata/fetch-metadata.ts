import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { MetadataState } from "../model/records.js";
import { compileAddressCheck } from "./addresses.js";
import { MetadataError } from "./metadata-error.js";
import { resolveHost, type ResolveHost } from "./resolve-host.js";

/** In bytes. That of one provider has some kilobytes; no step of reading so much takes a turn of the event loop of 20 ms. */
export const MAX_LENGTH = 262_144;

/** For everything from the name to the last byte, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** In characters. Longer validators are not kept. */
const MAX_VALIDATOR = 256;

export interface FetchOptions {
  /** Networks whose addresses may be asked too, though they are not public. */
  networks: readonly string[];
  /** @default resolveHost */
  resolve?: ResolveHost;
  /**
   * In milliseconds.
   *
   * @default TIMEOUT_MS
   */
  timeout?: number;
}

type Validators = MetadataState["validators"];

interface FetchedMetadata {
  readonly text: string;
  readonly validators: Validators;
}

/**
 * Fetches a document; `undefined` when it is still the one with these validators.
 *
 * @throws {MetadataError} with the reason in words; the reason of `signal` when that is aborted
 */
export type FetchMetadata = (
  url: string,
  validators: Validators,
  signal: AbortSignal,
) => Promise<FetchedMetadata | undefined>;

/**
 * A function that fetches from public hosts, and from those in `networks`. It checks every address of a host, connects to
 * one of those, and follows no redirect: an org can't make the server ask something in the network of its operator.
 *
 * @throws {TypeError} when a network is no address, block or span
 */
export function createFetch({ networks, resolve = resolveHost, timeout = TIMEOUT_MS }: FetchOptions): FetchMetadata {
  const isAllowed = compileAddressCheck(networks);

  return async function fetchMetadata(url, validators, signal) {
    const deadline = AbortSignal.timeout(timeout);
    const either = AbortSignal.any([signal, deadline]);
    try {
      const target = new URL(url);
      const addresses = await findAddresses(target.hostname.replace(/^\[|\]$/g, ""), either);
      const response = await request(target, { addresses, validators, signal: either });
      try {
        if (response.statusCode === 304 && Object.keys(validators).length > 0) return undefined;
        assertUsable(response);
        return { text: decode(await read(response)), validators: validatorsOf(response) };
      } finally {
        response.destroy();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) throw new MetadataError(`the host took longer than ${timeout / 1_000} seconds`);
      throw error instanceof MetadataError ? error : new MetadataError(describeFailure(error));
    }
  };

  async function findAddresses(host: string, signal: AbortSignal): Promise<readonly string[]> {
    const addresses = await resolve(host, signal);
    signal.throwIfAborted();
    if (addresses.length === 0) throw new MetadataError("the host has no address");
    if (!addresses.every(isAllowed)) throw new MetadataError("the host has an address that is not public");
    return addresses;
  }
}

interface RequestOptions {
  readonly addresses: readonly string[];
  readonly validators: Validators;
  readonly signal: AbortSignal;
}

function request(url: URL, { addresses, validators, signal }: RequestOptions): Promise<IncomingMessage> {
  const { etag, lastModified } = validators;
  const sent = (url.protocol === "http:" ? http : https).request(url, {
    agent: false,
    lookup: answerWith(addresses),
    signal,
    headers: {
      Accept: "application/samlmetadata+xml, application/json, application/xml;q=0.9, */*;q=0.1",
      "Accept-Encoding": "identity",
      ...(etag !== undefined && { "If-None-Match": etag }),
      ...(lastModified !== undefined && { "If-Modified-Since": lastModified }),
    },
  });
  sent.on("error", ignore); // also one that comes after the response
  return new Promise((resolve, reject) => {
    sent
      .once("response", resolve)
      .once("error", reject)
      .once("upgrade", (response, socket) => {
        socket.destroy(); // without a listener Node.js closes it, and tells nobody
        resolve(response);
      });
    sent.end();
  });
}

/** The connection is made to an address that was checked: a second answer of the DNS may be another. */
function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = found;
    if (all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function assertUsable({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 300 && statusCode < 400) {
    throw new MetadataError(`the host redirects (${statusCode}); give the address where that ends`);
  }
  if (statusCode !== 200) throw new MetadataError(`the host responds with ${statusCode}`);
  const { "content-encoding": encoding = "identity" } = headers;
  if (encoding !== "identity") throw new MetadataError("the host compresses the metadata, though it was not asked to");
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_LENGTH) throw new MetadataError(`the metadata has more than ${MAX_LENGTH} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MetadataError("the metadata is not UTF-8");
  }
}

function validatorsOf({ headers: { etag = "", "last-modified": lastModified = "" } }: IncomingMessage): Validators {
  const isKept = (text: string) => text !== "" && text.length <= MAX_VALIDATOR;
  return { ...(isKept(etag) && { etag }), ...(isKept(lastModified) && { lastModified }) };
}

/** Codes of Node and OpenSSL, such as ECONNREFUSED and CERT_HAS_EXPIRED. */
function describeFailure(error: unknown): string {
  const { code } = error as { code?: unknown };
  return `the connection failed${typeof code === "string" ? ` (${code})` : ""}`;
}

function ignore(): void {
  // who waits for the response is told
}
