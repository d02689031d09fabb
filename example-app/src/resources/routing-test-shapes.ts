import { z } from "zod";
import { ID_REGEXP } from "../model/ids.js";
import { createRoutingTestShape } from "../model/routing-test-shapes.js";
import { DATE, ID } from "../model/sent-shapes.js";
import { OUTCOME } from "./routing-outcome.js";
import { createProviderShape } from "./rule-shape.js";
import { makeOnce } from "../model/make-once.js";

/**
 * What routing tests are in bodies and responses.
 *
 * @param orgType the type of the org itself among providers
 */
export const createTestShapes = makeOnce((orgType: string) => {
  const idOf = (what: string) => z.string().regex(ID_REGEXP, `must be the id of a ${what}`);
  const body = createRoutingTestShape({
    provider: createProviderShape(orgType),
    zone: idOf("zone"),
    rule: idOf("rule"),
  }).meta({
    examples: [
      {
        name: "Joe at home",
        login: "joe@example.com",
        clientIp: "192.0.2.7",
        expected: { provider: { type: orgType } },
      },
    ],
  });
  const { name, login, clientIp, zone, userAgent, expected } = body.shape;
  const sent = z.object({
    ...{ id: ID, name, login, clientIp, zone, userAgent, expected },
    ...{ created: DATE, lastUpdated: DATE },
  });
  const results = z.object({
    passed: z.int().min(0),
    failed: z.int().min(0),
    results: z
      .array(
        z
          .object({
            test: z.object({ id: ID, name: z.string() }),
            passed: z.boolean(),
            expected,
            actual: OUTCOME.nullable().describe("Null when the zone of the test is gone or has no gateway."),
          })
          .meta({ id: "RoutingTestResult" }),
      )
      .describe("By the name of the test."),
  });
  return { body, sent, results };
});
