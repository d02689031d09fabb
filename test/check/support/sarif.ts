/**
 * What SARIF 2.1.0 demands of the parts that a report has: names, types, enumerations and required members, from the schema of
 * the standard. Other members are refused, so a report can't grow past it.
 */
const TEXT = { type: "string" };
const MESSAGE = closed({ text: TEXT }, ["text"]);
const LEVEL = { enum: ["none", "note", "warning", "error"] };

const RULE = closed(
  {
    id: TEXT,
    shortDescription: MESSAGE,
    fullDescription: MESSAGE,
    help: MESSAGE,
    defaultConfiguration: closed({ level: LEVEL }, []),
    properties: {
      type: "object",
      properties: { tags: { type: "array", minItems: 0, uniqueItems: true, items: TEXT } },
    },
  },
  ["id"],
);

const LOCATION = closed(
  {
    physicalLocation: closed(
      { artifactLocation: closed({ uri: { type: "string", format: "uri-reference" } }, []) },
      [],
    ),
    logicalLocations: listOf(closed({ fullyQualifiedName: TEXT, kind: TEXT }, [])),
  },
  [],
);

const RESULT = closed(
  {
    ruleId: TEXT,
    ruleIndex: { type: "integer", minimum: -1 },
    level: LEVEL,
    message: MESSAGE,
    locations: listOf(LOCATION),
    partialFingerprints: { type: "object", additionalProperties: TEXT },
    baselineState: { enum: ["new", "unchanged", "updated", "absent"] },
  },
  ["message"],
);

const INVOCATION = closed(
  {
    executionSuccessful: { type: "boolean" },
    toolExecutionNotifications: listOf(closed({ level: LEVEL, message: MESSAGE }, ["message"])),
  },
  ["executionSuccessful"],
);

export const SARIF_SCHEMA = closed(
  {
    $schema: { type: "string", format: "uri" },
    version: { const: "2.1.0" },
    runs: listOf(
      closed(
        {
          tool: closed({ driver: closed({ name: TEXT, rules: listOf(RULE) }, ["name"]) }, ["driver"]),
          invocations: listOf(INVOCATION),
          results: listOf(RESULT),
        },
        ["tool"],
      ),
    ),
  },
  ["version", "runs"],
);

function closed(properties: object, required: readonly string[]): object {
  return { type: "object", properties, required, additionalProperties: false };
}

function listOf(items: object): object {
  return { type: "array", items };
}
