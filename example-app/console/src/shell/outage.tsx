import { Group, Text } from "@mantine/core";
import { useQueryClient, type Query } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { isOutage } from "../api/http.js";
import { Callout } from "../parts/callout.js";
import { summarize } from "../parts/summarize.js";
import { parts } from "../texts/en/parts.js";
import { shell } from "../texts/en/shell.js";
import { LOCALE } from "../texts/language.js";

const TIME = new Intl.DateTimeFormat(LOCALE, { timeStyle: "medium" });

/** Says that the server does not answer, and how old is what the page shows. The page tries again by itself. */
export function Outage() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  const failed = () => cache.findAll({ type: "active", predicate: hasFailed });
  const text = useSyncExternalStore(subscribe, () => describe(failed()));
  if (text === "") return null;
  return (
    <Callout color="yellow">
      <Group justify="space-between">
        <Text size="sm">{text}</Text>
        <button
          type="button"
          className="shell-button shell-words"
          onClick={() => void Promise.all(failed().map((query) => query.fetch()))}
        >
          {parts.tryAgain}
        </button>
      </Group>
    </Callout>
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
  const problem = summarize(first.state.error);
  if (times.length === 0) return shell.outage({ problem });
  return shell.outageSince({ problem, time: TIME.format(Math.min(...times)) });
}
