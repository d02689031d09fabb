import { List, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { answerOf, api } from "../../api/client.js";
import { isAlready, send } from "../../api/http.js";
import { PAGE_SIZE, policyQuery } from "../../api/queries.js";
import type { Rule, Status } from "../../api/types.js";
import { useScope } from "../../session/use-session.js";
import { records } from "../../texts/en/records.js";
import { Question } from "../question.js";
import { useAllowedWrite } from "../use-allowed-write.js";
import { visible } from "../visible.js";
import type { NamedRecord, RecordKind, Switched } from "./kind.js";
import { RecordLink } from "./record-link.js";

/** So many pages of rules are read to find those that use a record. */
const MAX_PAGES = 5;

/** How many rules are named; the others are counted. */
const MAX_NAMED = 5;

/** What a switch needs of a kind of records. */
export type SwitchedKind<R extends NamedRecord> = Pick<RecordKind<R, Switched>, "key" | "texts" | "uses"> & {
  requests: Pick<RecordKind<R, Switched>["requests"], "activate" | "deactivate">;
};

interface Uses {
  /** The active ones. */
  readonly rules: readonly Rule[];
  /** Whether there are rules that were not read. */
  readonly isPart: boolean;
}

/** Switches a record on and off, and asks before rules lose it. What one has asked for is done, whatever others did meanwhile. */
export function useSwitch<R extends NamedRecord>(kind: SwitchedKind<R>, record: R) {
  const { id, name, status } = record;
  const isActive = status === "ACTIVE";
  const { uses, texts } = kind;
  const client = useQueryClient();
  const mayRead = useScope("policies.read");
  const [asked, setAsked] = useState<Uses>();
  const writing = useAllowedWrite(
    async (to: Status, allowed) => {
      const isOn = to === "ACTIVE";
      try {
        await (isOn ? kind.requests.activate(id, allowed) : kind.requests.deactivate(id, allowed));
      } catch (error) {
        if (isAlready(error, to)) return undefined; // somebody else was faster, and there is nothing to undo
        throw error;
      }
      return { text: (isOn ? texts.switchedOn : texts.switchedOff)({ name }), id };
    },
    [kind.key],
  );
  const check = useMutation({
    mutationFn: async (to: Status): Promise<Uses> => {
      if (to === "ACTIVE" || !uses || !mayRead) return { rules: [], isPart: false };
      const { id: policyId } = await client.query(policyQuery);
      return findUses(policyId, (rule) => rule.status === "ACTIVE" && uses(record, rule));
    },
    onSuccess(found, to) {
      if (found.rules.length > 0 || found.isPart) setAsked(found);
      else writing.mutate(to);
    },
    onError: (_error, to) => {
      writing.mutate(to); // which tells what is wrong
    },
  });
  const close = () => {
    setAsked(undefined);
  };
  const dialog: ReactNode = asked && (
    <Question
      title={texts.switchOff({ name: visible(name) })}
      action={records.switchItOff}
      onClose={close}
      onConfirm={() => {
        writing.mutate("INACTIVE");
      }}
    >
      <UsedBy {...asked} />
    </Question>
  );
  return {
    isActive,
    isPending: check.isPending || writing.isPending,
    start: () => {
      check.mutate(isActive ? "INACTIVE" : "ACTIVE");
    },
    writing,
    dialog,
  };
}

function UsedBy({ rules, isPart }: Readonly<Uses>) {
  const more = rules.length - MAX_NAMED;
  return (
    <>
      <Text size="sm">
        {rules.length === 0 ? records.mayBeUsed : (isPart ? records.usedByOrMore : records.usedBy)({ n: rules.length })}
      </Text>
      <List size="sm">
        {rules.slice(0, MAX_NAMED).map((rule) => (
          <List.Item key={rule.id} className="foreign">
            <RecordLink page="/rules" id={rule.id} name={rule.name} />
          </List.Item>
        ))}
        {more > 0 && <List.Item>{records.more({ n: more })}</List.Item>}
      </List>
    </>
  );
}

async function findUses(policyId: string, isUse: (rule: Rule) => boolean): Promise<Uses> {
  const params = { path: { policyId }, query: { limit: PAGE_SIZE } };
  let page = await answerOf(api.GET("/api/v1/policies/{policyId}/rules", { params }));
  const rules = page.data.filter(isUse);
  for (let pages = 1; page.next !== undefined && pages < MAX_PAGES; pages++) {
    page = await send<Rule[]>(page.next);
    rules.push(...page.data.filter(isUse));
  }
  return { rules, isPart: page.next !== undefined };
}
