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
import type { Rule } from "../../api/types.js";
import type { Counts } from "../../parts/counts/use-counts.js";
import type { Names } from "../../parts/describe-rule.js";
import { Refusal } from "../../parts/refusal.js";
import { useRows } from "../../parts/use-rows.js";
import { rules as texts } from "../../texts/en/rules.js";
import { RuleRow } from "./rule-row.js";
import type { Move } from "./plan-moves.js";
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
  counts: Counts;
  names: Names;
  canMove: boolean;
  canWrite: boolean;
  /** What one looks for. */
  words: readonly string[];
  onEdit: (rule: Rule) => void;
  onCopy: (rule: Rule) => void;
  chosen: ReadonlySet<string>;
  onChoose: (rule: Rule) => void;
}

/** A rule that moves, or the one where it is. */
interface Place {
  readonly id: UniqueIdentifier;
}

/** Tells a screen reader where a rule is while it moves: `Partners, place 3 of 36`. */
function announce(rules: readonly Rule[]): Announcements {
  const at = ({ id }: Place, place: Place) => ({
    name: visible(rules.find((rule) => rule.id === id)?.name ?? texts.nameless),
    place: rules.findIndex((rule) => rule.id === place.id) + 1,
    all: rules.length,
  });
  return {
    onDragStart: ({ active }) => texts.pickedUp(at(active, active)),
    onDragOver: ({ active, over }) => (over ? texts.over(at(active, over)) : undefined),
    onDragEnd: ({ active, over }) => texts.putDown(at(active, over ?? active)),
    onDragCancel: ({ active }) => texts.stays(at(active, active)),
  };
}

/** The rules as rows that can be moved, by drag and by keyboard. Only the rows in view are in the page. */
export function RuleList({ policyId, rules, findings, canMove, chosen, ...row }: Readonly<RuleListProps>) {
  const { list, rows, height, measure } = useRows(rules, ROW_HEIGHT);
  const move = useCheckedWrite<Move>({
    policyId,
    titleOf: ({ rule }) => texts.askMove({ name: visible(rule.name) }),
    actionOf: () => texts.moveIt,
    changeOf: ({ rule, to }) => ({ ruleId: rule.id, rule: { ...toBody(rule), priority: to } }),
    async write({ rule, to }, allowed) {
      await moveRule(policyId, rule, to, allowed);
      return { text: texts.moved({ name: rule.name, place: to, all: rules.length }), id: rule.id };
    },
  });
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
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
          <Refusal writing={move} title={texts.notMoved} />
        </Box>
      )}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        accessibility={{ announcements: announce(rules), screenReaderInstructions: { draggable: texts.howToMove } }}
      >
        <SortableContext items={rules.map(({ id }) => id)} strategy={verticalListSortingStrategy}>
          <Box ref={list} role="list" aria-label={texts.list} pos="relative" h={height}>
            {rows.map(({ index, key, start }) => {
              const rule = rules[index];
              if (!rule) return null;
              return (
                <Box
                  key={key}
                  data-index={index}
                  ref={measure}
                  role="listitem"
                  aria-setsize={rules.length}
                  aria-posinset={index + 1}
                  pos="absolute"
                  top={start}
                  left={0}
                  w="100%"
                >
                  <RuleRow
                    {...row}
                    policyId={policyId}
                    rule={rule}
                    findings={findings.get(rule.id) ?? []}
                    canMove={canMove && !rule.system}
                    isMoving={move.isPending}
                    isChosen={chosen.has(rule.id)}
                  />
                </Box>
              );
            })}
          </Box>
        </SortableContext>
      </DndContext>
    </>
  );
}
