import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import { ANY_ORG, CHANNEL } from "./postgres-dialect.js";
import type { ChangeListener, EngineWatcher } from "../contract/engine.js";
import { endConnection } from "./postgres-connections.js";

const MIN_RECONNECT_MS = 100;
const MAX_RECONNECT_MS = 500;

/** The pause between two questions for a sign of life. Whoever answers has sent all notices before. */
const HEARTBEAT_MS = 200;

/** What was asked longer ago tells nothing about the changes since. */
const HEARD_MS = 500;

/** How long an answer may take before a new connection is tried. */
const PATIENCE_MS = 2_000;

/** How long a new connection may take, and the pause between two of them. */
const TRIAL_MS = 1_000;

export interface ListenOptions {
  /** The process whose messages are ignored. */
  readonly sender: string;
  readonly listener: ChangeListener;
  /** Called when the connection is silent. The functions that it returns close other connections that have been silent since. */
  readonly suspect: () => readonly (() => void)[];
}

/**
 * Listen on a connection of its own. Each new connection reports "any org", for changes made while nobody listened. A
 * machine that is gone breaks no connection: when this one is silent and a new one is not, it is replaced, and with it the
 * others that are silent.
 */
export function listen(connection: ClientConfig, { sender, listener, suspect }: ListenOptions): EngineWatcher {
  let client: Client;
  let timer: NodeJS.Timeout | undefined;
  let delay = MIN_RECONNECT_MS;
  let closed = false;
  let gate = createGate();
  let heardUntil = -Infinity;

  /** An old connection may answer after a new one. */
  function confirm(asked: number): void {
    heardUntil = Math.max(heardUntil, asked);
  }

  /** What was missed while it did not hear is reported before. */
  function hear(isHearing: boolean): void {
    if (isHearing) gate.open();
    else if (gate.isOpen()) gate = createGate();
  }

  async function connect(): Promise<void> {
    const own = (client = new Client(connection));
    own.on("error", ignore); // "end" follows
    own.once("end", () => {
      hear(false);
      if (closed) return;
      timer = setTimeout(() => void connect(), delay).unref();
      delay = Math.min(delay * 2, MAX_RECONNECT_MS);
    });
    own.on("notification", ({ payload = "" }) => {
      const [from, name] = payload.split(" ");
      if (from !== sender) listener(name === ANY_ORG ? undefined : name);
    });
    try {
      await own.connect();
      const asked = performance.now();
      await own.query(`listen ${CHANNEL}`);
      delay = MIN_RECONNECT_MS;
      listener(undefined);
      confirm(asked);
      hear(true);
      void watchHeart(own, { connection, suspect, hear, confirm });
    } catch {
      await endConnection(own);
    }
  }

  void connect();
  return {
    ready: () => gate.opened,
    hears: () => performance.now() - heardUntil < HEARD_MS,
    async close() {
      closed = true;
      clearTimeout(timer);
      await endConnection(client);
    },
  };
}

interface HeartOptions {
  readonly connection: ClientConfig;
  readonly suspect: ListenOptions["suspect"];
  /** Called when the connection is silent, and when it no longer is. */
  readonly hear: (isHearing: boolean) => void;
  /** Called when there is an answer to what was asked then. */
  readonly confirm: (asked: number) => void;
}

/** Break the connection of `client` when it is silent and a new one is not. */
async function watchHeart(client: Client, options: HeartOptions): Promise<void> {
  const ended = new AbortController();
  client.once("end", () => {
    ended.abort();
  });
  for (;;) {
    await sleep(HEARTBEAT_MS, undefined, { ref: false });
    if (ended.signal.aborted) return;
    const answered = new AbortController();
    const asked = performance.now();
    const note = () => {
      answered.abort();
    };
    const answer = client
      .query("select 1")
      .then(() => {
        options.confirm(asked);
      })
      .then(note, note); // it fails when the connection is broken
    await Promise.race([answer, sleep(PATIENCE_MS, undefined, { ref: false })]);
    if (answered.signal.aborted) continue;
    options.hear(false);
    if (await isReplaceable(answered.signal, options)) client.connection.stream.destroy();
    else options.hear(!ended.signal.aborted);
  }
}

/** Waits while the database is away. Resolves with `false` when `answered` is aborted meanwhile. */
async function isReplaceable(answered: AbortSignal, { connection, suspect }: HeartOptions): Promise<boolean> {
  const isAnswered = () => answered.aborted;
  while (!isAnswered()) {
    const closers = suspect();
    if ((await tryConnection(connection)) && !isAnswered()) {
      for (const close of closers) close();
      return true;
    }
    await sleep(TRIAL_MS, undefined, { ref: false, signal: answered }).catch(ignore);
  }
  return false;
}

/** Whether a new connection is served at once. */
async function tryConnection(connection: ClientConfig): Promise<boolean> {
  const client = new Client({
    ...connection,
    connectionTimeoutMillis: TRIAL_MS,
    query_timeout: TRIAL_MS,
  });
  client.on("error", ignore);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    void endConnection(client);
  }
}

interface Gate {
  /** Resolves when it is opened. */
  readonly opened: Promise<void>;
  readonly open: () => void;
  readonly isOpen: () => boolean;
}

function createGate(): Gate {
  let isOpen = false;
  let resolve = ignore;
  const opened = new Promise<void>((done) => {
    resolve = done;
  });
  return {
    opened,
    open() {
      isOpen = true;
      resolve();
    },
    isOpen: () => isOpen,
  };
}

function ignore(): void {
  // reported elsewhere
}
