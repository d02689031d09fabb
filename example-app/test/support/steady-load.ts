import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Users whose changes follow each other, each with the entity tag of the last one. */
const LANES = 4;

/** Requests under way: on a machine that is busy otherwise, the pace slows down instead of more than it can serve. */
const MAX_RUNNING = 8;

/** The most faults that are kept. */
const MAX_FAULTS = 10;

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the load says what it expects
  readonly body: any;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

interface Lane {
  readonly id: string;
  level: number;
  etag: string;
  isBusy: boolean;
}

export interface LoadTarget {
  readonly org: string;
  /** Requests in a second. */
  readonly rate: number;
  /** Where the load balancer listens. */
  readonly port: number;
  readonly token: string;
}

/** A client of one org that reads and writes at a steady pace until it is stopped. It notes what the server acknowledged, and what went wrong. */
export class SteadyLoad {
  readonly faults: string[] = [];
  sent = 0;
  /** The ids of the requests that changed something. */
  readonly written: string[] = [];
  /** The ids of the requests that only read. */
  readonly read: string[] = [];
  readonly #target: LoadTarget;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  readonly #lanes: Lane[] = [];
  readonly #created: { id: string; login: string }[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Where discovery leads each login. */
  #href: string | undefined;
  #isStopped = false;
  #pacing: Promise<void> | undefined;

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  async start(): Promise<void> {
    for (let lane = 0; lane < LANES; lane++) {
      const { body, headers } = await this.#create(`lane-${lane}@acme.example`);
      this.#lanes.push({ id: body.id, level: 0, etag: String(headers.etag), isBusy: false });
    }
    const { body } = await this.send("/.well-known/webfinger?resource=acct:joe@acme.example");
    this.#href = body.links[0].href;
    this.#pacing = this.#pace();
  }

  /** Waits for the requests under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#pacing;
    await Promise.all(this.#running);
  }

  /** Reads back all that was acknowledged. */
  async check(): Promise<void> {
    for (const { id, level } of this.#lanes) {
      const { status, body } = await this.send(`/api/v1/users/${id}`);
      if (status !== 200 || body.profile.level !== level) this.#note(`level ${level} of ${id} was lost: ${status}`);
    }
    for (const { id, login } of this.#created) await this.#readUser(id, login);
  }

  /** The ids of all requests that have an event. */
  async readEvents(): Promise<Set<string>> {
    const ids = new Set<string>();
    let path: string | undefined = "/api/v1/logs?since=2020-01-01T00:00:00Z&until=2100-01-01T00:00:00Z&limit=1000";
    while (path !== undefined) {
      const answer: Answer = await this.send(path);
      if (answer.status !== 200) throw new Error(`the log is ${answer.status}: ${answer.text}`);
      for (const { transaction } of answer.body as { transaction: { id: string } }[]) ids.add(transaction.id);
      const next = /<https?:\/\/[^/]*([^>]*)>; rel="next"/.exec([answer.headers["link"]].flat().join())?.[1];
      path = answer.body.length === 0 ? undefined : next;
    }
    return ids;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #pace(): Promise<void> {
    const interval = 1_000 / this.#target.rate;
    for (let next = performance.now(); !this.#isStopped;) {
      const now = performance.now();
      while (next <= now && this.#running.size < MAX_RUNNING) {
        next += interval;
        const request = this.#sendOne(this.sent++).catch((error: unknown) => {
          this.#note(String(error));
        });
        this.#running.add(request);
        void request.then(() => this.#running.delete(request));
      }
      next = Math.max(next, now - interval);
      await sleep(5);
    }
  }

  async #sendOne(number: number): Promise<void> {
    const lane = this.#lanes[number % LANES];
    switch (number % 10) {
      case 0:
        return this.#createTwice(`user-${number}@acme.example`);
      case 1:
        return lane?.isBusy === false ? this.#update(lane) : this.#discover(number);
      case 2: {
        const user = this.#created[number % this.#created.length];
        return user ? this.#readUser(user.id, user.login) : undefined;
      }
      case 3:
        this.#expect(await this.send("/api/v1/users?limit=4"), (body) => body.length === 4);
        return undefined;
      default:
        return this.#discover(number);
    }
  }

  async #discover(number: number): Promise<void> {
    const answer = await this.send(`/.well-known/webfinger?resource=acct:user-${number}@acme.example`);
    this.#expect(answer, (body) => body.links[0].href === this.#href);
  }

  async #readUser(id: string, login: string): Promise<void> {
    this.#expect(await this.send(`/api/v1/users/${id}`), (body) => body.profile.login === login);
  }

  #create(login: string, headers: Record<string, string> = {}): Promise<Answer> {
    const profile = { login, email: login, firstName: "Joe", lastName: "Doe", level: 0 };
    return this.send("/api/v1/users", { method: "POST", body: { profile }, headers });
  }

  /** The second request comes while the first one runs or after it, to any node. */
  async #createTwice(login: string): Promise<void> {
    const key = { "Idempotency-Key": `"${login}"` };
    const first = await this.#create(login, key);
    this.#expectWritten(first, (body) => body.profile.login === login);
    if (first.status === 200) this.#created.push({ id: first.body.id, login });
    const second = await this.#create(login, key);
    if (second.status !== 200 || second.text !== first.text) this.#note(`repeated: ${second.status} ${second.text}`);
  }

  async #update(lane: Lane): Promise<void> {
    lane.isBusy = true;
    const level = lane.level + 1;
    const answer = await this.send(`/api/v1/users/${lane.id}`, {
      method: "POST",
      body: { profile: { level } },
      headers: { "If-Match": lane.etag },
    });
    this.#expectWritten(answer, (body) => body.profile.level === level);
    if (answer.status === 200) Object.assign(lane, { level, etag: String(answer.headers.etag) });
    lane.isBusy = false;
  }

  #expect(answer: Answer, isRight: (body: Answer["body"]) => boolean): void {
    this.read.push(String(answer.headers["x-svc-request-id"]));
    this.#judge(answer, isRight);
  }

  #expectWritten(answer: Answer, isRight: (body: Answer["body"]) => boolean): void {
    this.written.push(String(answer.headers["x-svc-request-id"]));
    this.#judge(answer, isRight);
  }

  #judge({ status, text, body }: Answer, isRight: (body: Answer["body"]) => boolean): void {
    if (status !== 200 || !isRight(body)) this.#note(`${status} ${text.slice(0, 500)}`);
  }

  #note(fault: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
  }

  send(path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
    const content = body === undefined ? "" : JSON.stringify(body);
    const framing = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(content)) };
    return new Promise((resolve, reject) => {
      const request = http.request({
        host: "127.0.0.1",
        port: this.#target.port,
        path,
        method,
        agent: this.#agent,
        headers: {
          Host: `${this.#target.org}.localhost`,
          Authorization: `SVC ${this.#target.token}`,
          ...(method !== "GET" && framing),
          ...headers,
        },
      });
      request.on("error", reject);
      request.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));
        response.on("close", () => {
          if (!response.complete) reject(new Error(`the response to ${method} ${path} was cut off`));
          const isJson = response.headers["content-type"]?.includes("json");
          const { statusCode: status = 0, headers: fields } = response;
          resolve({ status, headers: fields, text, body: isJson === true ? JSON.parse(text) : undefined });
        });
      });
      request.end(content);
    });
  }
}
