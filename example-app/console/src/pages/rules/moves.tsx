import { Button, List, Table, Text, VisuallyHidden } from "@mantine/core";
import { Fragment, useState } from "react";
import type { ReplayedMove } from "../../api/types.js";
import { visible } from "../../parts/visible.js";
import { useProviderName } from "./provider-name.js";
import { Providers } from "../../parts/outcomes.js";

const NUMBER = new Intl.NumberFormat();

/** From which provider to which how many logins move. Each row opens to examples. */
export function Moves({ moves, others }: Readonly<{ moves: readonly ReplayedMove[]; others: number }>) {
  const nameOf = useProviderName();
  const [opened, setOpened] = useState<number>();
  return (
    <Table withTableBorder verticalSpacing={6}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>From</Table.Th>
          <Table.Th>To</Table.Th>
          <Table.Th ta="right">Logins</Table.Th>
          <Table.Th>
            <VisuallyHidden>Examples</VisuallyHidden>
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
                <Table.Td className="foreign">{from === to ? `${to}, with others after it` : to}</Table.Td>
                <Table.Td ta="right">{NUMBER.format(move.count)}</Table.Td>
                <Table.Td ta="right">
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-expanded={isOpen}
                    aria-label={`Examples: from ${from} to ${to}`}
                    onClick={() => {
                      setOpened(isOpen ? undefined : index);
                    }}
                  >
                    Examples
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
            <Table.Td colSpan={2}>Other moves</Table.Td>
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
          <Text span fw={600} inherit>
            {visible(login)}
          </Text>
          {client.ipAddress !== null && ` from ${client.ipAddress}`} → <Providers outcome={after} />{" "}
          <Text span size="xs" c="dimmed">
            by {visible(after.rule.name)}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
