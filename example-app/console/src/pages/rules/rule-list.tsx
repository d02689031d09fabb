import {
  DndContext,
  KeyboardSensor,
  PointerSensor,
  closestCenter,
  useSensor,
  useSensors,
  type Announcements,
  type DragEndEvent,
  type UniqueIdentifier,
} from "@dnd-kit/core";
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { Box } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { idpsQuery, zonesQuery } from "../../api/queries.js";
import type { Rule } from "../../api/types.js";
import { useCounts } from "../../parts/counts/use-counts.js";
import { Refusal } from "../../parts/refusal.js";
import { useScope } from "../../session/use-session.js";
import { RuleRow } from "./rule-row.js";
import { moveRule, toBody } from "./requests.js";
import type { Findings } from "./use-findings.js";
import { useCheckedWrite } from "./use-checked-write.js";
import { visible } from "../../parts/visible.js";

/** About, in pixels; each row is measured. */
const ROW_HEIGHT = 104;

interface RuleListProps {
  policyId: string;
  rules: readonly Rule[];
  findings: Findings;
  canMove: boolean;
  canWrite: boolean;
  onEdit: (rule: Rule) => void;
}

/** Tells a screen reader where a rule is while it moves: `Partners, place 3 of 36`. */
function announce(rules: readonly Rule[]): Announcements {
  const nameOf = ({ id }: { id: UniqueIdentifier }) =>
    visible(rules.find((rule) => rule.id === id)?.name ?? "The rule");
  const placeOf = ({ id }: { id: UniqueIdentifier }) =>
    `place ${rules.findIndex((rule) => rule.id === id) + 1} of ${rules.length}`;
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active)}, ${placeOf(active)}`,
    onDragOver: ({ active, over }) => (over ? `${nameOf(active)}, ${placeOf(over)}` : undefined),
    onDragEnd: ({ active, over }) => `${nameOf(active)} was put down at ${placeOf(over ?? active)}`,
    onDragCancel: ({ active }) => `${nameOf(active)} stays at ${placeOf(active)}`,
  };
}

interface Move {
  readonly rule: Rule;
  /** The place where it goes. */
  readonly to: number;
}

/** The rules as rows that can be moved, by drag and by keyboard. Only the rows in view are in the page. */
export function RuleList({ policyId, rules, findings, canMove, canWrite, onEdit }: Readonly<RuleListProps>) {
  const scroller = useRef<HTMLDivElement>(null);
  const { data: idps = [] } = useQuery({ ...idpsQuery, enabled: useScope("idps.read") });
  const { data: zones = [] } = useQuery({ ...zonesQuery, enabled: useScope("zones.read") });
  const counts = useCounts();
  const move = useCheckedWrite<Move>({
    policyId,
    titleOf: ({ rule }) => `Move the rule ${visible(rule.name)}?`,
    action: "Move it",
    changeOf: ({ rule, to }) => ({ ruleId: rule.id, rule: { ...toBody(rule), priority: to } }),
    async write({ rule, to }, allowed) {
      await moveRule(policyId, rule, to, allowed);
      return { text: `Moved the rule ${rule.name} to place ${to} of ${rules.length}`, id: rule.id };
    },
  });
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const virtualizer = useVirtualizer({
    count: rules.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rules[index]?.id ?? index,
    overscan: 8,
  });

  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const rule = rules.find(({ id }) => id === active.id);
    const target = rules.find(({ id }) => id === over?.id);
    if (rule && target && rule !== target && !target.system) move.start({ rule, to: target.priority });
  };

  return (
    <>
      {move.dialog}
      {move.error && (
        <Box px="md" pb="md">
          <Refusal writing={move} title="The rule was not moved" />
        </Box>
      )}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        accessibility={{ announcements: announce(rules) }}
      >
        <SortableContext items={rules.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <Box
            ref={scroller}
            mah="calc(100vh - 300px)"
            tabIndex={0}
            role="region"
            aria-label="Rules in their order"
            style={{ overflow: "auto" }}
          >
            <Box role="list" pos="relative" h={virtualizer.getTotalSize()}>
              {virtualizer.getVirtualItems().map(({ index, key, start }) => {
                const rule = rules[index];
                if (!rule) return null;
                return (
                  <Box
                    key={key}
                    data-index={index}
                    ref={virtualizer.measureElement}
                    role="listitem"
                    aria-setsize={rules.length}
                    aria-posinset={index + 1}
                    pos="absolute"
                    top={start}
                    left={0}
                    w="100%"
                  >
                    <RuleRow
                      policyId={policyId}
                      rule={rule}
                      names={{ idps, zones }}
                      counts={counts}
                      findings={findings.get(rule.id) ?? []}
                      canMove={canMove && !rule.system}
                      canWrite={canWrite}
                      onEdit={onEdit}
                    />
                  </Box>
                );
              })}
            </Box>
          </Box>
        </SortableContext>
      </DndContext>
    </>
  );
}
