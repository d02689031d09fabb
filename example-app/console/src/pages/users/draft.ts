import { userForm } from "../../texts/en/user-form.js";
import type { Profile } from "./requests.js";

/** A profile as its form holds it. */
export interface Draft {
  readonly main: Readonly<Record<MainName, string>>;
  readonly attributes: readonly Attribute[];
}

type MainName = (typeof MAIN_NAMES)[number];

/** Members that every user has. */
export const MAIN_NAMES = ["login", "email", "firstName", "lastName"] as const;

export const KINDS = ["text", "number", "boolean", "texts", "numbers"] as const;

export type Kind = (typeof KINDS)[number];

/** An attribute of the org's own. Which of the values it has depends on its kind. */
export interface Attribute {
  /** Its place in the form, also while it has no name. */
  readonly key: number;
  readonly name: string;
  readonly kind: Kind;
  readonly text: string;
  readonly isOn: boolean;
  readonly items: readonly string[];
}

const NO_VALUE = { text: "", isOn: false, items: [] };

/** The address of the form of a user. */
export function formOf(id: string): string {
  return `/users/${id}`;
}

export const NEW_USER: Draft = { main: { login: "", email: "", firstName: "", lastName: "" }, attributes: [] };

export function newAttribute(attributes: Draft["attributes"]): Attribute {
  return { key: Math.max(0, ...attributes.map(({ key }) => key)) + 1, name: "", kind: "text", ...NO_VALUE };
}

export function toDraft(profile: Profile): Draft {
  const { login, email, firstName, lastName, ...own } = profile;
  return {
    main: { login, email, firstName, lastName },
    attributes: Object.entries(own).map(([name, value], key) => ({ key, name, ...NO_VALUE, ...toValue(value) })),
  };
}

function toValue(value: Profile[string]): Partial<Attribute> & Pick<Attribute, "kind"> {
  if (Array.isArray(value)) {
    const kind = value.length > 0 && value.every((item) => typeof item === "number") ? "numbers" : "texts";
    return { kind, items: value.map(String) };
  }
  if (typeof value === "boolean") return { kind: "boolean", isOn: value };
  return { kind: typeof value === "number" ? "number" : "text", text: String(value) };
}

export function fromDraft({ main, attributes }: Draft): Profile {
  return { ...main, ...Object.fromEntries(attributes.map((attribute) => [attribute.name, fromValue(attribute)])) };
}

function fromValue({ kind, text, isOn, items }: Attribute): Profile[string] {
  switch (kind) {
    case "text":
      return text;
    case "number":
      return Number(text);
    case "boolean":
      return isOn;
    case "texts":
      return [...items];
    case "numbers":
      return items.map(Number);
  }
}

/** The same value as another kind, as far as it can be. */
export function withKind(attribute: Attribute, kind: Kind): Attribute {
  const { text, items } = attribute;
  const isList = kind === "texts" || kind === "numbers";
  if (isList && items.length === 0 && text !== "") return { ...attribute, kind, items: [text] };
  if (!isList && text === "" && items.length > 0) return { ...attribute, kind, text: items[0] ?? "" };
  return { ...attribute, kind };
}

/** What can't be sent at all, by the key of the attribute. The server checks everything else. */
export function findFaults({ attributes }: Draft): ReadonlyMap<number, string> {
  const taken = new Set<string>(MAIN_NAMES);
  const faults = new Map<number, string>();
  for (const { key, name, kind, text, items } of attributes) {
    if (name === "") faults.set(key, userForm.needsName);
    else if (taken.has(name)) faults.set(key, userForm.twice);
    else if (kind === "number" && !isNumber(text)) faults.set(key, userForm.notNumber);
    else if (kind === "numbers" && !items.every(isNumber)) faults.set(key, userForm.notNumbers);
    taken.add(name);
  }
  return faults;
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** What the server found wrong with an attribute of this name, or with an element of it. */
export function findCause(causes: readonly string[], name: string): string | undefined {
  const path = /^[A-Za-z_]\w*$/.test(name) ? `profile.${name}` : `profile[${JSON.stringify(name)}]`;
  const cause = causes.find((text) => text.startsWith(`${path}:`) || text.startsWith(`${path}[`));
  return cause?.slice(path.length).replace(/^: /, "");
}
