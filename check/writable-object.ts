import {
  isObject,
  JSON_PATCH_TYPE,
  MERGE_PATCH_TYPE,
  parseJson,
  parsePointer,
  readPointer,
} from "../lib/json/index.js";
import { ExchangeError } from "./connection.js";
import type { ProbeRequest } from "./request.js";
import type { Response } from "./response.js";
import type { RunPlan } from "./run-plan.js";
import { NotApplicable, TimeLimitError } from "./verdict.js";

const JSON_TYPE = "application/json";

/** What the checks can write with PATCH, the preferred one first. */
const PATCH_TYPES = [MERGE_PATCH_TYPE, JSON_TYPE, JSON_PATCH_TYPE];

/** What sends the requests. */
interface Sender {
  readonly plan: RunPlan;
  /** A plain GET, sent once per run. */
  readonly getOnce: (target: string) => Promise<Response>;
  readonly send: (request: ProbeRequest) => Promise<Response>;
  /** Allow one more request, also after the time limit. */
  readonly extend: () => void;
}

/** The object of `--writable`: how it is written, and how it was before. */
export class WritableObject {
  #written = false;
  /** Sent with each write when the API accepts none without a precondition. */
  #precondition: Record<string, string> = {};
  #type: Promise<string> | undefined;
  #plain: Promise<Response> | undefined;

  constructor(private readonly sender: Sender) {}

  get path(): string {
    return this.sender.plan.writable ?? "/";
  }

  /** A write that changes nothing, sent once per run. If the API refuses it, no other write tells anything. */
  async plain(): Promise<Response> {
    this.#plain ??= this.#tryPlain();
    return this.#plain;
  }

  /** Write with a body of {@link type}, unless `request` has another. */
  async write(request: ProbeRequest = {}): Promise<Response> {
    const { method } = this.sender.plan;
    const { body = await this.representation(), headers } = request;
    const bytes = Buffer.from(body);
    const type = request.method === undefined ? await this.type() : JSON_TYPE;
    this.#written = true;
    return this.sender.send({
      method,
      target: this.path,
      ...request,
      body: bytes,
      headers: { "Content-Type": type, "Content-Length": String(bytes.length), ...this.#precondition, ...headers },
    });
  }

  /** The media type of a write: `application/json`, and for PATCH one that `Accept-Patch` names. */
  async type(): Promise<string> {
    this.#type ??= this.#findType();
    return this.#type;
  }

  /** What the checks write: the text of `--body`, or what GET returned. */
  async representation(): Promise<string> {
    const { body, field } = this.sender.plan;
    if (body !== undefined) return body;
    const object = await this.#read();
    if ((await this.type()) !== JSON_PATCH_TYPE) return JSON.stringify(object);
    if (field === undefined) {
      throw new NotApplicable(`${this.path} takes a JSON Patch: give --field, or one with --body.`);
    }
    return patchOf(field, readPointer(object, parsePointer(field) ?? []));
  }

  /** The representation with another text in the field that the checks may change. */
  async changed(text: string): Promise<string> {
    const { field = "" } = this.sender.plan;
    if ((await this.type()) === JSON_PATCH_TYPE) return patchOf(field, text);
    const tokens = parsePointer(field) ?? [];
    const document = parseJson(await this.representation());
    const parent = readPointer(document, tokens.slice(0, -1));
    if (!isObject(parent)) throw new NotApplicable(`The representation has no place ${field}.`);
    parent[tokens.at(-1) ?? ""] = text;
    return JSON.stringify(document);
  }

  /** Write the representation once more if a check wrote another; what the reader must know if that fails. */
  async restore(): Promise<string[]> {
    if (!this.#written) return [];
    this.sender.extend();
    try {
      const { ok, status } = await this.write();
      return ok ? [] : [`Look at ${this.path}: the write that restores it is ${status}.`];
    } catch (error) {
      if (!(error instanceof ExchangeError || error instanceof TimeLimitError || error instanceof NotApplicable))
        throw error;
      return [`Look at ${this.path}, which was not restored: ${error.message}`];
    }
  }

  /** Once more with what the API asks for: a type of patch, or a precondition. */
  async #tryPlain(): Promise<Response> {
    let response = await this.write();
    const types = response.status === 415 && this.sender.plan.method === "PATCH" ? acceptedPatches(response) : [];
    if (types.length > 0) {
      this.#type = Promise.resolve(this.#choose(types));
      response = await this.write();
    }
    if (response.status === 428) {
      this.#precondition = { "If-Match": "*" };
      response = await this.write();
    }
    this.#written = response.ok;
    return response;
  }

  async #read(): Promise<Record<string, unknown>> {
    const value = (await this.sender.getOnce(this.path)).json();
    if (!isObject(value)) throw new NotApplicable(`GET ${this.path} returns no JSON object; give one with --body.`);
    return value;
  }

  /** What GET or OPTIONS names in `Accept-Patch`, RFC 5789 section 3.1; without it, JSON. */
  async #findType(): Promise<string> {
    if (this.sender.plan.method !== "PATCH") return JSON_TYPE;
    const named = acceptedPatches(await this.sender.getOnce(this.path));
    const types =
      named.length > 0 ? named : acceptedPatches(await this.sender.send({ method: "OPTIONS", target: this.path }));
    return types.length === 0 ? JSON_TYPE : this.#choose(types);
  }

  #choose(types: readonly string[]): string {
    const type = PATCH_TYPES.find((known) => types.includes(known));
    if (type === undefined) throw new NotApplicable(`Accept-Patch of ${this.path} names ${types.join(", ")} only.`);
    return type;
  }
}

/** The media types of `Accept-Patch` without their parameters. */
function acceptedPatches(response: Response): string[] {
  return response.members("Accept-Patch").map((member) => (member.split(";", 1)[0] ?? "").trim());
}

function patchOf(path: string, value: unknown): string {
  return JSON.stringify([{ op: "replace", path, value }]);
}
