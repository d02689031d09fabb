import { Alert, Anchor, Box, Group, Loader, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { RoutingOutcome } from "../../api/types.js";
import { Problem } from "../../parts/problem.js";
import { describeQuestion, readTried } from "../../parts/tried.js";
import { useSession } from "../../session/use-session.js";
import { previewChange, type PreviewedLogin, type RuleChange } from "./requests.js";
import { visible } from "../../parts/visible.js";

/** The pause after the last key before a request is sent, in milliseconds. */
const DEBOUNCE_MS = 400;

interface WhatIfProps {
  policyId: string;
  /** `undefined` while it is not complete. */
  change: RuleChange | undefined;
}

/** What a change would do to the logins that were tried last, while one makes it. */
export function WhatIf({ policyId, change }: Readonly<WhatIfProps>) {
  const [tried] = useState(readTried);
  const [text] = useDebouncedValue(change && JSON.stringify(change), DEBOUNCE_MS);
  const preview = useQuery({
    queryKey: ["trace", "preview", policyId, text, tried],
    queryFn: ({ signal }) => previewChange(policyId, JSON.parse(text ?? "{}") as RuleChange, tried, signal),
    enabled: text !== undefined && tried.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
  return (
    <Box role="region" aria-label="Logins tried last" aria-busy={preview.isFetching}>
      <Group gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          What this changes for the logins tried last
        </Text>
        {preview.isFetching && <Loader size={12} aria-label="Asking" />}
      </Group>
      <Box role="status">
        {tried.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing was tried yet in this tab.{" "}
            <Anchor inherit underline="always" renderRoot={(props: object) => <Link to="/" {...props} />}>
              Try a login
            </Anchor>{" "}
            first to see here what a change does to it.
          </Text>
        )}
        {tried.length > 0 && change === undefined && (
          <Text size="sm" c="dimmed">
            It is shown when the rule has a name, patterns and a provider.
          </Text>
        )}
        {change !== undefined && preview.error && <Problem error={preview.error} title="It can't be told" />}
        {change !== undefined && !preview.error && preview.data && <Changes results={preview.data} />}
      </Box>
    </Box>
  );
}

/** The logins that go elsewhere, and how many don't. */
export function Changes({ results }: Readonly<{ results: readonly PreviewedLogin[] }>) {
  const changed = results.filter((result) => result.changed);
  if (changed.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {results.length === 1 ? "The login goes" : `All ${results.length} logins go`} where{" "}
        {results.length === 1 ? "it goes" : "they go"} now.
      </Text>
    );
  }
  const others = results.length - changed.length;
  return (
    <Alert color="yellow" variant="light" p="sm">
      <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: "none" }}>
        {changed.map(({ question, before, after }) => (
          <Text key={JSON.stringify(question)} component="li" size="sm" className="foreign">
            <Text span fw={600}>
              {question.login === "" ? "no login" : visible(describeQuestion(question))}
            </Text>
            {": "}
            <Providers outcome={before} />
            <span aria-hidden="true"> → </span>
            <VisuallyHidden> then </VisuallyHidden>
            <Text span fw={600} inherit>
              <Providers outcome={after} />
            </Text>{" "}
            <Text span size="xs" c="dimmed">
              by {visible(after.rule.name)}
            </Text>
          </Text>
        ))}
      </Stack>
      {others > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          {others === 1 ? "The other one goes where it goes" : `The other ${others} go where they go`} now.
        </Text>
      )}
    </Alert>
  );
}

/** The providers that an outcome has, in order of preference. */
export function Providers({ outcome }: Readonly<{ outcome: RoutingOutcome }>) {
  const { org } = useSession();
  return outcome.providers.map(({ name }) => visible(name ?? `${org.name} itself`)).join(", then ");
}
