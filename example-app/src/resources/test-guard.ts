import type { Request } from "express";
import { getQuery } from "etiquette/query-parameters";
import { z } from "zod";
import { createScopeCheck } from "../access/scope.js";
import { apiError } from "../model/api-error.js";
import { assertOneOf } from "../rest/body.js";
import { plainParameters } from "../rest/query.js";
import type { WriteGuard } from "../rest/resource-type.js";
import type { ApiDependencies } from "../rest/resource.js";
import { TEST_NEED } from "./profile-guard.js";
import { beginTestedChange, type TestedChangeOptions } from "../tenancy/tested-change.js";

const FLAG = z.enum(["true", "false"]);
const PARAMETER = "allowFailingTests";

/** Refuses changes after which a routing test fails that passed before, with E0009102. */
export function createTestGuard(
  { settings, nextTurn }: Pick<ApiDependencies, "settings"> & Pick<TestedChangeOptions, "nextTurn">,
  { changesTests = false }: Pick<TestedChangeOptions, "changesTests"> = {},
): WriteGuard {
  const assertReadsUsers = createScopeCheck(settings, "users.read");

  return {
    query: [
      plainParameters({
        [PARAMETER]: {
          shape: FLAG,
          description: "Whether the change may make routing tests fail. By default it may not.",
        },
      }),
    ],
    async begin(req, transaction, orgId) {
      if (isAllowed(req)) return () => Promise.resolve();
      const finish = await beginTestedChange(transaction, orgId, {
        changesTests,
        nextTurn,
        assertReadsUsers() {
          assertReadsUsers(req, TEST_NEED);
        },
      });
      return async () => {
        const failing = await finish();
        if (!failing) return;
        const causes = [...failing.causes, `To make the change nevertheless, send ${PARAMETER}=true.`];
        throw apiError("E0009102", { type: "routing-test.failing", causes });
      };
    },
  };
}

function isAllowed(req: Request): boolean {
  const text = getQuery(req).get(PARAMETER) ?? "false";
  assertOneOf(PARAMETER, text, FLAG.options);
  return text === "true";
}
