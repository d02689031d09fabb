import { Button, Checkbox, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useRef, useState } from "react";
import type { Rule } from "../../api/types.js";
import { Refusal } from "../../parts/refusal.js";
import { visible } from "../../parts/visible.js";
import { ruleBulk as texts } from "../../texts/en/rule-bulk.js";
import { MAX_BULK } from "./bulk-requests.js";
import { Stop } from "./stop.js";
import type { useBulk } from "./use-bulk.js";

interface BulkBarProps {
  shown: readonly Rule[];
  chosen: ReadonlySet<string>;
  onChoose: (chosen: ReadonlySet<string>) => void;
  bulk: ReturnType<typeof useBulk>;
  /** The number of all rules. */
  count: number;
}

/** What one does with several rules. */
export function BulkBar({ shown, chosen, onChoose, bulk, count }: Readonly<BulkBarProps>) {
  const [place, setPlace] = useState<number>();
  const all = useRef<HTMLInputElement>(null);
  const ids = shown.filter(({ system }) => !system).map(({ id }) => id);
  const isAll = ids.length > 0 && ids.every((id) => chosen.has(id));
  const isNone = chosen.size === 0 || bulk.isPending;
  const { progress } = bulk;
  const isTooMany = chosen.size > MAX_BULK;
  const move = (to: number) => {
    bulk.start({ place: to }, chosen);
  };
  return (
    <Stack gap="xs" px="md" pb="md">
      <Group gap="sm" role="group" aria-label={texts.title}>
        <Checkbox
          ref={all}
          label={texts.selectAll({ n: ids.length })}
          checked={isAll}
          indeterminate={!isAll && chosen.size > 0}
          disabled={bulk.run !== undefined}
          onChange={() => {
            onChoose(new Set(isAll ? [] : ids));
          }}
        />
        {chosen.size > 0 && !isTooMany && (
          <>
            {(["ACTIVE", "INACTIVE"] as const).map((status) => (
              <Button
                key={status}
                size="xs"
                variant="default"
                disabled={isNone}
                onClick={() => {
                  bulk.start({ status }, chosen);
                }}
              >
                {status === "ACTIVE" ? texts.on : texts.off}
              </Button>
            ))}
            <Button
              size="xs"
              variant="default"
              disabled={isNone}
              onClick={() => {
                move(1);
              }}
            >
              {texts.toTop}
            </Button>
            <Group gap={4} wrap="nowrap">
              <NumberInput
                aria-label={texts.placeTo}
                placeholder={texts.place}
                size="xs"
                w={84}
                min={1}
                max={count}
                value={place ?? ""}
                onChange={(value) => {
                  setPlace(typeof value === "number" ? value : undefined);
                }}
              />
              <Button
                size="xs"
                variant="default"
                disabled={isNone || place === undefined || place < 1}
                onClick={() => {
                  if (place !== undefined) move(place);
                }}
              >
                {place === undefined ? texts.toPlace : texts.toPlaceNumber({ place })}
              </Button>
            </Group>
          </>
        )}
        {bulk.run && <Stop onStop={bulk.stop} next={all} />}
        <Text size="sm" c="dimmed" role="status">
          {describeChosen(chosen.size, bulk)}
        </Text>
      </Group>
      {bulk.dialog}
      <Refusal
        writing={bulk.writing}
        title={progress ? texts.stopped({ name: visible(progress.at) }) : texts.nothing}
        action={texts.anyway}
      />
    </Stack>
  );
}

/** `3 selected`, and how many of them are done */
function describeChosen(n: number, { isPending, progress, run }: BulkBarProps["bulk"]): string {
  if (isPending && progress) {
    if (run === "stopping") return texts.stopping({ name: visible(progress.at) });
    return texts.going({ n, done: progress.done, all: progress.all });
  }
  if (n === 0) return "";
  return n > MAX_BULK ? texts.tooMany({ n, max: MAX_BULK }) : texts.selected({ n });
}
