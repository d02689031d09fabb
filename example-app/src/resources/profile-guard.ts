import type { Request } from "express";
import type { Question } from "../discovery/conditions.js";
import type { ApiSettings } from "../model/api-settings.js";
import { createScopeCheck } from "../access/scope.js";

/** Begins the cause of a refusal: whoever learns the result of a test learns what the profile of its login decides. */
export const TEST_NEED = "A rule has a condition on an attribute; a routing test that comes to it";

/**
 * Questions whose profile is read only for a caller who may read users: who gets the answer learns whether the profile meets
 * the conditions on its attributes.
 */
export function createProfileGuard(settings: Pick<ApiSettings, "namespace">) {
  const assertReadsUsers = createScopeCheck(settings, "users.read");

  /** @param what shows the answer: `preview` */
  return function guardProfile(req: Request, question: Question, what: string): Question {
    return {
      ...question,
      async lookupProfile(...names) {
        assertReadsUsers(req, `A rule has a condition on an attribute; this ${what}`);
        return question.lookupProfile(...names);
      },
    };
  };
}
