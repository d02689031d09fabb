import { Badge, Group, Text } from "@mantine/core";
import { Fragment } from "react";
import type { PolicyFinding, Rule } from "../../api/types.js";
import { Counted } from "../../parts/counts/counted.js";
import type { Counts } from "../../parts/counts/use-counts.js";
import { describeConditions, describeProviders, type Names } from "../../parts/describe-rule.js";
import { Marked } from "../../parts/marked.js";
import { RecordLink } from "../../parts/records/record-link.js";
import { visible } from "../../parts/visible.js";
import { rules as texts } from "../../texts/en/rules.js";
import { RuleFindings } from "./rule-findings.js";
import { findHidden } from "./search-rules.js";
import { isWarning } from "./use-findings.js";

interface RuleTextProps {
  rule: Rule;
  names: Names;
  counts: Counts;
  findings: readonly PolicyFinding[];
  /** What one looks for. */
  words: readonly string[];
}

/** What the rule asks, how often it decided, and what may be wrong with it. */
export function RuleText({ rule, names, counts, findings, words }: Readonly<RuleTextProps>) {
  const conditions = describeConditions(rule.conditions, names);
  const sentence =
    conditions.length === 0 ? texts.everyone : visible(texts.if({ conditions: conditions.join(texts.and) }));
  const providers = describeProviders(rule.actions.idp, names);
  const hidden = findHidden(rule, names, words, [rule.name, sentence, ...providers].join("\n"));
  return (
    <>
      <Group gap="xs">
        <RecordLink page="/rules" id={rule.id} name={rule.name} fw={600}>
          <Marked text={visible(rule.name)} words={words} />
        </RecordLink>
        {rule.system && (
          <Badge variant="light" color="gray" tt="none">
            {texts.default}
          </Badge>
        )}
        {rule.status === "INACTIVE" && (
          <Badge variant="light" color="yellow" tt="none">
            {texts.off}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed" className="foreign">
        <Marked text={sentence} words={words} /> →{" "}
        <Text span fw={500} c="bright">
          <ProviderLinks rule={rule} names={providers} words={words} />
        </Text>
      </Text>
      {hidden.length > 0 && (
        <Text size="xs" className="foreign">
          {texts.found({ parts: <Marked key="parts" text={hidden.join(texts.comma)} words={words} /> })}
        </Text>
      )}
      <Counted id={rule.id} counts={counts} />
      <RuleFindings findings={findings.filter(isWarning)} />
    </>
  );
}

/** @param names of each provider, in order */
function ProviderLinks({ rule, names, words }: Readonly<{ rule: Rule; names: string[]; words: readonly string[] }>) {
  const { idp } = rule.actions;
  const ids = idp.idpSelectionType === "DYNAMIC" ? [] : idp.providers.map(({ id }) => id);
  return names.map((name, index) => {
    const id = ids[index];
    const marked = <Marked text={name} words={words} />;
    return (
      <Fragment key={id ?? index}>
        {index > 0 && texts.then}
        {id === undefined ? (
          marked
        ) : (
          <RecordLink page="/idps" id={id} name={name}>
            {marked}
          </RecordLink>
        )}
      </Fragment>
    );
  });
}
