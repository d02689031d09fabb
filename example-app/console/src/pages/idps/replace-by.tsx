import { Button, Group, List, Select, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { idpsQuery } from "../../api/queries.js";
import type { Idp, Rule } from "../../api/types.js";
import { sortByName } from "../../parts/collate.js";
import { HelpedFieldset } from "../../parts/helped-fieldset.js";
import { useMayRestore } from "../../parts/history/use-may-restore.js";
import { useNotice } from "../../parts/notices/use-notice.js";
import { Question } from "../../parts/question.js";
import { RecordLink } from "../../parts/records/record-link.js";
import { Refusal } from "../../parts/refusal.js";
import { useAllowedWrite } from "../../parts/use-allowed-write.js";
import { visible } from "../../parts/visible.js";
import { useScope } from "../../session/use-session.js";
import { idpReplacement } from "../../texts/en/idp-replacement.js";
import { readRevisions } from "../rules/bulk-requests.js";
import { useRules } from "../rules/use-rules.js";
import { describeMoves, Changes } from "../rules/what-if.js";
import type { Preview } from "../rules/requests.js";
import { leadsTo, MAX_PREVIEWED, MAX_RULES, previewReplacement, replaceInRule } from "./replacement.js";

/** How many rules the question names; the others are counted. */
const MAX_NAMED = 5;

/** Leads every rule of a provider to another one. */
export function ReplaceBy({ idp }: Readonly<{ idp: Idp }>) {
  const [mayRead, mayWrite] = [useScope("idps.read"), useScope("policies.manage")];
  return mayRead && mayWrite ? <Replacement idp={idp} /> : null;
}

interface Asked {
  readonly to: Idp;
  /** Absent when nobody could tell. */
  readonly preview: Preview | undefined;
}

function Replacement({ idp }: Readonly<{ idp: Idp }>) {
  const { policyId, rules, isComplete } = useRules();
  const { data: idps = [] } = useQuery(idpsQuery);
  const [id, setId] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked>();
  const used = rules.filter((rule) => leadsTo(rule, idp.id));
  const to = idps.find((other) => other.id === id);
  const writing = useReplacement(policyId, idp, used);
  const check = useMutation({
    mutationFn: (other: Idp) => previewReplacement(policyId, used, idp, other),
    onSettled: (preview, _error, other) => {
      setAsked({ to: other, preview });
    },
  });
  if (!isComplete || used.length === 0) return null;
  if (used.length > MAX_RULES) {
    return (
      <Text size="sm" c="dimmed">
        {idpReplacement.tooMany({ n: used.length, max: MAX_RULES })}
      </Text>
    );
  }
  return (
    <HelpedFieldset legend={idpReplacement.title} term="replaceIdp">
      <Group gap="sm">
        <Select
          aria-label={idpReplacement.title}
          placeholder={idpReplacement.choose}
          data={sortByName(idps)
            .filter((other) => other.id !== idp.id)
            .map((other) => ({ value: other.id, label: visible(other.name) }))}
          value={id}
          onChange={setId}
          searchable
          nothingFoundMessage={idpReplacement.noneFound}
          flex="1 1 220px"
        />
        <Button
          variant="default"
          disabled={!to}
          loading={check.isPending || writing.isPending}
          onClick={() => {
            if (to) check.mutate(to);
          }}
        >
          {idpReplacement.replaceIn({ n: used.length })}
        </Button>
      </Group>
      <Refusal writing={writing} title={idpReplacement.incomplete} action={idpReplacement.anyway} />
      {asked && (
        <Question
          title={idpReplacement.question({ n: used.length, from: visible(idp.name), to: visible(asked.to.name) })}
          action={idpReplacement.replace}
          onClose={() => {
            setAsked(undefined);
          }}
          onConfirm={() => {
            writing.mutate(asked);
          }}
        >
          <Rules rules={used} />
          {asked.to.status === "INACTIVE" && (
            <Text size="sm">{idpReplacement.isOff({ name: visible(asked.to.name) })}</Text>
          )}
          {asked.preview && <Changes preview={asked.preview} />}
          {used.length > MAX_PREVIEWED && (
            <Text size="sm" c="dimmed">
              {idpReplacement.tested({ n: MAX_PREVIEWED })}
            </Text>
          )}
        </Question>
      )}
    </HelpedFieldset>
  );
}

/** Writes the rules one by one. Whatever is done is told, with one way back. */
function useReplacement(policyId: string, from: Idp, rules: readonly Rule[]) {
  const tell = useNotice();
  const mayRestore = useMayRestore();
  return useAllowedWrite(async ({ to, preview }: Asked, allowed) => {
    const since = mayRestore ? (await readRevisions(policyId, 1))[0]?.revision : undefined;
    const done: string[] = [];
    const describe = () => ({
      values: { n: done.length, from: from.name, to: to.name },
      all: since === undefined ? undefined : { ids: done, since },
    });
    try {
      for (const { id } of rules) {
        if (await replaceInRule(policyId, id, { from, to, allowed })) done.push(id);
      }
    } catch (error) {
      const { values, all } = describe();
      if (done.length > 0) tell({ text: idpReplacement.partlyDone({ ...values, all: rules.length }), all });
      throw error;
    }
    const { values, all } = describe();
    return { text: idpReplacement.done(values) + describeMoves(preview), all };
  });
}

function Rules({ rules }: Readonly<{ rules: readonly Rule[] }>) {
  const more = rules.length - MAX_NAMED;
  return (
    <List size="sm">
      {rules.slice(0, MAX_NAMED).map(({ id, name }) => (
        <List.Item key={id} className="foreign">
          <RecordLink page="/rules" id={id} name={name} />
        </List.Item>
      ))}
      {more > 0 && <List.Item>{idpReplacement.more({ n: more })}</List.Item>}
    </List>
  );
}
