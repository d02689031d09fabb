import { z } from "zod";
import type { NamedShape } from "../resource.js";

/** JSON Schema, draft 2020-12. */
export type Schema = Record<string, unknown>;

export interface Reference {
  readonly $ref: string;
}

/** Parts of a regular expression that other languages than JavaScript read in another way. */
const OWN_SYNTAX_REGEXP = /\(\?|\\[pPu]/;

/** The named schemas of a description, made of the shapes that check bodies and of those that say what is sent. */
export function createSchemas() {
  const schemas: Record<string, Schema> = {};

  return {
    schemas,

    /** A reference to a shape of what is sent. It promises no lengths: those of bodies may have been others. */
    sent: ({ name, shape }: NamedShape): Reference => add(name, collect(withoutLengths(toSchema(shape)))),

    /**
     * A reference to the shape of a body. `parseBody` ignores its id, and for an optional member null means the same as
     * nothing.
     */
    body: ({ name, shape }: NamedShape): Reference => add(name, acceptNulls(withoutId(collect(toSchema(shape))))),

    /** The schema of a parameter. */
    parameter: (shape: NamedShape["shape"]): Schema => collect(toSchema(shape)),
  };

  function add(name: string, schema: Schema): Reference {
    const known = schemas[name];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new TypeError(`two shapes are named ${name}`);
    schemas[name] = schema;
    return referTo(name);
  }

  /** Move the definitions in `schema` to the named schemas. */
  function collect({ $defs = {}, ...schema }: Schema): Schema {
    for (const [name, definition] of Object.entries($defs as Record<string, Schema>)) {
      add(name, mapMembers(definition, collect));
    }
    if (typeof schema["$ref"] === "string") return { ...schema, ...referTo(schema["$ref"].replace("#/$defs/", "")) };
    return mapMembers(schema, collect);
  }
}

export function referTo(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` };
}

/** The values that `shape` accepts. A reader ignores members that it does not know (rule N3), so others are no fault. */
function toSchema(shape: z.ZodType): Schema {
  const schema: Schema = z.toJSONSchema(shape, { io: "input", unrepresentable: "any", override: complete });
  return without(schema, "$schema");
}

/** Complete what `z.toJSONSchema` makes of one shape. */
function complete({ zodSchema, jsonSchema: schema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Schema }): void {
  const { def } = zodSchema._zod;
  // a shape with a check before it, such as `list` of model/shapes.ts, accepts what both accept
  if (def.type === "pipe" && def.out._zod.def.type !== "transform")
    Object.assign(schema, toSchema(def.out as z.ZodType));
  if (schema["additionalProperties"] === false) delete schema["additionalProperties"];
  if (OWN_SYNTAX_REGEXP.test(String(schema["pattern"]))) delete schema["pattern"];
  // a list of exactly one, which tools know better than a tuple of one
  const { prefixItems } = schema as { prefixItems?: Schema[] };
  if (prefixItems?.length === 1) {
    schema["items"] = prefixItems[0];
    delete schema["prefixItems"];
  }
  if (schema["minItems"] === 0) delete schema["minItems"];
  if (schema["minimum"] === Number.MIN_SAFE_INTEGER) delete schema["minimum"];
  if (schema["maximum"] === Number.MAX_SAFE_INTEGER) delete schema["maximum"];
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  const possible = properties.filter(([, member]) => JSON.stringify(member) !== '{"not":{}}');
  if (possible.length < properties.length) schema["properties"] = Object.fromEntries(possible);
}

function withoutLengths(schema: Schema): Schema {
  return mapMembers(without(schema, "minLength", "maxLength"), withoutLengths);
}

function withoutId(schema: Schema): Schema {
  const { properties } = schema;
  return properties === undefined ? schema : { ...schema, properties: without(properties as Schema, "id") };
}

/** Optional members of objects, also of objects in them but not in arrays, may be null. */
function acceptNulls(schema: Schema): Schema {
  const changed: Schema = { ...schema };
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    if (keyword in schema) changed[keyword] = (schema[keyword] as Schema[]).map(acceptNulls);
  }
  const { properties, required = [], additionalProperties } = schema;
  if (properties !== undefined) {
    changed["properties"] = mapValues(properties as Record<string, Schema>, (member, name) =>
      (required as string[]).includes(name) ? acceptNulls(member) : orNull(acceptNulls(member)),
    );
  }
  if (isSchema(additionalProperties)) changed["additionalProperties"] = orNull(acceptNulls(additionalProperties));
  return changed;
}

function orNull(schema: Schema): Schema {
  const { type, enum: values, const: value, description, anyOf, ...rest } = schema;
  if (Object.keys(schema).every((keyword) => keyword === "description")) return schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as Schema[]), { type: "null" }] };
  if (typeof type !== "string" || "$ref" in schema) {
    return {
      ...(description !== undefined && { description }),
      anyOf: [{ ...rest, ...(type !== undefined && { type }) }, { type: "null" }],
    };
  }
  const choices = value === undefined ? (values as unknown[] | undefined) : [value];
  return {
    ...(description !== undefined && { description }),
    type: [type, "null"],
    ...(choices && { enum: [...choices, null] }),
    ...rest,
  };
}

/** A copy of `schema`, whose subschemas are changed. */
function mapMembers(schema: Schema, change: (member: Schema) => Schema): Schema {
  return mapValues(schema, (value, keyword) => {
    if (Array.isArray(value)) return value.map((member: unknown) => (isSchema(member) ? change(member) : member));
    if (keyword === "properties") return mapValues(value as Record<string, Schema>, change);
    return isSchema(value) ? change(value) : value;
  });
}

function mapValues<T, U>(object: Readonly<Record<string, T>>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function without(schema: Schema, ...keywords: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
