import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { FRAME_LENGTH, HEAD_LENGTH, makeFrames } from "../disk/frames.js";
import { createSealer, type Sealer } from "../disk/sealing.js";
import type { Idp, Issuer, Org, Rule, Zone } from "../model/records.js";
import type { ProfilePolicy } from "../model/profile-policies.js";

/*
 * A snapshot is a file with the frames of each org, then those of an index of the orgs, then eight bytes with the place of the
 * index. It is replaced as a whole.
 */

/** In the data folder. */
export const SNAPSHOT_FILE = "snapshot";

/** Changes with the format of the file, which then does not open. */
const KEY_INFO = "etiquette snapshot 1";

/** In bytes. */
const FOOT_LENGTH = 8;

/** A frame has one value at least, which may be long. */
const MAX_FRAME_LENGTH = 64 * FRAME_LENGTH;

/** What discovery needs of an org beside its records. */
export interface SnapshotOrg {
  readonly org: Org;
  readonly policyId: string;
  readonly whenProfileUnavailable: ProfilePolicy;
  readonly trustedOrigins: string[];
  readonly redirectOrigins: string[];
  readonly issuers: Issuer[];
  /** The memory that its routing and its trust take, see `RoutingData`. */
  readonly routingBytes: number;
  readonly trustBytes: number;
}

/** What a snapshot has of an org, in this order. */
export type SnapshotEntry =
  | readonly ["org", SnapshotOrg]
  | readonly ["idp", Idp]
  | readonly ["zone", Zone]
  | readonly ["rule", Rule];

/** Where an org is in the file. */
export interface IndexedOrg {
  readonly id: string;
  readonly revision: number;
  readonly subdomain: string;
  readonly domains: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** A snapshot on disk. */
export interface Snapshot {
  /** When the database last confirmed it, in milliseconds since 1970. */
  readonly time: number;
  readonly size: number;
  readonly orgs: readonly IndexedOrg[];
  /** @throws {SnapshotError} when a part of it can't be read */
  read(org: IndexedOrg): AsyncGenerator<SnapshotEntry>;
  /** The frames of an org, as they are. */
  copy(org: IndexedOrg): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Why a snapshot can't be used. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

export function createSnapshotSealer(secrets: readonly string[]): Sealer {
  return createSealer(secrets, KEY_INFO);
}

/** @throws {SnapshotError} */
export async function openSnapshot(path: string, sealer: Sealer): Promise<Snapshot> {
  const handle = await open(path, "r").catch((error: unknown) => {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new SnapshotError(isAbsent ? "there is no snapshot" : `the snapshot can't be read: ${String(error)}`);
  });
  try {
    const { size, mtimeMs: time } = await handle.stat();
    const orgs = await readIndex(handle, size, sealer);
    return {
      ...{ time, size, orgs },
      read: ({ id, revision, start, end }) =>
        readFrames<SnapshotEntry>(handle, { start, end }, sealer, (frame) => orgContext(id, revision, frame)),
      copy: (org) => copyBytes(handle, org),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readIndex(handle: FileHandle, size: number, sealer: Sealer): Promise<IndexedOrg[]> {
  const end = size - FOOT_LENGTH;
  const foot = await readBytes(handle, Math.max(0, end), FOOT_LENGTH);
  const start = foot.length < FOOT_LENGTH ? end : Number(foot.readBigUInt64BE());
  if (start >= end) throw broken();
  const orgs: IndexedOrg[] = [];
  for await (const org of readFrames<IndexedOrg>(handle, { start, end }, sealer, indexContext)) orgs.push(org);
  return orgs;
}

async function* readFrames<T>(
  handle: FileHandle,
  { start, end }: Readonly<{ start: number; end: number }>,
  sealer: Sealer,
  contextOf: (frame: number) => string,
): AsyncGenerator<T> {
  let place = start;
  for (let frame = 0; place < end; frame++) {
    const head = await readBytes(handle, place, HEAD_LENGTH);
    const length = head.length < HEAD_LENGTH ? Infinity : head.readUInt32BE();
    if (length > MAX_FRAME_LENGTH) throw broken();
    const text = sealer.open(await readBytes(handle, place + HEAD_LENGTH, length), contextOf(frame));
    if (text === undefined) throw broken();
    yield* JSON.parse(text) as T[];
    place += HEAD_LENGTH + length;
  }
}

async function readBytes(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function* copyBytes(handle: FileHandle, { start, end }: IndexedOrg): AsyncGenerator<Buffer> {
  for (let place = start; place < end; place += FRAME_LENGTH) {
    yield await readBytes(handle, place, Math.min(FRAME_LENGTH, end - place));
  }
}

/** Writes another file, which replaces the one before when it is done. */
export async function createSnapshot(path: string, sealer: Sealer) {
  const temporary = `${path}.${randomUUID()}`;
  const handle = await open(temporary, "wx", 0o600);
  const orgs: IndexedOrg[] = [];
  let size = 0;

  return {
    get size() {
      return size;
    },
    async add(org: Omit<IndexedOrg, "start" | "end">, content: AsyncIterable<Buffer>): Promise<void> {
      const start = size;
      for await (const bytes of content) await append(bytes);
      orgs.push({ ...org, start, end: size });
    },
    async finish(): Promise<void> {
      const foot = Buffer.alloc(FOOT_LENGTH);
      foot.writeBigUInt64BE(BigInt(size));
      for await (const bytes of makeFrames(textsOf(orgs), sealer, indexContext)) await append(bytes);
      await append(foot);
      await handle.datasync();
      await handle.close();
      await rename(temporary, path);
    },
    async abandon(): Promise<void> {
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };

  async function append(bytes: Buffer): Promise<void> {
    await handle.appendFile(bytes);
    size += bytes.length;
  }
}

/** The frames of an org. */
export function makeOrgFrames(
  entries: Iterable<SnapshotEntry>,
  { id, revision }: Pick<IndexedOrg, "id" | "revision">,
  sealer: Sealer,
): AsyncGenerator<Buffer> {
  return makeFrames(textsOf(entries), sealer, (frame) => orgContext(id, revision, frame));
}

function* textsOf(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

const broken = (): SnapshotError =>
  new SnapshotError("the snapshot is damaged, or was written with another secret or by another version of the server");
const orgContext = (id: string, revision: number, frame: number): string => `${id} ${revision} ${frame}`;
const indexContext = (frame: number): string => `index ${frame}`;
