import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { idpsQuery, zonesQuery } from "../../api/queries.js";
import { describeConditions, describeProviders } from "../../parts/describe-rule.js";
import { Problem } from "../../parts/problem.js";
import { readRule, type RuleBody } from "./requests.js";

interface ConflictProps {
  policyId: string;
  ruleId: string;
  mine: RuleBody;
  onTakeTheirs: () => void;
  /** @param etag of the version that one has seen */
  onSaveMine: (etag: string | undefined) => void;
}

/** Both versions of a rule that somebody else was faster to change, and the choice between them. */
export function Conflict({ policyId, ruleId, mine, onTakeTheirs, onSaveMine }: Readonly<ConflictProps>) {
  const theirs = useQuery({
    queryKey: ["conflict", ruleId],
    queryFn: ({ signal }) => readRule(policyId, ruleId, signal),
    staleTime: 0,
    gcTime: 0,
  });
  if (theirs.error) return <Problem error={theirs.error} />;
  return (
    <Alert color="yellow" title="Somebody else changed this rule meanwhile">
      <Stack gap="sm">
        {theirs.data && (
          <Group grow align="flex-start">
            <Version title="As it is now" rule={theirs.data.data} />
            <Version title="As you changed it" rule={mine} />
          </Group>
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            Take the rule as it is now
          </Button>
          <Button
            size="xs"
            variant="default"
            disabled={!theirs.data}
            onClick={() => {
              onSaveMine(theirs.data?.etag);
            }}
          >
            Save mine instead
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Version({ title, rule }: Readonly<{ title: string; rule: RuleBody }>) {
  const { data: idps = [] } = useQuery(idpsQuery);
  const { data: zones = [] } = useQuery(zonesQuery);
  const conditions = describeConditions(rule.conditions, { idps, zones });
  return (
    <Stack gap={2} className="foreign">
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <Text size="sm" fw={600}>
        {rule.name}
        {rule.status === "INACTIVE" && ", off"}
      </Text>
      <Text size="sm">
        {conditions.length === 0 ? "Everyone" : `If ${conditions.join(", and ")}`} →{" "}
        {describeProviders(rule.actions.idp, { idps }).join(", then ")}
      </Text>
    </Stack>
  );
}
