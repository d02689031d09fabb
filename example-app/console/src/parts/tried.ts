import { USER_AGENTS } from "./user-agents.js";

/** What one asks: who signs this login in, from this client? */
export interface Question {
  readonly login: string;
  /** Empty for the person's own address. */
  readonly clientIp: string;
  /** Empty for the person's own browser. */
  readonly userAgent: string;
}

export const NO_QUESTION: Question = { login: "", clientIp: "", userAgent: "" };

const KEY = "etiquette.tried";

const MAX_TRIED = 20;

/** The questions that were asked last in this tab, the newest first. They are gone when it is closed. */
export function readTried(): Question[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isQuestion) : [];
  } catch {
    return [];
  }
}

export function rememberTried(question: Question): Question[] {
  const others = readTried().filter((other) => !isSame(other, question));
  const tried = [question, ...others].slice(0, MAX_TRIED);
  sessionStorage.setItem(KEY, JSON.stringify(tried));
  return tried;
}

function isSame(a: Question, b: Question): boolean {
  return a.login === b.login && a.clientIp === b.clientIp && a.userAgent === b.userAgent;
}

/** `joe@example.com · 192.0.2.7 · iPhone` */
export function describeQuestion({ login, clientIp, userAgent }: Question): string {
  return [login, clientIp, labelOfDevice(userAgent)].filter((text) => text !== "").join(" · ");
}

/** `iPhone`, or a user agent that has no name. */
export function labelOfDevice(userAgent: string): string {
  return USER_AGENTS.find(({ value }) => value === userAgent)?.label ?? userAgent;
}

/** What addresses call a device: the same in every language. */
export function nameOfDevice(userAgent: string): string {
  return USER_AGENTS.find(({ value }) => value === userAgent)?.name ?? userAgent;
}

/** @param device its name or label, or a user agent */
export function userAgentOf(device: string): string {
  return USER_AGENTS.find(({ label, name }) => label === device || name === device)?.value ?? device;
}

function isQuestion(value: unknown): value is Question {
  const { login, clientIp, userAgent } = (value ?? {}) as Partial<Record<string, unknown>>;
  return [login, clientIp, userAgent].every((text) => typeof text === "string");
}
