import { NUMBER } from "../../parts/number-format.js";
import { Button, List, Table, Text, VisuallyHidden } from "@mantine/core";
import { Fragment, useState } from "react";
import type { ReplayedMove } from "../../api/types.js";
import { visible } from "../../parts/visible.js";
import { ruleReplay as texts } from "../../texts/en/rule-replay.js";
import { useProviderName } from "./provider-name.js";
import { Providers } from "../../parts/outcomes.js";

/** From which provider to which how many logins move. Each row opens to examples. */
export function Moves({ moves, others }: Readonly<{ moves: readonly ReplayedMove[]; others: number }>) {
  const nameOf = useProviderName();
  const [opened, setOpened] = useState<number>();
  return (
    <Table withTableBorder verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.from}</Table.Th>
          <Table.Th>{texts.to}</Table.Th>
          <Table.Th ta="right">{texts.logins}</Table.Th>
          <Table.Th>
            <VisuallyHidden>{texts.examples}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {moves.map((move, index) => {
          const [from, to] = [nameOf(move.from), nameOf(move.to)];
          const isOpen = opened === index;
          return (
            <Fragment key={`${move.from.id} ${move.to.id}`}>
              <Table.Tr>
                <Table.Td className="foreign">{from}</Table.Td>
                <Table.Td className="foreign">{from === to ? texts.withOthers({ to }) : to}</Table.Td>
                <Table.Td ta="right">{NUMBER.format(move.count)}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-expanded={isOpen}
                    aria-label={texts.examplesOf({ from, to })}
                    onClick={() => {
                      setOpened(isOpen ? undefined : index);
                    }}
                  >
                    {texts.examples}
                  </Button>
                </Table.Td>
              </Table.Tr>
              {isOpen && (
                <Table.Tr>
                  <Table.Td colSpan={4}>
                    <Examples move={move} />
                  </Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          );
        })}
        {others > 0 && (
          <Table.Tr>
            <Table.Td colSpan={2}>{texts.otherMoves}</Table.Td>
            <Table.Td ta="right">{NUMBER.format(others)}</Table.Td>
            <Table.Td />
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}

function Examples({ move }: Readonly<{ move: ReplayedMove }>) {
  return (
    <List size="sm" listStyleType="none">
      {move.examples.map(({ login, client, after }) => (
        <List.Item key={login} className="foreign">
          <Example login={login} address={client.ipAddress} after={after} />
        </List.Item>
      ))}
    </List>
  );
}

type ExampleProps = Pick<ReplayedMove["examples"][number], "login" | "after"> & { address: string | null };

function Example({ login, address, after }: Readonly<ExampleProps>) {
  const values = {
    login: (
      <Text key="login" span fw={600} inherit>
        {visible(login)}
      </Text>
    ),
    after: <Providers key="after" outcome={after} />,
    by: (
      <Text key="by" span size="xs" c="dimmed">
        {texts.by({ rule: visible(after.rule.name) })}
      </Text>
    ),
  };
  return address === null ? texts.example(values) : texts.exampleFrom({ ...values, address });
}
