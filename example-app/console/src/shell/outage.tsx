import { Alert, Button, Group, Text } from "@mantine/core";
import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { isOutage } from "../api/http.js";
import { summarize } from "../parts/faults.js";

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** Says that the server does not answer, and how old is what the page shows. The page tries again by itself. */
export function Outage() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const failed = () => cache.findAll({ type: "active", predicate: hasFailed });
  const text = useSyncExternalStore(subscribe, () => describe(failed()));
  if (text === "") return null;
  return (
    <Alert color="yellow" variant="light" mb="md" role="alert">
      <Group justify="space-between">
        <Text size="sm">{text} The page tries again by itself.</Text>
        <Button size="xs" variant="default" onClick={() => void Promise.all(failed().map((query) => query.fetch()))}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}

function hasFailed({ state }: Query): boolean {
  return isOutage(state.error) && state.status === "error";
}

/** Empty when all went well. */
function describe(queries: readonly Query[]): string {
  const [first] = queries;
  if (!first?.state.error) return "";
  const times = queries.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0);
  const age = times.length === 0 ? "" : ` What you see is of ${TIME.format(Math.min(...times))}.`;
  return summarize(first.state.error) + age;
}
