import { Button, Group } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { LogEvent } from "../../api/types.js";
import { CrossIcon } from "../../parts/icons.js";
import { visible } from "../../parts/visible.js";
import { labelOf } from "./event-types.js";
import { VIEWS, type Attribute, type Question } from "./question.js";
import type { Ask } from "./use-question.js";
import { logFilters as texts } from "../../texts/en/log-filters.js";

interface ChipsProps {
  question: Question;
  ask: Ask;
  /** They have the names of actors and targets. */
  events: readonly LogEvent[];
}

interface Chip {
  readonly label: string;
  readonly without: Partial<Question>;
}

const NO_FILTER = { words: "", view: "", types: [], values: {}, expression: "" } as const;

/** Every filter that is on. Pressing one removes it. */
export function Chips({ question, ask, events }: Readonly<ChipsProps>) {
  const names = useNames(events);
  const chips = chipsOf(question, names);
  const group = useRef<HTMLDivElement>(null);
  const isPressed = useRef(false);
  useEffect(() => {
    if (!isPressed.current || document.activeElement !== document.body) return;
    isPressed.current = false; // the chip that had the focus is gone
    (group.current?.querySelector("button") ?? document.querySelector("h1"))?.focus();
  }, [question]);
  const remove = (without: Partial<Question>) => {
    isPressed.current = true;
    ask(without);
  };
  if (chips.length === 0) return null;
  return (
    <Group gap={6} role="group" aria-label={texts.on} ref={group}>
      {chips.map(({ label, without }) => (
        <Button
          key={label}
          size="compact-sm"
          variant="light"
          maw="100%"
          className="foreign"
          rightSection={<CrossIcon size={14} />}
          aria-label={texts.remove({ filter: label })}
          onClick={() => {
            remove(without);
          }}
        >
          {label}
        </Button>
      ))}
      {chips.length > 1 && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            remove(NO_FILTER);
          }}
        >
          {texts.removeAll}
        </Button>
      )}
    </Group>
  );
}

const LABELS = {
  "actor.id": "by",
  "target.id": "about",
  "client.ipAddress": "address",
  "debugContext.debugData.requestId": "request",
} as const satisfies Record<Attribute, keyof typeof texts>;

function chipsOf(question: Question, names: ReadonlyMap<string, string>): Chip[] {
  const { words, view, types, values, expression } = question;
  const attributes = Object.keys(values) as Attribute[];
  return [
    ...(words === "" ? [] : [{ label: texts.words({ words }), without: { words: "" } }]),
    ...(view === "" ? [] : [{ label: labelOfView(view), without: { view: "" } }]),
    ...types.map((type) => ({ label: labelOf(type), without: { types: types.filter((other) => other !== type) } })),
    ...attributes.map((name) => {
      const { [name]: value = "", ...others } = values;
      return { label: texts[LABELS[name]]({ name: names.get(value) ?? value }), without: { values: others } };
    }),
    ...(expression === "" ? [] : [{ label: expression, without: { expression: "" } }]),
  ];
}

function labelOfView(view: string): string {
  const known = VIEWS.find(({ value }) => value === view);
  return known ? texts[known.name] : view;
}

/** The names of what events have shown so far, by id. */
function useNames(events: readonly LogEvent[]): ReadonlyMap<string, string> {
  const names = useRef(new Map([["unknown", texts.nobody]]));
  for (const { actor, target } of events) {
    for (const { id, displayName } of [actor, ...(target ?? [])]) {
      if (!names.current.has(id)) names.current.set(id, visible(displayName));
    }
  }
  return names.current;
}
