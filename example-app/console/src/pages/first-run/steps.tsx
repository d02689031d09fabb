import { Anchor, Button, Group, Paper, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { answerOf, api } from "../../api/client.js";
import { CheckIcon } from "../../parts/icons.js";
import { readTried } from "../../parts/tried.js";
import { useScope } from "../../session/use-session.js";
import { isRotatable } from "../tokens/use-tokens.js";
import { firstRun } from "../../texts/en/first-run.js";
import { hasIdpQuery, useHasRule } from "./queries.js";

/** Whether somebody has a token of their own: none of a link to the console. */
const hasAccessQuery = queryOptions({
  queryKey: ["tokens", "first run"],
  queryFn: async ({ signal }) => {
    const { data } = await answerOf(api.GET("/api/v1/apiTokens", { params: { query: { limit: 200 } }, signal }));
    return data.some(isRotatable);
  },
});

/** The steps of a new org. Each ticks itself. */
export function Steps({ onClose }: Readonly<{ onClose: () => void }>) {
  const mayReadTokens = useScope("apiTokens.read");
  const { data: hasIdp = false } = useQuery(hasIdpQuery);
  const hasRule = useHasRule() === true;
  const { data: hasAccess = false } = useQuery({ ...hasAccessQuery, enabled: mayReadTokens });
  const hasTried = readTried().length > 0;
  return (
    <Paper withBorder p="lg" component="section" aria-label={firstRun.title}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {firstRun.title}
        </Title>
        <Button size="xs" variant="default" onClick={onClose}>
          {firstRun.away}
        </Button>
      </Group>
      <ol style={{ margin: 0, padding: 0, listStyle: "none" }}>
        <Step number={1} isDone={hasIdp}>
          {firstRun.idp({ link: <StepLink key="link" to="/idps/new" text={firstRun.idpLink} /> })}
        </Step>
        <Step number={2} isDone={hasRule}>
          {firstRun.rule({ link: <StepLink key="link" to="/rules/new" text={firstRun.ruleLink} /> })}
        </Step>
        <Step number={3} isDone={hasTried}>
          {firstRun.tried}
        </Step>
        {mayReadTokens && (
          <Step number={4} isDone={hasAccess}>
            {firstRun.token({ link: <StepLink key="link" to="/tokens" text={firstRun.tokenLink} /> })}
          </Step>
        )}
      </ol>
    </Paper>
  );
}

interface StepProps {
  number: number;
  isDone: boolean;
  children: ReactNode;
}

function Step({ number, isDone, children }: Readonly<StepProps>) {
  return (
    <Group component="li" gap="sm" py={6} wrap="nowrap" align="flex-start">
      <ThemeIcon size="sm" radius="xl" variant={isDone ? "filled" : "default"} aria-hidden="true">
        {isDone ? <CheckIcon size={14} /> : <Text size="xs">{number}</Text>}
      </ThemeIcon>
      <Text size="sm" c={isDone ? "dimmed" : undefined}>
        {isDone && <VisuallyHidden>{firstRun.done}</VisuallyHidden>}
        {children}
      </Text>
    </Group>
  );
}

function StepLink({ to, text }: Readonly<{ to: string; text: string }>) {
  return (
    <Anchor inherit underline="always" renderRoot={(root: object) => <Link to={to} {...root} />}>
      {text}
    </Anchor>
  );
}
