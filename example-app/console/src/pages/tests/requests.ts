import { queryOptions } from "@tanstack/react-query";
import { answerOf, api } from "../../api/client.js";
import { listAll } from "../../api/queries.js";
import type { RoutingTest, RoutingTestInput, RoutingTestResult } from "../../api/types.js";
import { byName } from "../../parts/collate.js";

const PAGE_SIZE = 200;

/** A test, and what it finds now. */
export interface TriedTest {
  readonly test: RoutingTest;
  readonly result: RoutingTestResult;
}

const ofPolicy = (policyId: string) => ({ path: { policyId } });

/** All tests of the org, of which a quota bounds the number; those that fail come first. */
export const testsQuery = (policyId: string) =>
  queryOptions({
    queryKey: ["tests", policyId],
    async queryFn({ signal }): Promise<TriedTest[]> {
      const first = api.GET("/api/v1/policies/{policyId}/routingTests", {
        params: { ...ofPolicy(policyId), query: { limit: PAGE_SIZE } },
        signal,
      });
      const [tests, { data }] = await Promise.all([
        listAll(answerOf(first), signal),
        answerOf(api.GET("/api/v1/policies/{policyId}/routingTests/results", { params: ofPolicy(policyId), signal })),
      ]);
      const results = new Map(data.results.map((result) => [result.test.id, result]));
      const tried = tests.flatMap((test) => {
        const result = results.get(test.id);
        return result ? [{ test, result }] : [];
      });
      return tried.sort((a, b) => Number(a.result.passed) - Number(b.result.passed) || byName(a.test, b.test));
    },
  });

export async function createTest(policyId: string, body: RoutingTestInput): Promise<void> {
  await api.POST("/api/v1/policies/{policyId}/routingTests", { params: ofPolicy(policyId), body });
}

export async function deleteTest(policyId: string, testId: string): Promise<void> {
  await api.DELETE("/api/v1/policies/{policyId}/routingTests/{testId}", {
    params: { path: { policyId, testId } },
  });
}
