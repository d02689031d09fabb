import type { UserIdentifierCondition } from "../model/records.js";
import { addConditional, createBucketsBuilder, type Bucket } from "./bucket.js";
import { createBits, hasBit, type Bits } from "./bits.js";
import type { Profile } from "./conditions.js";
import { costOfFolding, foldIdentifier } from "./identifier.js";
import type { IdentifierIndex } from "./identifier-index.js";
import type { Steps } from "../pace/steps.js";

/** The conditions of many rules on attributes of a profile, one of each rule at most. */
export interface AttributeSets {
  /** The attributes that they name. */
  readonly names: readonly string[];
  /** Whether the rule has such a condition. */
  has(rule: number): boolean;
  /** A function that finds out whether the condition of a rule holds. Each attribute is searched once, when first asked for. */
  ask(profile: Profile | undefined): (rule: number) => Steps<boolean>;
}

export interface AttributeSetsBuilder {
  add(rule: number, condition: UserIdentifierCondition): void;
  build(): Steps<AttributeSets>;
}

/** The index of one attribute, and its name. */
interface NamedIndex {
  readonly name: string;
  readonly index: IdentifierIndex<Bucket>;
}

/** For each attribute an index of the patterns, as there is one for identifiers. */
export function createAttributeSetsBuilder(): AttributeSetsBuilder {
  const builders = new Map<string, ReturnType<typeof createBucketsBuilder>>();
  const attributes: string[] = []; // by rule

  return {
    add(rule, { attribute = "", patterns }) {
      attributes[rule] = attribute;
      let builder = builders.get(attribute);
      if (!builder) builders.set(attribute, (builder = createBucketsBuilder()));
      for (const pattern of patterns) builder.add(pattern, { place: rule, number: rule });
    },
    *build() {
      const indexes = new Map<string, NamedIndex>();
      for (const [name, builder] of builders) {
        indexes.set(name, { name, index: yield* builder.build() });
        builders.delete(name);
        yield 1;
      }
      const byRule = attributes.map((name) => indexes.get(name));
      return {
        names: [...indexes.keys()],
        has: (rule) => byRule[rule] !== undefined,
        ask(profile) {
          const holding = createBits(byRule.length);
          const searched = new Set<NamedIndex>();
          return function* holds(rule) {
            const attribute = byRule[rule];
            if (attribute && !searched.has(attribute)) {
              yield* search(attribute, profile, holding);
              searched.add(attribute);
            }
            return hasBit(holding, rule);
          };
        },
      };
    },
  };
}

/** Add the rules whose patterns match the attribute to `holding`. None does for an absent user or attribute. */
function* search({ name, index }: NamedIndex, profile: Profile | undefined, holding: Bits): Steps<void> {
  const found: Bucket[] = [];
  yield* index.findInSteps(yield* foldAttribute(profile, name), found);
  addConditional(holding, found);
}

/** The values of an attribute in the form in which they are compared. */
export function* foldAttribute(profile: Profile | undefined, name: string): Steps<string[]> {
  const value = profile && Object.hasOwn(profile, name) ? profile[name] : undefined;
  const texts: string[] = [];
  for (const element of value === undefined ? [] : [value].flat()) {
    const text = String(element);
    texts.push(foldIdentifier(text));
    yield 1 + costOfFolding(text);
  }
  return texts;
}
