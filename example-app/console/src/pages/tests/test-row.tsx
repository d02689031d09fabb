import { Box, Button, Group, Text, ThemeIcon } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { idpsQuery, zonesQuery } from "../../api/queries.js";
import type { RoutingTest } from "../../api/types.js";
import { Confirm } from "../../parts/confirm.js";
import { CheckIcon, CrossIcon } from "../../parts/icons.js";
import { Problem } from "../../parts/problem.js";
import { useReadAgain } from "../../parts/use-read-again.js";
import { visible } from "../../parts/visible.js";
import { useScope, useSession } from "../../session/use-session.js";
import { deleteTest, type TriedTest } from "./requests.js";

/** A test, and where its login goes if it fails. */
export function TestRow({ policyId, tried }: Readonly<{ policyId: string; tried: TriedTest }>) {
  const { test, result } = tried;
  const { org } = useSession();
  const { place, wanted } = useWords(test);
  const { actual, passed } = result;
  const [first] = actual?.providers ?? [];
  const got = actual
    ? `It goes to ${visible(first?.name ?? `${org.name} itself`)} by the rule ${visible(actual.rule.name)}.`
    : "Its zone is gone, or has no gateway.";
  return (
    <Box role="listitem" px="md" py="sm" style={{ borderTop: "1px solid var(--mantine-color-default-border)" }}>
      <Group gap="sm" align="flex-start" wrap="nowrap" data-passed={passed}>
        <ThemeIcon variant="light" color={passed ? "teal" : "red"} radius="xl" size={28} mt={2}>
          {passed ? <CheckIcon size={16} /> : <CrossIcon size={16} />}
        </ThemeIcon>
        <Box flex={1} miw={0}>
          <Text fw={600} className="foreign">
            {visible(test.name)}
          </Text>
          <Text size="sm" c="dimmed" className="foreign">
            {visible(test.login)}
            {place} must go to {wanted}. {passed ? "It does." : ""}
          </Text>
          {!passed && (
            <Text size="sm" c="red.9" fw={500} className="foreign fails">
              {got}
            </Text>
          )}
        </Box>
        <Group gap="xs" wrap="nowrap">
          {test.zone === undefined && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Try the login of ${visible(test.name)}`}
              renderRoot={(props: object) => (
                <Link
                  to="/"
                  search={{ login: test.login, ip: test.clientIp ?? "", device: test.userAgent ?? "" }}
                  {...props}
                />
              )}
            >
              Try
            </Button>
          )}
        </Group>
      </Group>
      {useScope("policies.manage") && <DeleteTest policyId={policyId} test={test} />}
    </Box>
  );
}

/** Where the login comes from, and where it must go. */
function useWords({ clientIp, zone, expected }: RoutingTest) {
  const { org } = useSession();
  const { data: idps = [] } = useQuery({ ...idpsQuery, enabled: useScope("idps.read") });
  const { data: zones = [] } = useQuery({ ...zonesQuery, enabled: useScope("zones.read") });
  const from = zone === undefined ? clientIp : (zones.find(({ id }) => id === zone)?.name ?? zone);
  const { provider, rule } = expected;
  const name = provider?.id === undefined ? `${org.name} itself` : idps.find(({ id }) => id === provider.id)?.name;
  const wanted = [
    ...(provider ? [visible(name ?? "a provider that is gone")] : []),
    ...(rule === undefined ? [] : ["the provider of its rule"]),
  ];
  return { place: from === undefined ? "" : ` from ${visible(from)}`, wanted: wanted.join(", ") };
}

function DeleteTest({ policyId, test }: Readonly<{ policyId: string; test: RoutingTest }>) {
  const [isAsked, setAsked] = useState(false);
  const readAgain = useReadAgain();
  const remove = useMutation({ mutationFn: () => deleteTest(policyId, test.id), onSettled: () => readAgain() });
  if (!isAsked) {
    return (
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        ml={36}
        aria-label={`Delete the test ${visible(test.name)}`}
        onClick={() => {
          setAsked(true);
        }}
      >
        Delete
      </Button>
    );
  }
  return (
    <Box mt="sm">
      {remove.error && <Problem error={remove.error} title="The test was not deleted" />}
      <Confirm
        title={`Delete the test ${visible(test.name)}?`}
        action="Delete the test"
        isPending={remove.isPending}
        onConfirm={() => {
          remove.mutate();
        }}
        onCancel={() => {
          setAsked(false);
        }}
      >
        This can&apos;t be undone.
      </Confirm>
    </Box>
  );
}
