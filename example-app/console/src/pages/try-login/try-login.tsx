import { Badge, Box, Button, Grid, Group, Loader, Paper, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiProblem } from "../../api/http.js";
import type { Rule } from "../../api/types.js";
import { Empty, Page } from "../../parts/page.js";
import { ReadingProblem } from "../../parts/reading-problem.js";
import { describeQuestion, NO_QUESTION, readTried, rememberTried, type Question } from "../../parts/tried.js";
import { useScope } from "../../session/use-session.js";
import { KeepAsTest } from "../tests/keep-as-test.js";
import { AsOf } from "./as-of.js";
import { MomentField } from "./moment-field.js";
import { QuestionForm } from "./question-form.js";
import { Response } from "./response.js";
import { questionOf, type Moment } from "./search.js";
import { TriedRules } from "./tried-rules.js";
import { useKnownRules, useTrace } from "./use-trace.js";
import { Verdict } from "./verdict.js";
import { visible } from "../../parts/visible.js";

/** The pause after the last key before a request is sent, in milliseconds. */
const DEBOUNCE_MS = 150;

/** A question that stands so long is remembered; what one types on the way to it is not. */
const SETTLED_MS = 1_500;

/** How many of the logins that were tried last are offered again. */
const SHOWN = 8;

/** What rules asked in the past is only in their history. */
const NOT_KNOWN: ReadonlyMap<string, Rule> = new Map();

/** Who signs a login in, and why: live, rule by rule. */
export function TryLogin() {
  const search = useSearch({ from: "/" });
  const [question, setQuestion] = useState<Question>(() => questionOf(search) ?? readTried()[0] ?? NO_QUESTION);
  const [moment, setMoment] = useState<Moment>(() => ({ at: search.at, revision: search.revision }));
  const [asked] = useDebouncedValue(question, DEBOUNCE_MS);
  const [settled] = useDebouncedValue(question, SETTLED_MS);
  const [tried, setTried] = useState(readTried);
  const trace = useTrace(trimmed(asked), moment);
  const triedRules = trace.data?.pages.flatMap(({ data }) => data.rules) ?? [];
  const knownRules = useKnownRules(triedRules.length);
  const isAnswered = trace.data !== undefined && !trace.isError && asked.login.trim() !== "";

  const last = useRef(question);
  last.current = question;

  useEffect(() => {
    if (settled.login.trim() !== "") setTried(rememberTried(trimmed(settled)));
  }, [settled]);
  useEffect(
    () => () => {
      if (last.current.login.trim() !== "") rememberTried(trimmed(last.current));
    },
    [],
  );

  const [first] = trace.data?.pages ?? [];
  const mayKeep = useScope("policies.manage");
  const isPast = first?.data.asOf !== undefined;
  const [clientFault, timeFault] = ["clientIp", "at"].map((name) => faultOf(trace.error, name));

  return (
    <Page
      title="Try a login"
      about="Type a login and see who signs this person in, and which rule decides it. Nothing is changed and nobody is signed in."
    >
      <Paper withBorder p="lg">
        <QuestionForm question={question} onChange={setQuestion} addressFault={clientFault} />
        <MomentField moment={moment} onChange={setMoment} fault={timeFault} />
        {tried.length > 0 && <Tried tried={tried} onChoose={setQuestion} />}
      </Paper>
      {(clientFault ?? timeFault) === undefined && <ReadingProblem error={trace.error} />}
      {!isAnswered && !trace.isError && <NoAnswer isLoading={trace.isFetching} />}
      {isAnswered && first && (
        <Box style={{ opacity: trace.isPlaceholderData ? 0.6 : 1 }} aria-busy={trace.isPlaceholderData}>
          <Stack gap="lg">
            {isPast && <AsOf trace={first.data} />}
            <Verdict trace={first.data} />
            {mayKeep && !isPast && (
              <KeepAsTest key={JSON.stringify(asked)} trace={first.data} question={trimmed(asked)} />
            )}
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 7 }}>
                <Paper withBorder p="lg">
                  <TriedRules trace={first.data} rules={triedRules} known={isPast ? NOT_KNOWN : knownRules} />
                  {trace.hasNextPage && (
                    <Button
                      mt="md"
                      variant="default"
                      fullWidth
                      loading={trace.isFetchingNextPage}
                      onClick={() => void trace.fetchNextPage()}
                    >
                      Show more of the rules that were tried
                    </Button>
                  )}
                </Paper>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 5 }}>
                <Response trace={first.data} />
              </Grid.Col>
            </Grid>
          </Stack>
        </Box>
      )}
    </Page>
  );
}

function trimmed(question: Question): Question {
  return { ...question, login: question.login.trim() };
}

function Tried({ tried, onChoose }: Readonly<{ tried: readonly Question[]; onChoose: (question: Question) => void }>) {
  return (
    <Group gap={6} mt="md" role="group" aria-label="Tried last">
      <Text size="xs" c="dimmed">
        Tried last
      </Text>
      {tried.slice(0, SHOWN).map((question) => (
        <Badge
          key={JSON.stringify(question)}
          component="button"
          type="button"
          variant="default"
          tt="none"
          fw={500}
          maw={340}
          style={{ cursor: "pointer" }}
          onClick={() => {
            onChoose(question);
          }}
        >
          <span className="foreign">{visible(describeQuestion(question))}</span>
        </Badge>
      ))}
    </Group>
  );
}

function NoAnswer({ isLoading }: Readonly<{ isLoading: boolean }>) {
  if (isLoading) {
    return (
      <Group justify="center" py="xl">
        <Loader aria-label="Asking" />
      </Group>
    );
  }
  return (
    <Empty title="Type a login to begin">
      The demonstration sends everyone at example.com to one provider: try joe@example.com, then joe@example.org.
    </Empty>
  );
}

/** What is wrong with a parameter. One that is typed is often not complete yet. */
function faultOf(error: Error | null, name: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  return error.causes.find((cause) => cause.startsWith(`${name}: `))?.replace(`${name}: `, "");
}
