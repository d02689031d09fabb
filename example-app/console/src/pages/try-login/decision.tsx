import { Box, Button, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";
import type { Rule, Trace } from "../../api/types.js";
import { Help, type Term } from "../../parts/help.js";
import { RecordLink } from "../../parts/records/record-link.js";
import { countBefore, describeRead, describeSkipped } from "./count-rules.js";
import { describeLack, findNearMisses } from "./near-misses.js";
import { TracedConditionText } from "./traced-condition.js";
import { TriedRule } from "./tried-rule.js";
import { useKnownRule, useKnownRules, type TracePages } from "./use-trace.js";
import { tryAnswer as texts } from "../../texts/en/try-answer.js";

/** So few rules are shown without a press. */
const FEW = 3;

/** What rules asked in the past is only in their history. */
const NOT_KNOWN: ReadonlyMap<string, Rule> = new Map();

interface DecisionProps {
  trace: Trace;
  tried: TracePages;
}

/** The rule that decides, those that nearly did, and the others before it. */
export function Decision({ trace, tried }: Readonly<DecisionProps>) {
  const { match, asOf } = trace;
  const isPast = asOf !== undefined;
  const read = tried.data?.pages.flatMap(({ data }) => data.rules).filter(({ id }) => id !== match.id) ?? [];
  const rules = useKnownRules(read.length);
  const known = isPast ? NOT_KNOWN : rules;
  const deciding = useKnownRule(match.id, isPast);
  const nearMisses = findNearMisses(read);
  const counted = countBefore(match.priority - 1, read);
  return (
    <Paper withBorder p="lg">
      <Stack gap="lg">
        <Section title={texts.deciding}>
          <TriedRule trace={trace} rule={match} known={deciding} />
        </Section>
        {nearMisses.length > 0 && (
          <Section title={texts.misses({ n: nearMisses.length })} term="nearMiss">
            {nearMisses.map((miss) => (
              <Box key={miss.rule.id} data-testid="near-miss">
                <Text size="sm" className="foreign">
                  {describeLack(
                    miss,
                    <RecordLink key="rule" page="/rules" id={miss.rule.id} name={miss.rule.name} fw={600} />,
                  )}
                </Text>
                {miss.failing.map((condition) => (
                  <TracedConditionText
                    key={condition.condition}
                    trace={trace}
                    condition={condition}
                    rule={known.get(miss.rule.id)}
                  />
                ))}
              </Box>
            ))}
            {counted.read < counted.all && (
              <Text size="sm" c="dimmed">
                {texts.ofFirst({ count: counted.read })}
              </Text>
            )}
          </Section>
        )}
        {counted.all > 0 && (
          <RulesBefore counted={counted} tried={tried}>
            {read.map((rule) => (
              <List.Item key={rule.id}>
                <TriedRule trace={trace} rule={rule} known={known.get(rule.id)} />
              </List.Item>
            ))}
          </RulesBefore>
        )}
      </Stack>
    </Paper>
  );
}

function Section({ title, term, children }: Readonly<{ title: string; term?: Term; children: ReactNode }>) {
  return (
    <Stack gap="sm">
      <div className="helped">
        <Title order={2} size="h4">
          {title}
        </Title>
        {term && <Help term={term} name={title} />}
      </div>
      {children}
    </Stack>
  );
}

interface RulesBeforeProps {
  counted: ReturnType<typeof countBefore>;
  tried: TracePages;
  children: ReactNode;
}

/** The rules before the one that decides, in one line that opens. */
function RulesBefore({ counted, tried, children }: Readonly<RulesBeforeProps>) {
  const [isOpened, setOpened] = useState(false);
  const isFew = counted.all <= FEW;
  const isOpen = isFew || isOpened;
  const skipped = describeSkipped(counted);
  return (
    <Section title={texts.before}>
      <Box>
        {isFew ? (
          <Text size="sm">{describeRead(counted)}</Text>
        ) : (
          <Button
            variant="default"
            size="xs"
            aria-expanded={isOpen}
            onClick={() => {
              setOpened(!isOpen);
            }}
          >
            {describeRead(counted)}
          </Button>
        )}
        {skipped !== undefined && (
          <Text size="sm" c="dimmed" mt={4}>
            {skipped}
          </Text>
        )}
      </Box>
      {isOpen && (
        <List
          listStyleType="none"
          spacing="md"
          styles={{ itemWrapper: { width: "100%" }, itemLabel: { width: "100%" } }}
        >
          {children}
        </List>
      )}
      {tried.hasNextPage && (
        <Button
          variant="default"
          fullWidth
          loading={tried.isFetchingNextPage}
          onClick={() => {
            setOpened(true);
            void tried.fetchNextPage();
          }}
        >
          {texts.showMore}
        </Button>
      )}
    </Section>
  );
}
