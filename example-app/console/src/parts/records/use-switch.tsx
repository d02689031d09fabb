import { List, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { answerOf, api } from "../../api/client.js";
import { send } from "../../api/http.js";
import { PAGE_SIZE, policyQuery } from "../../api/queries.js";
import type { Rule } from "../../api/types.js";
import { useScope } from "../../session/use-session.js";
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
export type SwitchedKind<R extends NamedRecord> = Pick<RecordKind<R, Switched>, "key" | "one" | "uses"> & {
  requests: Pick<RecordKind<R, Switched>["requests"], "activate" | "deactivate">;
};

interface Uses {
  /** The active ones. */
  readonly rules: readonly Rule[];
  /** Whether there are rules that were not read. */
  readonly isPart: boolean;
}

/** Switches a record on and off, and asks before rules lose it. */
export function useSwitch<R extends NamedRecord>(kind: SwitchedKind<R>, record: R) {
  const { id, name, status } = record;
  const isActive = status === "ACTIVE";
  const { uses } = kind;
  const client = useQueryClient();
  const mayRead = useScope("policies.read");
  const [asked, setAsked] = useState<Uses>();
  const writing = useAllowedWrite(
    async (_values: undefined, allowed) => {
      await (isActive ? kind.requests.deactivate(id, allowed) : kind.requests.activate(id, allowed));
      return { text: `Switched the ${kind.one} ${name} ${isActive ? "off" : "on"}`, id };
    },
    [kind.key],
  );
  const check = useMutation({
    mutationFn: async (): Promise<Uses> => {
      if (!isActive || !uses || !mayRead) return { rules: [], isPart: false };
      const { id: policyId } = await client.query(policyQuery);
      return findUses(policyId, (rule) => rule.status === "ACTIVE" && uses(record, rule));
    },
    onSuccess(found) {
      if (found.rules.length > 0 || found.isPart) setAsked(found);
      else writing.mutate(undefined);
    },
    onError: () => {
      writing.mutate(undefined); // which tells what is wrong
    },
  });
  const close = () => {
    setAsked(undefined);
  };
  const dialog: ReactNode = asked && (
    <Question
      title={`Switch the ${kind.one} ${visible(name)} off?`}
      action="Switch it off"
      onClose={close}
      onConfirm={() => {
        writing.mutate(undefined);
      }}
    >
      <UsedBy {...asked} />
    </Question>
  );
  return {
    isActive,
    isPending: check.isPending || writing.isPending,
    start: () => {
      check.mutate();
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
        {rules.length === 0
          ? "Rules may use it: there are more than this page reads."
          : `${rules.length}${isPart ? " or more" : ""} active ${rules.length === 1 && !isPart ? "rule uses" : "rules use"} it:`}
      </Text>
      <List size="sm">
        {rules.slice(0, MAX_NAMED).map((rule) => (
          <List.Item key={rule.id} className="foreign">
            <RecordLink page="/rules" id={rule.id} name={rule.name} />
          </List.Item>
        ))}
        {more > 0 && <List.Item>and {more} more</List.Item>}
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
