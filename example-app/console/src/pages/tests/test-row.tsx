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
import { tests } from "../../texts/en/tests.js";
import { deleteTest, type TriedTest } from "./requests.js";

/** A test, and where its login goes if it fails. */
export function TestRow({ policyId, tried }: Readonly<{ policyId: string; tried: TriedTest }>) {
  const { test, result } = tried;
  const { org } = useSession();
  const { actual, passed } = result;
  const words = useWords(test, passed);
  const [first] = actual?.providers ?? [];
  const got = actual
    ? tests.got({
        provider: visible(first?.name ?? tests.itself({ org: org.name })),
        rule: visible(actual.rule.name),
      })
    : tests.noZone;
  return (
    <Box px="md" py="sm">
      <Group gap="sm" align="flex-start" wrap="nowrap" data-passed={passed}>
        <ThemeIcon variant="light" color={passed ? "teal" : "red"} radius="xl" size={28} mt={2}>
          {passed ? <CheckIcon size={16} /> : <CrossIcon size={16} />}
        </ThemeIcon>
        <Box flex={1} miw={0}>
          <Text fw={600} className="foreign">
            {visible(test.name)}
          </Text>
          <Text size="sm" c="dimmed" className="foreign">
            {words}
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
              aria-label={tests.tryNamed({ name: visible(test.name) })}
              renderRoot={(props: object) => (
                <Link
                  to="/"
                  search={{ login: test.login, ip: test.clientIp ?? "", device: test.userAgent ?? "" }}
                  {...props}
                />
              )}
            >
              {tests.try}
            </Button>
          )}
        </Group>
      </Group>
      {useScope("policies.manage") && <DeleteTest policyId={policyId} test={test} />}
    </Box>
  );
}

/** Where the login comes from, where it must go, and whether it does. */
function useWords({ login: name, clientIp, zone, expected }: RoutingTest, passed: boolean): string {
  const { org } = useSession();
  const { data: idps = [] } = useQuery({ ...idpsQuery, enabled: useScope("idps.read") });
  const { data: zones = [] } = useQuery({ ...zonesQuery, enabled: useScope("zones.read") });
  const from = zone === undefined ? clientIp : (zones.find(({ id }) => id === zone)?.name ?? zone);
  const { provider, rule } = expected;
  const nameOf = ({ id }: NonNullable<typeof provider>) =>
    id === undefined ? tests.itself({ org: org.name }) : (idps.find((idp) => idp.id === id)?.name ?? tests.gone);
  const wanted = describeWanted(provider && visible(nameOf(provider)), rule !== undefined);
  const login = visible(name);
  if (from === undefined) return (passed ? tests.goes : tests.mustGo)({ login, wanted });
  return (passed ? tests.goesFrom : tests.mustGoFrom)({ login, wanted, place: visible(from) });
}

function describeWanted(provider: string | undefined, isByRule: boolean): string {
  if (provider === undefined) return tests.ofRule;
  return isByRule ? tests.andOfRule({ provider }) : provider;
}

function DeleteTest({ policyId, test }: Readonly<{ policyId: string; test: RoutingTest }>) {
  const [isAsked, setAsked] = useState<boolean>(); // not yet
  const readAgain = useReadAgain();
  const remove = useMutation({ mutationFn: () => deleteTest(policyId, test.id), onSettled: () => readAgain() });
  if (isAsked !== true) {
    return (
      <Button
        autoFocus={isAsked === false} // it was asked, and comes back
        size="compact-sm"
        variant="subtle"
        color="red"
        ml={36}
        aria-label={tests.deleteNamed({ name: visible(test.name) })}
        onClick={() => {
          setAsked(true);
        }}
      >
        {tests.delete}
      </Button>
    );
  }
  return (
    <Box mt="sm">
      {remove.error && <Problem error={remove.error} title={tests.notDeleted} />}
      <Confirm
        title={tests.deleteAsked({ name: visible(test.name) })}
        action={tests.deleteTest}
        isPending={remove.isPending}
        onConfirm={() => {
          remove.mutate();
        }}
        onCancel={() => {
          setAsked(false);
        }}
      >
        {tests.final}
      </Confirm>
    </Box>
  );
}
