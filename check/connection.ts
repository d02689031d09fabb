import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { MalformedResponse, type ReceivedResponse, ResponseParser } from "./response-parser.js";

/** Where requests go. */
export interface Target {
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** `undefined` for plain HTTP. */
  readonly tls: Readonly<ConnectionOptions> | undefined;
}

export type ExchangeFailure = "unreachable" | "certificate" | "timeout" | "closed" | "malformed";

/** There was no response. The message is one sentence. */
export class ExchangeError extends Error {
  override readonly name = "ExchangeError";

  constructor(
    readonly reason: ExchangeFailure,
    message: string,
    /** The code of Node or OpenSSL. */
    readonly code?: string | undefined,
  ) {
    super(message);
  }
}

export interface Message {
  readonly bytes: Buffer;
  /** The method in `bytes`. */
  readonly method: string;
  /** Sent when the response is there and the connection still open. */
  readonly followUp?: Buffer | undefined;
  /** The most bytes of the body that are read; {@link MAX_BODY_LENGTH} if absent. */
  readonly maxLength?: number;
}

/** A response, and whether the server also responded to `followUp`. */
export type ExchangeResult = ReceivedResponse & { readonly followed: boolean };

/**
 * Send a message over a connection of its own and read the response to it. No part of the message is checked or added.
 *
 * @param timeout in milliseconds, for all of it
 * @throws {ExchangeError} when there is no response
 */
export async function exchange(target: Target, message: Message, timeout: number): Promise<ExchangeResult> {
  return new Promise((resolve, reject) => {
    const socket = connect(target);
    const conversation = new Conversation(socket, message, settle);
    const timer = setTimeout(() => {
      conversation.fail("timeout", `There was no complete response within ${timeout / 1000} s.`);
    }, timeout);

    socket.once(target.tls ? "secureConnect" : "connect", () => {
      conversation.begin();
    });
    socket.on("data", (chunk: Buffer) => {
      conversation.receive(chunk);
    });
    socket.on("error", (error) => {
      conversation.break(error);
    });
    for (const event of ["end", "close"] as const) {
      socket.on(event, () => {
        conversation.end();
      });
    }
    function settle(outcome: ExchangeResult | ExchangeError): void {
      clearTimeout(timer);
      socket.destroy();
      if (outcome instanceof ExchangeError) reject(outcome);
      else resolve(outcome);
    }
  });
}

/** What is sent and received on one connection. Only the first outcome counts. */
class Conversation {
  #parser: ResponseParser;
  #connected = false;
  #first: ReceivedResponse | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly message: Message,
    private readonly settle: (outcome: ExchangeResult | ExchangeError) => void,
  ) {
    this.#parser = new ResponseParser(message.method, message.maxLength);
  }

  begin(): void {
    this.#connected = true;
    this.socket.write(this.message.bytes);
  }

  receive(chunk: Buffer): void {
    try {
      const response = this.#parser.push(chunk);
      if (response) this.#take(response);
    } catch (error) {
      if (!(error instanceof MalformedResponse)) throw error;
      this.fail("malformed", error.message);
    }
  }

  break(error: NodeJS.ErrnoException): void {
    if (this.#connected) this.end();
    else this.fail(isCertificateError(error) ? "certificate" : "unreachable", `${error.message}.`, error.code);
  }

  end(): void {
    const response = this.#parser.end();
    if (response) this.settle({ ...(this.#first ?? response), followed: this.#first !== undefined });
    else if (!this.#connected) this.fail("unreachable", "The connection was closed before it was ready.");
    else if (this.#parser.started) this.fail("closed", "The connection was closed in the middle of the response.");
    else this.fail("closed", "The connection was closed without a response.");
  }

  /** Without a response this is the outcome; without one to the follow-up, the response is. */
  fail(reason: ExchangeFailure, message: string, code?: string): void {
    this.settle(this.#first ? { ...this.#first, followed: false } : new ExchangeError(reason, message, code));
  }

  #take(response: ReceivedResponse): void {
    const { followUp } = this.message;
    if (this.#first || !followUp || !this.socket.writable) {
      this.settle({ ...(this.#first ?? response), followed: this.#first !== undefined });
      return;
    }
    this.#first = response;
    this.#parser = new ResponseParser("GET");
    this.socket.write(followUp);
  }
}

/** Open a connection with TLS, without a request; the protocol in use. */
export async function handshake(target: Target, options: ConnectionOptions, timeout: number): Promise<string> {
  const tls = { ...target.tls, ...options };
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...tls, host: target.host, port: target.port });
    const timer = setTimeout(() => socket.destroy(new Error("The handshake took too long")), timeout);
    socket.once("secureConnect", () => {
      const protocol = socket.getProtocol() ?? "";
      socket.destroy();
      resolve(protocol);
    });
    socket.once("error", (error: NodeJS.ErrnoException) => {
      reject(new ExchangeError("unreachable", `${error.message}.`, error.code));
    });
    socket.once("close", () => {
      clearTimeout(timer);
      reject(new ExchangeError("closed", "The connection was closed during the handshake."));
    });
  });
}

function connect({ host, port, tls }: Target): Socket {
  return tls ? connectTls({ ...tls, host, port }) : connectTcp({ host, port });
}

/** The codes by which OpenSSL and Node name a certificate that isn't trusted or is another host's. */
function isCertificateError({ code = "" }: NodeJS.ErrnoException): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|CRL|ALTNAME/.test(code);
}
